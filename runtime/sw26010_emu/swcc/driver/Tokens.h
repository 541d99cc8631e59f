// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Preprocessed C as tokens, each with its place in the text and the file that it is from.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weft::swcc {

struct Token {
  enum Kind { Word, Number, String, Character, Punctuator, End } kind;
  std::string_view text;
  std::size_t begin; // offset in the text
  int file;          // index into Tokens::files

  bool is(std::string_view what) const { return text == what; }
  std::size_t end() const { return begin + text.size(); }
};

struct Tokens {
  std::vector<Token> list; // ends with an End token
  std::vector<std::string> files;
};

/// Reads the text; it must live as long as the tokens.
Tokens tokenize(std::string_view text);

/// Index of the bracket that closes the one at `open`, or of the End token.
std::size_t closing(const std::vector<Token> &tokens, std::size_t open);

} // namespace weft::swcc
