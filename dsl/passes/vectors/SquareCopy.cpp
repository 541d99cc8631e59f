//===- SquareCopy.cpp - a transposing copy's squares of elements --------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/vectors/SquareCopy.h"
#include "passes/Passes.h"
#include "passes/tensors/Elementwise.h"
#include "passes/vectors/SquareTranspose.h"
#include "passes/vectors/VectorPlace.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

bool SquareCopy::collect(Copies &copies) {
  DenseMap<Value, Access> loads;
  for (Operation &op : inner.getBody()->without_terminator()) {
    std::optional<Access> access = Access::of(&op, space);
    if (!access) {
      if (!isMemoryEffectFree(&op) || op.getNumRegions() != 0)
        return false;
      continue;
    }
    if (!access->isStore) {
      loads.insert({op.getResult(0), *access});
      continue;
    }
    auto load = loads.find(op.getOperand(0));
    // Within one buffer a block could overwrite what the next one still reads.
    if (load == loads.end() || load->second.memref == access->memref)
      return false;
    copies.push_back({load->second, *access});
  }
  return !copies.empty();
}

bool SquareCopy::isContiguous(const Access &access, AffineForOp loop, int64_t extent,
                              int64_t stride) {
  if (masked)
    extent = std::min(extent, loop.getConstantUpperBound() - loop.getConstantLowerBound());
  LaneBlock block{loop.getInductionVar(), extent, loop.getConstantLowerBound()};
  return access.slope(block, space) == stride;
}

/// Pairs the parts of complex elements and finds the side of the lines.
bool SquareCopy::group(Copies &copies) {
  auto widthOf = [](const Access &access) -> unsigned {
    Type element = cast<MemRefType>(access.memref.getType()).getElementType();
    return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  };
  unsigned width = widthOf(copies.front().first);
  if (llvm::any_of(copies, [&](auto &copy) { return widthOf(copy.first) != width; }) ||
      (width != 32 && width != 64))
    return false;
  lanes = vectors.lanes(width);
  // A side is contiguous along a loop with whole vectors of reals, or of complex
  // elements whose parts are copied by two accesses.
  auto real = [&](const Access &access, AffineForOp loop) {
    return isContiguous(access, loop, lanes, 1);
  };
  auto complex = [&](const Access &access, AffineForOp loop) {
    return access.complexPart() && isContiguous(access, loop, lanes / 2, 2);
  };
  const Access &store = copies.front().second;
  fromLines = real(store, inner) || complex(store, inner);
  if (!fromLines)
    for (auto &copy : copies)
      std::swap(copy.first, copy.second);
  parts = real(copies.front().first, outer) ? 1 : 2;
  laneParts = real(copies.front().second, inner) ? 1 : 2;
  if (laneParts > parts || llvm::any_of(copies, [&](auto &copy) {
        return !(parts == 1 ? real(copy.first, outer) : complex(copy.first, outer)) ||
               !(laneParts == 1 ? real(copy.second, inner) : complex(copy.second, inner));
      }))
    return false;

  for (auto &[line, lane] : copies) {
    if (parts == 1) {
      groups.push_back({line, {lane}});
      continue;
    }
    if (*line.complexPart() != 0)
      continue;
    auto *other = llvm::find_if(copies, [&](auto &candidate) {
      return candidate.first.memref == line.memref && distance(line, candidate.first, space) == 1;
    });
    if (other == copies.end())
      return false;
    if (laneParts == 1)
      groups.push_back({line, {lane, other->second}});
    else if (other->second.memref == lane.memref && lane.complexPart() == 0 &&
             distance(lane, other->second, space) == 1)
      groups.push_back({line, {lane}});
  }
  return static_cast<int64_t>(groups.size()) * parts == static_cast<int64_t>(copies.size());
}

