//===- SharedNests.cpp - nests that say how the mesh shares them ------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Two loops of such a nest go over the rows and the columns of the mesh (FilledLines.h). An array
// of which one index is the one variable and another index the other one stays with the cores, its
// second dimension shared by all columns in equal parts, whatever of them the nest touches: a loop
// over fewer elements ends with some column, which has a nest of its own. Where the next nest
// shares another dimension, the cores of a row exchange their parts.
//
//===-----------------------------------------------------------------------===//

#include "passes/mesh/SharedNests.h"

#include "passes/Notes.h"
#include "passes/lines/FilledLines.h"
#include "passes/loops/TurnLoops.h"
#include "passes/lowering/ContractionLoops.h"
#include "passes/mesh/KeptTables.h"
#include "passes/mesh/SharedNest.h"
#include "passes/transfers/LdmPlan.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <optional>

using namespace mlir;
using affine::AffineForOp;

namespace weft {

namespace {

constexpr Notes notes("insert-exchanges");

class SharedNests {
public:
  SharedNests(cpe::CoresOp cores, Mesh mesh, int64_t capacity)
      : cores(cores), mesh(mesh), capacity(capacity) {}

  void run();

private:
  bool isOfNests(Operation *user) {
    return llvm::any_of(nests, [&](SharedNest &nest) { return nest.root->isProperAncestor(user); });
  }
  void separateViews();
  void findArrays();
  void dropSyncsOfRounds();
  void share(SharedNest &nest);
  void keepTables();
  void tile(SharedNest nest, int64_t from, int64_t to, int64_t extent, int64_t each);
  void redirect(Operation *access, unsigned shared, Value row, Value column);
  Value spreadOf(Value array, unsigned shared);
  void exchange(OpBuilder &builder, Location loc, Value array, unsigned from, unsigned to);
  /// Of a core's part, in numbers of parts of complex numbers; pairs are the last dimension.
  SmallVector<int64_t> shapeOf(Value array, unsigned shared) const;
  bool isPairs(Value array) const {
    return cast<MemRefType>(array.getType()).getShape().back() == 2;
  }

