// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file that appears under its name when it is whole: written beside it, then renamed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::emu {

class OutputFile {
public:
  /// Opens `path`.partial; ends the run with a message when that cannot be written.
  explicit OutputFile(const std::string &path);
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;
  ~OutputFile();

  /// Ends the run with a message if `path` cannot be written: told before it takes hours.
  static void requireWritable(const std::string &path);

  void write(std::string_view text);
  /// Whether everything so far has gone out and the file has its name.
  bool publish();
  std::uint64_t size() const { return size_; }
  const std::string &path() const { return path_; }

private:
  void flush();
  std::string path_, partial_, buffer_;
  std::uint64_t size_ = 0;
  int file_ = -1;
  int error_ = 0; // errno of the first failed write
};

} // namespace weft::emu
