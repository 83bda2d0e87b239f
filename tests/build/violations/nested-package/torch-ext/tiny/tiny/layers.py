"""The folder that the builder makes for clients which import by name has this name already."""
