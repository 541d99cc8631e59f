# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How builds find a library: NAMEConfig.cmake and NAME.pc. Both go by where they lie themselves, so
that the folder may be moved as a whole.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from weft import __version__


def places(library: str) -> dict[str, PurePosixPath]:
    """Where each file of a library lies below the folder that was asked for."""
    return {
        f"{library}.h": PurePosixPath("include", f"{library}.h"),
        f"lib{library}.so": PurePosixPath("lib", f"lib{library}.so"),
        f"{library}Config.cmake": PurePosixPath("lib/cmake", library, f"{library}Config.cmake"),
        f"{library}.pc": PurePosixPath("lib/pkgconfig", f"{library}.pc"),
    }


def cmake(library: str) -> str:
    return f"""\
# Made by Weft: find_package({library} CONFIG) defines the target {library}::{library}.
if(TARGET {library}::{library})
  return()
endif()
get_filename_component(_weft_prefix "${{CMAKE_CURRENT_LIST_DIR}}/../../.." ABSOLUTE)
add_library({library}::{library} SHARED IMPORTED)
set_target_properties({library}::{library} PROPERTIES
  IMPORTED_LOCATION "${{_weft_prefix}}/lib/lib{library}.so"
  IMPORTED_SONAME "lib{library}.so"
  INTERFACE_INCLUDE_DIRECTORIES "${{_weft_prefix}}/include")
unset(_weft_prefix)
"""


def pkg_config(library: str, target: str) -> str:
    return f"""\
prefix=${{pcfiledir}}/../..
includedir=${{prefix}}/include
libdir=${{prefix}}/lib

Name: {library}
Description: kernels made by Weft for the target {target}
Version: {__version__}
Cflags: -I${{includedir}}
Libs: -L${{libdir}} -l{library}
"""