  cpe::CoresOp cores;
  Mesh mesh;
  int64_t capacity;
  SmallVector<SharedNest> nests;
  /// By array: the dimension that columns share in each nest that touches it.
  llvm::MapVector<Value, llvm::MapVector<Operation *, unsigned>> arrays;
  DenseMap<Value, Block *> homes;
  DenseMap<Value, Mesh> meshes; ///< as the rounds of an array have it
  DenseMap<Value, unsigned> current;
  DenseMap<std::pair<Value, unsigned>, Value> spreads;
  AffineForOp around;
  /// Loops over the mesh, and the rounds that they are in.
  struct Tiled {
    AffineForOp around, rows, columns;
  };
  SmallVector<Tiled> tiled;
};

/// Arrays that lie in the same memory in turn, and that have different forms, are arrays of their
/// own with the cores: no nest reads what another one has written in another form.
void SharedNests::separateViews() {
  llvm::SetVector<Value> memories;
  cores->getParentOfType<func::FuncOp>().walk([&](memref::ReinterpretCastOp view) {
    if (view.getSource().getDefiningOp<memref::AllocOp>())
      memories.insert(view.getSource());
  });
  for (Value memory : memories) {
    SmallVector<memref::ReinterpretCastOp> views;
    bool all = llvm::all_of(memory.getUsers(), [&](Operation *user) {
      auto view = dyn_cast<memref::ReinterpretCastOp>(user);
      if (!view)
        return isOfNests(user);
      views.push_back(view);
      MemRefType type = view.getType();
      return type.hasStaticShape() && type.getLayout().isIdentity() &&
             llvm::all_of(view->getUsers(), [&](Operation *one) { return isOfNests(one); });
    });
    if (!all)
      continue;
    llvm::MapVector<Type, Value> fresh;
    OpBuilder builder(memory.getContext());
    builder.setInsertionPointAfterValue(memory);
    for (memref::ReinterpretCastOp view : views) {
      Value &array = fresh[view.getType()];
      if (!array)
        array = view.getType() == memory.getType()
                    ? memory
                    : memref::AllocOp::create(builder, view.getLoc(), view.getType()).getResult();
      view.getResult().replaceAllUsesWith(array);
      view.erase();
    }
  }
}

void SharedNests::findArrays() {
  llvm::SetVector<Value> candidates;
  for (SharedNest &nest : nests)
    nest.root.walk([&](Operation *op) {
      Value array = accessedArray(op);
      if (array && array.getDefiningOp<memref::AllocOp>())
        candidates.insert(array);
    });
  for (Value array : candidates) {
    llvm::MapVector<Block *, llvm::MapVector<Operation *, unsigned>> dims;
    bool all = cast<MemRefType>(array.getType()).getRank() >= 4 && isPairs(array) &&
               llvm::all_of(array.getUsers(), [&](Operation *user) {
                 return accessedArray(user) == array && isOfNests(user);
               });
    bool isMatrix = all; // or lines, which are no array of a round
    for (SharedNest &nest : nests) {
      if (!all || !nest.touches(array))
        continue;
      auto shared = nest.sharedDimOf(array);
      auto &ofBlock = dims[nest.root->getBlock()];
      all = shared && !(ofBlock.empty() && nest.reads(array));
      if (all)
        ofBlock[nest.root] = *shared;
    }
    if (!all) {
      if (isMatrix)
        notes
            .rejected(array.getDefiningOp(), "{0}: stays with the cores, which exchange its parts",
                      spoken(array))
            .because("a nest that uses it has no two loops over its rows and columns");
      continue;
    }
    // Rounds in different loops have arrays of their own.
    for (auto &[block, ofBlock] : dims) {
      Value own = array;
      if (block != dims.front().first) {
        OpBuilder builder(array.getContext());
        builder.setInsertionPointAfterValue(array);
        own = memref::AllocOp::create(builder, array.getLoc(), cast<MemRefType>(array.getType()));
        array.replaceUsesWithIf(own, [&](OpOperand &use) {
          return llvm::any_of(
              ofBlock, [&](auto &one) { return one.first->isProperAncestor(use.getOwner()); });
        });
      }
      arrays[own] = ofBlock;
      homes[own] = block;
      meshes[own] = llvm::find_if(nests, [&](SharedNest &nest) {
                      return nest.root == ofBlock.front().first;
                    })->mesh;
    }
  }
}

/// Rounds wait for no others where nothing passes through memory from nest to nest.
void SharedNests::dropSyncsOfRounds() {
  cores.walk([&](AffineForOp loop) {
    if (!loop->hasAttr(inTurnMark))
      return;
    llvm::MapVector<Value, unsigned> touching;
    DenseSet<Value> written;
    SmallVector<cpe::SyncOp> syncs;
    bool all = true;
    for (Operation &op : *loop.getBody()) {
      if (auto sync = dyn_cast<cpe::SyncOp>(op))
        syncs.push_back(sync);
      else if (isa<AffineForOp>(op))
        all &= llvm::any_of(nests, [&](SharedNest &nest) { return nest.root == &op; });
      DenseSet<Value> touched;
      op.walk([&](Operation *access) {
        Value array = accessedArray(access);
        if (!array || arrays.contains(array))
          return;
        if (touched.insert(array).second)
          ++touching[array];
        if (isa<affine::AffineWriteOpInterface>(access))
          written.insert(array);
      });
    }
    all &= llvm::all_of(touching,
                        [&](auto &one) { return one.second == 1 || !written.contains(one.first); });
    if (!all || syncs.empty())
      return;
    notes
        .decided(loop, "{0}: rounds without a sync of all cores",
                 spokenLoop(loop.getInductionVar()))
        .because("nothing passes through memory between its nests");
    for (cpe::SyncOp sync : syncs)
      sync.erase();
  });
}

SmallVector<int64_t> SharedNests::shapeOf(Value array, unsigned shared) const {
  SmallVector<int64_t> shape(cast<MemRefType>(array.getType()).getShape());
  Mesh own = meshes.lookup(array);
  shape[0] /= own.rows;
  shape[shared] /= own.columns;
  return shape;
}

Value SharedNests::spreadOf(Value array, unsigned shared) {
  Value &spread = spreads[{array, shared}];
  if (!spread) {
    OpBuilder builder = OpBuilder::atBlockBegin(homes.lookup(array));
    int64_t elements = cast<MemRefType>(array.getType()).getNumElements() / mesh.cores();
    spread = cpe::SpreadOp::create(
        builder, array.getLoc(), spreadType(array, meshes.lookup(array), elements, isPairs(array)));
  }
  return spread;
}

/// From parts along one dimension to parts along another.
void SharedNests::exchange(OpBuilder &builder, Location loc, Value array, unsigned from,
                           unsigned to) {
  SmallVector<int64_t> mine = shapeOf(array, from), others = shapeOf(array, to);
  int64_t dims = static_cast<int64_t>(mine.size());
  ExchangePlan plan;
  plan.block = 1;
  int64_t fromStride = 1, toStride = 1;
  for (int64_t dim = dims - 1; dim >= 0; --dim) {
    int64_t extent = std::min(mine[dim], others[dim]);
    if (fromStride == plan.block && toStride == plan.block && plan.counts.empty()) {
      plan.block *= extent;
    } else if (extent > 1) {
      plan.counts.insert(plan.counts.begin(), extent);
      plan.fromStrides.insert(plan.fromStrides.begin(), fromStride);
      plan.toStrides.insert(plan.toStrides.begin(), toStride);
    }
    if (dim == to)
      plan.fromStep = fromStride * extent;
    if (dim == from)
      plan.toStep = toStride * extent;
    fromStride *= mine[dim];
    toStride *= others[dim];
  }
  auto op = cpe::ExchangeOp::create(builder, loc, spreadOf(array, from), spreadOf(array, to), true,
                                    plan.block, plan.counts, plan.fromStep, plan.fromStrides,
                                    plan.toStep, plan.toStrides);
  notes.decided(op, "{0}: cores of a row exchange their parts of it", spoken(array))
      .because("the nests before and after want it in other parts; messages of {0} in runs of {1}",
               mesh.messageLanes, plan.block)
      .number("run", plan.block);
}

/// An access to an array goes to the core's part of it.
void SharedNests::redirect(Operation *access, unsigned shared, Value row, Value column) {
  Value array = accessedArray(access);
  SmallVector<int64_t> shape = shapeOf(array, shared);
  Indices indices = Indices::of(access);
  AffineExpr place = getAffineConstantExpr(0, access->getContext());
  SmallVector<AffineExpr> results(indices.map.getResults());
  results[0] = results[0] - indices.exprOf(row) * shape[0];
  results[shared] = results[shared] - indices.exprOf(column) * shape[shared];
  for (auto [index, extent] : llvm::zip(ArrayRef(results).drop_back(), ArrayRef(shape).drop_back()))
    place = place * extent + index;
  unsigned dims = indices.map.getNumDims(), symbols = indices.map.getNumSymbols();
  place = simplifyAffineExpr(place, dims, symbols);
  OpBuilder builder(access);
  AffineExpr rowDim = getAffineDimExpr(dims, access->getContext());
  AffineExpr columnDim = getAffineDimExpr(dims + 1, access->getContext());
  SmallVector<Value> operands(ArrayRef(indices.operands).take_front(dims));
  operands.push_back(row);
  operands.push_back(column);
  llvm::append_range(operands, ArrayRef(indices.operands).drop_front(dims));
  AffineMap map = AffineMap::get(dims + 2, symbols, {rowDim, columnDim, place, results.back()},
                                 access->getContext());
  affine::canonicalizeMapAndOperands(&map, &operands);
  Value spread = spreadOf(array, shared);
  if (auto load = dyn_cast<affine::AffineLoadOp>(access)) {
    auto fresh = affine::AffineLoadOp::create(builder, load.getLoc(), spread, map, operands);
    load.replaceAllUsesWith(fresh.getResult());
  } else {
    auto store = cast<affine::AffineStoreOp>(access);
    affine::AffineStoreOp::create(builder, store.getLoc(), store.getValueToStore(), spread, map,
                                  operands);
  }
  access->erase();
}

/// A nest's part for the columns of the mesh from one to another, which have `extent` iterations
/// each; `each` is what a column of the whole mesh would have.
void SharedNests::tile(SharedNest nest, int64_t from, int64_t to, int64_t extent, int64_t each) {
  OpBuilder builder(nest.root);
  auto [meshRows, meshColumns] = loopsOverMesh(builder, nest.root.getLoc(), nest.mesh);
  meshColumns.setConstantLowerBound(from);
  meshColumns.setConstantUpperBound(to);
  for (AffineForOp loop = nest.rows; loop; loop = dyn_cast<AffineForOp>(loop->getParentOp()))
    loop->removeDiscardableAttr("weft.parallel");
  nest.root.walk([](AffineForOp loop) { loop->removeDiscardableAttr("weft.parallel"); });
  nest.root->moveBefore(meshColumns.getBody()->getTerminator());
  auto cut = [](AffineForOp loop, AffineForOp place, int64_t times, int64_t iterations) {
    loop.setConstantLowerBound(0);
    loop.setConstantUpperBound(iterations);
    OpBuilder inner = OpBuilder::atBlockBegin(loop.getBody());
    AffineExpr d0 = inner.getAffineDimExpr(0), d1 = inner.getAffineDimExpr(1);
    auto apply = affine::AffineApplyOp::create(
        inner, loop.getInductionVar().getLoc(), AffineMap::get(2, 0, d0 * times + d1),
        ValueRange{place.getInductionVar(), loop.getInductionVar()});
    loop.getInductionVar().replaceAllUsesExcept(apply, apply);
  };
  int64_t lines = tripsOf(nest.rows) / nest.mesh.rows;
  cut(nest.rows, meshRows, lines, lines);
  cut(nest.columns, meshColumns, each, extent);
  nest.rows->removeAttr(overRowsMark);
  nest.columns->removeAttr(overColumnsMark);
  SmallVector<Operation *> accesses;
  nest.root.walk([&](Operation *op) {
    if (Value array = accessedArray(op); array && arrays.contains(array))
      accesses.push_back(op);
  });
  for (Operation *access : accesses)
    redirect(access, current.lookup(accessedArray(access)), meshRows.getInductionVar(),
             meshColumns.getInductionVar());
  if (around)
    tiled.push_back({around, meshRows, meshColumns});
}

/// Parts of tables stay where arrays leave room: these need not lie one behind the other.
void SharedNests::keepTables() {
  for (Tiled &one : tiled) {
    MeshNest nest(one.rows, mesh);
    nest.rowLoop = one.rows;
    nest.columnLoop = one.columns;
    SmallVector<Operation *> ops = opsOf(*one.columns.getBody());
    FootprintAnalysis analysis(ops, capacity);
    int64_t room = std::min(capacity / 3, capacity - LdmPlan(cores.getBody()).bytes());
    keepTableParts(one.around, nest, analysis, room);
  }
}

void SharedNests::share(SharedNest &nest) {
  int64_t each = 0;
  OpBuilder builder(nest.root);
  for (auto &[array, dims] : arrays) {
    auto found = dims.find(nest.root);
    if (found == dims.end())
      continue;
    unsigned shared = found->second;
    each = shapeOf(array, shared)[shared];
    if (!nest.reads(array)) {
      // What was there before is needed no more, and need not have the same place.
      current.erase(array);
      for (unsigned dim = 1; dim < shapeOf(array, shared).size(); ++dim)
        spreads.erase({array, dim});
    }
    auto before = current.find(array);
    if (before != current.end() && before->second != shared)
      exchange(builder, nest.root.getLoc(), array, before->second, shared);
    current[array] = shared;
  }
  if (each == 0)
    return;
  auto outer = dyn_cast<AffineForOp>(nest.root->getParentOp());
  while (outer && isa<AffineForOp>(outer->getParentOp()))
    outer = cast<AffineForOp>(outer->getParentOp());
  around = outer;
  int64_t all = tripsOf(nest.columns), whole = all / each, rest = all % each;
  if (rest != 0) {
    SharedNest last = nest;
    if (whole != 0) {
      IRMapping mapping;
      builder.setInsertionPointAfter(nest.root);
      last.root = cast<AffineForOp>(builder.clone(*nest.root, mapping));
      last.root.walk([&](AffineForOp loop) {
        if (loop->hasAttr(overRowsMark))
          last.rows = loop;
        if (loop->hasAttr(overColumnsMark))
          last.columns = loop;
      });
    }
    tile(last, whole, whole + 1, rest, each);
  }
  if (whole != 0)
    tile(nest, 0, whole, each, each);
}

void SharedNests::run() {
  cores.walk([&](AffineForOp loop) {
    if (loop->hasAttr(overRowsMark))
      if (auto nest = SharedNest::of(loop, mesh))
        nests.push_back(*nest);
  });
  if (nests.empty())
    return;
  separateViews();
  findArrays();
  if (arrays.empty())
    return;
  dropSyncsOfRounds();
  for (SharedNest &nest : nests)
    share(nest);
  keepTables();
  for (auto &[array, dims] : arrays)
    notes.decided(array.getDefiningOp(), "{0}: stays with the cores", spoken(array))
        .because("each has {0} bytes of it", cast<MemRefType>(array.getType()).getNumElements() *
                                                 elementBytes(array) / mesh.cores());
}

} // namespace

void shareNests(cpe::CoresOp cores, Mesh mesh, int64_t capacity) {
  SharedNests(cores, mesh, capacity).run();
}

} // namespace weft
