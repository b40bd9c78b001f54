# How talefold_rt is linked: what it shows to a process, and what it needs of it.

# The library exports that symbol of its own code and no other, whatever is linked into
# it: two copies of it, or one beside another llama.cpp, stay out of each other's way.
function(talefold_export_only target symbol)
  if(APPLE)
    target_link_options(${target} PRIVATE "LINKER:-exported_symbol,_${symbol}")
  elseif(UNIX)
    set(map ${CMAKE_CURRENT_BINARY_DIR}/${target}.map)
    file(CONFIGURE OUTPUT ${map} CONTENT "{ global: ${symbol}; local: *; };\n")
    target_link_options(${target} PRIVATE
      "LINKER:--version-script=${map}" "LINKER:--exclude-libs,ALL" "LINKER:-Bsymbolic")
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${map})
  endif()  # a DLL exports what is declared so, and nothing else
endfunction()

# It needs nothing beside the system's C library, and looks for nothing through paths of
# the machine that built it. What it was built from and with, and where it is, stands in
# talefold_rt.json in the build folder, for scripts/build_portable.py.
function(talefold_make_portable target)
  set_target_properties(${target} PROPERTIES SKIP_BUILD_RPATH ON)
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    target_link_options(${target} PRIVATE
      -static-libstdc++ -static-libgcc
      "LINKER:-z,defs" "LINKER:-z,relro" "LINKER:-z,now" "LINKER:-z,noexecstack"
      $<$<CONFIG:Release>:-s>)
  endif()

  list(TRANSFORM TALEFOLD_LLAMA_OPTIONS REPLACE "(.*)=(.*)" [["\1": "\2"]])
  list(JOIN TALEFOLD_LLAMA_OPTIONS ", " options)
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/${target}.json CONTENT "{
  \"talefold\": \"${talefold_VERSION}\",
  \"portable\": true,
  \"system\": \"${CMAKE_SYSTEM_NAME}\",
  \"architecture\": \"${CMAKE_SYSTEM_PROCESSOR}\",
  \"baseline\": \"${TALEFOLD_LLAMA_BASELINE}\",
  \"boost\": \"${Boost_VERSION}\",
  \"compiler\": \"${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}\",
  \"cmake\": \"${CMAKE_VERSION}\",
  \"build_type\": \"$<CONFIG>\",
  \"cmake_options\": {${options}},
  \"library\": \"$<TARGET_FILE:${target}>\"
}
")
endfunction()
