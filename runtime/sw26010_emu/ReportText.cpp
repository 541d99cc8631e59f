// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report's text. The schema is in docs/emulator.md; what changes its meaning raises
// `schemaVersion`.
#include "Digest.h"
#include "Json.h"
#include "Linked.h"
#include "Machine.h"
#include "Program.h"
#include "ReportState.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <tuple>

namespace weft::emu::report {

namespace {

constexpr int schemaVersion = 1;

std::string contents(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

double seconds(std::uint64_t cycles) {
  return static_cast<double>(cycles) / Machine::get().number("clock.hz");
}

void write(Json &json, std::string_view key, const std::optional<Place> &place) {
  json.key(key);
  if (!place) {
    json.null();
    return;
  }
  json.beginObject()
      .field("file", place->file)
      .field("line", place->line)
      .field("column", place->column)
      .field("function", place->function)
      .endObject();
}

/// Counters that are not zero.
void write(Json &json, const Values &values) {
  json.key("counters").beginObject();
  for (const auto &info : counterTable)
    if (at(values, info.counter))
      json.field(info.name, at(values, info.counter));
  json.endObject();
}

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

/// What follows from counters of a stretch of time.
void writeDerived(Json &json, const Values &values, std::uint64_t cycles, int cpes) {
  const auto count = [&](Counter counter) { return static_cast<double>(at(values, counter)); };
  const double time = seconds(cycles);
  const double peak = cpes * Machine::get().number("cpe.peak_flops") * static_cast<double>(cycles);
  const double issuing =
      count(Counter::Scheduled) - count(Counter::DataStall) - count(Counter::Branch);
  const double issued = count(Counter::Pipe0) + count(Counter::Pipe1);
  const double lines =
      Machine::get().has("dma.line_bytes") ? Machine::get().number("dma.line_bytes") : 0;
  json.key("derived").beginObject();
  json.field("gflops", ratio(count(Counter::Flops), time) / 1e9)
      .field("percent_of_peak", 100 * ratio(count(Counter::Flops), peak))
      .field("instructions_per_cycle", ratio(issued, issuing))
      .field("dual_issue_rate", std::max(0.0, ratio(issued - issuing, issuing)))
      .field("dma_get_gbs", ratio(count(Counter::DmaGetBytes), time) / 1e9)
      .field("dma_put_gbs", ratio(count(Counter::DmaPutBytes), time) / 1e9)
      .field("dma_get_line_use",
             ratio(count(Counter::DmaGetBytes), lines * count(Counter::DmaGetLines)))
      .field("dma_put_line_use",
             ratio(count(Counter::DmaPutBytes), lines * count(Counter::DmaPutLines)));
  json.endObject();
}

void write(Json &json, const Party &party, bool isSelf) {
  if (!isSelf)
    json.field("what", party.what);
  json.key("core");
  if (party.core < 0)
    json.null();
  else
    json.value(party.core);
  json.field("cycle", party.cycle);
  write(json, "at", party.at);
}

void write(Json &json, const Incident &incident) {
  json.beginObject().field("name", incident.name).field("what", incident.what);
  write(json, incident.self, true);
  json.field("times", incident.times)
      .field("expected", incident.expected)
      .field("found", incident.found)
      .field("help", incident.help);
  json.key("others").beginArray();
  for (const auto &party : incident.others) {
    json.beginObject();
    write(json, party, false);
    json.endObject();
  }
  json.endArray().endObject();
}

void writeHead(Json &json, const State &state) {
  const auto &machine = Machine::get();
  json.field("schema", "weft-emu-report")
      .field("version", schemaVersion)
      .field("weft", WEFT_VERSION);
  json.key("program").beginObject().field("path", program::path());
  json.key("arguments").beginArray();
  for (std::size_t n = 1; n < state.arguments.size(); ++n)
    json.value(std::string_view(state.arguments[n]));
  json.endArray().endObject();
  json.key("machine")
      .beginObject()
      .field("table", machine.path())
      .field("sha256", sha256(contents(machine.path())))
      .field("clock_hz", machine.number("clock.hz"))
      .field("cpes", int{WEFT_SW_CPES})
      .field("peak_flops",
             double{WEFT_SW_CPES} * machine.number("cpe.peak_flops") * machine.number("clock.hz"))
      .endObject();
  const bool isTimed = !isFunctional();
  const auto segments = program::section("weft_segments");
  json.key("modelled")
      .beginObject()
      .field("timing", isTimed)
      .field("segments",
             (segments.end - segments.begin) / static_cast<std::ptrdiff_t>(sizeof(WeftSegment)))
      .field("ldm_stack", stackInLdm())
      .field("strict", isStrict())
      .endObject();
  json.key("ended")
      .beginObject()
      .field("by", state.fault ? "fault" : "exit")
      .field("status", state.status)
      .endObject();
  json.field("cycles", state.cycles).field("seconds", seconds(state.cycles));
}

int cpesThatRan(const State &state) {
  int ran = 0;
  for (int core = 0; core < WEFT_SW_CPES; ++core)
    ran += state.cores[core].active > 0;
  return ran;
}

void writePhases(Json &json, const State &state) {
  json.key("phases").beginArray();
  for (const auto &phase : state.phases) {
    json.beginObject()
        .field("function", phase.function)
        .field("cpes", phase.cpes)
        .field("begin", phase.begin)
        .field("cycles", phase.end - phase.begin)
        .field("seconds", seconds(phase.end - phase.begin))
        .field("ended", phase.ended);
    write(json, "at", phase.at);
    write(json, phase.counts);
    writeDerived(json, phase.counts, phase.end - phase.begin, phase.cpes);
    json.endObject();
  }
  json.endArray().field("phases_omitted", state.omitted);
  json.key("phases_by_function").beginArray();
  for (const auto &[function, sum] : state.repeated) {
    json.beginObject()
        .field("function", function)
        .field("times", sum.times)
        .field("cycles", sum.cycles)
        .field("seconds", seconds(sum.cycles));
    write(json, sum.counts);
    json.endObject();
  }
  json.endArray();
}

std::uint64_t accounted(const Values &values) {
  std::uint64_t cycles = 0;
  for (const auto &info : counterTable)
    if (info.part == "time")
      cycles += at(values, info.counter);
  return cycles;
}

void writeLdm(Json &json, const CoreUse &use) {
  const auto fixed = program::section("weft_ldm");
  auto most = static_cast<std::uint64_t>(fixed.end - fixed.begin);
  json.key("ldm").beginObject();
  json.field("thread_local", most);
  for (const auto &[what, bytes] : use.ldm) {
    json.field(what, bytes);
    most += bytes;
  }
  json.field("high_water", most).endObject();
}

void writeCores(Json &json, const State &state) {
  json.key("cores").beginArray();
  for (int core = 0; core < WEFT_SW_CORES; ++core) {
    const auto values = counted(core);
    const auto &use = state.cores[core];
    if (use.active == 0 && values == Values{})
      continue;
    json.beginObject()
        .field("core", core)
        .field("kind", core == WEFT_SW_MPE ? "MPE" : "CPE")
        .field("active", use.active)
        .field("unaccounted", static_cast<std::int64_t>(use.active) -
                                  static_cast<std::int64_t>(accounted(values)));
    write(json, values);
    if (core != WEFT_SW_MPE)
      writeLdm(json, use);
    json.endObject();
  }
  json.endArray();
  json.key("ldm_variables").beginArray();
  const auto fixed = program::section("weft_ldm");
  const auto begin = reinterpret_cast<std::uintptr_t>(fixed.begin);
  const auto end = reinterpret_cast<std::uintptr_t>(fixed.end);
  for (const auto &symbol : program::symbols())
    if (!symbol.isFunction && symbol.size && symbol.address >= begin && symbol.address < end)
      json.beginObject()
          .field("name", symbol.name)
          .field("offset", symbol.address - begin)
          .field("bytes", symbol.size)
          .endObject();
  json.endArray();
}

/// Lines with the sum over cores, and cores with equal counts together: most kernels do the same on
/// all of them.
void writeLines(Json &json) {
  using Key = std::tuple<std::string_view, std::uint32_t, std::string_view>;
  std::map<Key, std::map<Values, std::vector<int>>> lines;
  std::map<std::pair<std::string_view, std::string_view>, Values> functions;
  for (int core = 0; core < WEFT_SW_CORES; ++core)
    for (const auto &line : countedByLine(core)) {
      lines[{line.file, line.line, line.function}][line.values].push_back(core);
      auto &sum = functions[{line.file, line.function}];
      for (unsigned n = 0; n < counterCount; ++n)
        sum[n] += line.values[n];
    }
  json.key("functions").beginArray();
  for (const auto &[key, values] : functions) {
    json.beginObject().field("function", key.second).field("file", key.first);
    write(json, values);
    json.endObject();
  }
  json.endArray().key("lines").beginArray();
  for (const auto &[key, groups] : lines) {
    json.beginObject()
        .field("file", std::get<0>(key))
        .field("line", std::get<1>(key))
        .field("function", std::get<2>(key));
    json.key("groups").beginArray();
    for (const auto &[values, cores] : groups) {
      json.beginObject().key("cores").beginArray();
      for (const int core : cores)
        json.value(core);
      json.endArray();
      write(json, values);
      json.endObject();
    }
    json.endArray().endObject();
  }
  json.endArray();
}

} // namespace

std::string render(const State &state) {
  Json json;
  json.beginObject();
  writeHead(json, state);
  const auto sum = counted();
  write(json, sum);
  writeDerived(json, sum, state.cycles, cpesThatRan(state));
  json.key("fault");
  if (state.fault)
    write(json, *state.fault);
  else
    json.null();
  json.key("hazards").beginArray();
  for (const auto &hazard : state.hazards)
    write(json, hazard);
  json.endArray();
  writePhases(json, state);
  writeCores(json, state);
  writeLines(json);
  json.endObject();
  return json.text() + "\n";
}

} // namespace weft::emu::report
