//===- Traffic.cpp - how often a kernel's arrays pass from memory -----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// The bytes that accesses of a nest touch are counted from their strides, without
// running it: an access covers a block for each combination of the loops whose stride
// leaves gaps. Counts of one access are exact; accesses that overlap in more than one
// dimension are taken together as the smaller of their sum and of what lies between
// the first and the last of them. An index that is data may be anywhere.
//
//===-----------------------------------------------------------------------===//

#include "targets/common/Traffic.h"

#include "dialect/Cpe.h"
#include "dialect/Groups.h"
#include "dialect/Places.h"
#include "targets/common/Memory.h"
#include "targets/common/Text.h"
#include "targets/common/VectorAccess.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using affine::AffineForOp;

namespace weft {
namespace {

/// How an address moves with one loop.
struct Walk {
  int64_t stride, trips;
  bool operator==(const Walk &) const = default;
  auto operator<=>(const Walk &) const = default;
};

struct MemoryAccess {
  Value array;
  bool written = false;
  int64_t bytes = 0;          ///< of one access
  int64_t offset = 0;         ///< of the address where all loops begin at zero
  bool anywhere = false;      ///< its address is no sum of loop variables
  SmallVector<Walk, 6> walks; ///< one for each loop around it, outermost first
};

/// A loop (or the function) with all that it holds.
struct Nest {
  int64_t trips = 1;
  unsigned depth = 0; ///< loops around it
  Operation *op = nullptr;
  size_t first = 0, last = 0; ///< its accesses, of the function's in program order
  SmallVector<size_t> own;    ///< those that stand in no loop inside of it
  std::vector<Nest> inner;
};

using Traffic = llvm::MapVector<Value, std::pair<int64_t, int64_t>>; ///< read, written

class TrafficCount {
public:
  TrafficCount(func::FuncOp func, const CacheModel &cache) : func(func), cache(cache) {}
  MemoryTraffic run();

private:
  void collect(Block &block, Nest &nest);
  void record(Operation *op, Value memref, ArrayRef<AffineExpr> indices, ValueRange operands,
              bool written, int64_t bytes, Nest &nest);
  void recordWhole(Value memref, bool written, Nest &nest);
  template <typename Transfer> void recordTransfer(Transfer op, bool written, Nest &nest);
  std::optional<int64_t> strides(AffineExpr expr, ArrayRef<Value> operands, int64_t factor,
                                 MemoryAccess &access);

  int64_t touched(ArrayRef<const MemoryAccess *> accesses, unsigned depth) const;
  int64_t footprint(const Nest &nest, unsigned depth) const;
  Traffic eachOnce(ArrayRef<size_t> accesses, unsigned depth, Operation *scope) const;
  Traffic traffic(const Nest &nest) const;
  void addPass(const Traffic &moved, const Nest &nest, int64_t times);
  void findPasses(const Nest &nest, int64_t times);

  func::FuncOp func;
  const CacheModel &cache;
  std::vector<MemoryAccess> accesses;
  SmallVector<AffineForOp> around; ///< loops around the op being looked at
  std::vector<MemoryPass> passes;
};

int64_t tripsOf(AffineForOp loop) {
  return static_cast<int64_t>(affine::getConstantTripCount(loop).value_or(1));
}

/// Adds what `expr`, times `factor`, moves by with each loop; its constant part, or
/// nothing where it is no sum of loop variables.
std::optional<int64_t> TrafficCount::strides(AffineExpr expr, ArrayRef<Value> operands,
                                             int64_t factor, MemoryAccess &access) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue() * factor;
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    Value operand = operands[dim.getPosition()];
    if (auto constant = getConstantIntValue(operand))
      return *constant * factor;
    for (auto [n, loop] : llvm::enumerate(around))
      if (loop.getInductionVar() == operand) {
        access.walks[n].stride += factor * loop.getStepAsInt();
        return loop.hasConstantLowerBound() ? loop.getConstantLowerBound() * factor : 0;
      }
    return std::nullopt;
  }
  auto both = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!both)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add) {
    auto left = strides(both.getLHS(), operands, factor, access);
    auto right = strides(both.getRHS(), operands, factor, access);
    return left && right ? std::optional(*left + *right) : std::nullopt;
  }
  auto number = dyn_cast<AffineConstantExpr>(both.getRHS());
  if (expr.getKind() == AffineExprKind::Mul && number)
    return strides(both.getLHS(), operands, factor * number.getValue(), access);
  return std::nullopt;
}

