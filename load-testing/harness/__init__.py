"""What the load tests share: settings, the server under test, wrk, and tables of results."""
