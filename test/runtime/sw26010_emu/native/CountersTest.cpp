// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts of cores and lines: what is counted at sites, and what tables of segments say.
#include "Counters.h"

#include <array>
#include <cstdint>
#include <doctest/doctest.h>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace weft::emu;

namespace {

std::uint64_t of(const std::vector<LineCounts> &lines, std::uint32_t line, Counter counter) {
  std::uint64_t sum = 0;
  for (const auto &one : lines)
    if (one.file == "many.c" && one.line == line)
      sum += at(one.values, counter);
  return sum;
}

} // namespace

TEST_CASE("counters: thousands of places, each with its own sums") {
  constexpr int kCore = 11;
  constexpr std::uint32_t kSites = 3000;
  static std::array<WeftSite, kSites> sites; // known to the counters from now on
  for (std::uint32_t index = 0; index < kSites; ++index)
    sites[index] = {"f", "many.c", index / 3, index % 3}; // three to a line
  const Values before = counted(kCore);
  const Values other = counted(kCore + 1);
  std::mt19937 random(1);
  std::map<std::uint32_t, std::uint64_t> messages;
  std::uint64_t all = 0;
  for (int turn = 0; turn < 50000; ++turn) {
    const WeftSite &site = sites[random() % kSites];
    const std::uint64_t amount = random() % 100;
    count(kCore, Counter::RowSent, amount, &site);
    messages[site.line] += amount;
    all += amount;
  }
  count(kCore, Counter::Gld, 5, nullptr); // of no place
  CHECK(at(counted(kCore), Counter::RowSent) - at(before, Counter::RowSent) == all);
  CHECK(at(counted(kCore), Counter::Gld) - at(before, Counter::Gld) == 5);
  CHECK(counted(kCore + 1) == other);
  const auto lines = countedByLine(kCore);
  for (std::uint32_t line = 0; line < kSites / 3; ++line)
    REQUIRE(of(lines, line, Counter::RowSent) == messages[line]);
  CHECK(at(counted(), Counter::RowSent) >= all);
}

TEST_CASE("counters: segments cost their lines as often as they ran, the MPE's in sixteenths") {
  static WeftLineCost cpe[2], mpe[1];
  cpe[0].line = 5;
  cpe[0].cycles = 7;
  cpe[0].pipe0 = 4;
  cpe[0].pipe1 = 3;
  cpe[0].data_stall = 1;
  cpe[0].flops = 32;
  cpe[1].line = 6;
  cpe[1].cycles = 2;
  cpe[1].pipe1 = 2;
  cpe[1].ldm_accesses = 2;
  cpe[1].spills = 1;
  cpe[1].branch = 1;
  mpe[0].line = 9;
  mpe[0].cycles = 5;
  mpe[0].flops = 3;
  static WeftSegment segments[2];
  for (WeftSegment &segment : segments) {
    segment.function = "g";
    segment.file = "segments.c";
  }
  segments[0].lines = cpe;
  segments[0].line_count = 2;
  segments[0].cycles = 9;
  segments[1].lines = mpe;
  segments[1].line_count = 1;
  segments[1].cycles = 5;
  segments[1].kind = 1;
  segments[0].tally[20].count = 1000;
  segments[0].tally[21].count = 1;
  segments[1].tally[WEFT_SW_MPE].count = 7;
  const Values before = counted(20);
  const std::uint64_t host = at(counted(WEFT_SW_MPE), Counter::HostScheduled);
  addSegments(std::begin(segments), std::end(segments));
  const Values now = counted(20);
  const auto more = [&](Counter counter) { return at(now, counter) - at(before, counter); };
  CHECK(more(Counter::Scheduled) == 9000);
  CHECK(more(Counter::Pipe0) == 4000);
  CHECK(more(Counter::Pipe1) == 5000);
  CHECK(more(Counter::DataStall) == 1000);
  CHECK(more(Counter::Branch) == 1000);
  CHECK(more(Counter::LdmAccesses) == 2000);
  CHECK(more(Counter::Spills) == 1000);
  CHECK(more(Counter::Flops) == 32000);
  CHECK(countedBySites(20) == before); // nothing at sites
  bool found = false;
  for (const auto &line : countedByLine(20))
    if (line.file == "segments.c" && line.line == 6) {
      found = true;
      CHECK(line.function == "g");
      CHECK(at(line.values, Counter::Scheduled) == 2000);
      CHECK(at(line.values, Counter::Flops) == 0);
    }
  CHECK(found);
  CHECK(at(counted(WEFT_SW_MPE), Counter::HostScheduled) - host == 7 * 5 / 16);
}

TEST_CASE("counters: each has a name, a unit, a part and a description of its own") {
  std::map<std::string_view, int> names;
  for (const auto &info : counterTable) {
    CHECK(++names[info.name] == 1);
    CHECK_FALSE(info.unit.empty());
    CHECK_FALSE(info.description.empty());
    CHECK((info.part == "time" || info.part == "within" || info.part == "amount"));
    if (info.part == "time")
      CHECK(info.unit == "cycles");
    CHECK(static_cast<unsigned>(info.counter) == static_cast<unsigned>(&info - counterTable));
  }
}
