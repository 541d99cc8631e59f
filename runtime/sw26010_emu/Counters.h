// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the machine's performance counters would say, a core and a source line.
//
// Two sources: `count()` where the runtime knows what happened, and the tables of segments that the
// pass leaves in the program (what a segment costs, times how often it ran), folded when asked.
#pragma once

#include "Abi.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace weft::emu {

// name (as in reports), unit, part, description.
// Part: `time` counters are disjoint and add up to the time a core was active; `within` ones say
// more about another; `amount` ones are no time.
// clang-format off
#define WEFT_SW_COUNTERS(X)                                                                        \
  /* straight-line code, from the segments */                                                      \
  X(Scheduled,       scheduled,         cycles,       time,   "code as scheduled on the two pipelines: issue, operands, branches") \
  X(Pipe0,           pipe0_issued,      instructions, amount, "instructions issued to pipe 0: floating point, vectors, integers") \
  X(Pipe1,           pipe1_issued,      instructions, amount, "instructions issued to pipe 1: memory, messages, branches, integers") \
  X(CannotDualIssue, cannot_dual_issue, cycles,       within, "of scheduled: one instruction issued, the next was ready and could not go with it") \
  X(DataStall,       data_stall,        cycles,       within, "of scheduled: nothing issued, an operand was not there yet") \
  X(Branch,          branch,            cycles,       within, "of scheduled: lost to taken or mispredicted branches") \
  X(Flops,           flops,             operations,   amount, "floating-point operations: scalar 1, vector 4, fused twice that; division and root 1 a lane") \
  X(Divisions,       divisions,         operations,   within, "of flops: divisions and roots") \
  X(LdmAccesses,     ldm_accesses,      instructions, amount, "loads and stores of LDM, spills included") \
  X(LdmLoads,        ldm_loads,         instructions, within, "of ldm_accesses: loads") \
  X(ConditionalBranches, conditional_branches, instructions, amount, "conditional branches, taken or not") \
  X(UnconditionalBranches, unconditional_branches, instructions, amount, "other branches, and calls of a named function") \
  X(Jumps,           jumps,             instructions, amount, "jumps to where a register says: returns, calls through pointers") \
  X(Spills,          spills,            instructions, amount, "loads and stores made because 31 registers were not enough") \
  /* what the code waited for */                                                                   \
  X(LdmBusy,         ldm_busy,          cycles,       time,   "LDM busy: its banks served a transfer") \
  X(IcacheCycles,    icache_stall,      cycles,       time,   "instructions came from memory") \
  X(IcacheMisses,    icache_misses,     count,        amount, "lines of instructions that were not in the cache") \
  X(GetrEmpty,       getr_empty,        cycles,       time,   "GETR: no message from the row") \
  X(GetcEmpty,       getc_empty,        cycles,       time,   "GETC: no message from the column") \
  X(PutFull,         put_full,          cycles,       time,   "PUT: a receiver's buffer or the bus was full") \
  X(MessageCycles,   message,           cycles,       time,   "issue of messages, without waiting") \
  X(DmaWait,         dma_wait,          cycles,       time,   "waiting for transfers: reply words, dma_wait, barrier") \
  X(DmaIssue,        dma_issue,         cycles,       time,   "describing and issuing transfers") \
  X(SyncWait,        sync_wait,         cycles,       time,   "athread_syn and sync instructions, waiting included") \
  X(GldCycles,       gld_stall,         cycles,       time,   "loads from main memory") \
  X(GstCycles,       gst_stall,         cycles,       time,   "stores to main memory") \
  X(AtomicCycles,    atomic_stall,      cycles,       time,   "atomic updates in main memory") \
  X(SpinWait,        spin_wait,         cycles,       time,   "loops that only wait, other than for transfers") \
  X(LibraryCycles,   library,           cycles,       time,   "functions of the system's library") \
  X(JoinWait,        join_wait,         cycles,       time,   "MPE: waiting for the CPEs") \
  X(SpawnCycles,     spawn,             cycles,       time,   "MPE: starting and ending CPEs, athread_init, athread_halt") \
  X(HostScheduled,   host_scheduled,    cycles,       time,   "MPE: code, without caches") \
  X(HostFlops,       host_flops,        operations,   amount, "MPE: floating-point operations, counted as flops are") \
  X(HostMemory,      host_memory,       cycles,       time,   "MPE: caches and main memory") \
  X(HostRuntime,     host_runtime,      cycles,       time,   "MPE: functions of the C library and of MPI") \
  /* what was moved */                                                                             \
  X(Gld,             gld,               count,        amount, "loads from main memory by a CPE") \
  X(Gst,             gst,               count,        amount, "stores to main memory by a CPE") \
  X(Atomics,         atomics,           count,        amount, "atomic updates in main memory") \
  X(Updates,         updates,           count,        within, "of atomics: those that do not give the old value") \
  X(DmaGets,         dma_gets,          count,        amount, "transfers from main memory to LDM") \
  X(DmaPuts,         dma_puts,          count,        amount, "transfers from LDM to main memory") \
  X(DmaGetBytes,     dma_get_bytes,     bytes,        amount, "bytes asked for from main memory") \
  X(DmaPutBytes,     dma_put_bytes,     bytes,        amount, "bytes asked for to main memory") \
  X(DmaGetLines,     dma_get_lines,     lines,        amount, "memory lines read by transfers") \
  X(DmaPutLines,     dma_put_lines,     lines,        amount, "memory lines written by transfers") \
  X(RowSent,         row_sent,          count,        amount, "messages sent to the row; a broadcast is one") \
  X(ColumnSent,      column_sent,       count,        amount, "messages sent to the column; a broadcast is one") \
  X(RowLoadsSent,    row_loads_sent,    count,        within, "of row_sent: loads that send") \
  X(ColumnLoadsSent, column_loads_sent, count,        within, "of column_sent: loads that send") \
  X(RowReceived,     row_received,      count,        amount, "messages taken from the row") \
  X(ColumnReceived,  column_received,   count,        amount, "messages taken from the column") \
  X(Syncs,           syncs,             count,        amount, "synchronisations taken part in") \
  X(RowSyncs,        row_syncs,         count,        within, "of syncs: in a row") \
  X(HostL1Misses,    host_l1_misses,    count,        amount, "MPE: lines that were not in the first cache") \
  X(HostL2Misses,    host_l2_misses,    count,        amount, "MPE: lines that were not in the second cache")
