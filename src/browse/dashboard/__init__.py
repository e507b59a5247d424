"""What the dashboard shows: its facts, and the news that change them."""