void TrafficCount::record(Operation *op, Value memref, ArrayRef<AffineExpr> indices,
                          ValueRange operands, bool written, int64_t bytes, Nest &nest) {
  auto type = cast<MemRefType>(memref.getType());
  MemoryAccess access;
  access.array = baseOf(memref);
  access.written = written;
  access.bytes = bytes;
  for (AffineForOp loop : around)
    access.walks.push_back({0, tripsOf(loop)});

  AffineMap map = AffineMap::get(operands.size(), 0, indices, op->getContext());
  SmallVector<Value> composed(operands.begin(), operands.end());
  affine::fullyComposeAffineMapAndOperands(&map, &composed);
  // Dims and symbols alike are loop variables or data here.
  SmallVector<AffineExpr> symbols;
  for (unsigned n = 0; n < map.getNumSymbols(); ++n)
    symbols.push_back(getAffineDimExpr(map.getNumDims() + n, op->getContext()));
  int64_t stride = elementBytes(type.getElementType());
  for (unsigned n = map.getNumResults(); n-- > 0;) {
    auto constant = strides(map.getResult(n).replaceSymbols(symbols), composed, stride, access);
    access.anywhere |= !constant;
    access.offset += constant.value_or(0);
    stride *= type.getShape()[n];
  }
  nest.own.push_back(accesses.size());
  accesses.push_back(std::move(access));
}

void TrafficCount::recordWhole(Value memref, bool written, Nest &nest) {
  MemoryAccess access;
  access.array = baseOf(memref);
  access.written = written;
  access.bytes = bytesOf(cast<MemRefType>(memref.getType()));
  for (AffineForOp loop : around)
    access.walks.push_back({0, tripsOf(loop)});
  nest.own.push_back(accesses.size());
  accesses.push_back(std::move(access));
}

/// What a transfer moves, as if it lay in one piece.
template <typename Transfer>
void TrafficCount::recordTransfer(Transfer op, bool written, Nest &nest) {
  MemoryAccess access;
  access.array = baseOf(op.getMain());
  access.written = written;
  access.bytes =
      op.elements() * elementBytes(cast<MemRefType>(op.getMain().getType()).getElementType());
  for (AffineForOp loop : around)
    access.walks.push_back({0, tripsOf(loop)});
  AffineMap map = AffineMap::getMultiDimIdentityMap(1, op.getContext());
  SmallVector<Value> operands{op.getAt()};
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  auto start = strides(map.getResult(0), operands, access.bytes / op.elements(), access);
  access.anywhere = !start;
  access.offset = start.value_or(0);
  nest.own.push_back(accesses.size());
  accesses.push_back(std::move(access));
}

int64_t valueBytes(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() * elementBytes(vector.getElementType())
                : elementBytes(type);
}

void TrafficCount::collect(Block &block, Nest &nest) {
  auto asDims = [](AffineMap map) {
    SmallVector<AffineExpr> symbols;
    for (unsigned n = 0; n < map.getNumSymbols(); ++n)
      symbols.push_back(getAffineDimExpr(map.getNumDims() + n, map.getContext()));
    return llvm::map_to_vector(map.getResults(),
                               [&](AffineExpr expr) { return expr.replaceSymbols(symbols); });
  };
  auto plain = [](ValueRange indices) {
    SmallVector<AffineExpr> exprs;
    for (auto [n, index] : llvm::enumerate(indices))
      exprs.push_back(getAffineDimExpr(n, index.getContext()));
    return exprs;
  };
  for (Operation &op : block) {
    if (auto loop = dyn_cast<AffineForOp>(op)) {
      Nest inside;
      inside.op = loop;
      inside.trips = tripsOf(loop);
      inside.depth = nest.depth + 1;
      inside.first = accesses.size();
      around.push_back(loop);
      collect(*loop.getBody(), inside);
      around.pop_back();
      inside.last = accesses.size();
      nest.inner.push_back(std::move(inside));
    } else if (auto read = dyn_cast<affine::AffineReadOpInterface>(op)) {
      record(&op, read.getMemRef(), asDims(read.getAffineMap()), read.getMapOperands(), false,
             valueBytes(op.getResult(0).getType()), nest);
    } else if (auto write = dyn_cast<affine::AffineWriteOpInterface>(op)) {
      record(&op, write.getMemRef(), asDims(write.getAffineMap()), write.getMapOperands(), true,
             valueBytes(write.getValueToStore().getType()), nest);
    } else if (auto load = dyn_cast<memref::LoadOp>(op)) {
      record(&op, load.getMemRef(), plain(load.getIndices()), load.getIndices(), false,
             valueBytes(load.getType()), nest);
    } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
      record(&op, store.getMemRef(), plain(store.getIndices()), store.getIndices(), true,
             valueBytes(store.getValueToStore().getType()), nest);
    } else if (auto load = dyn_cast<vector::LoadOp>(op)) {
      record(&op, load.getBase(), plain(load.getIndices()), load.getIndices(), false,
             valueBytes(load.getType()), nest);
    } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
      record(&op, store.getBase(), plain(store.getIndices()), store.getIndices(), true,
             valueBytes(store.getVectorType()), nest);
    } else if (auto load = dyn_cast<vector::MaskedLoadOp>(op)) {
      record(&op, load.getBase(), plain(load.getIndices()), load.getIndices(), false,
             bytesUnder(load.getVectorType(), load.getMask()), nest);
    } else if (auto store = dyn_cast<vector::MaskedStoreOp>(op)) {
      record(&op, store.getBase(), plain(store.getIndices()), store.getIndices(), true,
             bytesUnder(store.getVectorType(), store.getMask()), nest);
    } else if (auto get = dyn_cast<cpe::DmaGetOp>(op)) {
      recordTransfer(get, false, nest);
    } else if (auto put = dyn_cast<cpe::DmaPutOp>(op)) {
      recordTransfer(put, true, nest);
    } else if (auto exchange = dyn_cast<ExchangeOp>(op);
               exchange && exchange.getKind() != "alltoall_end") {
      recordWhole(exchange.getFrom(), false, nest);
      recordWhole(exchange.getTo(), true, nest);
    } else if (auto copy = dyn_cast<memref::CopyOp>(op)) {
      recordWhole(copy.getSource(), false, nest);
      recordWhole(copy.getTarget(), true, nest);
    } else {
      for (Region &region : op.getRegions())
        for (Block &inside : region)
          collect(inside, nest);
    }
  }
}

