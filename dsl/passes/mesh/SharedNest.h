//===- SharedNest.h - a nest that says how the mesh shares it -----*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_MESH_SHAREDNEST_H
#define WEFT_PASSES_MESH_SHAREDNEST_H

#include "passes/mesh/MeshTiling.h"

namespace weft {

/// An access's indices over the variables that they depend on.
struct Indices {
  mlir::AffineMap map;
  llvm::SmallVector<mlir::Value> operands;

  static Indices of(mlir::Operation *access);
  /// A variable among the operands; zero where it is none.
  mlir::AffineExpr exprOf(mlir::Value variable) const;
};

/// A nest, and the two of its loops that go over the mesh.
struct SharedNest {
  mlir::affine::AffineForOp root, rows, columns;
  Mesh mesh; ///< as its rounds have it

  static std::optional<SharedNest> of(mlir::affine::AffineForOp rows, Mesh whole);
  /// The dimension of an array that the columns share: nothing where its accesses differ in it, or
  /// are not of this form.
  std::optional<unsigned> sharedDimOf(mlir::Value array);
  bool touches(mlir::Value array) {
    return llvm::any_of(array.getUsers(),
                        [&](mlir::Operation *user) { return root->isProperAncestor(user); });
  }
  bool reads(mlir::Value array) {
    return llvm::any_of(array.getUsers(), [&](mlir::Operation *user) {
      return root->isProperAncestor(user) && mlir::isa<mlir::affine::AffineReadOpInterface>(user);
    });
  }
};

} // namespace weft

#endif // WEFT_PASSES_MESH_SHAREDNEST_H
