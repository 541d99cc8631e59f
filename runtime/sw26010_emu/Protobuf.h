// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Protobuf's wire format, as far as writing a trace needs it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::emu {

/// A message under construction: fields are appended in any order.
class Message {
public:
  Message &number(unsigned field, std::uint64_t value) {
    varint(field << 3);
    varint(value);
    return *this;
  }
  Message &fixed64(unsigned field, std::uint64_t value) {
    varint(field << 3 | 1);
    for (int byte = 0; byte < 8; ++byte)
      bytes_.push_back(static_cast<char>(value >> 8 * byte));
    return *this;
  }
  /// A string, bytes, or a message within this one.
  Message &text(unsigned field, std::string_view value) {
    varint(field << 3 | 2);
    varint(value.size());
    bytes_.append(value);
    return *this;
  }
  Message &message(unsigned field, const Message &value) { return text(field, value.bytes_); }

  std::string_view bytes() const { return bytes_; }
  bool isEmpty() const { return bytes_.empty(); }
  void clear() { bytes_.clear(); }

private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      bytes_.push_back(static_cast<char>(value | 0x80));
    bytes_.push_back(static_cast<char>(value));
  }
  std::string bytes_;
};

} // namespace weft::emu
