"""Tools for authors: new kernels, shells, and a project for CMake and pip."""
