// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Rewrite.h"

#include "Tokens.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

namespace weft::swcc {

namespace {

template <std::size_t N>
bool oneOf(const Token &token, const std::array<std::string_view, N> &words) {
  return std::find(words.begin(), words.end(), token.text) != words.end();
}

constexpr std::array<std::string_view, 16> typeWords = {
    "void",     "char",  "short",  "int",   "long", "float", "double",   "signed",
    "unsigned", "_Bool", "struct", "union", "enum", "const", "volatile", "__signed__"};

class Rewriter {
public:
  Rewriter(const std::string &text, const std::string &ownHeaders, bool isCxx)
      : text_(text), read_(tokenize(text)), tokens_(read_.list), isCxx_(isCxx) {
    for (const std::string &file : read_.files)
      own_.push_back(file.compare(0, ownHeaders.size(), ownHeaders) == 0);
  }

  Rewritten run() {
    collectTypes();
    int depth = 0;
    std::size_t item = 0; // where the function or declaration of the file begins
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      if (tokens_[i].is("{"))
        ++depth;
      else if (tokens_[i].is("}"))
        --depth;
      if (depth == 0 && i > 0 && (tokens_[i - 1].is(";") || tokens_[i - 1].is("}")))
        item = i;
      if (own_[static_cast<std::size_t>(tokens_[i].file)])
        continue;
      if (tokens_[i].is("(")) {
        cast(i);
        declaration(i, depth);
      } else if (isAsm(tokens_[i]))
        assembly(i, depth);
      else if (depth == 0 && !isCxx_ && isInline(tokens_[i]))
        inlineFunction(item, i);
      else if (definesBuiltin(i))
        edits_.push_back({tokens_[i].begin, 0, "__weft_own"});
      else if (depth > 0 && tokens_[i].is("ldm_malloc"))
        localDeclaration(i);
      else if (depth > 0 && tokens_[i].kind == Token::Word && tokens_[i + 1].is("("))
        calls_.emplace(tokens_[i].text, tokens_[item].begin);
      else if (depth == 0 && isDeclarator(i))
        declarator(i);
    }
    return {apply(), !edits_.empty(), usesUndeclaredVectors(), hasAssembly_};
  }

private:
  struct Edit {
    std::size_t at, length;
    std::string text;
  };

  const std::string &text_;
  Tokens read_;
  const std::vector<Token> &tokens_;
  bool isCxx_;
  std::vector<bool> own_; // by file: the emulator's
  std::set<std::string_view> types_, declared_;
  std::map<std::string_view, std::string> vectors_ = {{"doublev4", "doublev4"},
                                                      {"floatv4", "floatv4"}};
  std::map<std::string_view, std::size_t> calls_; // where the function with the first call begins
  std::vector<Edit> edits_;
  bool hasAssembly_ = false;

  std::string apply() {
    std::stable_sort(edits_.begin(), edits_.end(),
                     [](const Edit &a, const Edit &b) { return a.at < b.at; });
    std::string made;
    std::size_t done = 0;
    for (const Edit &edit : edits_) {
      if (edit.at < done)
        continue;
      made.append(text_, done, edit.at - done);
      made += edit.text;
      done = edit.at + edit.length;
    }
    made.append(text_, done, std::string::npos);
    return made;
  }

  /// Names that typedef declares; those of a vector also under which vector.
  void collectTypes() {
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      if (!tokens_[i].is("typedef"))
        continue;
      std::size_t end = i + 1;
      std::string_view last;
      for (; end + 1 < tokens_.size() && !tokens_[end].is(";"); ++end) {
        if (tokens_[end].is("{") || tokens_[end].is("["))
          end = closing(tokens_, end);
        else if (tokens_[end].is("(") && !tokens_[end + 1].is("*"))
          end = closing(tokens_, end);
        else if (tokens_[end].kind == Token::Word && !tokens_[end].is("__attribute__"))
          last = tokens_[end].text;
        else if (tokens_[end].is(",") && !last.empty())
          types_.insert(last);
      }
      if (last.empty())
        continue;
      types_.insert(last);
      if (end == i + 3)
        if (const auto vector = vectors_.find(tokens_[i + 1].text); vector != vectors_.end())
          vectors_[last] = vector->second;
    }
  }

