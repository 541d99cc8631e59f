//===- PairSquares.cpp - complex numbers whose lanes lie apart --------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Where neighbours in memory are elements of one lane, vectors of memory are turned in registers:
// in squares, or, where lanes follow one another without a gap, in slabs of any width.
//
//===-----------------------------------------------------------------------===//

#include "passes/vectors/PairBody.h"
#include "passes/vectors/SquareTranspose.h"

using namespace mlir;

namespace weft {

/// Whether the elements of neighbouring lanes are no neighbours. Where vectors have to lie at
/// multiples of their size, they are stored so alone.
bool PairBody::isApart(const Access &access) {
  std::optional<int64_t> slope = access.slope(block, space);
  return (access.isStore || !unit.onlyFloats()) && slope && *slope > 2 && *slope % 2 == 0;
}

/// Reals from one element to the other, where that is one number.
std::optional<int64_t> PairBody::distanceBetween(const Row &from, const Row &to) const {
  std::optional<int64_t> found = distance(*from.access, *to.access, space);
  return found ? std::optional(*found + *from.access->complexPart() - *to.access->complexPart())
               : std::nullopt;
}

/// How lines of so many elements are turned; an element is two reals.
SlabTranspose PairBody::slabOf(int64_t rows) const {
  return {rows, lanes(), 128 / (2 * unit.laneBits(element.getIntOrFloatBitWidth()))};
}

/// Elements side by side, which fill squares, or slabs where lanes follow one another.
bool PairBody::addSquares(ArrayRef<Row> run) {
  auto size = static_cast<int64_t>(run.size());
  const Row &first = run.front();
  bool isDense = size % lanes() != 0;
  if (isDense && (unit.onlyFloats() || first.access->slope(block, space) != 2 * size))
    return refuse(first.access->op, "its elements lie apart and fill no square");
  int64_t rows = isDense ? size : lanes();
  for (int64_t start = 0; start < size; start += rows) {
    Square square{SmallVector<Row>(run.slice(start, rows)), nullptr, isDense};
    for (const Row &row : square.rows) {
      if (row.store && (!square.place || square.place->isBeforeInBlock(row.store->second)))
        square.place = row.store->second;
      for (Operation *load : row.loads)
        if (!square.place || load->isBeforeInBlock(square.place))
          square.place = load;
    }
    squares.push_back(square);
  }
  return true;
}

/// Of one memref, all stores or all loads whose lanes lie apart.
bool PairBody::formSquares(SmallVectorImpl<Row> &rows) {
  const Row front = rows.front();
  if (copies > 1)
    return refuse(front.access->op, "elements that lie apart are turned in one vector a row");
  auto place = [&](const Row &row) { return distanceBetween(front, row); };
  for (const Row &row : rows)
    if (!place(row) || row.access->slope(block, space) != front.access->slope(block, space))
      return refuse(row.access->op, "elements that lie apart in several places");
  llvm::stable_sort(rows, [&](const Row &a, const Row &b) { return *place(a) < *place(b); });
  // Loads of both parts of an element, or of one part again, are one row.
  SmallVector<Row> elements;
  for (const Row &row : rows)
    if (!elements.empty() && row.loads.size() == 1 && place(row) == place(elements.back()))
      elements.back().loads.push_back(row.loads.front());
    else
      elements.push_back(row);
  for (size_t first = 0, next = 0; first < elements.size(); first = next) {
    for (next = first + 1; next < elements.size(); ++next)
      if (*place(elements[next]) != *place(elements[next - 1]) + 2)
        break;
    if (!addSquares(ArrayRef(elements).slice(first, next - first)))
      return false;
  }
  // Stores wait for the last of them all, loads come with the first: nothing may lie between that
  // could see it, or that they could see.
  bool between = false;
  size_t left = 0;
  for (const Row &row : rows)
    left += row.store ? 2 : row.loads.size();
  for (auto &[op, other] : accesses) {
    bool ours = llvm::any_of(rows, [&](const Row &row) {
      return row.store ? row.store->first == op || row.store->second == op
                       : llvm::is_contained(row.loads, op);
    });
    between |= ours;
    left -= ours;
    if (between && left > 0 && !ours && (front.store || other.isStore) &&
        mayAlias(other.memref, front.access->memref))
      return refuse(op, "it may lie between elements that are put together");
  }
  return true;
}

bool PairBody::formSquares() {
  SmallVector<Row> stored;
  for (Store &store : stores)
    if (const Access &access = accesses.find(store.second)->second; isApart(access))
      stored.push_back({&access, &store, {}});
  llvm::MapVector<Value, SmallVector<Row>> loaded;
  for (auto &[op, access] : accesses)
    if (!access.isStore && isApart(access))
      loaded[access.memref].push_back({&access, nullptr, {op}});
  for (const Row &row : stored)
    if (row.access->memref != stored.front().access->memref)
      return refuse(row.access->op, "elements that lie apart in several places");
  if (!stored.empty() && !formSquares(stored))
    return false;
  return llvm::all_of(loaded, [&](auto &entry) { return formSquares(entry.second); });
}

/// Where the vector of this number of a square lies in memory; `access` becomes one to its first
/// element, in another lane.
AffineMap PairBody::placeOf(const Square &square, int64_t number, const Access *&access) const {
  auto size = static_cast<int64_t>(square.rows.size());
  int64_t from = square.isDense ? number * lanes() : number * size;
  access = square.rows[from % size].access;
  return access->shifted(block.iv, from / size, 0);
}

/// Complex numbers of this vector of a square that are there, where lanes are left out.
int64_t PairBody::thereOf(const Square &square, int64_t number) const {
  if (!present)
    return lanes();
  auto size = static_cast<int64_t>(square.rows.size());
  if (!square.isDense)
    return number < present ? lanes() : 0;
  return std::clamp<int64_t>(present * size - number * lanes(), 0, lanes());
}

void PairBody::emitSquare(const Square &square) {
  SmallVector<Value> rows;
  for (const Row &row : square.rows)
    rows.push_back(emit(row.store->value));
  auto size = static_cast<int64_t>(rows.size());
  rows = square.isDense ? slabOf(size).toMemory(builder, where, rows, 2)
                        : transposeSquare(builder, where, std::move(rows), unit, 2);
  for (auto [number, row] : llvm::enumerate(rows)) {
    const Access *access = nullptr;
    AffineMap map = placeOf(square, static_cast<int64_t>(number), access);
    storeAt(*access, map, row, thereOf(square, static_cast<int64_t>(number)));
  }
}

void PairBody::emitLoads(const Square &square) {
  auto size = static_cast<int64_t>(square.rows.size());
  SmallVector<Value> vectors;
  for (int64_t number = 0; number < size; ++number) {
    const Access *access = nullptr;
    AffineMap map = placeOf(square, number, access);
    vectors.push_back(loadAt(*access, map, thereOf(square, number)));
  }
  vectors = square.isDense ? slabOf(size).fromMemory(builder, where, vectors, 2)
                           : transposeLoaded(builder, where, std::move(vectors), unit, 2);
  for (auto [row, vector] : llvm::zip(square.rows, vectors))
    for (Operation *load : row.loads)
      if (Node *node = whole.lookup(load->getResult(0)); node && node->kind == Node::Kind::Load)
        node->vectors[0] = vector;
}

} // namespace weft
