"""How a page looks: screenshots, annotations, PDF files, styles."""
