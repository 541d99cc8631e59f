// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A segment's schedule is static; when it began is not. Both together give each instruction its
// cycles: D waits in decode until its operands and its pipe are free, I issues, X executes. What
// the core waited for between two segments is a line of its own, with the reason.
#include "Konata.h"

#include "Clock.h"
#include "Counters.h"
#include "OutputFile.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace weft::emu::konata {

namespace {

constexpr std::uint64_t defaultInstructions = 20000;

struct State {
  State(const std::string &path, std::string wanted, int cpe, std::uint64_t first,
        std::uint64_t most)
      : file(path), function(std::move(wanted)), core(cpe), from(first), left(most) {}
  OutputFile file;
  std::string function;
  int core;
  std::uint64_t from, left;
  std::uint64_t next = 0, numbered = 0, retired = 0;
  std::optional<std::uint64_t> written; // the cycle that the file has reached
  std::uint64_t busyUntil = 0;          // end of the last segment
  std::array<std::uint64_t, 2> free{};  // the cycle from which on each pipe can issue
  Values before{};
  /// A command for a line, but for the line's number: that is given in the order of the file.
  struct Record {
    char command;
    std::uint64_t line;
    std::string rest;
  };
  std::multimap<std::uint64_t, Record> records;   // not yet written, by cycle
  std::map<std::uint64_t, std::uint64_t> numbers; // of lines that have begun in the file
};

// Lives to the end of the process.
State *state = nullptr;

[[noreturn]] void refuse(const std::string &message) {
  std::fprintf(stderr, "weft emu: error: %s\n", message.c_str());
  std::_Exit(2);
}

std::uint64_t environmentNumber(const char *name, std::uint64_t otherwise) {
  const char *text = std::getenv(name);
  if (!text || !*text)
    return otherwise;
  char *end = nullptr;
  const auto value = std::strtoull(text, &end, 10);
  if (*end)
    refuse(std::string(name) + "=" + text + ": expected a whole number");
  return value;
}

std::string_view nameOf(const WeftSegment &segment) {
  return segment.function ? segment.function : "";
}

void requireFunction(const std::string &wanted) {
  std::set<std::string_view> known;
  bool hasSchedule = false;
  forEachSegment([&](const WeftSegment &segment) {
    if (segment.kind != 0)
      return;
    known.insert(nameOf(segment));
    hasSchedule = hasSchedule || (nameOf(segment) == wanted && segment.schedule);
  });
  if (hasSchedule)
    return;
  std::string message = "--konata: the program has no slave function '" + wanted + "'\n  it has: ";
  for (const auto name : known)
    message += std::string(name == *known.begin() ? "" : ", ") + std::string(name);
  refuse(message + (known.empty() ? "none that weft-swcc has compiled for CPEs" : ""));
}

void write(const State::Record &record) {
  if (record.command == 'I')
    state->numbers[record.line] = state->numbered++;
  const auto id = std::to_string(state->numbers.at(record.line));
  state->file.write(std::string(1, record.command).append("\t").append(id));
  if (record.command == 'I')
    state->file.write(std::string("\t").append(id).append("\t0"));
  state->file.write(record.rest);
  // Numbered as they leave: results of short instructions overtake those of long ones.
  if (record.command == 'R') {
    state->file.write(std::string("\t").append(std::to_string(state->retired++)).append("\t0"));
    state->numbers.erase(record.line);
  }
  state->file.write("\n");
}

/// Writes what happens before `cycle`.
void writeUntil(std::uint64_t cycle) {
  auto &records = state->records;
  while (!records.empty() && records.begin()->first < cycle) {
    const auto at = records.begin()->first;
    if (!state->written)
      state->file.write("C=\t" + std::to_string(at) + "\n");
    else if (at > *state->written)
      state->file.write("C\t" + std::to_string(at - *state->written) + "\n");
    state->written = at;
    write(records.begin()->second);
    records.erase(records.begin());
  }
}

void record(std::uint64_t cycle, char command, std::uint64_t line, std::string rest = {}) {
  state->records.emplace(cycle, State::Record{command, line, std::move(rest)});
}

/// A line of the view: its stages, each from its cycle to the next one's, and its end.
struct Stage {
  const char *name;
  std::uint64_t begin;
};
void addLine(const std::string &label, const std::string &detail,
             std::initializer_list<Stage> stages, std::uint64_t end) {
  const auto line = state->next++;
  const auto first = stages.begin()->begin;
  record(first, 'I', line);
  record(first, 'L', line, "\t0\t" + label);
  record(first, 'L', line, "\t1\t" + detail);
  const Stage *open = nullptr;
  for (const auto &stage : stages) {
    if (open)
      record(stage.begin, 'E', line, std::string("\t0\t") + open->name);
    record(stage.begin, 'S', line, std::string("\t0\t") + stage.name);
    open = &stage;
  }
  record(end, 'E', line, std::string("\t0\t") + open->name);
  record(end, 'R', line);
}

/// What the core has waited for most since the last segment.
std::string reason(const Values &now) {
  const CounterInfo *most = nullptr;
  std::uint64_t cycles = 0;
  for (const auto &info : counterTable)
    if (info.part == "time" && at(now, info.counter) - at(state->before, info.counter) > cycles) {
      most = &info;
      cycles = at(now, info.counter) - at(state->before, info.counter);
    }
  return most ? std::string(most->name) : "outside the function";
}

void addWait(std::uint64_t until) {
  const auto now = countedBySites(state->core);
  if (state->next && until > state->busyUntil)
    addLine("-- " + reason(now) + " --",
            std::to_string(until - state->busyUntil) + " cycles without instructions of " +
                state->function,
            {{"W", state->busyUntil}}, until);
  state->before = now;
}

/// A segment is shown as it runs in the long run. Where it follows another one closely, as a loop's
/// first turn does, an instruction goes when its pipe is free.
void addInstructions(const WeftSegment &segment, std::uint64_t start) {
  std::uint64_t previous = 0;
  for (std::uint64_t n = 0; n < segment.instruction_count && state->left; ++n, --state->left) {
    const auto &one = segment.schedule[n];
    auto &free = state->free.at(one.pipe);
    const auto decode = start + previous, issue = std::max(start + one.issue, free);
    free = issue + 1;
    const auto label = std::to_string(one.line) + ": " + one.text;
    const auto detail = std::string(segment.file ? segment.file : "?") + ":" +
                        std::to_string(one.line) + ", pipe " + std::to_string(one.pipe) +
                        ", latency " + std::to_string(one.latency);
    const auto done = issue + std::max<std::uint64_t>(one.latency, 1);
    if (decode < issue && done > issue + 1)
      addLine(label, detail, {{"D", decode}, {"I", issue}, {"X", issue + 1}}, done);
    else if (decode < issue)
      addLine(label, detail, {{"D", decode}, {"I", issue}}, done);
    else if (done > issue + 1)
      addLine(label, detail, {{"I", issue}, {"X", issue + 1}}, done);
    else
      addLine(label, detail, {{"I", issue}}, done);
    previous = one.issue;
  }
}

} // namespace

