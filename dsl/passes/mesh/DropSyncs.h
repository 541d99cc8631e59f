//===- DropSyncs.h - syncs that nothing needs any more ------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_MESH_DROPSYNCS_H
#define WEFT_PASSES_MESH_DROPSYNCS_H

#include "dialect/Cpe.h"

namespace weft {

/// Lets the cores go their own ways in loops whose iterations take turns (`weft.in_turn`), where
/// nothing that one nest writes to main memory is another's: rows of cores then wait for none but
/// those with whom they exchange.
void dropSyncs(cpe::CoresOp cores);

} // namespace weft

#endif // WEFT_PASSES_MESH_DROPSYNCS_H
