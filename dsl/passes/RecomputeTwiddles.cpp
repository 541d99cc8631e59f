//===- RecomputeTwiddles.cpp - tables that leave room for a line ------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// The table of a line's first stage has nearly as many entries as the line has points.
// Where a core has no room for it, the cores of a row could share the line and with it
// the table: they exchange points and put short runs. It costs less to keep a part of
// the table and to compute the rest, a product of two twiddles each.
//
//===-----------------------------------------------------------------------===//

#include "passes/Passes.h"

#include "dialect/Target.h"
#include "passes/Notes.h"
#include "passes/lines/LineRoom.h"
#include "passes/loops/Buffers.h"
#include "passes/transfers/LdmPlan.h"
#include "passes/transforms/ButterflyMaps.h"
#include "passes/transforms/FmaForms.h"
#include "passes/transforms/KeptPowers.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace weft {
#define GEN_PASS_DEF_RECOMPUTETWIDDLES
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using namespace weft;

namespace {

constexpr Notes notes("recompute-twiddles");

/// A table of twiddles of which only some powers are kept.
struct KeptTable {
  TableOp whole;
  unsigned dim = 0; ///< along which the powers lie
  SmallVector<int64_t> kept;

  RankedTensorType type() { return cast<RankedTensorType>(whole.getType()); }
  int64_t highest() { return type().getDimSize(dim); }
  RankedTensorType keptType() {
    SmallVector<int64_t> shape(type().getShape());
    shape[dim] = static_cast<int64_t>(kept.size());
    return RankedTensorType::get(shape, type().getElementType());
  }
};

/// The reads of a table in the stages of a chain.
SmallVector<tensor::ExtractOp> readsOf(Value table, const LineChain &chain) {
  SmallVector<tensor::ExtractOp> reads;
  for (const Stage &stage : chain.stages) {
    MapOp map = stage.map;
    for (auto read : map.bodyBlock()->getOps<tensor::ExtractOp>())
      if (read.getTensor() == table)
        reads.push_back(read);
  }
  return reads;
}

/// The largest table that a chain's stages read at known powers: nearly all of the bytes are its.
std::optional<KeptTable> largestOf(const LineInPlace &line, const LineChain &chain) {
  std::optional<KeptTable> largest;
  for (Value value : line.tables) {
    auto table = value.getDefiningOp<TableOp>();
    auto mark = table->getAttrOfType<IntegerAttr>(powersMark);
    if (!mark || (largest && tableBytesOf(largest->whole) >= tableBytesOf(value)))
      continue;
    KeptTable found{table, static_cast<unsigned>(mark.getInt()), {}};
    SmallVector<tensor::ExtractOp> reads = readsOf(value, chain);
    Value place = reads.front().getIndices()[1 - found.dim];
    bool isKnown = llvm::all_of(reads, [&](tensor::ExtractOp read) {
      return getConstantIntValue(read.getIndices()[found.dim]) &&
             read.getIndices()[1 - found.dim] == place;
    });
    // Reads inside a map's inner regions are none of the above.
    bool isEvery = llvm::all_of(value.getUsers(), [&](Operation *user) {
      return llvm::is_contained(reads, user) ||
             llvm::none_of(chain.stages, [&](const Stage &stage) {
               MapOp map = stage.map;
               return map->isProperAncestor(user);
             });
    });
    if (isKnown && isEvery)
      largest = found;
  }
  return largest;
}

TableOp makeKept(KeptTable &table) {
  SmallVector<std::complex<double>> doubles;
  SmallVector<std::complex<float>> floats;
  auto values = cast<DenseElementsAttr>(table.whole.getValue());
  RankedTensorType type = table.keptType();
  bool isSingle = cast<ComplexType>(type.getElementType()).getElementType().isF32();
  int64_t others = table.type().getDimSize(1 - table.dim), columns = table.type().getDimSize(1);
  auto from = [&](int64_t row, int64_t column) {
    (table.dim == 0 ? row : column) = table.kept[table.dim == 0 ? row : column] - 1;
    return row * columns + column;
  };
  auto keep = [&](auto all, auto &some) {
    for (int64_t row = 0; row < type.getDimSize(0); ++row)
      for (int64_t column = 0; column < type.getDimSize(1); ++column)
        some.push_back(all[from(row, column)]);
    return DenseElementsAttr::get(type, ArrayRef(some));
  };
  assert(others == type.getDimSize(1 - table.dim) && "only powers are left out");
  (void)others;
  DenseElementsAttr kept = isSingle ? keep(values.getValues<std::complex<float>>(), floats)
                                    : keep(values.getValues<std::complex<double>>(), doubles);
  OpBuilder builder(table.whole->getContext());
  builder.setInsertionPointAfter(table.whole);
  return TableOp::create(builder, table.whole.getLoc(), type, kept);
}

/// The scale that all entries of a table have: its first one, whose root is 1.
long double scaleOf(TableOp table) {
  auto values = cast<DenseElementsAttr>(table.getValue());
  if (cast<ComplexType>(values.getElementType()).getElementType().isF32())
    return (*values.getValues<std::complex<float>>().begin()).real();
  return (*values.getValues<std::complex<double>>().begin()).real();
}

/// Computes what one stage reads of a table from what is kept of it.
class Recomputed {
public:
  Recomputed(Block *body, KeptTable &table, Value kept)
      : body(body), table(table), kept(kept), builder(table.whole->getContext()),
        arithmetic(builder, unnamed(table.whole.getLoc()), body), scale(scaleOf(table.whole)) {}

