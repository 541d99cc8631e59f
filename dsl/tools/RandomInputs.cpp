//===- RandomInputs.cpp - something to run IR on -------------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "tools/RandomInputs.h"

#include <cmath>

using namespace weft::interpreter;

void weft::fillRandomly(HostArray &input, std::mt19937_64 &engine, uint64_t integers) {
  // By hand: the distributions of the standard library differ between libraries.
  auto real = [&] { return std::ldexp(static_cast<double>(engine() >> 11), -52) - 1.0; };
  for (Element &element : input.array.elements) {
    switch (input.dtype) {
    case DType::Bool:
      element = Element::integer(engine() % 2);
      break;
    case DType::I32:
    case DType::I64:
      element = Element::integer(engine() % integers);
      break;
    case DType::F32:
      element = Element::real(static_cast<float>(real()));
      break;
    case DType::F64:
      element = Element::real(real());
      break;
    case DType::C64: {
      float re = static_cast<float>(real());
      element = Element::complex({re, static_cast<float>(real())});
      break;
    }
    case DType::C128: {
      double re = real();
      element = Element::complex({re, real()});
      break;
    }
    }
  }
}
