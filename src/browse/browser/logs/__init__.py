"""What pages say on their consoles and ask of the network, kept in bounded memory."""
