// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What clang's front end refuses of SW C, and can be said otherwise:
//
//   (doublev4)x, (floatv4)x     casts between vectors of other lanes -> __weft_cast_doublev4(x)
//   asm("..." : : : "$5")       registers of the SW among the clobbers: left out
//   asm("..." : "=f"(x))        constraint f: all registers are of one kind
//   register T x asm("$5")      the register's name: left out
//   double *ldm_malloc();       declared anew with another type: left out
//   static int f(p);            names in a declaration: left out
//   int isnan(double x) {...}   a definition whose name is a macro of <math.h>: left out
//   extern inline               inline: clang would not define it at -O0, nor would another file
//   int isnan(double x) {...}   a function of one's own that is a macro of math.h today
//   int f(x);                   parameters without types in a declaration: left out
//   f(x); ... void f(int x);    a call before the declaration: void f(); before it
//   double *ldm_malloc();       slave.h's function again, inside a function: left out
//
// It works on preprocessed text, token by token; lines stay where they are.
#pragma once

#include <string>

namespace weft::swcc {

struct Rewritten {
  std::string text;
  bool changed = false;
  bool vectors = false;  // it uses vector types that no header has declared
  bool assembly = false; // a function of the program has inline assembly
};

/// `ownHeaders`: the folder whose text is left alone.
Rewritten rewrite(const std::string &text, const std::string &ownHeaders, bool isCxx);

} // namespace weft::swcc
