//===- InterpreterValues.h - what values are while IR is interpreted --*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Plain data, one tagged element at a time: slow, but nothing is left undefined.
// An element that nobody wrote is poison; it may be moved (a loop that copies a
// half-filled buffer is legal), it makes poison of what is computed from it, and it
// is a fault where it decides something or leaves the kernel.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_DIALECT_INTERPRETERVALUES_H
#define WEFT_DIALECT_INTERPRETERVALUES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <complex>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace weft::interpreter {

/// One number. f32 is kept as the double of the same value; integers sign-extended,
/// i1 as 0 or 1.
struct Element {
  enum class Kind : uint8_t { Poison, Integer, Real, Complex };

  static Element integer(int64_t value);
  static Element real(double value);
  static Element complex(std::complex<double> value);
  /// Poison made by `origin`: the op that read an element never written, or whose
  /// result is undefined. Null for memory that nobody has written or read yet.
  static Element poison(mlir::Operation *origin);

  bool isPoison() const { return kind == Kind::Poison; }
  std::complex<double> asComplex() const { return {re, im}; }

  Kind kind = Kind::Poison;
  int64_t i = 0;
  double re = 0, im = 0;
  mlir::Operation *origin = nullptr;
};

/// The element rounded or wrapped to a type that it has the kind of.
Element rounded(Element element, mlir::Type type);

/// The element that a number attribute (or a pair of them, for complex) means.
Element elementOf(mlir::Attribute attribute, mlir::Type type);

/// Number of elements of a shape.
int64_t count(llvm::ArrayRef<int64_t> shape);

/// Steps a row-major index; false once it has passed the last one.
bool advance(llvm::MutableArrayRef<int64_t> index, llvm::ArrayRef<int64_t> lower,
             llvm::ArrayRef<int64_t> upper);

/// A tensor or a vector: immutable once it is the value of an op.
struct Array {
  Array() = default;
  /// All elements poison.
  explicit Array(llvm::ArrayRef<int64_t> shape)
      : shape(shape), elements(static_cast<size_t>(count(shape))) {}

  int64_t flat(llvm::ArrayRef<int64_t> index) const;
  Element &at(llvm::ArrayRef<int64_t> index) { return elements[flat(index)]; }
  const Element &at(llvm::ArrayRef<int64_t> index) const { return elements[flat(index)]; }

  llvm::SmallVector<int64_t> shape;
  std::vector<Element> elements;
};

/// The elements of a constant, in row-major order.
Array arrayOf(mlir::ElementsAttr attribute);

/// Memory: what an alloc makes, a global is, or the caller passed.
struct Buffer {
  std::string name;
  std::vector<Element> elements;
  bool constant = false;
  bool freed = false;
};

/// A memref: a strided part of a buffer.
struct View {
  std::shared_ptr<Buffer> buffer;
  int64_t offset = 0;
  llvm::SmallVector<int64_t> sizes, strides;
};

/// A view of a new buffer with this shape, all of it poison.
View contiguous(std::string name, llvm::ArrayRef<int64_t> shape);

using ArrayPtr = std::shared_ptr<const Array>;
using ViewPtr = std::shared_ptr<const View>;
/// What an SSA value holds.
using Datum = std::variant<std::monostate, Element, ArrayPtr, ViewPtr>;

} // namespace weft::interpreter

#endif // WEFT_DIALECT_INTERPRETERVALUES_H
