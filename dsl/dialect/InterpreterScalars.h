//===- InterpreterScalars.h - element by element ----------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_DIALECT_INTERPRETERSCALARS_H
#define WEFT_DIALECT_INTERPRETERSCALARS_H

#include "dialect/InterpreterCore.h"

namespace weft::interpreter {

/// One lane of an elementwise op: its operands are never poison, and what is returned
/// is rounded to the result's element type by the caller.
struct Lane {
  mlir::Operation *op;
  mlir::Type operandType, resultType;
};
using Compute = Element (*)(const Lane &, llvm::ArrayRef<Element>);

/// Registers an op of the ElementwiseMappable kind: scalars, vectors and tensors.
void addElementwise(HandlerTable &table, llvm::StringRef name, Compute compute);

// Functions of plain numbers as Compute.

template <auto F> Element real1(const Lane &, llvm::ArrayRef<Element> in) {
  return Element::real(F(in[0].re));
}
template <auto F> Element real2(const Lane &, llvm::ArrayRef<Element> in) {
  return Element::real(F(in[0].re, in[1].re));
}
template <auto F> Element integer1(const Lane &, llvm::ArrayRef<Element> in) {
  return Element::integer(F(in[0].i));
}
template <auto F> Element integer2(const Lane &, llvm::ArrayRef<Element> in) {
  return Element::integer(F(in[0].i, in[1].i));
}
template <auto F> Element complex1(const Lane &, llvm::ArrayRef<Element> in) {
  return Element::complex(F(in[0].asComplex()));
}
template <auto F> Element complex2(const Lane &, llvm::ArrayRef<Element> in) {
  return Element::complex(F(in[0].asComplex(), in[1].asComplex()));
}

/// Sum, product, maximum, minimum of two elements: floats, integers or complex; NaN
/// propagates. Kinds are the words of `weft.reduce`, and "set", which is the second.
Element combine(llvm::StringRef kind, const Element &left, const Element &right, mlir::Type type);
/// What a reduction of this kind starts from.
Element neutral(llvm::StringRef kind, mlir::Type type);

// The arithmetic that several files need.
double maximum(double a, double b);
double minimum(double a, double b);

} // namespace weft::interpreter

#endif // WEFT_DIALECT_INTERPRETERSCALARS_H