  bool usesUndeclaredVectors() const {
    static constexpr std::array<std::string_view, 6> names = {"doublev4", "floatv4", "intv8",
                                                              "uintv8",   "int256",  "uint256"};
    return std::any_of(tokens_.begin(), tokens_.end(), [&](const Token &token) {
      return token.kind == Token::Word && oneOf(token, names) && !types_.count(token.text);
    });
  }

  void erase(std::size_t first, std::size_t last) {
    // Lines stay where they are.
    const std::size_t begin = tokens_[first].begin, end = tokens_[last].end();
    const auto lines = std::count(text_.begin() + static_cast<std::ptrdiff_t>(begin),
                                  text_.begin() + static_cast<std::ptrdiff_t>(end), '\n');
    edits_.push_back({begin, end - begin, std::string(static_cast<std::size_t>(lines), '\n')});
  }

  /// Declarations that old compilers take, at the bracket after their name.
  void declaration(std::size_t open, int depth) {
    static constexpr std::array<std::string_view, 3> library = {"ldm_malloc", "ldm_free",
                                                                "get_allocatable_size"};
    if (open < 2 || tokens_[open - 1].kind != Token::Word)
      return;
    const Token &name = tokens_[open - 1], &before = tokens_[open - 2];
    if (!before.is("*") && !isTypeWord(before))
      return;
    std::size_t first = open - 1;
    while (first > 0 && !tokens_[first - 1].is(";") && !tokens_[first - 1].is("{") &&
           !tokens_[first - 1].is("}"))
      --first;
    const std::size_t close = closing(tokens_, open);
    if (oneOf(name, library) && close == open + 1 && tokens_[close + 1].is(";") &&
        (isTypeWord(tokens_[first]) || tokens_[first].is("extern")))
      return erase(first, close);
    if (depth > 0)
      return;
    if (name.text.substr(0, 10) == "__builtin_" && tokens_[close + 1].is("{"))
      return erase(first, closing(tokens_, close + 1));
    if (!tokens_[close + 1].is(";") || close == open + 1 || tokens_[first].is("typedef"))
      return;
    for (std::size_t i = open + 1; i < close; ++i)
      if (tokens_[i].is(",") ? false : tokens_[i].kind != Token::Word || isTypeWord(tokens_[i]))
        return;
    erase(open + 1, close - 1);
  }

  bool isTypeWord(const Token &token) const {
    return token.kind == Token::Word &&
           (oneOf(token, typeWords) || types_.count(token.text) || vectors_.count(token.text));
  }

  bool startsOperand(const Token &token) const {
    static constexpr std::array<std::string_view, 9> prefixes = {"*", "&",  "+",  "-", "~",
                                                                 "!", "++", "--", "("};
    return token.kind == Token::Word || token.kind == Token::Number ||
           token.kind == Token::String || token.kind == Token::Character || oneOf(token, prefixes);
  }

  /// (T) where T is a type and an operand follows.
  bool isCast(std::size_t open) const {
    if (!tokens_[open].is("(") || !isTypeWord(tokens_[open + 1]))
      return false;
    const std::size_t close = closing(tokens_, open);
    return close + 1 < tokens_.size() && startsOperand(tokens_[close + 1]);
  }

  /// One past the cast expression that begins at `i`.
  std::size_t operandEnd(std::size_t i) const {
    static constexpr std::array<std::string_view, 8> prefixes = {"*", "&", "+",  "-",
                                                                 "~", "!", "++", "--"};
    for (;;) {
      if (oneOf(tokens_[i], prefixes) && tokens_[i].kind == Token::Punctuator)
        ++i;
      else if (tokens_[i].is("__extension__") || tokens_[i].is("sizeof"))
        ++i;
      else if (isCast(i))
        i = closing(tokens_, i) + 1;
      else
        break;
    }
    if (tokens_[i].is("(")) {
      i = closing(tokens_, i) + 1;
      if (tokens_[i].is("{")) // a compound literal
        i = closing(tokens_, i) + 1;
    } else {
      ++i;
      while (tokens_[i].kind == Token::String)
        ++i;
    }
    for (;;) {
      if (tokens_[i].is("[") || tokens_[i].is("("))
        i = closing(tokens_, i) + 1;
      else if (tokens_[i].is(".") || tokens_[i].is("->"))
        i += 2;
      else if (tokens_[i].is("++") || tokens_[i].is("--"))
        ++i;
      else
        return i;
    }
  }

