"""browse for programs that speak the Model Context Protocol (MCP): three tools."""
