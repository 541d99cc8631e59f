//===- Arrangement.h - one sum of products laid out for the caches --*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_CONTRACTIONS_ARRANGEMENT_H
#define WEFT_PASSES_CONTRACTIONS_ARRANGEMENT_H

#include "passes/contractions/Contraction.h"
#include "passes/panels/PanelPlan.h"

namespace weft {

/// A contraction as a batch of products of matrices.
struct Arranged {
  MapOp products; ///< nothing where the contraction is better left as it is
  bool inBlocks;  ///< the columns' factor is best made a panel at a time (ColumnBlocks.h)
  bool parted;    ///< a factor lacks indices of the batch
  bool inPlanes;  ///< columns are tiles of planes, for the cores of a mesh (CodeletPlanes.h)
};

/// Lays out a contraction's factors, c[b, row, column] = sum of rows[b, row, term] *
/// columns[b, panel, term, column of panel], and multiplies them so. `mesh`, where given, is of
/// cores that may share the products.
Arranged arrange(Contraction &contraction, const PanelLimits &limits,
                 const std::optional<MeshMachine> &mesh);

} // namespace weft

#endif // WEFT_PASSES_CONTRACTIONS_ARRANGEMENT_H