bool SquareCopy::collectWork() {
  SmallVector<Access> loads, stores;
  auto ops = inner.getBody()->without_terminator();
  for (Operation &op : ops)
    if (std::optional<Access> access = Access::of(&op, space))
      (access->isStore ? stores : loads).push_back(*access);
  if (stores.empty())
    return false;
  auto element = cast<MemRefType>(stores.front().memref.getType()).getElementType();
  if (!isa<FloatType>(element))
    return false;
  unsigned width = element.getIntOrFloatBitWidth();
  if (width != 32 && width != 64)
    return false;
  lanes = vectors.lanes(width);
  fromLines = isContiguous(stores.front(), inner, lanes, 1);
  AffineForOp stored = fromLines ? inner : outer, other = fromLines ? outer : inner;
  Work found;
  for (const Access &store : stores) {
    if (!isContiguous(store, stored, lanes, 1) ||
        llvm::any_of(loads, [&](auto &load) { return mayAlias(load.memref, store.memref); }))
      return false;
    found.others.insert({store.op, store});
  }
  unsigned turned = 0;
  for (const Access &load : loads) {
    if (cast<MemRefType>(load.memref.getType()).getElementType() != element)
      return false;
    if (isContiguous(load, stored, lanes, 1) || isContiguous(load, stored, lanes, 0)) {
      found.others.insert({load.op, load});
      continue;
    }
    if (!isContiguous(load, other, lanes, 1))
      return false;
    found.turned = load;
    ++turned;
  }
  auto fits = [&](Type type) { return type == element || type.isInteger(1); };
  for (Operation &op : ops)
    if (!found.others.contains(&op) && &op != found.turned.op &&
        !isa<affine::AffineApplyOp, arith::ConstantOp>(op) &&
        (!isElementwise(op) || !isLanewise(&op) || !llvm::all_of(op.getOperandTypes(), fits) ||
         !fits(op.getResult(0).getType())))
      return false;
  if (turned == 1)
    work = found;
  return work.has_value();
}

bool SquareCopy::find() {
  // What is computed between the loops would have to go along.
  for (Operation &op : outer.getBody()->without_terminator())
    if (&op != inner && !isa<affine::AffineApplyOp, arith::ConstantOp>(op))
      return false;
  SmallVector<std::pair<Access, Access>> copies;
  if (!collect(copies) ? !collectWork() : !group(copies))
    return false;
  findNarrow();
  return lanes >= 2;
}

/// One of the loops may have fewer iterations than a vector has lanes: rows of squares are masked
/// along it, and fewer across. Only vectors of floats are masked.
void SquareCopy::findNarrow() {
  bool hasFloats = llvm::all_of(groups, [](const Group &group) {
    return isa<FloatType>(cast<MemRefType>(group.line.memref.getType()).getElementType());
  });
  if (!masked || !hasFloats || parts != 1 || laneParts != 1 || vectors.onlyFloats())
    return;
  auto extent = [](AffineForOp loop) {
    return loop.getConstantUpperBound() - loop.getConstantLowerBound();
  };
  AffineForOp shorter = extent(outer) < extent(inner) ? outer : inner;
  if (extent(shorter) >= lanes)
    return;
  narrow = shorter;
  present = extent(shorter);
}

Value SquareCopy::mask(OpBuilder &builder, Location where) {
  SmallVector<bool> there;
  for (int64_t lane = 0; lane < lanes; ++lane)
    there.push_back(lane < present);
  auto type = VectorType::get({lanes}, builder.getI1Type());
  return arith::ConstantOp::create(builder, where, DenseElementsAttr::get(type, there));
}

Value SquareCopy::load(OpBuilder &builder, const Access &access, AffineMap map, ValueRange operands,
                       AffineForOp along) {
  Location where = access.op->getLoc();
  auto type = VectorType::get({lanes}, cast<MemRefType>(access.memref.getType()).getElementType());
  if (along != narrow)
    return affine::AffineVectorLoadOp::create(builder, where, type, access.memref, map, operands);
  Value none = arith::ConstantOp::create(builder, where, builder.getZeroAttr(type));
  return vector::MaskedLoadOp::create(builder, where, type, access.memref,
                                      indexValues(builder, where, map, operands),
                                      mask(builder, where), none);
}

