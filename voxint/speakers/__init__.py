"""Who a voice is, and whether that may be shown: the three-band policy and the matcher. Pure; no session, no file."""
