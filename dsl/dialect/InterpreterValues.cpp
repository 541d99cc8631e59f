//===- InterpreterValues.cpp - what values are while IR is interpreted --------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "dialect/InterpreterValues.h"

using namespace mlir;

namespace weft::interpreter {

Element Element::integer(int64_t value) {
  Element element;
  element.kind = Kind::Integer;
  element.i = value;
  return element;
}

Element Element::real(double value) {
  Element element;
  element.kind = Kind::Real;
  element.re = value;
  return element;
}

Element Element::complex(std::complex<double> value) {
  Element element;
  element.kind = Kind::Complex;
  element.re = value.real();
  element.im = value.imag();
  return element;
}

Element Element::poison(Operation *origin) {
  Element element;
  element.origin = origin;
  return element;
}

Element rounded(Element element, Type type) {
  switch (element.kind) {
  case Element::Kind::Poison:
    break;
  case Element::Kind::Integer:
    if (type.isInteger(1))
      element.i &= 1;
    else if (auto integer = dyn_cast<IntegerType>(type); integer && integer.getWidth() < 64)
      element.i = llvm::SignExtend64(static_cast<uint64_t>(element.i), integer.getWidth());
    break;
  case Element::Kind::Real:
    if (type.isF32())
      element.re = static_cast<float>(element.re);
    break;
  case Element::Kind::Complex:
    if (cast<ComplexType>(type).getElementType().isF32()) {
      element.re = static_cast<float>(element.re);
      element.im = static_cast<float>(element.im);
    }
    break;
  }
  return element;
}

/// Exact for f32 and f64.
static double toDouble(APFloat value) {
  bool inexact = false;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &inexact);
  return value.convertToDouble();
}

static Element elementOf(const APInt &value, Type type) {
  return Element::integer(type.isInteger(1) ? static_cast<int64_t>(value.getZExtValue())
                                            : value.getSExtValue());
}

Element elementOf(Attribute attribute, Type type) {
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return elementOf(integer.getValue(), type);
  if (auto real = dyn_cast<FloatAttr>(attribute))
    return Element::real(toDouble(real.getValue()));
  auto parts = cast<ArrayAttr>(attribute);
  return Element::complex({toDouble(cast<FloatAttr>(parts[0]).getValue()),
                           toDouble(cast<FloatAttr>(parts[1]).getValue())});
}

int64_t count(ArrayRef<int64_t> shape) {
  int64_t product = 1;
  for (int64_t extent : shape)
    product *= extent;
  return product;
}

bool advance(MutableArrayRef<int64_t> index, ArrayRef<int64_t> lower, ArrayRef<int64_t> upper) {
  for (size_t d = index.size(); d-- > 0;) {
    if (++index[d] < upper[d])
      return true;
    index[d] = lower[d];
  }
  return false;
}

int64_t Array::flat(ArrayRef<int64_t> index) const {
  int64_t flat = 0;
  for (auto [i, extent] : llvm::zip_equal(index, shape))
    flat = flat * extent + i;
  return flat;
}

Array arrayOf(ElementsAttr attribute) {
  auto shaped = cast<ShapedType>(attribute.getType());
  Type type = shaped.getElementType();
  Array array(shaped.getShape());
  size_t n = 0;
  if (isa<ComplexType>(type)) {
    for (std::complex<APFloat> value : attribute.getValues<std::complex<APFloat>>())
      array.elements[n++] = Element::complex({toDouble(value.real()), toDouble(value.imag())});
  } else if (isa<FloatType>(type)) {
    for (const APFloat &value : attribute.getValues<APFloat>())
      array.elements[n++] = Element::real(toDouble(value));
  } else {
    for (const APInt &value : attribute.getValues<APInt>())
      array.elements[n++] = elementOf(value, type);
  }
  return array;
}

View contiguous(std::string name, ArrayRef<int64_t> shape) {
  View view;
  view.buffer = std::make_shared<Buffer>();
  view.buffer->name = std::move(name);
  view.buffer->elements.resize(static_cast<size_t>(count(shape)));
  view.sizes.assign(shape.begin(), shape.end());
  view.strides.resize(shape.size());
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0; stride *= shape[d])
    view.strides[d] = stride;
  return view;
}

} // namespace weft::interpreter
