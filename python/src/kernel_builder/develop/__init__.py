"""What authors work with: new kernels, shells, and a project for CMake and pip."""
