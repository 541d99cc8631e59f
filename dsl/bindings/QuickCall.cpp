//===- QuickCall.cpp - calls of kernels that need no second look ----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "bindings/QuickCall.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace py = pybind11;
using namespace weft;

namespace {

constexpr std::size_t line = 64; // bytes of a cache line, and of the longest vector
constexpr int wantedFlags =
    py::detail::npy_api::NPY_ARRAY_C_CONTIGUOUS_ | py::detail::npy_api::NPY_ARRAY_ALIGNED_;

/// Exactly an array: subclasses may mean something else by their elements.
bool isArray(py::handle value) {
  return Py_TYPE(value.ptr()) == py::detail::npy_api::get().PyArray_Type_;
}

char *startOf(py::handle array) { return py::detail::array_proxy(array.ptr())->data; }

std::size_t wholeLines(std::size_t bytes) { return (bytes + line - 1) / line * line; }

/// f(pointers[0], pointers[1], ...).
template <std::size_t... I> int invoke(void *function, void **pointers, std::index_sequence<I...>) {
  using Kernel = int (*)(decltype(static_cast<void>(I), static_cast<void *>(nullptr))...);
  return reinterpret_cast<Kernel>(function)(pointers[I]...);
}

template <std::size_t count> int invokeWith(void *function, void **pointers) {
  return invoke(function, pointers, std::make_index_sequence<count>());
}

using Invoker = int (*)(void *, void **);

template <std::size_t... counts>
constexpr std::array<Invoker, sizeof...(counts)> invokersOf(std::index_sequence<counts...>) {
  return {invokeWith<counts>...};
}

/// By the number of pointers: arrays and scratch.
constexpr auto invokers = invokersOf(std::make_index_sequence<QuickCall::most + 2>());

template <typename T> bool kept(T value, QuickCall::Number &number) {
  static_assert(sizeof(T) <= sizeof(number));
  std::memcpy(static_cast<void *>(&number), &value, sizeof(T));
  return true;
}

/// A real number that a kernel has in single precision: not where only it is infinite.
bool isInSingle(double value) {
  return !std::isfinite(value) || std::abs(value) <= double(std::numeric_limits<float>::max());
}

} // namespace

QuickCall::Parameter::Parameter(py::dtype ofType, const py::tuple &extents)
    : type(std::move(ofType)), bytes(static_cast<std::size_t>(type.itemsize())) {
  for (py::handle extent : extents) {
    shape.push_back(extent.cast<py::ssize_t>());
    bytes *= static_cast<std::size_t>(shape.back());
  }
  strides.assign(shape.size(), type.itemsize());
  for (std::size_t axis = shape.size(); axis > 1; --axis)
    strides[axis - 2] = strides[axis - 1] * std::max<py::ssize_t>(shape[axis - 1], 1);
}

QuickCall::Parameter::Parameter(const py::array &given)
    : type(given.dtype()), bytes(static_cast<std::size_t>(given.nbytes())), fixed(given) {}

bool QuickCall::Parameter::fits(py::handle value) const {
  if (!isArray(value))
    return false;
  const auto *array = py::detail::array_proxy(value.ptr());
  // Types that NumPy knows are one object each; an equal one that is another is looked at again.
  return array->descr == type.ptr() && array->nd == static_cast<int>(shape.size()) &&
         (array->flags & wantedFlags) == wantedFlags &&
         std::equal(shape.begin(), shape.end(), array->dimensions);
}

