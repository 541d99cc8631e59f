// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One packet sequence. Names, keys and places are sent once and then referred to by number.
#include "Perfetto.h"

#include "Fault.h"

namespace weft::emu::trace {

namespace {

// Field numbers of perfetto/protos/trace.
namespace trace_file {
constexpr unsigned packet = 1;
} // namespace trace_file
namespace packet {
constexpr unsigned timestamp = 8, sequence = 10, event = 11, interned = 12, flags = 13,
                   descriptor = 60;
} // namespace packet
namespace descriptor {
constexpr unsigned uuid = 1, name = 2, process = 3, parent = 5, counter = 8, childOrdering = 11,
                   rank = 12;
constexpr unsigned explicitOrder = 3;
} // namespace descriptor
namespace process {
constexpr unsigned pid = 1, name = 6;
} // namespace process
namespace counter {
constexpr unsigned unit = 3;
} // namespace counter
namespace event {
constexpr unsigned annotations = 4, type = 9, name = 10, track = 11, value = 30, source = 34,
                   flow = 47, lastOfFlow = 48;
} // namespace event
namespace interned {
constexpr unsigned names = 2, keys = 3, sources = 4;
constexpr unsigned number = 1, text = 2;
} // namespace interned
namespace source {
constexpr unsigned number = 1, file = 2, function = 3, line = 4;
} // namespace source
namespace annotation {
constexpr unsigned key = 1, number = 3, text = 6;
} // namespace annotation

constexpr std::uint64_t sequence = 1;
constexpr std::uint64_t stateCleared = 1, needsState = 2;
constexpr Perfetto::TrackId root = 1;

} // namespace

Perfetto::Perfetto(const std::string &path, double clockHz, std::string_view program)
    : file_(path), nanosecondsPerCycle_(1e9 / clockHz) {
  Message owner, track;
  owner.number(process::pid, 1).text(process::name, program);
  track.number(descriptor::uuid, root)
      .message(descriptor::process, owner)
      .number(descriptor::childOrdering, descriptor::explicitOrder);
  packet_.number(packet::sequence, sequence)
      .number(packet::flags, stateCleared)
      .message(packet::descriptor, track);
  file_.write(Message().message(trace_file::packet, packet_).bytes());
}

void Perfetto::describeTrack(TrackId id, TrackId parent, std::string_view name, int rank,
                             bool ordersChildren) {
  Message track;
  track.number(descriptor::uuid, id)
      .number(descriptor::parent, parent)
      .text(descriptor::name, name)
      .number(descriptor::rank, static_cast<std::uint64_t>(rank));
  if (ordersChildren)
    track.number(descriptor::childOrdering, descriptor::explicitOrder);
  packet_.clear();
  packet_.number(packet::sequence, sequence).message(packet::descriptor, track);
  file_.write(Message().message(trace_file::packet, packet_).bytes());
}

void Perfetto::describeCurve(TrackId id, TrackId parent, std::string_view name, int rank,
                             Unit unit) {
  Message curve, track;
  curve.number(counter::unit, static_cast<std::uint64_t>(unit));
  track.number(descriptor::uuid, id)
      .number(descriptor::parent, parent)
      .text(descriptor::name, name)
      .number(descriptor::rank, static_cast<std::uint64_t>(rank))
      .message(descriptor::counter, curve);
  packet_.clear();
  packet_.number(packet::sequence, sequence).message(packet::descriptor, track);
  file_.write(Message().message(trace_file::packet, packet_).bytes());
}

std::uint64_t Perfetto::intern(unsigned table, unsigned textField, std::string_view text) {
  auto &numbers = tables_[table].numbers;
  const auto [found, isNew] = numbers.try_emplace(std::string(text), numbers.size() + 1);
  if (isNew) {
    Message entry;
    entry.number(interned::number, found->second).text(textField, text);
    interned_.message(table, entry);
  }
  return found->second;
}

std::uint64_t Perfetto::internSite(const WeftSite *site) {
  const auto [found, isNew] = sites_.try_emplace(site, sites_.size() + 1);
  if (isNew) {
    Message entry;
    entry.number(source::number, found->second)
        .text(source::file, site->file ? site->file : "")
        .text(source::function, site->function ? site->function : "")
        .number(source::line, site->line);
    interned_.message(interned::sources, entry);
  }
  return found->second;
}

void Perfetto::annotate(std::string_view key, std::uint64_t value) {
  scratch_.clear();
  scratch_.number(annotation::key, intern(interned::keys, interned::text, key))
      .number(annotation::number, value);
  event_.message(event::annotations, scratch_);
}

void Perfetto::write(std::uint64_t cycle) {
  packet_.clear();
  const auto time = static_cast<std::uint64_t>(static_cast<double>(cycle) * nanosecondsPerCycle_);
  packet_.number(packet::timestamp, time)
      .number(packet::sequence, sequence)
      .number(packet::flags, needsState);
  if (!interned_.isEmpty())
    packet_.message(packet::interned, interned_);
  packet_.message(packet::event, event_);
  scratch_.clear();
  scratch_.message(trace_file::packet, packet_);
  file_.write(scratch_.bytes());
  event_.clear();
  interned_.clear();
}

void Perfetto::named(Kind kind, TrackId track, std::uint64_t cycle, std::string_view name,
                     const WeftSite *site, Arguments arguments, Flow flow) {
  event_.number(event::type, static_cast<std::uint64_t>(kind))
      .number(event::track, track)
      .number(event::name, intern(interned::names, interned::text, name));
  annotate("cycle", cycle);
  for (const auto &argument : arguments)
    annotate(argument.key, argument.value);
  if (site) {
    event_.number(event::source, internSite(site));
    // The viewer shows arguments at once, the source location only on request.
    scratch_.clear();
    scratch_.number(annotation::key, intern(interned::keys, interned::text, "at"))
        .text(annotation::text,
              std::string(site->file ? site->file : "?") + ":" + std::to_string(site->line));
    event_.message(event::annotations, scratch_);
  }
  const unsigned side = flow.side == Flow::Ends ? event::lastOfFlow : event::flow;
  for (const std::uint64_t one : flow.all)
    event_.fixed64(side, one);
  if (flow.id && flow.all.empty())
    event_.fixed64(side, flow.id);
  write(cycle);
}

void Perfetto::begin(TrackId track, std::uint64_t cycle, std::string_view name,
                     const WeftSite *site, Arguments arguments, Flow flow) {
  named(Kind::Begin, track, cycle, name, site, arguments, flow);
}

void Perfetto::end(TrackId track, std::uint64_t cycle, std::uint64_t cycles) {
  event_.number(event::type, static_cast<std::uint64_t>(Kind::End)).number(event::track, track);
  annotate("cycles", cycles);
  write(cycle);
}

void Perfetto::instant(TrackId track, std::uint64_t cycle, std::string_view name,
                       const WeftSite *site, Arguments arguments, Flow flow) {
  named(Kind::Instant, track, cycle, name, site, arguments, flow);
}

void Perfetto::value(TrackId track, std::uint64_t cycle, std::uint64_t value) {
  event_.number(event::type, static_cast<std::uint64_t>(Kind::Counter))
      .number(event::track, track)
      .number(event::value, value);
  write(cycle);
}

} // namespace weft::emu::trace
