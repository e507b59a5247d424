"""How a page looks: screenshots, annotations, PDF, styles."""
