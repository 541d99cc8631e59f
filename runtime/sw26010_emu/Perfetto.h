// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Perfetto's TrackEvent packets, streamed to a file. Timestamps are nanoseconds of virtual time;
// the exact cycle is an argument of each event.
#pragma once

#include "OutputFile.h"
#include "Protobuf.h"
#include "Trace.h"

#include <string>
#include <unordered_map>

namespace weft::emu::trace {

class Perfetto {
public:
  Perfetto(const std::string &path, double clockHz, std::string_view program);

  using TrackId = std::uint64_t;
  enum class Kind : std::uint8_t { Begin = 1, End = 2, Instant = 3, Counter = 4 };

  /// A track and where it hangs. `rank` orders the children of a parent.
  void describeTrack(TrackId id, TrackId parent, std::string_view name, int rank,
                     bool ordersChildren = false);
  enum class Unit : std::uint8_t { Count = 2, Bytes = 3 };
  void describeCurve(TrackId id, TrackId parent, std::string_view name, int rank, Unit unit);

  void begin(TrackId track, std::uint64_t cycle, std::string_view name, const WeftSite *site,
             Arguments arguments, Flow flow);
  void end(TrackId track, std::uint64_t cycle, std::uint64_t cycles);
  void instant(TrackId track, std::uint64_t cycle, std::string_view name, const WeftSite *site,
               Arguments arguments, Flow flow);
  void value(TrackId track, std::uint64_t cycle, std::uint64_t value);

  std::uint64_t size() const { return file_.size(); }
  void publish() { file_.publish(); }

private:
  void named(Kind kind, TrackId track, std::uint64_t cycle, std::string_view name,
             const WeftSite *site, Arguments arguments, Flow flow);
  void annotate(std::string_view key, std::uint64_t value);
  void write(std::uint64_t cycle);
  std::uint64_t intern(unsigned table, unsigned textField, std::string_view text);
  std::uint64_t internSite(const WeftSite *site);

  OutputFile file_;
  double nanosecondsPerCycle_;
  // Of the packet under construction.
  Message packet_, event_, interned_, scratch_;
  struct Table {
    std::unordered_map<std::string, std::uint64_t> numbers;
  };
  std::unordered_map<unsigned, Table> tables_;
  std::unordered_map<const WeftSite *, std::uint64_t> sites_;
};

} // namespace weft::emu::trace
