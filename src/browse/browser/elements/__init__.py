"""Find elements by selector or ref, and recognise them again."""
