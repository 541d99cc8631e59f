//===- InterpreterComplex.cpp - the complex dialect -----------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "dialect/InterpreterScalars.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;

namespace weft::interpreter {

using C = std::complex<double>;

/// The textbook's product: no branch for infinities, as in the emitted code.
static C product(C a, C b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

static Element create(const Lane &, ArrayRef<Element> in) {
  return Element::complex({in[0].re, in[1].re});
}
static Element realPart(const Lane &, ArrayRef<Element> in) { return Element::real(in[0].re); }
static Element imaginaryPart(const Lane &, ArrayRef<Element> in) { return Element::real(in[0].im); }
static Element absolute(const Lane &, ArrayRef<Element> in) {
  return Element::real(std::abs(in[0].asComplex()));
}
static Element angle(const Lane &, ArrayRef<Element> in) {
  return Element::real(std::arg(in[0].asComplex()));
}
static Element equal(const Lane &, ArrayRef<Element> in) {
  return Element::integer(in[0].asComplex() == in[1].asComplex());
}
static Element notEqual(const Lane &, ArrayRef<Element> in) {
  return Element::integer(in[0].asComplex() != in[1].asComplex());
}

static void constant(Machine &machine, complex::ConstantOp op) {
  machine.set(op.getResult(), elementOf(op.getValue(), op.getType()));
}

static constexpr std::pair<StringRef, Compute> elementwise[] = {
    {"complex.create", create},
    {"complex.re", realPart},
    {"complex.im", imaginaryPart},
    {"complex.abs", absolute},
    {"complex.angle", angle},
    {"complex.eq", equal},
    {"complex.neq", notEqual},
    {"complex.add", complex2<[](C a, C b) { return a + b; }>},
    {"complex.sub", complex2<[](C a, C b) { return a - b; }>},
    {"complex.mul", complex2<product>},
    {"complex.div", complex2<[](C a, C b) { return a / b; }>},
    {"complex.neg", complex1<[](C a) { return -a; }>},
    {"complex.conj", complex1<[](C a) { return std::conj(a); }>},
    {"complex.exp", complex1<[](C a) { return std::exp(a); }>},
    {"complex.log", complex1<[](C a) { return std::log(a); }>},
    {"complex.sin", complex1<[](C a) { return std::sin(a); }>},
    {"complex.cos", complex1<[](C a) { return std::cos(a); }>},
    {"complex.tanh", complex1<[](C a) { return std::tanh(a); }>},
    {"complex.sqrt", complex1<[](C a) { return std::sqrt(a); }>},
    {"complex.pow", complex2<[](C a, C b) { return std::pow(a, b); }>},
};

void addComplexOps(HandlerTable &table) {
  table.add(constant);
  for (auto [name, compute] : elementwise)
    addElementwise(table, name, compute);
}

} // namespace weft::interpreter