/// A stretch of memory, walked through by some loops.
int64_t covered(int64_t extent, ArrayRef<Walk> walks, int64_t lineBytes) {
  int64_t count = 1, span = extent;
  bool gaps = false;
  for (const Walk &walk : walks) {
    if (!gaps && walk.stride <= extent) {
      extent += walk.stride * (walk.trips - 1);
      span = extent;
      continue;
    }
    // What lies between two blocks of one line comes with it.
    if (!gaps)
      extent = std::max(extent, std::min(lineBytes, walk.stride));
    gaps = true;
    count *= walk.trips;
    span += walk.stride * (walk.trips - 1);
  }
  return std::min(count * extent, span);
}

/// Bytes of one array that accesses touch while the loops from `depth` on run.
int64_t TrafficCount::touched(ArrayRef<const MemoryAccess *> those, unsigned depth) const {
  if (those.empty())
    return 0;
  int64_t size = bytesOf(cast<MemRefType>(those.front()->array.getType()));
  int64_t sum = 0;
  std::map<SmallVector<Walk, 6>, SmallVector<std::pair<int64_t, int64_t>>> alike;
  for (const MemoryAccess *access : those) {
    SmallVector<Walk, 6> walks;
    int64_t begin = access->offset, times = 1;
    for (const Walk &walk : ArrayRef(access->walks).drop_front(depth)) {
      times *= walk.trips;
      if (walk.stride == 0 || walk.trips <= 1)
        continue;
      if (walk.stride < 0)
        begin += walk.stride * (walk.trips - 1);
      walks.push_back({std::abs(walk.stride), walk.trips});
    }
    if (access->anywhere) {
      sum += std::min(size, times * std::max(access->bytes, cache.lineBytes));
      continue;
    }
    llvm::sort(walks);
    alike[walks].push_back({begin, begin + access->bytes});
  }
  // Accesses that walk differently may touch the same: no more than from the first to the last.
  int64_t lowest = std::numeric_limits<int64_t>::max(), highest = 0, unlike = 0;
  for (auto &[walks, stretches] : alike) {
    llvm::sort(stretches);
    int64_t apart = 0, begin = stretches.front().first, end = stretches.front().second;
    for (auto [from, to] : stretches) {
      if (from > end) {
        apart += covered(end - begin, walks, cache.lineBytes);
        begin = from;
        end = to;
      }
      end = std::max(end, to);
    }
    apart += covered(end - begin, walks, cache.lineBytes);
    int64_t hull = end - stretches.front().first;
    for (const Walk &walk : walks)
      hull += walk.stride * (walk.trips - 1);
    unlike += std::min(apart, hull);
    lowest = std::min(lowest, stretches.front().first);
    highest = std::max(highest, stretches.front().first + hull);
  }
  if (!alike.empty())
    sum += std::min(unlike, highest - lowest);
  return std::min(sum, size);
}

int64_t TrafficCount::footprint(const Nest &nest, unsigned depth) const {
  llvm::MapVector<Value, SmallVector<const MemoryAccess *>> byArray;
  for (size_t n = nest.first; n < nest.last; ++n)
    byArray[accesses[n].array].push_back(&accesses[n]);
  int64_t sum = 0;
  for (auto &[array, those] : byArray)
    sum += touched(those, depth);
  return sum;
}

