//===- Arrays.cpp - NumPy arrays for the interpreter ----------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "bindings/Arrays.h"

#include <complex>

namespace py = pybind11;
using namespace weft::interpreter;

namespace {

Element elementOf(bool value) { return Element::integer(value); }
Element elementOf(int32_t value) { return Element::integer(value); }
Element elementOf(int64_t value) { return Element::integer(value); }
Element elementOf(float value) { return Element::real(value); }
Element elementOf(double value) { return Element::real(value); }
template <typename T> Element elementOf(std::complex<T> value) {
  return Element::complex({value.real(), value.imag()});
}

template <typename T> T valueOf(const Element &element) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(element.i);
  else if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(element.re);
  else
    return T(element.asComplex());
}

template <typename T> void read(const py::array &array, std::vector<Element> &elements) {
  auto rows = py::array_t<T, py::array::c_style>::ensure(array);
  for (py::ssize_t n = 0; n < rows.size(); ++n)
    elements.push_back(elementOf(rows.data()[n]));
}

template <typename T> py::array written(const HostArray &array) {
  py::array_t<T> result(
      std::vector<py::ssize_t>(array.array.shape.begin(), array.array.shape.end()));
  T *to = result.mutable_data();
  for (const Element &element : array.array.elements)
    *to++ = valueOf<T>(element);
  return result;
}

/// What each dtype is in C++.
struct Form {
  DType dtype;
  bool (*fits)(const py::array &);
  void (*read)(const py::array &, std::vector<Element> &);
  py::array (*written)(const HostArray &);
};

template <typename T> constexpr Form form(DType dtype) {
  return {dtype, [](const py::array &array) { return py::isinstance<py::array_t<T>>(array); },
          read<T>, written<T>};
}

constexpr Form forms[] = {
    form<bool>(DType::Bool),
    form<int32_t>(DType::I32),
    form<int64_t>(DType::I64),
    form<float>(DType::F32),
    form<double>(DType::F64),
    form<std::complex<float>>(DType::C64),
    form<std::complex<double>>(DType::C128),
};

} // namespace

HostArray weft::fromNumpy(const py::array &array) {
  for (const Form &form : forms) {
    if (!form.fits(array))
      continue;
    HostArray host;
    host.dtype = form.dtype;
    for (py::ssize_t d = 0; d < array.ndim(); ++d)
      host.array.shape.push_back(array.shape(d));
    form.read(array, host.array.elements);
    return host;
  }
  throw py::type_error("kernels have no arrays of " + std::string(py::str(array.dtype())));
}

py::array weft::toNumpy(const HostArray &array) {
  for (const Form &form : forms)
    if (form.dtype == array.dtype)
      return form.written(array);
  throw py::type_error("no such dtype");
}
