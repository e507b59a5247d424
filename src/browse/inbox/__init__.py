"""Notes that the person leaves for the agent, in the side panel or the live view."""