/// Each byte once from memory where it is read before it is written, and once to it.
Traffic TrafficCount::eachOnce(ArrayRef<size_t> numbers, unsigned depth, Operation *scope) const {
  struct Uses {
    SmallVector<const MemoryAccess *> reads, writes;
    bool writtenFirst = false;
  };
  llvm::MapVector<Value, Uses> byArray;
  for (size_t n : numbers) {
    const MemoryAccess &access = accesses[n];
    Uses &uses = byArray[access.array];
    if (uses.reads.empty() && uses.writes.empty())
      uses.writtenFirst = access.written;
    (access.written ? uses.writes : uses.reads).push_back(&access);
  }
  Traffic result;
  for (auto &[array, uses] : byArray) {
    Operation *made = array.getDefiningOp();
    // It begins and ends within, and never leaves the cache.
    if (isa_and_nonnull<memref::AllocaOp>(made) ||
        (scope && isa_and_nonnull<memref::AllocOp>(made) && scope->isProperAncestor(made)))
      continue;
    int64_t read = touched(uses.reads, depth), written = touched(uses.writes, depth);
    result[array] = {uses.writtenFirst && written >= read ? 0 : read, written};
  }
  return result;
}

Traffic TrafficCount::traffic(const Nest &nest) const {
  if (footprint(nest, nest.depth) <= cache.bytes) {
    SmallVector<size_t> all = llvm::to_vector(llvm::seq(nest.first, nest.last));
    return eachOnce(all, nest.depth ? nest.depth - 1 : 0, nest.op);
  }
  Traffic sum = eachOnce(nest.own, nest.depth, nullptr);
  for (const Nest &inside : nest.inner)
    for (auto &[array, bytes] : traffic(inside)) {
      sum[array].first += bytes.first;
      sum[array].second += bytes.second;
    }
  for (auto &[array, bytes] : sum)
    bytes = {bytes.first * nest.trips, bytes.second * nest.trips};
  return sum;
}

void TrafficCount::addPass(const Traffic &moved, const Nest &nest, int64_t times) {
  MemoryPass pass{placeIn(nest.op->getLoc()), times};
  for (auto &[array, bytes] : moved) {
    pass.read += bytes.first;
    pass.written += bytes.second;
  }
  // What fits the cache is no pass over memory: a few elements, a table.
  if (pass.read + pass.written > cache.bytes)
    passes.push_back(std::move(pass));
}

/// A nest of independent iterations is one pass, however much one of them moves; in other
/// loops that move more than the cache holds, steps in time, each iteration makes its own.
void TrafficCount::findPasses(const Nest &nest, int64_t times) {
  if (nest.op->hasAttr("weft.independent") || nest.inner.empty() ||
      footprint(nest, nest.depth) <= cache.bytes)
    return addPass(traffic(nest), nest, times);
  addPass(eachOnce(nest.own, nest.depth, nullptr), nest, times * nest.trips);
  for (const Nest &inside : nest.inner)
    findPasses(inside, times * nest.trips);
}

MemoryTraffic TrafficCount::run() {
  Nest whole;
  whole.op = func;
  for (Block &block : func.getBody())
    collect(block, whole);
  whole.last = accesses.size();
  Traffic moved = traffic(whole);

  llvm::MapVector<Value, ArrayTraffic> arrays;
  for (const MemoryAccess &access : accesses) {
    auto [found, isNew] = arrays.insert({access.array, {}});
    ArrayTraffic &array = found->second;
    if (isNew) {
      Operation *made = access.array.getDefiningOp();
      auto argument = dyn_cast<BlockArgument>(access.array);
      auto named = argument
                       ? func.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "weft.name")
                       : StringAttr();
      array.name = (named ? named.getValue() : nameIn(access.array.getLoc())).str();
      array.memory = !made                            ? "argument"
                     : isa<memref::GetGlobalOp>(made) ? "table"
                     : isa<memref::AllocaOp>(made)    ? "local"
                                                      : "scratch";
      array.bytes = bytesOf(cast<MemRefType>(access.array.getType()));
      std::tie(array.read, array.written) = moved.lookup(access.array);
    }
    int64_t times = 1;
    for (const Walk &walk : access.walks)
      times *= walk.trips;
    (access.written ? array.stored : array.loaded) += times * access.bytes;
  }
  findPasses(whole, 1);
  MemoryTraffic result;
  for (auto &[value, array] : arrays)
    result.arrays.push_back(std::move(array));
  result.passes = std::move(passes);
  return result;
}

} // namespace

MemoryTraffic memoryTraffic(func::FuncOp func, const CacheModel &cache) {
  return TrafficCount(func, cache).run();
}

} // namespace weft
