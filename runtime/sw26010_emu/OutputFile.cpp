// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OutputFile.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace weft::emu {

namespace {
constexpr std::size_t bufferBytes = 1 << 20;
bool anyFailed = false;

[[noreturn]] void refuse(const std::string &path) {
  std::fprintf(stderr, "weft emu: error: cannot write %s: %s\n", path.c_str(),
               std::strerror(errno));
  std::_Exit(OutputFile::failedStatus);
}

/// Whether there is something that a file cannot take the place of.
bool isSpecial(const std::filesystem::path &path) {
  std::error_code none;
  const auto status = std::filesystem::status(path, none);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}
} // namespace

bool OutputFile::failed() { return anyFailed; }

void OutputFile::requireWritable(const std::string &path) {
  // To open a pipe would wait for its reader.
  if (isSpecial(path))
    return;
  const OutputFile attempt(path);
  unlink(attempt.target_.c_str());
}

// From the root: the program may change its folder.
OutputFile::OutputFile(const std::string &path)
    : path_(std::filesystem::absolute(path)), target_(path_), isReplaced_(!isSpecial(path_)) {
  std::error_code none;
  if (std::filesystem::is_directory(path_, none)) {
    errno = EISDIR;
    refuse(path_);
  }
  if (isReplaced_) {
    if (const auto place = std::filesystem::weakly_canonical(path_, none); !none)
      path_ = place;
    target_ = path_ + ".partial";
  }
  file_ = open(target_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0)
    refuse(path_);
  buffer_.reserve(bufferBytes + 4096);
}

OutputFile::~OutputFile() {
  if (file_ >= 0)
    close(file_);
}

void OutputFile::write(std::string_view text) {
  size_ += text.size();
  buffer_.append(text);
  if (buffer_.size() >= bufferBytes)
    flush();
}

void OutputFile::flush() {
  std::size_t done = 0;
  while (done < buffer_.size() && !error_) {
    const auto written = ::write(file_, buffer_.data() + done, buffer_.size() - done);
    if (written < 0 && errno != EINTR)
      error_ = errno;
    else if (written > 0)
      done += static_cast<std::size_t>(written);
  }
  buffer_.clear();
}

void OutputFile::publish() {
  flush();
  if (close(file_) != 0 && !error_)
    error_ = errno;
  file_ = -1;
  if (!error_ && (!isReplaced_ || std::rename(target_.c_str(), path_.c_str()) == 0))
    return;
  std::fprintf(stderr, "weft emu: error: cannot write %s: %s\n", path_.c_str(),
               std::strerror(error_ ? error_ : errno));
  if (isReplaced_)
    unlink(target_.c_str());
  anyFailed = true;
}

} // namespace weft::emu