  void replace(tensor::ExtractOp read) {
    builder.setInsertionPoint(read);
    place = read.getIndices()[1 - table.dim];
    location = unnamed(read.getLoc());
    Parts parts = power(*getConstantIntValue(read.getIndices()[table.dim]) + 1);
    for (Operation *user : llvm::make_early_inc_range(read->getUsers()))
      if (isa<complex::ReOp, complex::ImOp>(user)) {
        Real part = isa<complex::ReOp>(user) ? parts.re : parts.im;
        user->getResult(0).replaceAllUsesWith(arithmetic.value(part));
        user->erase();
      }
    if (!read.use_empty())
      read.replaceAllUsesWith(arithmetic.join(parts));
    read.erase();
  }

private:
  Parts power(int64_t exponent) {
    if (auto known = powers.find(exponent); known != powers.end())
      return known->second;
    const auto *at = llvm::find(table.kept, exponent);
    Parts parts;
    if (at != table.kept.end()) {
      std::string name = llvm::formatv("w{0}", exponent).str();
      Value position = arith::ConstantIndexOp::create(builder, location, at - table.kept.begin());
      SmallVector<Value> indices{position, place};
      if (table.dim == 1)
        std::swap(indices[0], indices[1]);
      parts = arithmetic.split(
          tensor::ExtractOp::create(builder, named(location, name), kept, indices), name);
    } else {
      auto [high, low] = factorsOf(exponent, table.kept);
      // The scale once, in the one of the two.
      Parts first = power(high), second = plain(low);
      parts = arithmetic.mul(first, second);
    }
    powers[exponent] = parts;
    return parts;
  }

  /// Without the scale.
  Parts plain(int64_t exponent) {
    Parts scaled = power(exponent);
    if (scale == 1)
      return scaled;
    if (auto known = unscaled.find(exponent); known != unscaled.end())
      return known->second;
    Type real = cast<ComplexType>(table.type().getElementType()).getElementType();
    return unscaled[exponent] = arithmetic.scale(scaled, arithmetic.constant(1 / scale, real));
  }

