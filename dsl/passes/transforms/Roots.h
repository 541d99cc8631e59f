//===- Roots.h - roots of unity, rounded once -----------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFORMS_ROOTS_H
#define WEFT_PASSES_TRANSFORMS_ROOTS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include <complex>
#include <cstdint>
#include <vector>

namespace weft {

/// Tables are computed in this type and rounded once to the kernel's.
using Exact = std::complex<long double>;

/// exp(sign * 2*pi*i * exponent / order). The angle is first brought into the
/// first octant by integer arithmetic, so that symmetric roots are equal to the
/// last bit and 1, i and their like are exact.
Exact root(int64_t exponent, int64_t order, int64_t sign);

/// The discrete Fourier transform of `values`, in extended precision: for tables.
std::vector<Exact> transform(const std::vector<Exact> &values, int64_t sign);

/// A dense constant of complex `type` (f32 or f64 parts) from row-major `values`.
mlir::DenseElementsAttr denseTable(mlir::RankedTensorType type, const std::vector<Exact> &values);

} // namespace weft

#endif // WEFT_PASSES_TRANSFORMS_ROOTS_H
