// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tokens.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace weft::swcc {

namespace {

bool wordStart(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$';
}
bool wordPart(char c) { return wordStart(c) || std::isdigit(static_cast<unsigned char>(c)); }

class Reader {
public:
  explicit Reader(std::string_view text) : text_(text) { tokens_.files.emplace_back(); }

  Tokens read() {
    bool lineStart = true;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        lineStart = true;
        ++at_;
      } else if (std::isspace(static_cast<unsigned char>(c))) {
        ++at_;
      } else if (c == '#' && lineStart) {
        directive();
      } else {
        lineStart = false;
        token(c);
      }
    }
    tokens_.list.push_back({Token::End, {}, text_.size(), file_});
    return std::move(tokens_);
  }

private:
  std::string_view text_;
  std::size_t at_ = 0;
  int file_ = 0;
  Tokens tokens_;

  /// # 12 "file.c" 2, or a #pragma that the preprocessor left.
  void directive() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view line = text_.substr(at_, end - at_);
    at_ = end;
    const std::size_t open = line.find('"'), close = line.rfind('"');
    if (line.size() < 3 || !std::isdigit(static_cast<unsigned char>(line[2])) ||
        open == std::string_view::npos || close == open)
      return;
    const std::string name(line.substr(open + 1, close - open - 1));
    const auto known = std::find(tokens_.files.begin(), tokens_.files.end(), name);
    file_ = static_cast<int>(known - tokens_.files.begin());
    if (known == tokens_.files.end())
      tokens_.files.push_back(name);
  }

  void add(Token::Kind kind, std::size_t end) {
    tokens_.list.push_back({kind, text_.substr(at_, end - at_), at_, file_});
    at_ = end;
  }

  void token(char c) {
    std::size_t end = at_ + 1;
    if (wordStart(c)) {
      while (end < text_.size() && wordPart(text_[end]))
        ++end;
      return add(Token::Word, end);
    }
    const bool fraction =
        c == '.' && end < text_.size() && std::isdigit(static_cast<unsigned char>(text_[end]));
    if (std::isdigit(static_cast<unsigned char>(c)) || fraction) {
      while (end < text_.size() && (wordPart(text_[end]) || text_[end] == '.' || exponentSign(end)))
        ++end;
      return add(Token::Number, end);
    }
    if (c == '"' || c == '\'') {
      while (end < text_.size() && text_[end] != c && text_[end] != '\n')
        end += text_[end] == '\\' ? 2 : 1;
      return add(c == '"' ? Token::String : Token::Character, std::min(end + 1, text_.size()));
    }
    add(Token::Punctuator, at_ + punctuator());
  }

  bool exponentSign(std::size_t at) const {
    const char before = text_[at - 1];
    return (text_[at] == '+' || text_[at] == '-') &&
           (before == 'e' || before == 'E' || before == 'p' || before == 'P');
  }

  std::size_t punctuator() const {
    static constexpr std::array<std::string_view, 22> several = {
        "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==",
        "!=",  "&&",  "||",  "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="};
    for (const std::string_view one : several)
      if (text_.substr(at_, one.size()) == one)
        return one.size();
    return 1;
  }
};

} // namespace

Tokens tokenize(std::string_view text) { return Reader(text).read(); }

std::size_t closing(const std::vector<Token> &tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    const std::string_view text = tokens[i].text;
    if (tokens[i].kind != Token::Punctuator)
      continue;
    if (text == "(" || text == "[" || text == "{")
      ++depth;
    else if ((text == ")" || text == "]" || text == "}") && --depth == 0)
      return i;
  }
  return tokens.size() - 1;
}

} // namespace weft::swcc