  void cast(std::size_t open) {
    const auto vector = vectors_.find(tokens_[open + 1].text);
    if (vector == vectors_.end() || !tokens_[open + 2].is(")") || !startsOperand(tokens_[open + 3]))
      return;
    static constexpr std::array<std::string_view, 5> statements = {"return", "case", "else", "do",
                                                                   "__extension__"};
    // f(doublev4) in a declaration, sizeof(doublev4): what stands before tells.
    if (open > 0 &&
        ((tokens_[open - 1].kind == Token::Word && !oneOf(tokens_[open - 1], statements)) ||
         tokens_[open - 1].is("]")))
      return;
    const std::size_t end = operandEnd(open + 3);
    // A constant may stand where C wants one, and needs no conversion.
    const auto begin = tokens_.begin() + static_cast<std::ptrdiff_t>(open) + 3;
    if (std::none_of(begin, tokens_.begin() + static_cast<std::ptrdiff_t>(end),
                     [](const Token &token) { return token.kind == Token::Word; }))
      return;
    edits_.push_back({tokens_[open].begin, tokens_[open + 2].end() - tokens_[open].begin,
                      "__weft_cast_" + vector->second + "("});
    edits_.push_back({tokens_[end - 1].end(), 0, ")"});
  }

  static bool isInline(const Token &token) {
    return token.is("inline") || token.is("__inline") || token.is("__inline__");
  }

  /// `inline` at file level, in a declaration that begins at `item`. Which file defines a function
  /// that is not static, C89 and C99 have by contrary rules: none is asked to here, and the mark
  /// has the compiler define it in each.
  void inlineFunction(std::size_t item, std::size_t at) {
    std::size_t linkage = tokens_.size();
    for (std::size_t i = item; i + 1 < tokens_.size(); ++i) {
      if (tokens_[i].is("__attribute__"))
        i = closing(tokens_, i + 1);
      else if (tokens_[i].is("static") || tokens_[i].is("typedef"))
        return;
      else if (tokens_[i].is("extern") && tokens_[i + 1].kind == Token::Word)
        linkage = i;
      else if (tokens_[i].kind != Token::Word && !tokens_[i].is("*"))
        break;
    }
    if (linkage < tokens_.size())
      edits_.push_back({tokens_[linkage].begin, tokens_[linkage].text.size(), ""});
    edits_.push_back({tokens_[at].begin, 0, R"(__attribute__((annotate("weft inline"))) )"});
  }

  /// A function that the program defines by a name which math.h has as a macro of a builtin; calls
  /// go to the builtin.
  bool definesBuiltin(std::size_t i) const {
    static constexpr std::array<std::string_view, 5> builtins = {
        "__builtin_isnan", "__builtin_isinf_sign", "__builtin_isfinite", "__builtin_isnormal",
        "__builtin_signbit"};
    return i > 0 && oneOf(tokens_[i], builtins) && isTypeWord(tokens_[i - 1]) &&
           tokens_[i + 1].is("(") && isTypeWord(tokens_[i + 2]);
  }

  /// The name at `i` declared inside a function, as `T *name();`.
  void localDeclaration(std::size_t i) {
    if (!tokens_[i + 1].is("(") || !tokens_[i + 2].is(")") || !tokens_[i + 3].is(";"))
      return;
    std::size_t begin = i;
    while (tokens_[begin - 1].is("*") || isTypeWord(tokens_[begin - 1]))
      --begin;
    const Token &before = tokens_[begin - 1];
    if (begin < i && (before.is(";") || before.is("{") || before.is("}")))
      edits_.push_back({tokens_[begin].begin, tokens_[i + 2].end() - tokens_[begin].begin, ""});
  }

