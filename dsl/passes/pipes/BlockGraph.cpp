//===- BlockGraph.cpp - what ops in a row wait for --------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/pipes/BlockGraph.h"

#include "dialect/Cpe.h"
#include "passes/loops/AccessPattern.h"
#include "passes/loops/Alignment.h"

#include "mlir/Dialect/Affine/Analysis/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/SetVector.h"

#include <numeric>

using namespace mlir;
using affine::AffineForOp;

namespace weft {

/// Turns between which accesses to memory are compared; what lies farther apart is never at work
/// at the same time.
constexpr int64_t mostTurnsApart = 8;

static bool isLoad(Operation &op) {
  return isa<affine::AffineReadOpInterface, memref::LoadOp, vector::LoadOp>(op);
}

static bool isStore(Operation &op) {
  return isa<affine::AffineWriteOpInterface, memref::StoreOp, vector::StoreOp>(op);
}

static bool isNumber(Type type) { return isa<FloatType, VectorType>(type); }

bool BlockGraph::takes(Operation &op) {
  if (op.getNumRegions() != 0 || op.hasTrait<OpTrait::IsTerminator>())
    return false;
  return isLoad(op) || isStore(op) || isMemoryEffectFree(&op);
}

BlockGraph::BlockGraph(ArrayRef<Operation *> ops, Instructions instructionsOf,
                       PipeModel::Timing lane, AffineForOp loop) {
  llvm::SmallDenseSet<Operation *> within(ops.begin(), ops.end());
  llvm::DenseSet<Value> outside;
  for (Operation *op : ops) {
    llvm::SmallSetVector<unsigned, 4> makers;
    for (Value operand : op->getOperands()) {
      if (std::optional<unsigned> known = maker(operand))
        makers.insert(*known);
      else if (isNumber(operand.getType()) && operand.getParentBlock() != op->getBlock())
        outside.insert(operand);
    }
    SmallVector<PipeModel::Timing, 2> instructions = instructionsOf(*op);
    if (instructions.empty() && makers.empty()) {
      freeOps.push_back(op);
      continue;
    }
    // A load to all lanes is one instruction, a sign part of a product.
    if (instructions.empty() && makers.size() == 1) {
      all[makers.front()].ops.push_back(op);
      nodeOf[op] = makers.front();
      continue;
    }
    Node node;
    node.ops.push_back(op);
    node.isAccess = isLoad(*op) || isStore(*op);
    node.instructions = std::move(instructions);
    addInstructions(node, lane);
    nodeOf[op] = all.size();
    all.push_back(std::move(node));
  }
  outsideValues = static_cast<int64_t>(outside.size());
  for (Node &node : all)
    for (Operation *op : node.ops)
      for (Operation *user : op->getUsers())
        node.livesOn |=
            !within.contains(user) && !(loop && user == loop.getBody()->getTerminator());
  linkValues(loop);
  linkMemory(loop);
}

void BlockGraph::addInstructions(Node &node, PipeModel::Timing lane) {
  Operation *op = node.ops.front();
  bool isWhole =
      !isa<affine::AffineVectorLoadOp, affine::AffineVectorStoreOp>(op) || op->hasAttr(alignedMark);
  if (!isWhole) {
    PipeModel::Timing access = node.instructions.front();
    node.instructions.push_back(access);
    node.pipe = access.pipe;
    node.busy = 2;
    node.latency = 1 + access.latency;
    if (op->getNumResults() != 0) {
      node.joinsAt = node.latency;
      node.latency += lane.latency;
      node.instructions.push_back(lane);
      ++pipeCycles[0];
    }
  } else {
    for (const PipeModel::Timing &each : node.instructions) {
      // The pipe waits with the one behind for what it needs of the one before.
      node.busy = node.latency + 1;
      node.latency += each.latency;
      node.pipe = node.pipe == 2 ? each.pipe : node.pipe;
      if (each.busy > 1)
        node.divides += each.busy;
    }
  }
  pipeCycles[node.pipe] += node.busy;
  count += static_cast<int64_t>(node.instructions.size());
}

bool BlockGraph::isSign(Operation *op) const {
  auto found = nodeOf.find(op);
  return isa<arith::NegFOp>(op) && found != nodeOf.end() && all[found->second].ops.front() != op;
}

std::optional<unsigned> BlockGraph::maker(Value value) const {
  auto found = nodeOf.find(value.getDefiningOp());
  return value.getDefiningOp() && found != nodeOf.end() ? std::optional(found->second)
                                                        : std::nullopt;
}

void BlockGraph::link(unsigned from, unsigned to, int64_t cycles, int64_t turns) {
  all[from].after.push_back({to, cycles, turns});
  all[to].before.push_back({from, cycles, turns});
}

void BlockGraph::linkValues(AffineForOp loop) {
  for (unsigned number = 0; number < all.size(); ++number) {
    llvm::SmallSetVector<std::pair<unsigned, int64_t>, 4> read;
    for (Operation *op : all[number].ops)
      for (Value operand : op->getOperands()) {
        int64_t turns = 0;
        if (auto argument = dyn_cast<BlockArgument>(operand);
            loop && argument && argument.getOwner() == loop.getBody() &&
            argument.getArgNumber() > 0) {
          operand = loop.getBody()->getTerminator()->getOperand(argument.getArgNumber() - 1);
          turns = 1;
        }
        std::optional<unsigned> made = maker(operand);
        if (made && (*made != number || turns > 0))
          read.insert({*made, turns});
      }
    for (auto [from, turns] : read) {
      link(from, number, all[from].latency, turns);
      all[from].inRegister = true;
      all[from].readers.push_back({number, all[from].latency, turns});
    }
  }
  for (Node &node : all)
    node.inRegister |= node.livesOn;
}

BlockGraph::Access BlockGraph::accessOf(unsigned node, AffineForOp loop,
                                        AddressSpace &space) const {
  Operation *op = all[node].ops.front();
  Access access;
  access.node = node;
  access.writes = isStore(*op);
  AffineMap map;
  SmallVector<Value> operands;
  if (auto read = dyn_cast<affine::AffineReadOpInterface>(op)) {
    access.memref = read.getMemRef();
    map = read.getAffineMap();
    llvm::append_range(operands, read.getMapOperands());
  } else if (auto write = dyn_cast<affine::AffineWriteOpInterface>(op)) {
    access.memref = write.getMemRef();
    map = write.getAffineMap();
    llvm::append_range(operands, write.getMapOperands());
  } else {
    // Its index is data.
    access.memref = access.writes ? op->getOperand(1) : op->getOperand(0);
    return access;
  }
  for (Type type : llvm::concat<Type>(SmallVector<Type>(op->getOperandTypes()),
                                      SmallVector<Type>(op->getResultTypes())))
    if (auto vector = dyn_cast<VectorType>(type))
      access.elements = vector.getNumElements();
  SmallVector<int64_t> strides;
  int64_t offset;
  auto type = cast<MemRefType>(access.memref.getType());
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      llvm::any_of(strides, ShapedType::isDynamic))
    return access;
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  affine::canonicalizeMapAndOperands(&map, &operands);
  SmallVector<AffineExpr> dims, symbols;
  for (auto [index, operand] : llvm::enumerate(operands))
    (index < map.getNumDims() ? dims : symbols).push_back(space.dim(operand));
  AffineExpr place = getAffineConstantExpr(0, op->getContext());
  for (auto [index, stride] : llvm::zip(map.getResults(), strides))
    place = place + index.replaceDimsAndSymbols(dims, symbols) * stride;
  SmallVector<AffineExpr> zeros(space.size(), getAffineConstantExpr(0, op->getContext()));
  auto start = dyn_cast<AffineConstantExpr>(simplifyAffineExpr(place.replaceDims(zeros), 0, 0));
  if (!start)
    return access;
  access.known = true;
  access.constant = start.getValue();
  access.rest = simplifyAffineExpr(place - access.constant, space.size(), 0);
  if (loop) {
    AffineExpr variable = space.dim(loop.getInductionVar());
    AffineExpr next = access.rest.replace(variable, variable + loop.getStepAsInt());
    if (auto move =
            dyn_cast<AffineConstantExpr>(simplifyAffineExpr(next - access.rest, space.size(), 0)))
      access.move = move.getValue();
  }
  return access;
}

