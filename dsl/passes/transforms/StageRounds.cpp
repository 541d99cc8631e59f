//===- StageRounds.cpp - what caches make of the stages of a line -------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Two stages that take turns over parts of a line are one round through the second cache. Rows that
// a round reads or writes at once, and that share a set of the first cache, put each other out.
//
//===-----------------------------------------------------------------------===//

#include "passes/transforms/Factorisation.h"

#include "passes/transforms/Turns.h"

#include <algorithm>
#include <numeric>

namespace weft {

double StageCosts::crowdedShare(int64_t rows, int64_t apartBytes, int64_t besideBytes) const {
  // Rows that lie a multiple of a way's bytes apart share a set.
  int64_t wayBytes = firstCache / ways;
  int64_t sets = wayBytes / std::gcd(apartBytes, wayBytes);
  double free = static_cast<double>(std::max<int64_t>(firstCache - besideBytes, 0));
  double held =
      free / static_cast<double>(wayBytes) * static_cast<double>(sets) / static_cast<double>(rows);
  // What is used in turn leaves in that order: more of it than the share that finds no place.
  return std::max(0.0, 1 - held * held);
}

double StageCosts::crowdedResultShare(int64_t length, int64_t rows) const {
  int64_t wayBytes = firstCache / ways;
  int64_t sets = wayBytes / std::gcd(length / rows * rowBytes, wayBytes);
  double held = static_cast<double>(ways * sets) / static_cast<double>(2 * rows);
  // The more rows find no place, the more of them each drives from theirs.
  double left = std::max(0.0, 1 - held);
  return left * left;
}

StageCosts::Turns StageCosts::turnsOf(int64_t length, int64_t done, int64_t one,
                                      int64_t other) const {
  auto takeTurns = [&](int64_t places, int64_t part) {
    return places % part == 0 && places / part >= fewestTurns &&
           holdsPart(firstCache, length / places * part * pointBytes);
  };
  // By groups of the second stage, or by points within runs of the first: vectors lie across
  // groups in the first stage of all, along runs in the others.
  if (!leavesCache(firstCache, length * pointBytes))
    return Turns::None;
  if (takeTurns(length / (done * one * other), done == 1 ? together : 1))
    return Turns::ByGroups;
  return takeTurns(done, together) ? Turns::ByPoints : Turns::None;
}

/// The stages, and the copy before them as one that changes nothing.
static llvm::SmallVector<int64_t> behindCopy(llvm::ArrayRef<int64_t> radices) {
  llvm::SmallVector<int64_t> all{1};
  all.append(radices.begin(), radices.end());
  return all;
}

double StageCosts::manyRows(int64_t length, int64_t rows) const {
  constexpr int64_t many = 16;
  int64_t bytes = length * pointBytes;
  bool fills = stageArrays * bytes >= firstCache && !leavesCache(firstCache, bytes);
  return rows >= many && fills ? static_cast<double>(perManyRows) : 0;
}

double StageCosts::rounds(llvm::ArrayRef<int64_t> stages) const {
  llvm::SmallVector<int64_t> all = isPut ? behindCopy(stages) : llvm::to_vector(stages);
  llvm::ArrayRef<int64_t> radices = all;
  int64_t length = 1, done = 1, rounds = static_cast<int64_t>(radices.size());
  if (beside > 1)
    return static_cast<double>(rounds);
  for (int64_t radix : radices)
    length *= radix;
  int64_t last = radices.back(); // rows that the last round needs at once
  int64_t times = crowdedRounds, between = 0;
  for (; radices.size() >= 2; radices = radices.drop_front(2)) {
    if (turnsOf(length, done, radices[0], radices[1]) != Turns::None) {
      --rounds;
      if (radices.size() == 2 && (areColumns || crowdedTurns != 0))
        last *= radices[0];
      if (radices.size() == 2 && !areColumns && crowdedTurns != 0) {
        times = crowdedTurns;
        between = last * lineBytes;
      }
    }
    done *= radices[0] * radices[1];
  }
  if (ways == 0 || isPut)
    return static_cast<double>(rounds);
  return static_cast<double>(rounds) +
         static_cast<double>(times) * crowdedShare(last, length / last * pointBytes, between);
}

double StageCosts::crowdedRows(llvm::ArrayRef<int64_t> stages) const {
  llvm::SmallVector<int64_t> all = isPut ? behindCopy(stages) : llvm::to_vector(stages);
  llvm::ArrayRef<int64_t> radices = all;
  int64_t length = 1, done = 1;
  for (int64_t radix : radices)
    length *= radix;
  // What is put elsewhere has a cost of its own.
  double ofWritten = 2, ofResults = isPut && perCrowdedRows != 0
                                        ? static_cast<double>(perCrowdedResult) / perCrowdedRows
                                        : 2;
  double sum = 0;
  // A round that reads so many rows and writes so many, that far from each other.
  auto add = [&](int64_t read, int64_t written, int64_t apart) {
    bool isLast = done * read == length;
    // The copy reads lines, each of whose vectors is used at once.
    if (done != 1 || !isPut)
      sum += crowdedShare(read, length / read * (done == 1 ? rowBytes : pointBytes));
    sum += (isLast ? ofResults : ofWritten) *
           crowdedShare(written, apart * (isLast ? rowBytes : pointBytes));
    done *= read;
  };
  for (; radices.size() >= 2; radices = radices.drop_front(2)) {
    int64_t one = radices[0], other = radices[1];
    switch (turnsOf(length, done, one, other)) {
    case Turns::None:
      add(one, one, done);
      add(other, other, done);
      break;
    case Turns::ByGroups:
      add(one * other, other, done * one);
      break;
    case Turns::ByPoints: // all rows that the two stages read are written
      add(one * other, one * other, done);
      break;
    }
  }
  if (!radices.empty())
    add(radices[0], radices[0], done);
  return sum;
}

} // namespace weft
