NAME = "with data"
