// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LiveRanges.h"

#include "Liveness.h"
#include "Spill.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace llvm;

namespace weft::swcc {

bool LiveRange::overlaps(const LiveRange &other) const {
  auto a = parts.begin();
  auto b = other.parts.begin();
  while (a != parts.end() && b != other.parts.end()) {
    if (a->end <= b->begin)
      ++a;
    else if (b->end <= a->begin)
      ++b;
    else
      return true;
  }
  return false;
}

std::vector<LiveRange> liveRanges(const Code &code) {
  const Liveness liveness(code);
  std::vector<LiveRange> ranges(code.next - firstVirtual);
  for (std::size_t index = 0; index < ranges.size(); ++index)
    ranges[index].name = firstVirtual + index;
  // Backwards over the text: parts are found last first.
  unsigned position = 0;
  for (const Block &block : code.blocks)
    position += block.operations.size();
  std::vector<unsigned> calls;
  constexpr unsigned notLive = ~0U;
  std::vector<unsigned> liveUntil(ranges.size(), notLive);
  const auto close = [&](unsigned number, unsigned begin) {
    std::vector<LiveRange::Part> &parts = ranges[number].parts;
    const unsigned end = std::max(liveUntil[number], begin + 1);
    if (!parts.empty() && parts.back().begin <= end)
      parts.back().begin = std::min(begin, parts.back().begin);
    else
      parts.push_back({begin, end});
    liveUntil[number] = notLive;
  };
  for (std::size_t index = code.blocks.size(); index-- > 0;) {
    const Block &block = code.blocks[index];
    const double weight = std::pow(10.0, std::min(block.depth, 6U));
    for (const unsigned number : liveness.out[index].set_bits())
      liveUntil[number] = 2 * position;
    const unsigned blockEnd = 2 * position;
    const std::size_t lastCopies = firstLastCopy(block);
    for (std::size_t at = block.operations.size(); at-- > 0;) {
      const Operation &operation = block.operations[at];
      --position;
      if (at >= lastCopies && operation.lastCopy && isVirtual(operation.def)) {
        const unsigned number = operation.def - firstVirtual;
        ranges[number].weight += weight;
        liveUntil[number] = notLive; // live from the next block on
        if (isVirtual(operation.uses[0])) {
          ranges[operation.uses[0] - firstVirtual].weight += weight;
          liveUntil[operation.uses[0] - firstVirtual] = blockEnd;
        }
        continue;
      }
      if (operation.call)
        calls.push_back(2 * position);
      if (isVirtual(operation.def)) {
        const unsigned number = operation.def - firstVirtual;
        ranges[number].weight += weight;
        if (liveUntil[number] == notLive)
          liveUntil[number] = 2 * position + 2; // written, never read
        close(number, 2 * position + 1);
      }
      for (const Register use : operation.uses)
        if (isVirtual(use)) {
          const unsigned number = use - firstVirtual;
          ranges[number].weight += weight;
          if (liveUntil[number] == notLive)
            liveUntil[number] = 2 * position + 1;
        }
    }
    for (const unsigned number : liveness.in[index].set_bits())
      if (liveUntil[number] != notLive)
        close(number, 2 * position);
  }
  // Arguments are written before the first operation.
  for (const Register argument : code.arguments)
    if (std::vector<LiveRange::Part> &parts = ranges[argument - firstVirtual].parts; parts.empty())
      parts.push_back({0, 1});
  for (LiveRange &range : ranges) {
    std::reverse(range.parts.begin(), range.parts.end());
    for (const LiveRange::Part &part : range.parts)
      for (const unsigned call :
           make_range(std::upper_bound(calls.begin(), calls.end(), part.end - 1, std::greater<>()),
                      calls.end())) {
        if (call < part.begin)
          break;
        // Read by the call itself: gone when it returns.
        range.crossesCall = range.crossesCall || (call >= part.begin && call + 1 < part.end);
      }
  }
  return ranges;
}

namespace {

void merge(LiveRange &into, LiveRange &from) {
  std::vector<LiveRange::Part> all;
  std::merge(into.parts.begin(), into.parts.end(), from.parts.begin(), from.parts.end(),
             std::back_inserter(all),
             [](const LiveRange::Part &a, const LiveRange::Part &b) { return a.begin < b.begin; });
  into.parts.clear();
  for (const LiveRange::Part &part : all) {
    if (!into.parts.empty() && into.parts.back().end >= part.begin)
      into.parts.back().end = std::max(into.parts.back().end, part.end);
    else
      into.parts.push_back(part);
  }
  from.parts.clear();
}

} // namespace

void coalesce(Code &code) {
  std::vector<LiveRange> ranges = liveRanges(code);
  std::vector<Register> stands(ranges.size());
  std::iota(stands.begin(), stands.end(), firstVirtual);
  const auto find = [&](Register name) {
    while (stands[name - firstVirtual] != name)
      name = stands[name - firstVirtual] = stands[stands[name - firstVirtual] - firstVirtual];
    return name;
  };
  // Inner loops first: their copies cost most.
  struct Candidate {
    unsigned block;
    std::size_t at;
  };
  std::vector<Candidate> candidates;
  for (unsigned index = 0; index < code.blocks.size(); ++index)
    for (std::size_t at = 0; at < code.blocks[index].operations.size(); ++at)
      if (const Operation &operation = code.blocks[index].operations[at];
          operation.copy && isVirtual(operation.def) && isVirtual(operation.uses[0]))
        candidates.push_back({index, at});
  stable_sort(candidates, [&](const Candidate &a, const Candidate &b) {
    return code.blocks[a.block].depth > code.blocks[b.block].depth;
  });
  const auto join = [&](Register one, Register other) {
    const Register to = find(one), from = find(other);
    if (to == from)
      return;
    LiveRange &a = ranges[to - firstVirtual], &b = ranges[from - firstVirtual];
    if (a.overlaps(b))
      return;
    merge(a, b);
    stands[from - firstVirtual] = to;
  };
  for (const Candidate &candidate : candidates) {
    const Operation &copy = code.blocks[candidate.block].operations[candidate.at];
    join(copy.def, copy.uses[0]);
  }
  // A sum goes on in the register of its last term: chains of them are one range, not many.
  for (const Block &block : code.blocks)
    for (const Operation &operation : block.operations)
      if (operation.uses.size() == 3 && isVirtual(operation.def) && isVirtual(operation.uses[2]) &&
          operation.opcode->kind == Kind::Fp)
        join(operation.def, operation.uses[2]);
  for (Block &block : code.blocks) {
    for (Operation &operation : block.operations) {
      if (isVirtual(operation.def))
        operation.def = find(operation.def);
      for (Register &use : operation.uses)
        if (isVirtual(use))
          use = find(use);
    }
    erase_if(block.operations, [](const Operation &operation) {
      return operation.copy && operation.def == operation.uses[0];
    });
  }
  for (Register &argument : code.arguments)
    argument = find(argument);
}

} // namespace weft::swcc
