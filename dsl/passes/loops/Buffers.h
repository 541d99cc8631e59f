//===- Buffers.h - tensors as real buffers --------------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// How `lower-to-loops` keeps a tensor in memory. Complex elements are pairs of
// reals: interleaved (a last dimension of 2, as NumPy has them), or split inside
// of a block (a row of real parts, then a row of imaginary parts, along the last
// dimension, which is the vector's), so that the stages between the first and the
// last need no shuffles.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOOPS_BUFFERS_H
#define WEFT_PASSES_LOOPS_BUFFERS_H

#include "passes/Passes.h"

namespace weft {

enum class Layout { Real, Interleaved, Split };

/// One tensor's memory.
struct Buffer {
  mlir::Value memref;
  Layout layout = Layout::Real;

  bool isComplex() const { return layout != Layout::Real; }
};

/// The real type under an element type: f64 for complex<f64>, else itself.
mlir::Type realType(mlir::Type element);

/// Bytes of all elements, as memory holds them.
int64_t bytesOf(mlir::RankedTensorType type);
int64_t bytesOf(mlir::MemRefType type);

/// The layout that a tensor of this type has outside of blocks.
Layout outerLayout(mlir::RankedTensorType type);

/// The memref that holds a tensor of this type under a layout.
mlir::MemRefType bufferType(mlir::RankedTensorType type, Layout layout);

/// The same memory under the shape of another tensor type (row-major).
Buffer viewAs(mlir::OpBuilder &builder, mlir::Location loc, Buffer buffer,
              mlir::RankedTensorType type);

/// The index of one component (0 real, 1 imaginary) of the element at `index`.
llvm::SmallVector<mlir::OpFoldResult> componentIndex(mlir::OpBuilder &builder, Layout layout,
                                                     llvm::ArrayRef<mlir::OpFoldResult> index,
                                                     int64_t component);

/// Loads or stores one real number. Affine where the index is affine in loop
/// variables, else a plain memref access (the index is data).
mlir::Value loadReal(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value memref,
                     llvm::ArrayRef<mlir::OpFoldResult> index);
void storeReal(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Value memref,
               llvm::ArrayRef<mlir::OpFoldResult> index);

/// Copies a buffer to another of the same type, as a loop nest.
void copyBuffer(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value from, mlir::Value to);

/// A constant table as a global of real elements; one global for equal tables.
class Tables {
public:
  explicit Tables(mlir::ModuleOp module) : module(module) {}
  Buffer get(mlir::OpBuilder &builder, TableOp table);

private:
  mlir::ModuleOp module;
  llvm::DenseMap<mlir::Attribute, mlir::memref::GlobalOp> globals;
};

/// The user's name in a location, or empty.
llvm::StringRef nameOf(mlir::Location loc);

/// Names what loops carry by an attribute: the text of a loop has no place for the locations
/// of what it carries, and what is read back from a dump must give the same C.
void keepCarriedNames(mlir::Operation *root);

} // namespace weft

#endif // WEFT_PASSES_LOOPS_BUFFERS_H
