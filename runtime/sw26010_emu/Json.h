// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JSON as it is written: values in order, commas and indentation by itself.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

namespace weft::emu {

class Json {
public:
  Json &beginObject() { return open('{'); }
  Json &endObject() { return close('}'); }
  Json &beginArray() { return open('['); }
  Json &endArray() { return close(']'); }
  Json &key(std::string_view name) {
    separate();
    quote(name);
    text_ += ": ";
    afterKey_ = true;
    return *this;
  }

  Json &value(std::string_view text) {
    separate();
    quote(text);
    return *this;
  }
  Json &value(const char *text) { return value(std::string_view(text)); }
  Json &value(bool truth) { return raw(truth ? "true" : "false"); }
  /// Numbers that JSON cannot say are null.
  Json &value(double number) {
    if (!std::isfinite(number))
      return null();
    char text[32];
    std::snprintf(text, sizeof text, "%.10g", number);
    return raw(text);
  }
  template <typename T>
    requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
  Json &value(T number) {
    return raw(std::to_string(number));
  }
  Json &null() { return raw("null"); }
  template <typename T> Json &field(std::string_view name, const T &what) {
    return key(name).value(what);
  }

  const std::string &text() const { return text_; }

private:
  Json &open(char bracket) {
    separate();
    text_ += bracket;
    ++depth_;
    isEmpty_ = true;
    return *this;
  }
  Json &close(char bracket) {
    --depth_;
    if (!isEmpty_)
      newLine();
    text_ += bracket;
    isEmpty_ = false;
    return *this;
  }
  Json &raw(std::string_view text) {
    separate();
    text_ += text;
    return *this;
  }
  /// Before each value or key, unless it follows its key.
  void separate() {
    if (afterKey_) {
      afterKey_ = false;
      return;
    }
    if (depth_ == 0)
      return;
    if (!isEmpty_)
      text_ += ',';
    isEmpty_ = false;
    newLine();
  }
  void newLine() {
    text_ += '\n';
    text_.append(static_cast<std::size_t>(depth_), ' ');
  }
  /// Control characters are escaped; bytes that are no UTF-8 become the replacement character.
  void quote(std::string_view text) {
    text_ += '"';
    while (!text.empty()) {
      const auto code = static_cast<unsigned char>(text.front());
      const auto bytes = sequenceLength(text);
      if (code == '"' || code == '\\') {
        text_ += '\\';
        text_ += text.front();
      } else if (code < 0x20 || code == 0x7f) {
        char escape[8];
        std::snprintf(escape, sizeof escape, "\\u%04x", code);
        text_ += escape;
      } else if (bytes == 0) {
        text_ += "\\ufffd";
      } else {
        text_ += text.substr(0, bytes);
      }
      text.remove_prefix(bytes ? bytes : 1);
    }
    text_ += '"';
  }

  /// Length of the UTF-8 sequence that `text` begins with; 0 if it begins with none.
  static std::size_t sequenceLength(std::string_view text) {
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t length = first < 0x80             ? 1
                               : (first & 0xe0) == 0xc0 ? 2
                               : (first & 0xf0) == 0xe0 ? 3
                               : (first & 0xf8) == 0xf0 ? 4
                                                        : 0;
    if (length == 0 || length > text.size())
      return 0;
    unsigned point = length == 1 ? first : first & (0x7f >> length);
    for (std::size_t n = 1; n < length; ++n) {
      const auto next = static_cast<unsigned char>(text[n]);
      if ((next & 0xc0) != 0x80)
        return 0;
      point = point << 6 | (next & 0x3f);
    }
    // Each code has one form, its shortest; surrogates have none.
    constexpr unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool isValid =
        point >= least[length] && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
    return isValid ? length : 0;
  }

  std::string text_;
  int depth_ = 0;
  bool isEmpty_ = true, afterKey_ = false;
};

} // namespace weft::emu
