// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine's numbers for the compiler's part: the same targets/sw26010/machine.toml as the
// runtime reads (Machine.h), which this plugin does not link.
#pragma once

#include <string>

namespace weft::swcc {

class MachineTable {
public:
  /// The table in force: WEFT_SW26010_MACHINE, or the one beside the plugin. Ends the process with
  /// a message when it cannot be read.
  static const MachineTable &get();

  /// The value of quantity `key`, such as "cpe.fp.latency": a whole number. A missing key is a
  /// fault of Weft.
  unsigned number(const std::string &key) const;

private:
  MachineTable();
  std::string path_;
  void *table_; // toml::table, slow to compile: kept in one file
};

} // namespace weft::swcc
