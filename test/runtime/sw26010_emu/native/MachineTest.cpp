// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of the machine: what is wrong in one is told with its place.
#include "Machine.h"
#include "Child.h"

#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

using namespace weft::emu;
using namespace weft::emu::test;

TEST_CASE("a table of one's own" * doctest::skip(!std::getenv("WEFT_TEST_KEY"))) {
  const std::string key = std::getenv("WEFT_TEST_KEY");
  std::printf("%s is %g\n", key.c_str(), Machine::get().number(key));
  std::printf("whole %llu\n", static_cast<unsigned long long>(Machine::get().cycles(key)));
}

namespace {

/// The machine's table, which doctest needs too: the time that it asks for is the emulator's.
std::string with(const std::string &text) {
  std::ifstream stream(Machine::get().path());
  return std::string(std::istreambuf_iterator<char>(stream), {}) + "\n" + text;
}

/// Reads `key` from a table with that text, in a process of its own.
Ending read(const std::string &text, const std::string &key, std::string &path) {
  path = (std::filesystem::temp_directory_path() / "table-XXXXXX").string();
  const int file = mkstemp(path.data());
  REQUIRE(file >= 0);
  REQUIRE(write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  close(file);
  const Ending ending =
      anew("a table of one's own", {{"WEFT_SW26010_MACHINE", path}, {"WEFT_TEST_KEY", key}});
  unlink(path.c_str());
  return ending;
}

} // namespace

TEST_CASE("machine: values of a table") {
  std::string path;
  const auto ending = read(with("[a.b]\nvalue = 12\nunit = 'cycles'\n"), "a.b", path);
  CHECK(ending.status == 0);
  CHECK(ending.says("a.b is 12"));
  CHECK(ending.says("whole 12"));
}

TEST_CASE("machine: what cannot be read is told with file, line and column") {
  struct Wrong {
    const char *text, *place;
  };
  for (const Wrong &one :
       {Wrong{"[a.b]\nvalue = 12\nunit = ?\n", ":3:8: "}, Wrong{"[a.b\nvalue = 1\n", ":1:5: "},
        Wrong{"[a]\nx = 1\nx = 2\n", ":3:5: "}, Wrong{"[a.b]\nvalue = 12 13\n", ":2:12: "},
        Wrong{"[a.b]\nvalue = 'open\n", ":2:14: "}}) {
    CAPTURE(one.text);
    std::string path;
    const auto ending = read(one.text, "a.b", path);
    CHECK(ending.status == 3);
    CHECK(
        ending.says("weft emu: error: " + path + one.place + "the machine table cannot be read: "));
  }
  const auto missing = anew("a table of one's own",
                            {{"WEFT_SW26010_MACHINE", "/nowhere.toml"}, {"WEFT_TEST_KEY", "a.b"}});
  CHECK(missing.status == 3);
  CHECK(missing.says("/nowhere.toml"));
  CHECK(missing.says("the machine table cannot be read"));
}

TEST_CASE("machine: a quantity that is not there, and one that is no whole number") {
  std::string path;
  const auto absent = read(with("[a.b]\nvalue = 12\n"), "a.c", path);
  CHECK(absent.status == 70);
  CHECK(absent.says(path + ": no quantity 'a.c'"));
  for (const char *value : {"1.5", "-3"}) {
    const auto broken = read(with("[a.b]\nvalue = " + std::string(value) + "\n"), "a.b", path);
    CHECK(broken.status == 70);
    CHECK(broken.says("'a.b' is not a whole number"));
  }
  CHECK(Machine::get().number("clock.hz") > 1e9);
  CHECK(Machine::get().has("mesh.near_latency"));
  CHECK_FALSE(Machine::get().has("mesh.no_such_latency"));
}
