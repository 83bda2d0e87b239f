TEXT = "A module."
