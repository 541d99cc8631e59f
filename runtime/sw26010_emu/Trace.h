// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What happened when, for the eye: spans on tracks, arrows between them, curves. Off unless
// WEFT_EMU_TRACE names a file; then a test of one variable is all it costs.
//
// Written as it happens (Perfetto's protobuf, see Perfetto.cpp): memory does not grow with the run.
// Within a track, spans and instants come in order of time; tracks need not agree.
#pragma once

#include "Abi.h"

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

namespace weft::emu::trace {

/// A row of the picture.
struct Track {
  enum Kind : std::uint8_t { Core, Dma, RowBus, ColumnBus } kind;
  std::uint8_t index;
  friend constexpr bool operator==(Track, Track) = default;
};
/// What a core does: 0..63, WEFT_SW_MPE.
constexpr Track core(int index) { return {Track::Core, static_cast<std::uint8_t>(index)}; }
/// A core's transfers in the DMA engine; those under way at the same time lie below each other.
constexpr Track dma(int core) { return {Track::Dma, static_cast<std::uint8_t>(core)}; }
constexpr Track rowBus(int row) { return {Track::RowBus, static_cast<std::uint8_t>(row)}; }
constexpr Track columnBus(int column) {
  return {Track::ColumnBus, static_cast<std::uint8_t>(column)};
}

enum class Curve : std::uint8_t { LdmUse, DmaInFlight };

struct Argument {
  std::string_view key;
  std::uint64_t value;
};
using Arguments = std::initializer_list<Argument>;

/// An arrow leads from the span that begins it to each span that ends it, by way of those that it
/// passes. 0: no arrow.
struct Flow {
  std::uint64_t id = 0;
  enum Side : std::uint8_t { Begins, Ends, Passes } side = Begins;
  std::span<const std::uint64_t> all{}; // several on the same side, `id` among them
};

namespace detail {
extern bool on;
void begin(Track track, std::uint64_t cycle, std::string_view name, const WeftSite *site,
           Arguments arguments, Flow flow);
void end(Track track, std::uint64_t cycle);
void span(Track track, std::uint64_t begin, std::uint64_t end, std::string_view name,
          const WeftSite *site, Arguments arguments, Flow flow);
void instant(Track track, std::uint64_t cycle, std::string_view name, const WeftSite *site,
             Arguments arguments, Flow flow);
void curve(Curve curve, int core, std::uint64_t cycle, std::uint64_t value);
std::uint64_t newFlow();
} // namespace detail

/// Whether anything is recorded: before work that is done for the trace alone.
inline bool on() { return detail::on; }

/// A number for an arrow; keep it with the message or transfer. 0 when nothing is recorded.
inline std::uint64_t newFlow() { return detail::on ? detail::newFlow() : 0; }

/// A span that others may nest in. `name` is a word for the eye, such as "DMA wait"; it is copied.
inline void begin(Track track, std::uint64_t cycle, std::string_view name,
                  const WeftSite *site = nullptr, Arguments arguments = {}, Flow flow = {}) {
  if (detail::on) [[unlikely]]
    detail::begin(track, cycle, name, site, arguments, flow);
}
/// Ends the innermost open span of the track.
inline void end(Track track, std::uint64_t cycle) {
  if (detail::on) [[unlikely]]
    detail::end(track, cycle);
}
/// A whole span at once, told when it is over. On tracks of the DMA engine and the buses spans may
/// overlap; on a core they must nest.
inline void span(Track track, std::uint64_t begin, std::uint64_t end, std::string_view name,
                 const WeftSite *site = nullptr, Arguments arguments = {}, Flow flow = {}) {
  if (detail::on) [[unlikely]]
    detail::span(track, begin, end, name, site, arguments, flow);
}
inline void instant(Track track, std::uint64_t cycle, std::string_view name,
                    const WeftSite *site = nullptr, Arguments arguments = {}, Flow flow = {}) {
  if (detail::on) [[unlikely]]
    detail::instant(track, cycle, name, site, arguments, flow);
}
/// A curve has this value from `cycle` on. `core` matters for LdmUse alone.
inline void curve(Curve which, int core, std::uint64_t cycle, std::uint64_t value) {
  if (detail::on) [[unlikely]]
    detail::curve(which, core, cycle, value);
}

/// Opens the file that WEFT_EMU_TRACE names. The start of the program calls it.
void start();
/// Closes open spans at `cycle` and the file: at the program's end, and by a fault.
void finish(std::uint64_t cycle);

} // namespace weft::emu::trace
