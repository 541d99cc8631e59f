// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OutputFile.h"

#include <cerrno>
#include <csignal>
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

/// Where links lead, be it to nothing yet; what leads to an open file, as /dev/stdout does, stays
/// as it is named, and has no other place.
std::filesystem::path followed(std::filesystem::path path) {
  constexpr int mostLinks = 40;
  std::error_code none;
  for (int links = 0; links < mostLinks && std::filesystem::is_symlink(path, none); ++links) {
    const auto next = path.parent_path() / std::filesystem::read_symlink(path, none);
    if (none || next.string().starts_with("/proc/"))
      break;
    path = next;
  }
  return path;
}

/// Whether there is something that a file cannot take the place of.
bool isSpecial(const std::filesystem::path &path) {
  std::error_code none;
  const auto status = std::filesystem::status(path, none);
  const bool isOpen =
      path.string().starts_with("/proc/") || std::filesystem::is_symlink(path, none);
  return std::filesystem::exists(status) && !std::filesystem::is_directory(status) &&
         (isOpen || !std::filesystem::is_regular_file(status));
}
} // namespace

bool OutputFile::failed() { return anyFailed; }

void OutputFile::requireWritable(const std::string &path) {
  // To open a pipe would wait for its reader.
  if (isSpecial(followed(path))) {
    if (access(path.c_str(), W_OK) != 0)
      refuse(path);
    return;
  }
  const OutputFile attempt(path);
  unlink(attempt.opened_.c_str());
}

// From the root: the program may change its folder.
OutputFile::OutputFile(const std::string &path, Failing failing)
    : path_(followed(std::filesystem::absolute(path))), opened_(path_),
      isReplaced_(!isSpecial(path_)) {
  std::error_code none;
  if (std::filesystem::is_directory(path_, none)) {
    error_ = EISDIR;
  } else {
    if (isReplaced_)
      opened_ += ".partial";
    file_ = open(opened_.c_str(),
                 O_WRONLY | O_CREAT | O_CLOEXEC | (isReplaced_ ? O_TRUNC : O_APPEND), 0666);
    if (file_ < 0)
      error_ = errno;
  }
  if (error_ && failing == Failing::EndsRun) {
    errno = error_;
    refuse(path_);
  }
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
  // A pipe whose reader has gone is a file that cannot be written.
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  std::size_t done = 0;
  while (done < buffer_.size() && !error_) {
    const auto written = ::write(file_, buffer_.data() + done, buffer_.size() - done);
    if (written < 0 && errno != EINTR)
      error_ = errno;
    else if (written > 0)
      done += static_cast<std::size_t>(written);
  }
  buffer_.clear();
  std::signal(SIGPIPE, before);
}

void OutputFile::publish() {
  flush();
  if (file_ >= 0 && close(file_) != 0 && !error_)
    error_ = errno;
  file_ = -1;
  if (!error_ && (!isReplaced_ || std::rename(opened_.c_str(), path_.c_str()) == 0))
    return;
  std::fprintf(stderr, "weft emu: error: cannot write %s: %s\n", path_.c_str(),
               std::strerror(error_ ? error_ : errno));
  if (isReplaced_)
    unlink(opened_.c_str());
  anyFailed = true;
}

} // namespace weft::emu
