//===- SpreadLayout.h - which core has which element --------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_MESH_SPREADLAYOUT_H
#define WEFT_PASSES_MESH_SPREADLAYOUT_H

#include "passes/transfers/Footprint.h"

namespace weft {

struct Mesh {
  int64_t rows = 0, columns = 0;
  int64_t messageLanes = 0; ///< elements of a message, which is a vector
  int64_t parts = 1;        ///< of a row of cores, each of which counts as a row
  int64_t cores() const { return rows * columns; }
  /// The same cores in rows of so many, parts of its rows. Cores of one column then stand in
  /// several columns of the machine, and have no way to each other.
  Mesh inRowsOf(int64_t sharing) const {
    return {cores() / sharing, sharing, messageLanes, columns / sharing};
  }
  bool operator==(const Mesh &other) const = default;
};

/// An array shared out among the cores of a mesh: each element lies with one of them, at a
/// place among those that it has.
class SpreadLayout {
public:
  /// That of a footprint whose start depends on the row and the column alone; nothing where two
  /// cores touch one element or none does.
  static std::optional<SpreadLayout> of(const FootprintAnalysis &analysis,
                                        const Footprint &footprint, mlir::Value row,
                                        mlir::Value column, Mesh mesh);

  int64_t elements() const { return static_cast<int64_t>(relative.size()); }
  int64_t coreOf(int64_t element) const { return core[element]; }
  int64_t placeOf(int64_t element) const { return place[element]; }
  /// The element at a place of a core.
  int64_t at(int64_t owner, int64_t where) const { return starts[owner] + relative[where]; }
  bool operator==(const SpreadLayout &other) const {
    return mesh == other.mesh && starts == other.starts && relative == other.relative;
  }

  Mesh mesh;
  mlir::Value array;
  bool pairs = false; ///< two parts of complex numbers side by side

private:
  std::vector<int64_t> starts, relative; ///< of each core; of each place
  std::vector<int64_t> core, place;      ///< of each element
};

/// What `cpe.exchange` says of its parts.
struct ExchangePlan {
  bool alongRows = false;
  int64_t block = 0, fromStep = 0, toStep = 0;
  llvm::SmallVector<int64_t> counts, fromStrides, toStrides;
};

/// How an array goes from one layout to another by messages within rows or within columns, of
/// `lanes` elements each; nothing where elements have to change both, or lie too irregularly.
std::optional<ExchangePlan> exchangeBetween(const SpreadLayout &from, const SpreadLayout &to,
                                            int64_t lanes);

} // namespace weft

#endif // WEFT_PASSES_MESH_SPREADLAYOUT_H
