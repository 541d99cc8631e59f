//===- Factorisation.cpp - lengths to radices -------------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/transforms/Factorisation.h"

#include "passes/transforms/Codelets.h"
#include "passes/transforms/Turns.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

namespace weft {
namespace {

/// A twiddle costs 4 multiplications and 2 additions; with FMA 4 operations.
constexpr int64_t twiddleCost = 5;

struct Choice {
  size_t stages = 0;
  double perPoint = 0; // operations of all codelets, for each point
  int64_t largest = 1;
  llvm::SmallVector<int64_t> radices;

  bool operator<(const Choice &other) const {
    // Differences in the last bits of perPoint are rounding, not a preference.
    return std::tuple(stages, std::llround(perPoint * 1e6), largest) <
           std::tuple(other.stages, std::llround(other.perPoint * 1e6), other.largest);
  }
};

/// Takes the primes without a codelet out of a length, the smallest first; the rest of it.
int64_t withoutLargePrimes(int64_t length, llvm::SmallVectorImpl<int64_t> &large) {
  int64_t smooth = 1;
  for (int64_t rest = length, factor = 2; rest > 1; ++factor) {
    if (factor * factor > rest)
      factor = rest;
    for (; rest % factor == 0; rest /= factor) {
      if (factor > largestPrime)
        large.push_back(factor);
      else
        smooth *= factor;
    }
  }
  return smooth;
}

/// Whether the small ones of so many radices come first.
bool isSmallFirst(RadixOrder order, size_t radices) {
  return order == RadixOrder::SmallFirst || (order == RadixOrder::SmallFirstOfTwo && radices == 2);
}

/// The best choice for a length with radices of at most `most`; no stages for 1 and
/// where there is none.
Choice best(int64_t length, std::map<int64_t, Choice> &known, int64_t most = largestPrime) {
  if (length == 1)
    return {};
  auto found = known.find(length);
  if (found != known.end())
    return found->second;
  Choice result;
  for (int64_t radix = 2; radix <= most; ++radix) {
    if (length % radix != 0 || !suitsStage(radix))
      continue;
    Choice choice = best(length / radix, known, most);
    if (choice.stages == 0 && radix != length)
      continue;
    choice.stages += 1;
    choice.perPoint += static_cast<double>(codeletCost(radix)) / static_cast<double>(radix);
    choice.largest = std::max(choice.largest, radix);
    choice.radices.push_back(radix);
    if (result.stages == 0 || choice < result)
      result = choice;
  }
  return known[length] = result;
}

} // namespace

llvm::SmallVector<int64_t> factorise(int64_t length, RadixOrder order) {
  llvm::SmallVector<int64_t> result;
  int64_t smooth = withoutLargePrimes(length, result);
  std::map<int64_t, Choice> known;
  llvm::SmallVector<int64_t> radices = best(smooth, known).radices;
  llvm::sort(radices, std::greater<>());
  if (isSmallFirst(order, radices.size()))
    std::reverse(radices.begin(), radices.end());
  result.append(radices);
  return result;
}

/// All ways to put prime powers into groups that have codelets; the best one stays in `best`.
static void groupPowers(llvm::ArrayRef<int64_t> powers, llvm::SmallVectorImpl<int64_t> &groups,
                        Choice &best) {
  if (powers.empty()) {
    Choice choice{groups.size(), operationsPerPoint(groups), *llvm::max_element(groups),
                  llvm::SmallVector<int64_t>(groups.begin(), groups.end())};
    if (best.stages == 0 || choice < best)
      best = choice;
    return;
  }
  for (size_t n = 0; n < groups.size(); ++n) {
    groups[n] *= powers.front();
    if (suitsStage(groups[n]))
      groupPowers(powers.drop_front(), groups, best);
    groups[n] /= powers.front();
  }
  if (suitsStage(powers.front())) {
    groups.push_back(powers.front());
    groupPowers(powers.drop_front(), groups, best);
    groups.pop_back();
  }
}

llvm::SmallVector<int64_t> coprimeRadices(int64_t length) {
  llvm::SmallVector<int64_t> powers, groups;
  for (int64_t rest = length, factor = 2; rest > 1; ++factor) {
    int64_t power = 1;
    for (; rest % factor == 0; rest /= factor)
      power *= factor;
    if (power > 1)
      powers.push_back(power);
  }
  Choice found;
  groupPowers(powers, groups, found);
  if (found.stages == 0 || found.stages > factorise(length).size())
    return {};
  llvm::sort(found.radices, std::greater<>());
  return found.radices;
}

llvm::SmallVector<int64_t> factoriseBelow(int64_t length, int64_t limit) {
  std::map<int64_t, Choice> known;
  llvm::SmallVector<int64_t> radices = best(length, known, limit - 1).radices;
  llvm::sort(radices, std::greater<>());
  return radices;
}

enum class Position { First, Inner, Last };

/// What a stage costs whatever its radix is, for a vector of points.
static double anyStageCost(const StageCosts &costs, int64_t length) {
  return static_cast<double>(costs.perLine * costs.lanes) / static_cast<double>(length);
}

/// What a stage takes more where the points along which its vectors lie do not fill them.
static double again(int64_t points, int64_t lanes) {
  int64_t vectors = (points + lanes - 1) / lanes;
  return static_cast<double>(vectors * lanes) / static_cast<double>(points);
}

/// A radix that the table lacks costs what its operations do.
static double stageCost(const StageCosts &costs, int64_t radix, Position position) {
  constexpr size_t columns = 4;
  for (size_t row = 0; row + columns <= costs.rows.size(); row += columns)
    if (costs.rows[row] == radix) {
      // A first stage whose results fill no squares is in no calibration: it reads no twiddles, and
      // turns slabs instead.
      const int64_t *cycles = &costs.rows[row + 1];
      bool isUnknown = position == Position::First && cycles[0] == 0;
      return static_cast<double>(cycles[isUnknown ? 1 : static_cast<size_t>(position)]);
    }
  // As in other rows. Nearly all products of a prime's codelet are in sums; the last stage stores
  // its results one by one, and keeps more of what it reads in registers (fitted to 1100 orders of
  // lines with primes from 11 to 31 on a Xeon, family 6 model 207).
  double own = static_cast<double>(codeletCost(radix)) / static_cast<double>(radix);
  if (isPrime(radix))
    return position == Position::Last ? 17 * own : 27 * own + 220;
  return 60 * own + (position == Position::Last ? 0 : 60 * twiddleCost);
}

bool StageCosts::mayBegin(int64_t length, int64_t radix) const {
  return length % radix == 0 && radix % units == 0 && radix % (lanes / units) == 0 &&
         radix >= lanes && length / radix >= lanes;
}

/// What a stage costs where it stands, for a vector of points, over so many points side by side.
static double placedCost(const StageCosts &costs, int64_t length, int64_t radix, Position position,
                         int64_t points) {
  if (!costs.areColumns)
    return stageCost(costs, radix, position) * again(points, costs.lanes) +
           anyStageCost(costs, length);
  if (position == Position::First && (radix == length || !costs.hasOwnTable))
    position = radix == length ? Position::Last : Position::Inner;
  return stageCost(costs, radix, position) + static_cast<double>(costs.perPairStage);
}

/// The same where others are beside each point: no stage turns anything.
static double besideCost(const StageCosts &costs, int64_t length, int64_t radix, int64_t done) {
  bool isLast = radix * done == length;
  double empty = again(costs.beside * done, costs.lanes) - 1;
  double stage = stageCost(costs, radix, isLast ? Position::Last : Position::Inner) *
                 (1 + empty * static_cast<double>(costs.perEmptyLane) / 100);
  double rounds = 1;
  if (isLast && costs.ways != 0)
    rounds += static_cast<double>(costs.crowdedRounds) *
              costs.crowdedShare(radix, length / radix * costs.beside * costs.pointBytes);
  return stage + static_cast<double>(costs.perRound) * rounds +
         static_cast<double>(costs.perPairStage) + anyStageCost(costs, costs.beside * length);
}

double StageCosts::perPoint(llvm::ArrayRef<int64_t> radices) const {
  int64_t length = 1, done = 1;
  for (int64_t radix : radices)
    length *= radix;
  double sum = 0;
  if (beside > 1) {
    for (int64_t radix : radices) {
      sum += besideCost(*this, length, radix, done);
      done *= radix;
    }
    return sum / static_cast<double>(lanes);
  }
  for (auto [number, radix] : llvm::enumerate(radices)) {
    Position position = number == 0                   ? Position::First
                        : number + 1 < radices.size() ? Position::Inner
                                                      : Position::Last;
    sum += placedCost(*this, length, radix, position, number == 0 ? length / radix : done);
    done *= radix;
  }
  sum += static_cast<double>(perRound) * rounds(radices) + manyRows(length, radices.front());
  if (perCrowdedRows != 0)
    sum += static_cast<double>(perCrowdedRows) * crowdedRows(radices);
  if (perCrowdedResult != 0 && !isPut)
    sum += static_cast<double>(perCrowdedResult) * crowdedResultShare(length, radices.back());
  if (!areColumns && !mayBegin(length, radices.front()))
    sum += static_cast<double>(perSlabLine * lanes) / static_cast<double>(length);
  return sum / static_cast<double>(lanes);
}

double StageCosts::perPackedPoint(llvm::ArrayRef<int64_t> radices) const {
  double sum = static_cast<double>(perPacking) +
               static_cast<double>(perOperation) * operationsPerPoint(radices) +
               static_cast<double>(perPackedStage) * static_cast<double>(radices.size());
  return sum / static_cast<double>(lanes);
}

bool StageCosts::mayBeTurned(int64_t length) const {
  return length <= mostTurned && hasCodelet(length) && !suitsStage(length) &&
         codeletCost(length) <= mostTurnedOperations;
}

double StageCosts::perTurnedPoint(int64_t length) const {
  auto steps = static_cast<int64_t>(llvm::Log2_64(lanes));
  double sum =
      static_cast<double>(perTurning * steps + perPointOfLine * length) +
      static_cast<double>(perTurnedOperation * codeletCost(length)) / static_cast<double>(length);
  return sum / static_cast<double>(lanes);
}

/// The cheapest orders of radices, by the sum of what each costs where it stands, over so many
/// points side by side.
static std::vector<RankedRadices>
cheapest(int64_t length, size_t most, int64_t largest, llvm::function_ref<bool(int64_t)> mayBegin,
         llvm::function_ref<double(int64_t, Position, int64_t)> cost,
         RadixOrder ties = RadixOrder::LargeFirst) {
  using Orders = std::vector<RankedRadices>;
  auto keepBest = [&](Orders &orders) {
    llvm::sort(orders, [&](const RankedRadices &one, const RankedRadices &other) {
      // Differences in the last bits are rounding, not a preference.
      int64_t cheaper = std::llround(one.cost * 1e6) - std::llround(other.cost * 1e6);
      if (cheaper != 0)
        return cheaper < 0;
      size_t radices = std::max(one.radices.size(), other.radices.size());
      return isSmallFirst(ties, radices) ? one.radices < other.radices
                                         : other.radices < one.radices;
    });
    orders.resize(std::min(orders.size(), most));
  };
  auto before = [](int64_t radix, double more, const RankedRadices &rest) {
    RankedRadices order;
    order.radices.push_back(radix);
    order.radices.append(rest.radices);
    order.cost = rest.cost + more;
    return order;
  };
  std::map<int64_t, Orders> known;
  auto behind = [&](auto &self, int64_t rest) -> const Orders & {
    auto [found, isNew] = known.try_emplace(rest);
    if (!isNew)
      return found->second;
    Orders orders;
    int64_t done = length / rest;
    for (int64_t radix = std::min(rest, largest); radix > 1; --radix) {
      if (rest % radix != 0 || !suitsStage(radix))
        continue;
      if (radix == rest)
        orders.push_back(before(radix, cost(radix, Position::Last, done), {}));
      else
        for (const RankedRadices &order : self(self, rest / radix))
          orders.push_back(before(radix, cost(radix, Position::Inner, done), order));
    }
    keepBest(orders);
    return known[rest] = std::move(orders);
  };
  Orders orders;
  for (int64_t radix = std::min(length, largest); radix > 1; --radix) {
    if (length % radix != 0 || !suitsStage(radix) || !mayBegin(radix))
      continue;
    if (radix == length)
      orders.push_back(before(radix, cost(radix, Position::First, 1), {}));
    else
      for (const RankedRadices &order : behind(behind, length / radix))
        orders.push_back(before(radix, cost(radix, Position::First, length / radix), order));
  }
  keepBest(orders);
  return orders;
}

/// Orders of radices that may begin so, by what the table says of their stages.
static std::vector<RankedRadices> rankByTable(int64_t length, const StageCosts &costs, size_t most,
                                              llvm::function_ref<bool(int64_t)> mayBegin) {
  auto cost = [&](int64_t radix, Position position, int64_t points) {
    return placedCost(costs, length, radix, position, points) / static_cast<double>(costs.lanes);
  };
  // Rounds, and how a line begins, are known of whole orders only: of the cheapest by their stages.
  constexpr size_t enough = 512;
  std::vector<RankedRadices> orders =
      cheapest(length, std::max(most, enough), largestPrime, mayBegin, cost, costs.ties);
  for (RankedRadices &order : orders)
    order.cost = costs.perPoint(order.radices);
  llvm::stable_sort(orders, [](const RankedRadices &one, const RankedRadices &other) {
    return std::llround(one.cost * 1e6) < std::llround(other.cost * 1e6);
  });
  orders.resize(std::min(orders.size(), most));
  return orders;
}

std::vector<RankedRadices> rankAlongLine(int64_t length, const StageCosts &costs, size_t most) {
  return rankByTable(length, costs, most, [&](int64_t radix) {
    return radix != length && costs.mayBegin(length, radix);
  });
}

std::vector<RankedRadices> rankInParts(int64_t length, const StageCosts &costs, size_t most) {
  return rankByTable(length, costs, most, [&](int64_t radix) {
    return radix != length && costs.mayBeginInParts(length, radix);
  });
}

/// The table compares stages with each other, not with none: one butterfly has no array to fill
/// between two.
static void putOneFirst(std::vector<RankedRadices> &orders, int64_t length, const StageCosts &costs,
                        size_t most) {
  if (!suitsStage(length))
    return;
  llvm::erase_if(orders, [](const RankedRadices &order) { return order.radices.size() == 1; });
  orders.insert(orders.begin(), {{length}, costs.perPoint({length})});
  orders.resize(std::min(orders.size(), most));
}

std::vector<RankedRadices> rankBeside(int64_t length, const StageCosts &costs, size_t most) {
  auto cost = [&](int64_t radix, Position position, int64_t points) {
    return besideCost(costs, length, radix, position == Position::First ? 1 : points) /
           static_cast<double>(costs.lanes);
  };
  std::vector<RankedRadices> orders =
      cheapest(length, most, largestPrime, [](int64_t) { return true; }, cost, costs.ties);
  putOneFirst(orders, length, costs, most);
  return orders;
}

std::vector<RankedRadices> rankColumns(int64_t length, const StageCosts &costs, size_t most) {
  std::vector<RankedRadices> orders =
      rankByTable(length, costs, most, [](int64_t) { return true; });
  putOneFirst(orders, length, costs, most);
  return orders;
}

std::vector<RankedRadices> rankByOperations(int64_t length, size_t most, RadixOrder order,
                                            llvm::ArrayRef<int64_t> chosen) {
  llvm::SmallVector<int64_t> large;
  int64_t smooth = withoutLargePrimes(length, large);
  // More than any codelet has operations for a point: the number of stages decides first.
  constexpr double perStage = 1e6;
  auto cost = [&](int64_t radix, Position position, int64_t) {
    double own = static_cast<double>(codeletCost(radix)) / static_cast<double>(radix);
    return perStage + own + (position == Position::First ? 0 : twiddleCost);
  };
  std::vector<RankedRadices> orders;
  if (smooth > 1)
    orders = cheapest(smooth, most, largestPrime, [](int64_t) { return true; }, cost, order);
  else if (!large.empty())
    orders.emplace_back();
  for (RankedRadices &ranked : orders) {
    ranked.cost -= perStage * static_cast<double>(ranked.radices.size());
    ranked.radices.insert(ranked.radices.begin(), large.begin(), large.end());
  }
  // The model's own choice breaks ties in its own way, and may begin in another.
  auto found = llvm::find_if(
      orders, [&](const RankedRadices &ranked) { return chosen.equals(ranked.radices); });
  if (found != orders.end()) {
    std::rotate(orders.begin(), found, found + 1);
  } else if (!orders.empty()) {
    // As many stages of the same radices.
    orders.insert(orders.begin(), {llvm::SmallVector<int64_t>(chosen), orders.front().cost});
    orders.resize(std::min(orders.size(), most));
  }
  return orders;
}

double operationsPerPoint(llvm::ArrayRef<int64_t> radices) {
  double sum = radices.empty() ? 0 : static_cast<double>((radices.size() - 1) * twiddleCost);
  for (int64_t radix : radices)
    sum += static_cast<double>(codeletCost(radix)) / static_cast<double>(radix);
  return sum;
}

int64_t operations(int64_t length) {
  std::map<int64_t, Choice> known;
  Choice choice = best(length, known);
  if (length > 1 && choice.stages == 0)
    return -1;
  double twiddles = static_cast<double>(choice.stages > 0 ? choice.stages - 1 : 0) * twiddleCost;
  return static_cast<int64_t>((choice.perPoint + twiddles) * static_cast<double>(length));
}

} // namespace weft
