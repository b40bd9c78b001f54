# llama.cpp built from source as static libraries: target talefold_llama, for the
# portable build of talefold_rt.
#
# On x86-64 it needs AVX2 and nothing newer; elsewhere it is what the compiler makes by
# itself. Nothing depends on the CPU that builds. No OpenMP: its runtime would be one
# more library to bring along, and one that the whole process shares.

# In a function: llama.cpp's options are set as variables of its own scope, and neither
# they nor what llama.cpp sets reach the rest of the build or the cache.
function(talefold_add_llama_cpp source)
  set(BUILD_SHARED_LIBS OFF)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  set(CMAKE_C_VISIBILITY_PRESET hidden)
  set(CMAKE_CXX_VISIBILITY_PRESET hidden)
  set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

  set(options
    GGML_NATIVE=OFF GGML_BACKEND_DL=OFF GGML_CPU_ALL_VARIANTS=OFF
    GGML_OPENMP=OFF GGML_CCACHE=OFF GGML_LTO=OFF
    GGML_BUILD_TESTS=OFF GGML_BUILD_EXAMPLES=OFF)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    # All of them, as the defaults follow the environment (SOURCE_DATE_EPOCH).
    foreach(feature SSE42 AVX AVX2 FMA F16C BMI2)
      list(APPEND options GGML_${feature}=ON)
    endforeach()
    foreach(feature AVX_VNNI AVX512 AVX512_VBMI AVX512_VNNI AVX512_BF16
                    AMX_TILE AMX_INT8 AMX_BF16)
      list(APPEND options GGML_${feature}=OFF)
    endforeach()
    set(baseline "SSE4.2, AVX, AVX2, FMA, F16C, BMI2")
    set(TALEFOLD_LLAMA_NEEDS_AVX2 ON PARENT_SCOPE)
  else()
    set(baseline "the compiler's default")
  endif()
  foreach(option IN LISTS options)
    string(REPLACE "=" ";" option ${option})
    list(GET option 0 name)
    list(GET option 1 value)
    set(${name} ${value})
  endforeach()
  foreach(part COMMON TESTS TOOLS EXAMPLES SERVER APP UI MTMD)
    set(LLAMA_BUILD_${part} OFF)
  endforeach()
  set(LLAMA_OPENSSL OFF)
  set(LLAMA_ALL_WARNINGS OFF)

  # The commit is part of what a KV cache is refused by. llama.cpp asks git for it, which
  # in a source folder without .git would answer with that of a repository around it.
  get_filename_component(above ${source} DIRECTORY)
  set(ENV{GIT_CEILING_DIRECTORIES} ${above})
  if(TALEFOLD_LLAMA_COMMIT)
    set(LLAMA_BUILD_COMMIT ${TALEFOLD_LLAMA_COMMIT})
    set(GIT_EXE OFF)  # or ggml asks all the same
  endif()
  # EXCLUDE_FROM_ALL: only what is linked is built, and nothing of it is installed.
  add_subdirectory(${source} ${PROJECT_BINARY_DIR}/llama.cpp EXCLUDE_FROM_ALL)

  set(TALEFOLD_LLAMA_OPTIONS ${options} PARENT_SCOPE)
  set(TALEFOLD_LLAMA_BASELINE ${baseline} PARENT_SCOPE)
endfunction()

if(NOT EXISTS ${TALEFOLD_LLAMA_SOURCE}/include/llama.h)
  message(FATAL_ERROR "TALEFOLD_LLAMA_SOURCE is '${TALEFOLD_LLAMA_SOURCE}', which has "
    "no include/llama.h; set it to the absolute path of llama.cpp's source folder")
endif()
talefold_add_llama_cpp(${TALEFOLD_LLAMA_SOURCE})

add_library(talefold_llama INTERFACE)
target_link_libraries(talefold_llama INTERFACE llama)
# As system headers: our warnings are not for them.
target_include_directories(talefold_llama SYSTEM INTERFACE
  ${TALEFOLD_LLAMA_SOURCE}/include ${TALEFOLD_LLAMA_SOURCE}/ggml/include)
if(TALEFOLD_LLAMA_NEEDS_AVX2)
  target_compile_definitions(talefold_llama INTERFACE TALEFOLD_LLAMA_NEEDS_AVX2)
endif()
