"""The extra of `build --report`."""
