"""算番: the site, the command line and the JSON interface around the engine in `scoring`."""
