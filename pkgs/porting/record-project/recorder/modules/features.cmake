# CMake reads this after each project(). It asks compilers for their features, which are those of gcc 12.
foreach(year 98 11 14 17 20 23)
  set(CMAKE_CXX${year}_COMPILE_FEATURES cxx_std_${year})
  list(APPEND CMAKE_CXX_COMPILE_FEATURES cxx_std_${year})
endforeach()
foreach(year 90 99 11 17 23)
  set(CMAKE_C${year}_COMPILE_FEATURES c_std_${year})
  list(APPEND CMAKE_C_COMPILE_FEATURES c_std_${year})
endforeach()
