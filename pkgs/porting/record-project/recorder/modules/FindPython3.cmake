include("${CMAKE_CURRENT_LIST_DIR}/FindPython.cmake")