void BlockGraph::linkMemory(AffineForOp loop) {
  AddressSpace space;
  SmallVector<Access> accesses;
  if (loop)
    (void)space.dim(loop.getInductionVar());
  for (unsigned number = 0; number < all.size(); ++number)
    if (all[number].isAccess)
      accesses.push_back(accessOf(number, loop, space));

  // One pointer serves all arrays of a core's own memory.
  llvm::SetVector<std::pair<Value, AffineExpr>> pointers;
  for (const Access &access : accesses) {
    if (!access.known) {
      ++pointerCount;
      continue;
    }
    int64_t bytes =
        cast<MemRefType>(access.memref.getType()).getElementType().getIntOrFloatBitWidth() / 8;
    pointers.insert({cpe::isInLdm(access.memref) ? Value() : access.memref,
                     simplifyAffineExpr(access.rest * bytes, space.size(), 0)});
  }
  pointerCount += static_cast<int64_t>(pointers.size());

  auto meet = [&](const Access &first, const Access &second, int64_t turns) {
    if (!first.known || !second.known || first.memref != second.memref ||
        first.rest != second.rest || (turns != 0 && !first.move))
      return true;
    int64_t apart = second.constant - first.constant + (turns ? turns * *first.move : 0);
    return apart < first.elements && -apart < second.elements;
  };
  for (size_t later = 0; later < accesses.size(); ++later)
    for (size_t earlier = 0; earlier <= later; ++earlier) {
      const Access &first = accesses[earlier], &second = accesses[later];
      if ((!first.writes && !second.writes) || !mayAlias(first.memref, second.memref))
        continue;
      if (earlier != later && meet(first, second, 0))
        link(first.node, second.node, 1, 0);
      // The nearest turns that meet: what is farther apart follows.
      auto linkTurns = [&](const Access &from, const Access &to) {
        for (int64_t turns = 1; loop && turns <= mostTurnsApart; ++turns)
          if (meet(from, to, turns))
            return link(from.node, to.node, 1, turns);
      };
      linkTurns(second, first);
      if (earlier != later)
        linkTurns(first, second);
    }
}

} // namespace weft
