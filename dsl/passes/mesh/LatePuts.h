//===- LatePuts.h - puts of a round behind its last nest ----------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_MESH_LATEPUTS_H
#define WEFT_PASSES_MESH_LATEPUTS_H

#include "dialect/Cpe.h"

namespace weft {

/// What the cores put in the midst of a round (`weft.in_turn`) they put at its end, beside what
/// goes out there, where it may wait and their memories, `capacity` bytes each, have room until
/// then.
void putLate(cpe::CoresOp cores, int64_t capacity);

} // namespace weft

#endif // WEFT_PASSES_MESH_LATEPUTS_H
