// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine's numbers: targets/sw26010/machine.toml, read once. No other place has constants.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::emu {

/// The table in force: WEFT_SW26010_MACHINE, or targets/sw26010/machine.toml beside the emulator.
class Machine {
public:
  /// Reads the table; ends the process with a message when it cannot be read.
  static const Machine &get();

  /// The value of quantity `key`, such as "cpe.fp_latency". A missing key is a bug of Weft.
  double number(std::string_view key) const;
  std::uint64_t cycles(std::string_view key) const; // a whole number
  bool has(std::string_view key) const;
  const std::string &path() const { return path_; }

private:
  explicit Machine(std::string path);
  std::string path_;
  void *table_; // toml::table, kept out of this header: it is slow to compile
};

} // namespace weft::emu
