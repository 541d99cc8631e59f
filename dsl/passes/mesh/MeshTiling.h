//===- MeshTiling.h - loops over the rows and columns of a mesh ---*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_MESH_MESHTILING_H
#define WEFT_PASSES_MESH_MESHTILING_H

#include "passes/mesh/SpreadLayout.h"

namespace weft {

/// The mesh as rounds around an op, or the op itself, have it: in rows of the cores that share a
/// line there (`weft.sharing`), or as it is.
Mesh meshAt(mlir::Operation *op, Mesh whole);

/// How far apart in an array the parts of neighbouring rows, and columns, begin.
struct MeshPitch {
  int64_t row = 0, column = 0;
  bool operator==(const MeshPitch &other) const = default;
};

/// Loops that cores share out, and which two of them go over the rows and the columns.
class MeshNest {
public:
  MeshNest(mlir::affine::AffineForOp outer, Mesh whole);

  /// Pairs of its loops that can: independent, with as many iterations as rows or columns, or
  /// some times as many.
  llvm::ArrayRef<std::pair<unsigned, unsigned>> choices() const { return possible; }
  /// Of the parts of an array under a choice; nothing where its accesses differ in it.
  std::optional<MeshPitch> pitchOf(mlir::Value array, std::pair<unsigned, unsigned> choice) const;
  bool reads(mlir::Value array) const;
  bool touches(mlir::Value array) const;

  /// The loops over rows and over columns, around all others; each core does one iteration.
  void tile(std::pair<unsigned, unsigned> choice);
  mlir::affine::AffineForOp rowLoop, columnLoop; ///< after it

  const Mesh mesh;

private:
  std::optional<int64_t> stepOf(mlir::Operation *access, mlir::affine::AffineForOp loop,
                                int64_t iterations) const;
  mlir::affine::AffineForOp splitOff(mlir::OpBuilder &builder, mlir::affine::AffineForOp loop,
                                     int64_t places);

  llvm::SmallVector<mlir::affine::AffineForOp> band;
  llvm::SmallVector<std::pair<unsigned, unsigned>> possible;
  llvm::SmallVector<mlir::Operation *> accesses;
};

/// Loops over the rows and, within, the columns of the mesh, before or at the builder's place.
std::pair<mlir::affine::AffineForOp, mlir::affine::AffineForOp>
loopsOverMesh(mlir::OpBuilder &builder, mlir::Location loc, Mesh mesh);

/// What `cpe.spread` makes for so many elements of an array with each core.
mlir::MemRefType spreadType(mlir::Value array, Mesh mesh, int64_t elements, bool pairs);

/// The array that an access is of, or nothing where it is none.
mlir::Value accessedArray(mlir::Operation *op);

} // namespace weft

#endif // WEFT_PASSES_MESH_MESHTILING_H
