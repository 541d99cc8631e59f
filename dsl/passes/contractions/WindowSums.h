//===- WindowSums.h - sums of products over windows ---------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_CONTRACTIONS_WINDOWSUMS_H
#define WEFT_PASSES_CONTRACTIONS_WINDOWSUMS_H

#include "passes/contractions/Contraction.h"
#include "passes/panels/WindowPlan.h"

namespace weft {

/// sum over terms of filter[.., row, .., terms] * image[.., column + some of the terms]: several
/// rows read the same stretch of an image, of which each term moves on.
struct WindowSum {
  MapOp map;
  ReduceOp reduce;
  mlir::tensor::ExtractOp filter, image;
  unsigned row = 0, column = 0; ///< of the map's dimensions
  /// The image's index that moves with the column, where it is not the last one: its columns are
  /// put side by side before.
  std::optional<unsigned> turned;

  int64_t rows() const { return MapOp(map).getUpper()[row]; }
  int64_t columns() const { return MapOp(map).getUpper()[column]; }
  int64_t terms() const;

  /// Whether the sums lie in an order of their own, with the columns last, and go to the result
  /// from there.
  bool apart = false;

  /// With columns that lie side by side in the result; nothing where a sum of the map's body has
  /// another form.
  static std::optional<WindowSum> of(MapOp map, ReduceOp reduce);
  /// The same, or where these fill no vector, with other columns that do, apart.
  static std::optional<WindowSum> of(MapOp map, ReduceOp reduce, const PanelLimits &limits);

private:
  /// Whose columns are this dimension of the map.
  static std::optional<WindowSum> of(MapOp map, ReduceOp reduce, unsigned column);
};

/// What a sum's vectors are loaded from is turned, so that columns lie side by side, where each
/// element is used so often at least.
inline constexpr int64_t fewestUses = 16;
/// Fewer rows share no stretch of the image that would pay.
inline constexpr int64_t fewestWindowRows = 2;
/// Of so many terms, over several indices, one row pays: its own loop is one chain of sums.
inline constexpr int64_t fewestTermsOfOneRow = 48;
/// Sums of fewer terms do not pay for going to the result from an order of their own.
inline constexpr int64_t fewestTermsApart = 8;

/// Whether vectors along a row of the result, and several rows with the same stretch of the image
/// in registers, pay; or one row of enough terms, given where these have several indices.
bool hasWindowPanels(int64_t rows, int64_t columns, int64_t work, const PanelLimits &limits,
                     int64_t termsOfOneRow = 0);

/// The sums as a map of their own, marked with how they share registers, or that the cores of
/// `mesh`, where given, share them; nothing where they are better left as they are.
MapOp arrangeWindows(WindowSum sum, const PanelLimits &limits,
                     const std::optional<MeshMachine> &mesh);

} // namespace weft

#endif // WEFT_PASSES_CONTRACTIONS_WINDOWSUMS_H