bool QuickCall::Parameter::holds(py::handle value, Number &number) const {
  if (!shape.empty())
    return false;
  const bool isSmall = type.itemsize() == (type.kind() == 'c' ? 8 : 4);
  double real = 0, imaginary = 0;
  if (PyLong_CheckExact(value.ptr())) {
    int overflow = 0;
    const long long whole = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    if (overflow != 0)
      return false;
    if (type.kind() == 'i') {
      if (isSmall && whole != static_cast<std::int32_t>(whole))
        return false;
      return isSmall ? kept(static_cast<std::int32_t>(whole), number)
                     : kept(static_cast<std::int64_t>(whole), number);
    }
    real = static_cast<double>(whole);
    // Rounded twice it might be another number.
    constexpr long long exact = 1LL << std::numeric_limits<double>::digits;
    if (isSmall && (whole > exact || whole < -exact))
      return false;
  } else if (PyFloat_CheckExact(value.ptr())) {
    real = PyFloat_AS_DOUBLE(value.ptr());
  } else if (PyComplex_CheckExact(value.ptr()) && type.kind() == 'c') {
    real = PyComplex_RealAsDouble(value.ptr());
    imaginary = PyComplex_ImagAsDouble(value.ptr());
  } else {
    return false;
  }
  if (isSmall && !(isInSingle(real) && isInSingle(imaginary)))
    return false;
  if (type.kind() == 'f')
    return isSmall ? kept(static_cast<float>(real), number) : kept(real, number);
  if (type.kind() != 'c')
    return false;
  return isSmall
             ? kept(std::complex<float>(static_cast<float>(real), static_cast<float>(imaginary)),
                    number)
             : kept(Number(real, imaginary), number);
}

py::array QuickCall::Parameter::made() const {
  py::array block(py::dtype::of<std::uint8_t>(), static_cast<py::ssize_t>(bytes + line));
  char *start = startOf(block);
  const std::size_t past = reinterpret_cast<std::uintptr_t>(start) % line;
  return py::array(type, shape, strides, start + (past == 0 ? 0 : line - past), block);
}

QuickCall::QuickCall(void *function, std::vector<Parameter> inputs, std::vector<Parameter> outputs,
                     std::shared_ptr<ScratchPool> scratch, Threads threads)
    : function(function), inputs(std::move(inputs)), outputs(std::move(outputs)), given(0),
      scratch(std::move(scratch)), threads(threads) {
  if (this->inputs.size() + this->outputs.size() > most)
    throw py::value_error("more arrays than a quick call takes");
  for (const Parameter &input : this->inputs)
    given += !input.fixed;
  std::size_t bytes = 0;
  for (const Parameter &output : this->outputs)
    bytes += wholeLines(output.bytes);
  beside = std::make_unique<ScratchPool>(bytes);
}

bool QuickCall::bindInputs(const py::tuple &arguments, Pointers &pointers,
                           std::array<Number, most> &numbers) const {
  if (arguments.size() != given)
    return false;
  std::size_t next = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Parameter &input = inputs[i];
    if (input.fixed) {
      pointers[i] = startOf(input.fixed);
      continue;
    }
    py::handle value = PyTuple_GET_ITEM(arguments.ptr(), static_cast<Py_ssize_t>(next++));
    if (input.fits(value))
      pointers[i] = startOf(value);
    else if (input.holds(value, numbers[i]))
      pointers[i] = &numbers[i];
    else
      return false;
  }
  return true;
}

QuickCall::Place QuickCall::placeOf(const Pointers &pointers, std::size_t output) const {
  const std::size_t at = inputs.size() + output, bytes = outputs[output].bytes;
  const char *start = static_cast<const char *>(pointers[at]);
  Place found = Place::Apart;
  for (std::size_t i = 0; i < at; ++i) {
    const bool isInput = i < inputs.size();
    const std::size_t others = isInput ? inputs[i].bytes : outputs[i - inputs.size()].bytes;
    const char *other = static_cast<const char *>(pointers[i]);
    if (start >= other + others || other >= start + bytes)
      continue;
    if (!isInput || start != other || bytes != others)
      return Place::InDoubt;
    found = Place::OnInput;
  }
  return found;
}

