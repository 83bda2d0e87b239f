# CMake reads this before each project() of the recorded one. Its compilers are not asked for anything.
list(PREPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}")
list(PREPEND CMAKE_PREFIX_PATH "${CMAKE_CURRENT_LIST_DIR}")
set(RECORDER_MODULES "${CMAKE_CURRENT_LIST_DIR}")
# Whoever asks whether there is this compiler runs nothing.
set(CMAKE_CUDA_COMPILER NOTFOUND)
if(RECORDED_CUDA)
  set(CMAKE_CUDA_COMPILER "$ENV{cuda_home}/bin/nvcc")
endif()
include(FindPython)
