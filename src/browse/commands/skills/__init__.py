"""Browser-skills: listing, running, recording and keeping them."""
