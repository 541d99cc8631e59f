//===- Arrays.h - NumPy arrays for the interpreter --------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_BINDINGS_ARRAYS_H
#define WEFT_BINDINGS_ARRAYS_H

#include "dialect/Interpreter.h"

#include <pybind11/numpy.h>

namespace weft {

/// A copy of a NumPy array; throws py::type_error for a dtype that kernels do not have.
interpreter::HostArray fromNumpy(const pybind11::array &array);
/// A new NumPy array.
pybind11::array toNumpy(const interpreter::HostArray &array);

} // namespace weft

#endif // WEFT_BINDINGS_ARRAYS_H
