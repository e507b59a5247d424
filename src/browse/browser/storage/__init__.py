"""What sites store in the browser: cookies, web storage, and saved states of both."""
