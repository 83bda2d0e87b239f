"""The project in which a kernel is built outside Nix, by CMake and setuptools, from the plan."""