void SquareCopy::store(OpBuilder &builder, Value value, const Access &access, AffineMap map,
                       ValueRange operands, AffineForOp along) {
  Location where = access.op->getLoc();
  if (along != narrow)
    affine::AffineVectorStoreOp::create(builder, where, value, access.memref, map, operands);
  else
    vector::MaskedStoreOp::create(builder, where, access.memref,
                                  indexValues(builder, where, map, operands), mask(builder, where),
                                  value);
}

void SquareCopy::fill(OpBuilder &builder, SmallVector<Value> &rows) {
  Type type = rows.front().getType();
  size_t wanted = lanes / laneParts;
  if (rows.size() == wanted)
    return;
  Value none = arith::ConstantOp::create(builder, rows.front().getLoc(), builder.getZeroAttr(type));
  rows.resize(wanted, none);
}

int64_t SquareCopy::strideOf(AffineForOp along, AffineForOp by) {
  auto stride = [&](const Access &access) {
    LaneBlock block{by.getInductionVar(), by.getConstantUpperBound() - by.getConstantLowerBound(),
                    by.getConstantLowerBound()};
    return std::abs(access.slope(block, space).value_or(0));
  };
  if (!work)
    return stride(along == outer ? groups.front().line : groups.front().lanes.front());
  bool stored = along == (fromLines ? inner : outer);
  auto isStore = [](const auto &other) { return other.second.isStore; };
  return stride(stored ? llvm::find_if(work->others, isStore)->second : work->turned);
}

/// Whether a vector that ends where the loop does is as contiguous as those from its begin on: not
/// where an index wraps around.
bool SquareCopy::staysAtEnd(const Access &access, AffineForOp loop, int64_t extent,
                            int64_t stride) {
  LaneBlock block{loop.getInductionVar(), extent, loop.getConstantUpperBound() - blockOf(loop)};
  return access.slope(block, space) == stride;
}

/// Not where vectors have to lie at multiples of their size, or what is read may have been stored
/// over. Nor where vectors in a block's own arrays would overlap in part: they come so close to
/// each other that GCC 12 reads elements that are no longer there (test/regression). Rows of
/// vectors that are stored once more as a whole are no such case.
bool SquareCopy::mayRepeat(AffineForOp loop) {
  if (vectors.onlyFloats())
    return false;
  AffineForOp stored = fromLines ? inner : outer, other = fromLines ? outer : inner;
  // Whether it moves along the loop by vectors, which may then begin earlier.
  auto suits = [&](const Access &access, AffineForOp along, int64_t of) {
    return staysAtEnd(access, along, lanes / of, of) &&
           (along != loop || !isa_and_nonnull<memref::AllocaOp>(access.memref.getDefiningOp()));
  };
  if (work)
    return suits(work->turned, other, 1) && llvm::all_of(work->others, [&](const auto &one) {
             if (isContiguous(one.second, stored, lanes, 1))
               return suits(one.second, stored, 1);
             return staysAtEnd(one.second, stored, lanes, 0);
           });
  return llvm::all_of(groups, [&](const Group &group) {
    return suits(group.line, outer, parts) && llvm::all_of(group.lanes, [&](const Access &lane) {
             return suits(lane, inner, laneParts) && !mayAlias(group.line.memref, lane.memref);
           });
  });
}

SmallVector<Value> SquareCopy::operandsOf(const Access &access, const IRMapping &variables) {
  return llvm::map_to_vector(access.operands,
                             [&](Value operand) { return variables.lookupOrDefault(operand); });
}

