"""What the browser pretends to be: devices, places, network speeds."""
