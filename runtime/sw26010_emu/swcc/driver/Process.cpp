// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Process.h"

#include "Arguments.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace fs = std::filesystem;

namespace weft::swcc {

namespace {

struct Pipe {
  int ends[2] = {-1, -1};
  explicit Pipe(bool wanted) {
    if (wanted && pipe2(ends, O_CLOEXEC) != 0)
      fail("no pipe to a program: " + std::string(std::strerror(errno)));
  }
  void closeWriter() {
    if (ends[1] >= 0)
      close(ends[1]);
    ends[1] = -1;
  }
};

/// Reads both pipes to their ends; neither may fill up while the other is read.
void drain(Pipe &out, std::string &outText, Pipe &error, std::string &errorText) {
  pollfd polled[2] = {{out.ends[0], POLLIN, 0}, {error.ends[0], POLLIN, 0}};
  std::string *texts[2] = {&outText, &errorText};
  while (polled[0].fd >= 0 || polled[1].fd >= 0) {
    if (poll(polled, 2, -1) < 0)
      continue;
    for (int i = 0; i < 2; ++i) {
      if (polled[i].fd < 0 || !polled[i].revents)
        continue;
      char buffer[65536];
      const ssize_t got = read(polled[i].fd, buffer, sizeof buffer);
      if (got > 0) {
        texts[i]->append(buffer, static_cast<std::size_t>(got));
        continue;
      }
      if (got < 0 && errno == EINTR)
        continue;
      close(polled[i].fd);
      polled[i].fd = -1;
    }
  }
}

bool onPath(const std::string &name) {
  const char *path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((fs::path(folder) / name).c_str(), X_OK) == 0)
      return true;
  return false;
}

} // namespace

Outcome run(const std::vector<std::string> &words, Capture capture, bool verbose) {
  if (verbose) {
    for (const std::string &word : words)
      std::fprintf(stderr, " %s", word.c_str());
    std::fputc('\n', stderr);
  }
  Pipe out(capture == Capture::Both), error(capture != Capture::Nothing);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (out.ends[1] >= 0)
    posix_spawn_file_actions_adddup2(&actions, out.ends[1], 1);
  if (error.ends[1] >= 0)
    posix_spawn_file_actions_adddup2(&actions, error.ends[1], 2);
  std::vector<char *> argv;
  argv.reserve(words.size() + 1);
  for (const std::string &word : words)
    argv.push_back(const_cast<char *>(word.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  std::fflush(nullptr);
  const int failed = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed)
    fail("cannot run " + words[0] + ": " + std::strerror(failed));
  out.closeWriter();
  error.closeWriter();
  Outcome outcome;
  drain(out, outcome.out, error, outcome.error);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

std::string clangPath() {
  if (const char *named = std::getenv("WEFT_CLANG"); named && *named)
    return named;
  if (onPath("clang-22"))
    return "clang-22";
  const std::string debian = "/usr/lib/llvm-22/bin/clang";
  if (access(debian.c_str(), X_OK) == 0)
    return debian;
  fail("clang of LLVM 22 is not there",
       "install clang-22, or name it: WEFT_CLANG=/where/it/is/clang-22");
}

std::string llvmTool(const std::string &name) {
  if (onPath(name + "-22"))
    return name + "-22";
  return "/usr/lib/llvm-22/bin/" + name;
}

std::string nativeFolder() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path().parent_path().string();
}

std::string includeFolder() {
  return (fs::path(nativeFolder()).parent_path() / "include/sw26010").string();
}

std::string readFile(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    fail("cannot read " + path + ": " + std::strerror(errno));
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

void writeFile(const std::string &path, const std::string &text) {
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream)
    fail("cannot write " + path + ": " + std::strerror(errno));
}

const std::string &scratchFolder() {
  struct Folder {
    std::string path;
    Folder() {
      const char *base = std::getenv("TMPDIR");
      path = std::string(base && *base ? base : "/tmp") + "/weft-swcc-XXXXXX";
      if (!mkdtemp(path.data()))
        fail("cannot make a folder for temporary files: " + std::string(std::strerror(errno)));
    }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;
    ~Folder() {
      std::error_code ignored;
      fs::remove_all(path, ignored);
    }
  };
  static const Folder folder;
  return folder.path;
}

std::string scratchFile(const std::string &suffix) {
  static int count = 0;
  return scratchFolder() + "/" + std::to_string(count++) + suffix;
}

void moveInto(const std::string &from, const std::string &to) {
  if (to == "-") {
    std::fputs(readFile(from).c_str(), stdout);
    return;
  }
  // A device or pipe is written to, not replaced.
  std::error_code error;
  const auto kind = fs::status(to, error).type();
  if (kind != fs::file_type::not_found && kind != fs::file_type::regular) {
    std::ofstream stream(to, std::ios::binary);
    stream << readFile(from);
    if (!stream.flush())
      fail("cannot write " + to);
    return;
  }
  const std::string beside = to + ".weft-" + std::to_string(getpid());
  fs::copy_file(from, beside, fs::copy_options::overwrite_existing, error);
  if (!error)
    fs::rename(beside, to, error);
  if (!error)
    return;
  std::error_code ignored;
  fs::remove(beside, ignored);
  fail("cannot write " + to + ": " + error.message());
}

} // namespace weft::swcc
