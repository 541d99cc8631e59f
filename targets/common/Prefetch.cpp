//===- Prefetch.cpp - lines of the next block, asked for in time ------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A block of columns reads a few lines from each of many pages: no stream that the
// machine would follow. A block's results go to lines that nobody has read. Both wait for
// memory while nothing is computed, unless the block before has asked for them.
//
//===-----------------------------------------------------------------------===//

#include "targets/common/Prefetch.h"

#include "targets/common/Memory.h"
#include "targets/common/Text.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {
namespace {

/// Streams are followed within a page of this size only.
constexpr int64_t pageBytes = 4096;

struct VectorAccess {
  Value memref;
  AffineExpr address; ///< in elements
  SmallVector<Value> operands;
  bool isStore = false;
};

std::optional<VectorAccess> accessOf(Operation *op) {
  VectorAccess access;
  AffineMap map;
  if (auto load = dyn_cast<affine::AffineVectorLoadOp>(op)) {
    access.memref = load.getMemRef();
    map = load.getAffineMap();
    access.operands = load.getMapOperands();
  } else if (auto store = dyn_cast<affine::AffineVectorStoreOp>(op)) {
    access.memref = store.getMemRef();
    map = store.getAffineMap();
    access.operands = store.getMapOperands();
    access.isStore = true;
  } else {
    return std::nullopt;
  }
  affine::fullyComposeAffineMapAndOperands(&map, &access.operands);
  auto type = cast<MemRefType>(access.memref.getType());
  int64_t stride = 1;
  access.address = getAffineConstantExpr(0, op->getContext());
  for (unsigned n = map.getNumResults(); n-- > 0; stride *= type.getDimSize(n))
    access.address = access.address + map.getResult(n) * stride;
  SmallVector<AffineExpr> symbols;
  for (unsigned n = 0; n < map.getNumSymbols(); ++n)
    symbols.push_back(getAffineDimExpr(map.getNumDims() + n, op->getContext()));
  access.address = access.address.replaceSymbols(symbols);
  return access;
}

/// Bytes by which an address moves with one iteration; nothing where that varies.
std::optional<int64_t> advance(const VectorAccess &access, AffineForOp loop) {
  MLIRContext *context = loop.getContext();
  SmallVector<AffineExpr> dims;
  for (auto [n, operand] : llvm::enumerate(access.operands)) {
    AffineExpr dim = getAffineDimExpr(n, context);
    dims.push_back(operand == loop.getInductionVar() ? dim + loop.getStepAsInt() : dim);
  }
  AffineExpr moved = access.address.replaceDims(dims) - access.address;
  auto by = dyn_cast<AffineConstantExpr>(simplifyAffineExpr(moved, access.operands.size(), 0));
  if (!by)
    return std::nullopt;
  auto type = cast<MemRefType>(access.memref.getType());
  return by.getValue() * elementBytes(type.getElementType());
}

/// The innermost loop around an op whose iterations are blocks.
AffineForOp blockAround(Operation *op) {
  for (auto loop = op->getParentOfType<AffineForOp>(); loop;
       loop = loop->getParentOfType<AffineForOp>())
    if (!loop.getBody()->getOps<memref::AllocaOp>().empty())
      return loop;
  return nullptr;
}

/// Whether `op`, or what is in it, touches the array; `loads` asks for loads only.
bool touches(Operation *op, Value array, bool loads) {
  return op
      ->walk([&](Operation *inside) {
        if (loads && !isa<affine::AffineReadOpInterface>(inside))
          return WalkResult::advance();
        bool found = llvm::any_of(inside->getOperands(), [&](Value operand) {
          return isa<MemRefType>(operand.getType()) && baseOf(operand) == array;
        });
        return found ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether something before `op` in the block, or in nests that it was joined with, has
/// brought the array's lines.
bool broughtBefore(Operation *op, AffineForOp block, Value array) {
  for (Operation *here = op;;) {
    auto around = here->getParentOfType<AffineForOp>();
    if (!around)
      return false;
    bool inside = block->isAncestor(around);
    // Steps in time: an array larger than the cache has left it since.
    if (!inside && !around->hasAttr("weft.independent"))
      return false;
    if (!inside || around == block)
      for (Operation &before : *around.getBody()) {
        if (&before == here)
          break;
        if (touches(&before, array, /*loads=*/false))
          return true;
      }
    here = around;
  }
}

std::optional<int64_t> aheadOf(Operation *op, int64_t cacheBytes) {
  std::optional<VectorAccess> access = accessOf(op);
  if (!access)
    return std::nullopt;
  Value array = baseOf(access->memref);
  Operation *made = array.getDefiningOp();
  if ((made && !isa<memref::AllocOp>(made)) ||
      bytesOf(cast<MemRefType>(array.getType())) <= cacheBytes)
    return std::nullopt;
  AffineForOp block = blockAround(op);
  if (!block || op->getParentOp() == block)
    return std::nullopt;
  std::optional<int64_t> ahead = advance(*access, block);
  if (!ahead || *ahead <= 0)
    return std::nullopt;

  // The nest in the block that the access stands in.
  Operation *nest = op;
  bool pages = false;
  while (nest->getParentOp() != block) {
    nest = nest->getParentOp();
    if (auto loop = dyn_cast<AffineForOp>(nest))
      pages |= std::abs(advance(*access, loop).value_or(0)) >= pageBytes;
  }
  bool asks = access->isStore ? !touches(nest, array, /*loads=*/true) : pages;
  if (!asks || broughtBefore(nest, block, array))
    return std::nullopt;
  return ahead;
}

} // namespace

llvm::DenseMap<Operation *, int64_t> bytesAhead(func::FuncOp func, int64_t cacheBytes) {
  llvm::DenseMap<Operation *, int64_t> found;
  func.walk([&](Operation *op) {
    if (auto ahead = aheadOf(op, cacheBytes))
      found[op] = *ahead;
  });
  return found;
}

} // namespace weft
