"""What the checks of a built variant share: how a problem is told, and what a variant is."""
