"""Commands for tabs, frames and sessions."""
