//===- CodeletLanes.h - vectors of codelets beside contractions ------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_CONTRACTIONS_CODELETLANES_H
#define WEFT_PASSES_CONTRACTIONS_CODELETLANES_H

#include "dialect/Weft.h"

namespace weft {

/// Makes all accesses of a codelet contiguous along the dimension where most are: the
/// others' tensors are made in that order, or copied. Of at least a vector; where vectors may be
/// `masked`, of a part of one if no dimension is as long.
void alignCodelet(MapOp map, int64_t lanes, bool masked);

/// Lets a codelet whose result is only put together from its tiles store them where they lie in the
/// whole.
void putTogether(MapOp map);

} // namespace weft

#endif // WEFT_PASSES_CONTRACTIONS_CODELETLANES_H
