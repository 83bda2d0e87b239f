"""What people read: errors with a way out, colours, and how far something is."""
