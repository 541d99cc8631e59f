// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One source to one object, assembly listing or preprocessed text.
#pragma once

#include "Arguments.h"

namespace weft::swcc {

/// Compiles `source` as the command says; what comes out is put into the file `output`.
void compileSource(const Command &command, const Input &source, const std::string &output);

} // namespace weft::swcc
