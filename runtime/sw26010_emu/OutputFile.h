// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file that appears under its name when it is whole: written beside it, then renamed. A link
// keeps its place, and devices and pipes, which cannot be replaced, are written as they are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::emu {

class OutputFile {
public:
  enum class Failing : std::uint8_t { EndsRun, IsTold };

  /// Opens `path`.partial, or what cannot be replaced. Where that cannot be written the run ends
  /// with a message, or `publish` tells it.
  explicit OutputFile(const std::string &path, Failing failing = Failing::EndsRun);
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;
  ~OutputFile();

  /// Ends the run with a message if `path` cannot be written: told before it takes hours.
  static void requireWritable(const std::string &path);

  void write(std::string_view text);
  /// Lets everything so far go out and gives the file its name; says so where it cannot.
  void publish();
  /// Whether a file could not be published: then the run's status is `failedStatus`.
  static bool failed();
  static constexpr int failedStatus = 3;
  std::uint64_t size() const { return size_; }
  const std::string &path() const { return path_; }

private:
  void flush();
  std::string path_, opened_, buffer_; // as it was named, links followed; what is written
  bool isReplaced_;                    // by a file beside it
  std::uint64_t size_ = 0;
  int file_ = -1;
  int error_ = 0; // errno of the first failed write
};

} // namespace weft::emu