void SquareCopy::moveGroup(OpBuilder &builder, const Group &group, const IRMapping &variables) {
  // A row on the side of the lanes is one part of one element, or whole elements.
  int64_t partsOfRow = parts / laneParts;
  auto sideOf = [&](bool line, int64_t row) -> const Access & {
    return line ? group.line : group.lanes[row % partsOfRow];
  };
  auto mapOf = [&](bool line, int64_t row) {
    std::optional<int64_t> real;
    if ((line ? parts : laneParts) == 2)
      real = 0;
    return line ? group.line.shifted(inner.getInductionVar(), row, real)
                : group.lanes[row % partsOfRow].shifted(outer.getInductionVar(), row / partsOfRow,
                                                        real);
  };
  auto rowsOf = [&](bool line) {
    return (line ? inner : outer) == narrow ? present : lanes / laneParts;
  };
  auto along = [&](bool line) { return line ? outer : inner; };
  SmallVector<Value> rows;
  for (int64_t row = 0; row < rowsOf(fromLines); ++row) {
    const Access &from = sideOf(fromLines, row);
    rows.push_back(
        load(builder, from, mapOf(fromLines, row), operandsOf(from, variables), along(fromLines)));
  }
  fill(builder, rows);
  rows = transposeSquare(builder, group.line.op->getLoc(), rows, vectors, laneParts);
  for (int64_t row = 0; row < rowsOf(!fromLines); ++row) {
    const Access &to = sideOf(!fromLines, row);
    store(builder, rows[row], to, mapOf(!fromLines, row), operandsOf(to, variables),
          along(!fromLines));
  }
}

/// What the body does with a row of a square that has been turned.
void SquareCopy::workRow(OpBuilder &builder, Value turned, int64_t row,
                         const IRMapping &variables) {
  AffineForOp stored = fromLines ? inner : outer, other = fromLines ? outer : inner;
  auto typeOf = [&](Type element) { return VectorType::get({lanes}, element); };
  IRMapping scalars(variables);
  DenseMap<Value, Value> known{{work->turned.op->getResult(0), turned}};
  auto vectorOf = [&](Value value) {
    Value &made = known[value];
    Attribute constant;
    if (!made && matchPattern(value, m_Constant(&constant)))
      made = arith::ConstantOp::create(
          builder, value.getLoc(),
          DenseElementsAttr::get(typeOf(value.getType()), ArrayRef<Attribute>(constant)));
    else if (!made)
      made = vector::BroadcastOp::create(builder, value.getLoc(), typeOf(value.getType()),
                                         scalars.lookupOrDefault(value));
    return made;
  };
  for (Operation &op : inner.getBody()->without_terminator()) {
    if (isa<affine::AffineApplyOp, arith::ConstantOp>(op) || &op == work->turned.op)
      continue;
    auto found = work->others.find(&op);
    if (found == work->others.end()) {
      SmallVector<Value> operands = llvm::map_to_vector(op.getOperands(), vectorOf);
      OperationState state(op.getLoc(), op.getName().getStringRef(), operands,
                           typeOf(op.getResult(0).getType()),
                           llvm::to_vector(op.getDiscardableAttrs()));
      state.propertiesAttr = op.getPropertiesAsAttribute();
      known[op.getResult(0)] = builder.create(state)->getResult(0);
      continue;
    }
    const Access &access = found->second;
    AffineMap map = access.shifted(other.getInductionVar(), row);
    SmallVector<Value> operands = operandsOf(access, variables);
    if (access.isStore)
      store(builder, vectorOf(op.getOperand(0)), access, map, operands, stored);
    else if (isContiguous(access, stored, lanes, 0))
      scalars.map(op.getResult(0),
                  affine::AffineLoadOp::create(builder, op.getLoc(), access.memref, map, operands));
    else
      known[op.getResult(0)] = load(builder, access, map, operands, stored);
  }
}

void SquareCopy::moveWork(OpBuilder &builder, const IRMapping &variables) {
  const Access &from = work->turned;
  AffineForOp stored = fromLines ? inner : outer, other = fromLines ? outer : inner;
  SmallVector<Value> rows;
  for (int64_t row = 0; row < (stored == narrow ? present : lanes); ++row)
    rows.push_back(load(builder, from, from.shifted(stored.getInductionVar(), row),
                        operandsOf(from, variables), other));
  fill(builder, rows);
  rows = transposeSquare(builder, from.op->getLoc(), rows, vectors, 1);
  for (int64_t row = 0; row < (other == narrow ? present : lanes); ++row)
    workRow(builder, rows[row], row, variables);
}

void SquareCopy::move(OpBuilder &builder, const IRMapping &variables) {
  if (work)
    moveWork(builder, variables);
  for (const Group &group : groups)
    moveGroup(builder, group, variables);
}

} // namespace weft
