// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A vector where a scalar is wanted, as in `sum += vector`: the vendor's compiler takes lane 0,
// where a scalar is in a register; clang refuses it. Only types tell such a place, so clang is
// asked for them, and only when it has refused a source.
#pragma once

#include <string>
#include <vector>

namespace weft::swcc {

/// Whether clang's messages have an error of that kind.
bool wantsNarrowing(const std::string &messages);

/// Preprocessed `text` with __weft_lane0(...) around each such vector. `words` compile it: language
/// and options, without files.
std::string narrow(std::string text, const std::vector<std::string> &words, bool verbose);

} // namespace weft::swcc