// clang-format on

enum class Counter : unsigned {
#define WEFT_SW_COUNTER(id, name, unit, part, description) id,
  WEFT_SW_COUNTERS(WEFT_SW_COUNTER)
#undef WEFT_SW_COUNTER
};

struct CounterInfo {
  Counter counter;
  std::string_view name, unit, part, description;
};

inline constexpr CounterInfo counterTable[] = {
#define WEFT_SW_COUNTER(id, name, unit, part, description)                                         \
  {Counter::id, #name, #unit, #part, description},
    WEFT_SW_COUNTERS(WEFT_SW_COUNTER)
#undef WEFT_SW_COUNTER
};
inline constexpr unsigned counterCount = sizeof counterTable / sizeof *counterTable;

using Values = std::array<std::uint64_t, counterCount>;

namespace detail {

/// Counts of a place on a core. Rows are never moved.
struct CounterRow {
  const WeftSite *site;
  Values values;
};

struct CoreCounters {
  CounterRow *row, *before;     // the last two used: most calls come from one of two places in turn
  CounterRow **slots = nullptr; // by address of the site, open addressing
  unsigned mask = 0, used = 0;
};

extern std::array<CoreCounters, WEFT_SW_CORES> coreCounters;
CounterRow *counterRow(CoreCounters &core, const WeftSite *site);

} // namespace detail

/// Adds to a counter of `core` (0..63, or WEFT_SW_MPE) at a place, which may be null.
inline void count(int core, Counter counter, std::uint64_t amount, const WeftSite *site) {
  auto &own = detail::coreCounters[static_cast<unsigned>(core)];
  if (own.row->site != site) {
    std::swap(own.row, own.before);
    if (own.row->site != site) [[unlikely]]
      own.row = detail::counterRow(own, site);
  }
  own.row->values[static_cast<unsigned>(counter)] += amount;
}

/// What a core counted until now, segments included.
Values counted(int core);
/// All cores together.
Values counted();
/// Of that, what the runtime counted: without segments.
Values countedBySites(int core);

/// Counts of a source line on a core.
struct LineCounts {
  std::string_view function, file;
  std::uint32_t line;
  Values values;
};

/// By file, line and function; lines where nothing was counted are left out.
std::vector<LineCounts> countedByLine(int core);

/// Announces a program's table of segments; the start of the program does it. `end` is past the
/// last one.
void addSegments(const WeftSegment *begin, const WeftSegment *end);
/// Calls `visit` for all segments announced.
void forEachSegment(const std::function<void(const WeftSegment &)> &visit);

inline std::uint64_t &at(Values &values, Counter counter) {
  return values[static_cast<unsigned>(counter)];
}
inline std::uint64_t at(const Values &values, Counter counter) {
  return values[static_cast<unsigned>(counter)];
}

} // namespace weft::emu
