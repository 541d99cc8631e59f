//===- ComplexForms.h - how vectors hold complex numbers, by cost ----*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_VECTORS_COMPLEXFORMS_H
#define WEFT_PASSES_VECTORS_COMPLEXFORMS_H

#include "passes/pipes/PipeModel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

#include <array>
#include <optional>
#include <string>

namespace weft {

/// Split: real and imaginary parts in vectors of their own, from the load on to the store.
/// Interleaved: as memory has them, one exchange of neighbours a product. SixShuffle: as memory
/// has them but for products, whose operands are split and whose results are joined again.
enum class ComplexForm { Split, Interleaved, SixShuffle };

inline constexpr std::array complexForms{ComplexForm::Split, ComplexForm::Interleaved,
                                         ComplexForm::SixShuffle};

/// As schedules write it.
llvm::StringRef spelled(ComplexForm form);
/// Nothing for another word.
std::optional<ComplexForm> complexFormOf(llvm::StringRef word);

/// Iterations that forms are compared over, in vectors of real numbers: bodies are unrolled, and
/// one alone waits for its results most of the time.
inline constexpr int64_t comparedVectors = 2;

/// What a form takes for `comparedVectors`, or why it cannot be.
struct FormCost {
  std::optional<PipeModel::Work> work;
  std::string why;
};

/// Tries a form of a lane loop of constant bounds: writes it, measures it, and takes it away.
FormCost costOf(ComplexForm form, mlir::affine::AffineForOp loop, const VectorUnit &unit,
                bool hasFma, const PipeModel &model);

} // namespace weft

#endif // WEFT_PASSES_VECTORS_COMPLEXFORMS_H
