# llama.cpp out of the pip package llama-cpp-python: target talefold_llama.
#
# Linked by path against llama_cpp/lib. find_package(llama) would find the package's other
# copy, in lib/, and two copies in one process are two of everything.

if(NOT Python_Interpreter_FOUND)
  message(FATAL_ERROR "TALEFOLD_LLAMA needs a Python 3.10 or newer with llama-cpp-python; "
                      "or set TALEFOLD_LLAMA=OFF")
endif()
execute_process(
  COMMAND ${Python_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/find_llama_cpp.py
  OUTPUT_VARIABLE TALEFOLD_LLAMA_DIRS OUTPUT_STRIP_TRAILING_WHITESPACE)
list(LENGTH TALEFOLD_LLAMA_DIRS TALEFOLD_LLAMA_FOUND)
if(NOT TALEFOLD_LLAMA_FOUND EQUAL 2)
  message(FATAL_ERROR "${Python_EXECUTABLE} has no package llama-cpp-python; install it, "
                      "or set TALEFOLD_LLAMA=OFF")
endif()
list(GET TALEFOLD_LLAMA_DIRS 0 TALEFOLD_LLAMA_INCLUDE)
list(GET TALEFOLD_LLAMA_DIRS 1 TALEFOLD_LLAMA_LIB)

add_library(talefold_llama INTERFACE)
target_include_directories(talefold_llama SYSTEM INTERFACE ${TALEFOLD_LLAMA_INCLUDE})
target_link_libraries(talefold_llama INTERFACE
  ${TALEFOLD_LLAMA_LIB}/${CMAKE_SHARED_LIBRARY_PREFIX}llama${CMAKE_SHARED_LIBRARY_SUFFIX}
  ${TALEFOLD_LLAMA_LIB}/${CMAKE_SHARED_LIBRARY_PREFIX}ggml-base${CMAKE_SHARED_LIBRARY_SUFFIX})
