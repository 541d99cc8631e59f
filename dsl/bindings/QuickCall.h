//===- QuickCall.h - calls of kernels that need no second look ------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_BINDINGS_QUICKCALL_H
#define WEFT_BINDINGS_QUICKCALL_H

#include "bindings/Scratch.h"

#include <array>
#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <pybind11/numpy.h>
#include <vector>

namespace weft {

/// A compiled kernel, called on arguments that are as it wants them: NumPy arrays of its types and
/// shapes, contiguous and aligned, and Python numbers for scalars. What is not so plain is left to
/// weft.call, which converts it or says what is wrong: nothing is refused here.
class QuickCall {
public:
  /// Inputs and outputs that a kernel may have in all; those of others are called elsewhere.
  static constexpr std::size_t most = 32;
  /// Outputs in place of so many bytes have memory that is kept from call to call.
  static constexpr std::size_t mostKept = std::size_t(64) << 20;
  /// What scalars are kept in while the kernel reads them.
  using Number = std::complex<double>;

  /// Where a kernel has an array.
  struct Parameter {
    pybind11::dtype type;
    std::vector<pybind11::ssize_t> shape, strides;
    std::size_t bytes;
    /// The array that is given once for all calls; else null.
    pybind11::object fixed;

    Parameter(pybind11::dtype type, const pybind11::tuple &shape);
    explicit Parameter(const pybind11::array &fixed);

    /// Whether a value is an array of this type and shape that the kernel can use as it is.
    bool fits(pybind11::handle value) const;
    /// A Python number as the kernel reads it, where nothing is lost of it.
    bool holds(pybind11::handle value, Number &number) const;
    /// A new array that begins with a cache line: whole vectors are then stored to one line each.
    pybind11::array made() const;
  };

  /// How many threads parallel regions get; null where the kernel has none.
  struct Threads {
    int (*found)() = nullptr;
    void (*set)(int) = nullptr;
    long most = 1;
  };

  QuickCall(void *function, std::vector<Parameter> inputs, std::vector<Parameter> outputs,
            std::shared_ptr<ScratchPool> scratch, Threads threads);

  /// The results as `Kernel` returns them; the kernel's status, an int, where it is not 0; None,
  /// and nothing was done, where the arguments need a second look.
  pybind11::object call(const pybind11::tuple &arguments, pybind11::handle out,
                        pybind11::handle threads);

private:
  using Pointers = std::array<void *, most + 1>;

  bool bindInputs(const pybind11::tuple &arguments, Pointers &pointers,
                  std::array<Number, most> &numbers) const;
  bool bindOutputs(pybind11::handle out, Pointers &pointers, std::vector<pybind11::object> &results,
                   std::vector<bool> &inPlace) const;
  enum class Place { Apart, OnInput, InDoubt };
  /// Where an output is written to: apart from all arrays before it, exactly on inputs, or neither.
  Place placeOf(const Pointers &pointers, std::size_t output) const;
  /// How many threads are asked for, 0 where nobody asks; none where the number is in doubt.
  std::optional<int> threadsAsked(pybind11::handle threads) const;
  /// The status of the kernel; the GIL is released while it runs. What is in place is computed
  /// beside it and then copied: kernels read inputs after they have begun to write.
  int run(Pointers &pointers, const std::vector<bool> &inPlace, int threads) const;

  void *function;
  std::vector<Parameter> inputs, outputs;
  std::size_t given;
  std::shared_ptr<ScratchPool> scratch;
  Threads threads;
  /// For all outputs, where one is in place.
  std::unique_ptr<ScratchPool> beside;
};

} // namespace weft

#endif // WEFT_BINDINGS_QUICKCALL_H
