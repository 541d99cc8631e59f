//===- Alignment.h - what align-arrays has found ----------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOOPS_ALIGNMENT_H
#define WEFT_PASSES_LOOPS_ALIGNMENT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace weft {

/// Of what makes an array: bytes of which its first address is a multiple, as memref has it.
inline constexpr llvm::StringLiteral alignmentName = "alignment";

/// Marks loads and stores of vectors that lie at multiples of their size.
inline constexpr llvm::StringLiteral alignedMark = "weft.aligned";

/// Of an array nothing is known unless it is said.
inline int64_t alignmentOf(mlir::Operation *array) {
  auto bytes = array->getAttrOfType<mlir::IntegerAttr>(alignmentName);
  return bytes ? bytes.getInt() : 1;
}

} // namespace weft

#endif // WEFT_PASSES_LOOPS_ALIGNMENT_H
