//===- Call.cpp - weft.native._call: what runs kernels ------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
///
/// \file
/// A module of its own, without the compiler: a kernel from the cache loads nothing that builds.
///
//===-----------------------------------------------------------------------===//

#include "bindings/QuickCall.h"

#include <pybind11/stl.h>

namespace py = pybind11;
using namespace weft;

namespace {

/// Arrays that are given, and types and shapes of those that are not.
std::vector<QuickCall::Parameter> parametersOf(const py::sequence &entries) {
  std::vector<QuickCall::Parameter> parameters;
  for (py::handle entry : entries) {
    if (py::isinstance<py::array>(entry)) {
      parameters.emplace_back(py::reinterpret_borrow<py::array>(entry));
      continue;
    }
    auto pair = entry.cast<std::pair<py::dtype, py::tuple>>();
    parameters.emplace_back(pair.first, pair.second);
  }
  return parameters;
}

/// What an address from Python is of; null of 0 and of None.
void *atAddress(const py::object &address) {
  void *found = address.is_none() ? nullptr : PyLong_AsVoidPtr(address.ptr());
  if (found == nullptr && PyErr_Occurred())
    throw py::error_already_set();
  return found;
}

std::unique_ptr<QuickCall> made(const py::object &function, const py::sequence &inputs,
                                const py::sequence &outputs, std::shared_ptr<ScratchPool> scratch,
                                const py::object &found, const py::object &set, long most) {
  QuickCall::Threads threads;
  threads.found = reinterpret_cast<int (*)()>(atAddress(found));
  threads.set = reinterpret_cast<void (*)(int)>(atAddress(set));
  threads.most = most;
  return std::make_unique<QuickCall>(atAddress(function), parametersOf(inputs),
                                     parametersOf(outputs), std::move(scratch), threads);
}

} // namespace

PYBIND11_MODULE(_call, module) {
  module.doc() = "Runs compiled kernels on NumPy arrays.";
  module.attr("MOST") = QuickCall::most;

  module.def(
      "empty",
      [](py::dtype type, const py::tuple &shape) {
        return QuickCall::Parameter(std::move(type), shape).made();
      },
      py::arg("dtype"), py::arg("shape"));

  py::class_<ScratchPool, std::shared_ptr<ScratchPool>>(module, "ScratchPool")
      .def(py::init<std::size_t>(), py::arg("size"))
      .def_property_readonly("size", &ScratchPool::bytes)
      .def("take",
           [](ScratchPool &pool) -> std::optional<std::uintptr_t> {
             void *block = pool.take();
             return block ? std::optional(reinterpret_cast<std::uintptr_t>(block)) : std::nullopt;
           })
      .def("give", [](ScratchPool &pool, const py::object &block) { pool.give(atAddress(block)); });

  py::class_<QuickCall>(module, "QuickCall")
      .def(py::init(&made), py::arg("function"), py::arg("inputs"), py::arg("outputs"),
           py::arg("scratch"), py::arg("get_threads"), py::arg("set_threads"),
           py::arg("most_threads"))
      .def("__call__", &QuickCall::call, py::arg("arguments"), py::arg("out"), py::arg("threads"));
}
