"""What pages may try with their words: how it is found, weighed and kept on record."""
