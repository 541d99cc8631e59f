# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How C++ is compiled and linked here: for the whole build, and for the emulator's own
# (cmake -S runtime/sw26010_emu).
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
option(WEFT_SANITIZE "Address and undefined-behaviour sanitizers" OFF)

# LLVM 22 as Debian packages it: one shared library.
find_program(LLVM_CONFIG NAMES llvm-config-22 REQUIRED)
execute_process(COMMAND ${LLVM_CONFIG} --prefix OUTPUT_VARIABLE LLVM_22_PREFIX
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
find_package(LLVM 22.1 CONFIG REQUIRED HINTS "${LLVM_22_PREFIX}/lib/cmake/llvm")
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS})

find_program(LLD NAMES ld.lld-22 ld.lld)
if(LLD)
  add_link_options(-fuse-ld=lld -B${LLVM_TOOLS_BINARY_DIR})
endif()
# What was compiled is shared by all clones of the project: paths are told apart from the tree they
# lie in, and headers compiled once count by what they hold.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  get_filename_component(tree ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${tree} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_INODECACHE=1 ${CCACHE})
endif()

add_compile_options(-Wall -Wextra -Wno-unused-parameter -fno-semantic-interposition)
if(WEFT_SANITIZE)
  # Debian's libMLIR and libLLVM are not instrumented: their vtables and containers are out of reach.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_compile_definitions(WEFT_SANITIZE)
  add_link_options(-fsanitize=address,undefined)
endif()