  Block *body;
  KeptTable &table;
  Value kept, place;
  OpBuilder builder;
  RealBuilder arithmetic;
  Location location = builder.getUnknownLoc();
  long double scale;
  std::map<int64_t, Parts> powers, unscaled;
};

struct RecomputeTwiddles : public weft::impl::RecomputeTwiddlesBase<RecomputeTwiddles> {
  using RecomputeTwiddlesBase::RecomputeTwiddlesBase;

  void runOnOperation() override {
    FailureOr<Target> target = Target::of(getOperation());
    if (failed(target))
      return signalPassFailure();
    if (!target->numberIfAny("ldm_bytes"))
      return;
    FailureOr<int64_t> capacity = ldmCapacity(*target);
    FailureOr<VectorUnit> vectors = target->vectors();
    if (failed(capacity) || failed(vectors))
      return signalPassFailure();
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      // The schedule asks for lines that are shared.
      if (func->hasAttr("weft.split"))
        continue;
      SmallVector<Block *> blocks;
      func.walk([&](Block *block) { blocks.push_back(block); });
      for (Block *block : blocks)
        for (const LineChain &chain : findLineChains(*block))
          makeRoom(chain, *capacity, *vectors, *target);
    }
    for (auto &[key, kept] : made)
      if (key.first->use_empty())
        key.first->erase();
    made.clear();
  }

  void makeRoom(const LineChain &chain, int64_t capacity, const VectorUnit &vectors,
                const Target &target) {
    std::optional<LineInPlace> line = inPlace(chain);
    if (!line || line->bytes() <= capacity || line->lineBytes > capacity ||
        !suitsAlongLines(chain, vectors, target))
      return;
    std::optional<KeptTable> table = largestOf(*line, chain);
    if (!table)
      return;
    int64_t others = line->bytes() - tableBytesOf(table->whole);
    int64_t most = (capacity - others) / (bytesOf(table->type()) / table->highest());
    table->kept = keptPowers(table->highest(), most);
    explain(chain, *line, *table, capacity, others);
    if (table->kept.empty())
      return;
    // Chains that share a table go on to share it.
    auto key = std::pair(table->whole.getOperation(), static_cast<int64_t>(table->kept.size()));
    TableOp &kept = made[key];
    if (!kept)
      kept = makeKept(*table);
    for (const Stage &stage : chain.stages) {
      MapOp map = stage.map;
      Recomputed recomputed(map.bodyBlock(), *table, kept);
      bool isRead = false;
      for (tensor::ExtractOp read : readsOf(table->whole, chain))
        if (read->getBlock() == map.bodyBlock()) {
          recomputed.replace(read);
          isRead = true;
        }
      if (isRead && target.flag("fma"))
        formFma(map.getBody());
    }
  }

  static void explain(const LineChain &chain, const LineInPlace &line, KeptTable &table,
                      int64_t capacity, int64_t others) {
    MapOp last = chain.last();
    if (!Notes::wanted(last.getLoc()))
      return;
    int64_t highest = table.highest();
    std::string name = spoken(last), all = spoken(table.whole);
    if (table.kept.empty()) {
      notes.rejected(last, "{0}: some of the twiddles '{1}' computed", name, all)
          .because("a line takes {0} bytes and other tables {1}, of {2} that a core has: too few "
                   "are left to compute the others by products of four at most",
                   line.lineBytes, others - line.lineBytes, capacity)
          .number("bytes", line.bytes());
      return;
    }
    auto kept = static_cast<int64_t>(table.kept.size());
    notes
        .decided(last, "{0}: {1} of {2} powers of the twiddles {3} in a table, the others computed",
                 name, kept, highest, all)
        .because("a line takes {0} bytes and its tables {1}, of {2} that a core has; {3} are left "
                 "of the tables, and a butterfly has {4} products more",
                 line.lineBytes, line.tableBytes, capacity,
                 others - line.lineBytes + bytesOf(table.keptType()), highest - kept)
        .number("bytes", line.bytes())
        .number("products", highest - kept);
  }

  std::map<std::pair<Operation *, int64_t>, TableOp> made;
};

} // namespace