void start() {
  const char *asked = std::getenv("WEFT_EMU_KONATA");
  if (!asked || !*asked || state)
    return;
  const std::string text = asked;
  const auto colon = text.rfind(':');
  char *end = nullptr;
  const long cpe = colon == std::string::npos ? -1 : std::strtol(&text[colon + 1], &end, 10);
  if (cpe < 0 || cpe >= WEFT_SW_CPES || colon + 1 == text.size() || *end)
    refuse("--konata " + text + ": expected FUNCTION:CPE, the CPE from 0 to 63");
  const auto function = text.substr(0, colon);
  requireFunction(function);
  const char *path = std::getenv("WEFT_EMU_KONATA_FILE");
  state = new State(path && *path ? path : function + "." + std::to_string(cpe) + ".kanata",
                    function, static_cast<int>(cpe), environmentNumber("WEFT_EMU_KONATA_FROM", 0),
                    environmentNumber("WEFT_EMU_KONATA_LIMIT", defaultInstructions));
  state->file.write("Kanata\t0004\n");
}

bool wants(int core) { return state && state->core == core && state->left; }

void finish() {
  if (!state)
    return;
  writeUntil(~std::uint64_t{0});
  if (!state->next)
    std::fprintf(stderr, "weft emu: note: %s did not run on CPE %d%s: %s has no instructions\n",
                 state->function.c_str(), state->core,
                 state->from ? " from the cycle named on" : "", state->file.path().c_str());
  state->file.publish();
  delete std::exchange(state, nullptr);
}

void step(WeftCore &core, const WeftSegment &segment) {
  if (!wants(static_cast<int>(core.index))) {
    core.step = 0;
    return;
  }
  if (core.now < state->from || nameOf(segment) != state->function)
    return;
  writeUntil(std::min(core.now, state->busyUntil));
  addWait(core.now);
  addInstructions(segment, core.now);
  state->busyUntil = core.now + segment.cycles;
}

} // namespace weft::emu::konata
