"""Text for people: errors with a way out, colours, and progress."""
