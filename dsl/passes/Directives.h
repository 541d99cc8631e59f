//===- Directives.h - what a kernel's schedule asks of a pass ------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// The attribute `weft.schedule` of an entry holds directives as they are written. What they name
// are values, by the names of their locations, axes of them, and loops that a `tile` has made. A
// pass that cannot do what a directive asks says why, and what it could do.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_DIRECTIVES_H
#define WEFT_PASSES_DIRECTIVES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <vector>

namespace weft {

/// Of a map or of blocks: the dimension whose loop the cores share, and the directive that says so;
/// of a loop, the directive.
inline constexpr llvm::StringLiteral sharedDimMark = "weft.distribute_dim";
inline constexpr llvm::StringLiteral distributeMark = "weft.distribute";
/// Of a map: the lanes are where the directive says. Of its lane loop as well.
inline constexpr llvm::StringLiteral vectorizeMark = "weft.vectorize";

/// One directive: `tile a.axis1 by 8 -> co, ci`.
struct Directive {
  llvm::StringRef text, word;
  std::vector<llvm::StringRef> operands; ///< `a.axis1`
  std::vector<llvm::StringRef> behind;   ///< of its first clause: `8`
  std::vector<llvm::StringRef> names;    ///< behind an arrow: `co`, `ci`
  std::vector<llvm::StringRef> flags;    ///< `double_buffered`

  /// That of its clause; 0 where it has none.
  int64_t number() const;
};

/// Those that begin with one of some words, in their order.
std::vector<Directive> directivesOf(mlir::func::FuncOp func, llvm::ArrayRef<llvm::StringRef> words);
inline std::vector<Directive> directivesOf(mlir::func::FuncOp func, llvm::StringRef word) {
  return directivesOf(func, llvm::ArrayRef(word));
}

/// The error that the compiler's user sees at the schedule: why it cannot be kept at `at`, and what
/// could be said instead.
mlir::LogicalResult refuse(mlir::Location at, llvm::StringRef directive, const llvm::Twine &why,
                           const llvm::Twine &expected);

/// The axis of a value that a directive names, or of which it names a loop.
struct NamedAxis {
  llvm::StringRef value;
  unsigned axis = 0;
  /// Where it is a loop that `tile` has made: the directives, and whether it is the inner one of
  /// each, the outermost first.
  struct Part {
    Directive tile;
    bool isInner = false;
  };
  std::vector<Part> parts;
};

/// Of `a.axis1`, or of a loop that one of the function's `tile`s has made.
std::optional<NamedAxis> axisNamed(mlir::func::FuncOp func, llvm::StringRef place);

/// Marks a map or blocks: cores share the loop of this dimension.
void markDistributed(mlir::Operation *op, unsigned dim, llvm::StringRef directive);

/// The name of a value as the schedule's kernel has it: none where a kernel that it calls computes
/// the value.
llvm::StringRef ownName(mlir::Location where);

/// An axis of one of a function's values that have loops, `but` one of them, for messages.
std::string anyAxisIn(mlir::func::FuncOp func, llvm::StringRef but);

} // namespace weft

#endif // WEFT_PASSES_DIRECTIVES_H
