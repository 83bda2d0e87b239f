include("${CMAKE_CURRENT_LIST_DIR}/FindCUDAToolkit.cmake")