bool QuickCall::bindOutputs(py::handle out, Pointers &pointers, std::vector<py::object> &results,
                            std::vector<bool> &inPlace) const {
  const bool isTuple = PyTuple_CheckExact(out.ptr()), isList = PyList_CheckExact(out.ptr());
  if (!out.is_none() && (isTuple || isList ? py::len(out) : 1) != outputs.size())
    return false;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    void *&pointer = pointers[inputs.size() + i];
    if (out.is_none()) {
      results.push_back(outputs[i].made());
      pointer = startOf(results.back());
      continue;
    }
    const auto at = static_cast<Py_ssize_t>(i);
    py::handle value = isTuple  ? PyTuple_GET_ITEM(out.ptr(), at)
                       : isList ? PyList_GET_ITEM(out.ptr(), at)
                                : out;
    if (!outputs[i].fits(value) ||
        !(py::detail::array_proxy(value.ptr())->flags & py::detail::npy_api::NPY_ARRAY_WRITEABLE_))
      return false;
    results.push_back(py::reinterpret_borrow<py::object>(value));
    pointer = startOf(value);
    const Place place = placeOf(pointers, i);
    if (place == Place::InDoubt || (place == Place::OnInput && beside->bytes() > mostKept))
      return false;
    if (place == Place::OnInput) {
      inPlace.resize(outputs.size());
      inPlace[i] = true;
    }
  }
  return true;
}

std::optional<int> QuickCall::threadsAsked(py::handle asked) const {
  if (asked.is_none())
    return 0;
  if (!PyLong_CheckExact(asked.ptr()))
    return std::nullopt;
  int overflow = 0;
  const long number = PyLong_AsLongAndOverflow(asked.ptr(), &overflow);
  if (overflow != 0 || number < 1 || number > threads.most)
    return std::nullopt;
  return static_cast<int>(number);
}

int QuickCall::run(Pointers &pointers, const std::vector<bool> &inPlace, int asked) const {
  py::gil_scoped_release released;
  Lent lent(*scratch);
  const std::size_t first = inputs.size(), count = first + outputs.size();
  const bool sets = asked != 0 && threads.set != nullptr;
  const auto invoked = [&](Pointers &all) {
    all[count] = lent.address();
    const int before = sets ? threads.found() : 0;
    if (sets)
      threads.set(asked);
    const int status = invokers[count + 1](function, all.data());
    if (sets)
      threads.set(before);
    return status;
  };
  if (inPlace.empty())
    return invoked(pointers);
  Lent kept(*beside);
  Pointers written = pointers;
  char *next = static_cast<char *>(kept.address());
  for (std::size_t i = 0; i < outputs.size(); next += wholeLines(outputs[i++].bytes))
    if (inPlace[i])
      written[first + i] = next;
  const int status = invoked(written);
  for (std::size_t i = 0; status == 0 && i < outputs.size(); ++i)
    if (inPlace[i])
      std::memcpy(pointers[first + i], written[first + i], outputs[i].bytes);
  return status;
}

py::object QuickCall::call(const py::tuple &arguments, py::handle out, py::handle asked) {
  Pointers pointers;
  std::array<Number, most> numbers;
  std::vector<py::object> results;
  std::vector<bool> inPlace; // of each output, where one is
  results.reserve(outputs.size());
  const std::optional<int> count = threadsAsked(asked);
  if (!count || !bindInputs(arguments, pointers, numbers) ||
      !bindOutputs(out, pointers, results, inPlace))
    return py::none();
  if (const int status = run(pointers, inPlace, *count))
    return py::int_(status);
  // A scalar output is a NumPy scalar, unless the caller brought the place for it.
  for (std::size_t i = 0; out.is_none() && i < outputs.size(); ++i)
    if (outputs[i].shape.empty())
      results[i] = results[i][py::tuple()];
  if (results.size() == 1)
    return results.front();
  py::tuple all(results.size());
  for (std::size_t i = 0; i < results.size(); ++i)
    all[i] = results[i];
  return all;
}
