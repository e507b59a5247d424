"""What a command is: its declaration, its grammar, and what can be derived from both."""
