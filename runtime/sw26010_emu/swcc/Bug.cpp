// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine.cpp inside the pass: its faults are the compiler's.
#include "Fault.h"

#include <cstdio>
#include <cstdlib>

void weft::emu::bug(std::string_view what) {
  std::fprintf(stderr,
               "weft-swcc: internal error: %.*s\n  This is a fault of Weft, not of the program; "
               "please report it.\n",
               static_cast<int>(what.size()), what.data());
  std::_Exit(70);
}