  bool isDeclarator(std::size_t i) const {
    return i > 0 && tokens_[i].kind == Token::Word && tokens_[i + 1].is("(") &&
           (isTypeWord(tokens_[i - 1]) || tokens_[i - 1].is("*"));
  }

  /// A function declared or defined at file level: `i` is its name.
  void declarator(std::size_t i) {
    const std::size_t open = i + 1, close = closing(tokens_, open);
    bool names = close > open + 1 && tokens_[close + 1].is(";");
    bool promoted = false; // types that a call without a prototype does not pass as they are
    for (std::size_t j = open + 1; j < close; ++j) {
      names &= (j - open) % 2 == 0 ? tokens_[j].is(",")
                                   : tokens_[j].kind == Token::Word && !isTypeWord(tokens_[j]);
      promoted |= (tokens_[j].is("float") || tokens_[j].is("char") || tokens_[j].is("short")) &&
                  !tokens_[j + 1].is("*");
    }
    if (names)
      edits_.push_back({tokens_[open].end(), tokens_[close].begin - tokens_[open].end(), ""});
    const bool isVoid = tokens_[i - 1].is("void") && (i < 2 || !tokens_[i - 2].is("static"));
    if (const auto call = calls_.find(tokens_[i].text); call != calls_.end()) {
      if (isVoid && !promoted && !declared_.count(tokens_[i].text))
        edits_.push_back({call->second, 0, "void " + std::string(tokens_[i].text) + "(); "});
    }
    declared_.insert(tokens_[i].text);
  }

  static bool isAsm(const Token &token) {
    static constexpr std::array<std::string_view, 3> words = {"asm", "__asm", "__asm__"};
    return token.kind == Token::Word && oneOf(token, words);
  }

  void assembly(std::size_t i, int depth) {
    static constexpr std::array<std::string_view, 5> qualifiers = {"volatile", "__volatile__",
                                                                   "__volatile", "inline", "goto"};
    std::size_t open = i + 1;
    while (oneOf(tokens_[open], qualifiers))
      ++open;
    if (!tokens_[open].is("("))
      return;
    const std::size_t close = closing(tokens_, open);
    int section = 0, nested = 0;
    std::size_t text = 0;
    for (std::size_t j = open + 1; j < close; ++j) {
      const Token &token = tokens_[j];
      if (token.is("(") || token.is("[") || token.is("{"))
        ++nested;
      else if (token.is(")") || token.is("]") || token.is("}"))
        --nested;
      else if (nested == 0 && token.is(":"))
        ++section;
      else if (nested == 0 && token.kind == Token::String)
        string(token, section, text);
    }
    const bool label = section == 0 && i + 1 == open && i > 0 &&
                       (tokens_[i - 1].kind == Token::Word || tokens_[i - 1].is("]")) &&
                       !tokens_[i - 1].is("else") && !tokens_[i - 1].is("do");
    if (label && tokens_[open + 1].text.substr(0, 2) == "\"$")
      edits_.push_back({tokens_[i].begin, tokens_[close].end() - tokens_[i].begin, ""});
    hasAssembly_ |= depth > 0 && !label && text > 0;
  }

  void string(const Token &token, int section, std::size_t &text) {
    if (section == 0) {
      text += token.text.size() - 2;
      return;
    }
    if (section < 3) {
      // All registers of a CPE are of one kind.
      const std::size_t f = token.text.find('f');
      if (f != std::string_view::npos)
        edits_.push_back({token.begin + f, 1, "r"});
      return;
    }
    if (token.is("\"memory\"") || token.is("\"cc\""))
      return;
    // Leave the list's commas right: "memory" twice is no error.
    edits_.push_back({token.begin, token.text.size(), "\"memory\""});
  }
};

} // namespace

Rewritten rewrite(const std::string &text, const std::string &ownHeaders, bool isCxx) {
  return Rewriter(text, ownHeaders, isCxx).run();
}

} // namespace weft::swcc
