"""A registered name takes its seat along from one device to another."""
