A text.
