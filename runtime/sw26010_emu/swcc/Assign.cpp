// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Assign.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <limits>

using namespace llvm;

namespace weft::swcc {

namespace {

/// The registers there are, and who may have which.
class RegisterFile {
public:
  unsigned size() const { return usable_; }
  bool isSaved(unsigned physical) const {
    return physical >= firstCalleeSaved &&
           physical < firstCalleeSaved + table_.core().calleeSavedRegisters;
  }
  bool allowed(const LiveRange &range, unsigned physical) const {
    return !range.crossesCall || isSaved(physical);
  }
  unsigned choices(const LiveRange &range) const {
    return range.crossesCall ? table_.core().calleeSavedRegisters : usable_;
  }
  /// Calls `visit` with each register allowed to `range` until it returns true. Names take turns,
  /// so that a write seldom has to wait for a reader; saved ones come last.
  template <typename Visit> void forEach(const LiveRange &range, Visit visit) const {
    for (const bool saved : {false, true})
      for (unsigned step = 0; step < usable_; ++step) {
        const unsigned physical = (rotation_ + step) % usable_;
        if (isSaved(physical) == saved && allowed(range, physical) && visit(physical))
          return;
      }
  }
  void took(unsigned physical) { rotation_ = (physical + 1) % usable_; }

private:
  const Instructions &table_ = Instructions::get();
  unsigned usable_ = table_.core().registers - table_.core().reservedRegisters;
  unsigned rotation_ = 0;
};

[[noreturn]] void tooFew() {
  report_fatal_error("weft-swcc: an instruction needs more registers than there are; this is a "
                     "fault of Weft, please report it");
}

/// Which ranges cannot share a register, by index.
std::vector<SmallVector<unsigned, 8>> conflicts(ArrayRef<LiveRange> ranges) {
  std::vector<SmallVector<unsigned, 8>> neighbours(ranges.size());
  std::vector<unsigned> order;
  for (unsigned index = 0; index < ranges.size(); ++index)
    if (!ranges[index].parts.empty())
      order.push_back(index);
  stable_sort(order, [&](unsigned a, unsigned b) { return ranges[a].begin() < ranges[b].begin(); });
  SmallVector<unsigned, 64> active;
  for (const unsigned current : order) {
    erase_if(active,
             [&](unsigned other) { return ranges[other].end() <= ranges[current].begin(); });
    for (const unsigned other : active)
      if (ranges[other].overlaps(ranges[current])) {
        neighbours[current].push_back(other);
        neighbours[other].push_back(current);
      }
    active.push_back(current);
  }
  return neighbours;
}

/// The order in which ranges are coloured, last first: what always finds a register is set aside
/// again and again; when nothing is left of that, the range that gives way most cheaply.
std::vector<unsigned> simplify(ArrayRef<LiveRange> ranges,
                               ArrayRef<SmallVector<unsigned, 8>> neighbours,
                               const RegisterFile &file) {
  std::vector<unsigned> degrees, stack, easy, hard;
  std::vector<bool> aside(ranges.size());
  for (unsigned index = 0; index < ranges.size(); ++index) {
    degrees.push_back(neighbours[index].size());
    if (ranges[index].parts.empty())
      aside[index] = true;
    else
      (degrees[index] < file.choices(ranges[index]) ? easy : hard).push_back(index);
  }
  const auto setAside = [&](unsigned index) {
    aside[index] = true;
    stack.push_back(index);
    for (const unsigned other : neighbours[index])
      if (!aside[other] && degrees[other]-- == file.choices(ranges[other]))
        easy.push_back(other);
  };
  const auto cost = [&](unsigned index) {
    return ranges[index].fixed ? std::numeric_limits<double>::infinity()
                               : ranges[index].weight / (degrees[index] + 1);
  };
  for (;;) {
    while (!easy.empty()) {
      const unsigned index = easy.back();
      easy.pop_back();
      if (!aside[index])
        setAside(index);
    }
    erase_if(hard, [&](unsigned index) { return aside[index]; });
    if (hard.empty())
      return stack;
    setAside(*std::min_element(hard.begin(), hard.end(),
                               [&](unsigned a, unsigned b) { return cost(a) < cost(b); }));
  }
}

} // namespace

Assignment assignByColour(std::vector<LiveRange> ranges) {
  RegisterFile file;
  Assignment result{std::vector<unsigned>(ranges.size(), noRegister), {}};
  const auto neighbours = conflicts(ranges);
  std::vector<unsigned> order = simplify(ranges, neighbours, file);
  for (; !order.empty(); order.pop_back()) {
    const unsigned index = order.back();
    std::uint64_t taken = 0;
    for (const unsigned other : neighbours[index])
      if (result.registers[other] != noRegister)
        taken |= std::uint64_t{1} << result.registers[other];
    unsigned &chosen = result.registers[index];
    file.forEach(ranges[index], [&](unsigned physical) {
      if (!(taken >> physical & 1))
        chosen = physical;
      return chosen != noRegister;
    });
    if (chosen != noRegister)
      file.took(chosen);
    else if (ranges[index].fixed)
      tooFew();
    else
      result.spilled.push_back(ranges[index].name);
  }
  return result;
}

Assignment assignByScan(std::vector<LiveRange> ranges) {
  RegisterFile file;
  Assignment result{std::vector<unsigned>(ranges.size(), noRegister), {}};
  std::vector<LiveRange *> order;
  for (LiveRange &range : ranges) {
    if (range.parts.empty())
      continue;
    range.weight = range.fixed ? std::numeric_limits<double>::infinity()
                               : range.weight / (range.end() - range.begin() + 8);
    order.push_back(&range);
  }
  stable_sort(order,
              [](const LiveRange *a, const LiveRange *b) { return a->begin() < b->begin(); });

  std::vector<SmallVector<LiveRange *, 8>> held(file.size());
  for (LiveRange *current : order) {
    for (auto &others : held)
      erase_if(others, [&](const LiveRange *range) { return range->end() <= current->begin(); });
    unsigned chosen = noRegister, cheapest = noRegister;
    double cost = std::numeric_limits<double>::infinity();
    file.forEach(*current, [&](unsigned physical) {
      double evicted = 0;
      bool free = true;
      for (const LiveRange *range : held[physical])
        if (range->overlaps(*current)) {
          free = false;
          evicted += range->weight;
        }
      if (free) {
        chosen = physical;
      } else if (evicted < cost) {
        cost = evicted;
        cheapest = physical;
      }
      return free;
    });
    if (chosen != noRegister) {
      file.took(chosen);
    } else if (cheapest != noRegister && cost < current->weight) {
      chosen = cheapest;
      erase_if(held[chosen], [&](LiveRange *range) {
        if (!range->overlaps(*current))
          return false;
        result.spilled.push_back(range->name);
        return true;
      });
    } else if (current->fixed) {
      tooFew();
    } else {
      result.spilled.push_back(current->name);
      continue;
    }
    held[chosen].push_back(current);
    result.registers[current->name - firstVirtual] = chosen;
  }
  return result;
}

} // namespace weft::swcc
