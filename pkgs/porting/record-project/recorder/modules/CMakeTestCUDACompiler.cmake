# In the place of CMake's own, which compiles.
set(CMAKE_CUDA_COMPILER_WORKS TRUE)
