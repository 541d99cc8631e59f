// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One source to one object, assembly listing or preprocessed text.
#pragma once

#include "Arguments.h"

namespace weft::swcc {

/// Where the output goes, and the listing beside an object; empty: there is none.
struct Made {
  std::string output, listing;
};

/// Compiles `source` as the command says.
void compileSource(const Command &command, const Input &source, const Made &made);

} // namespace weft::swcc
