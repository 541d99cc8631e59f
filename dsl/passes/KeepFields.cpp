//===- KeepFields.cpp - the fields of a loop over time stay with the cores ----===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A step over time makes each row of its fields from rows near by. Then each core may have some
// rows of all of them in its own memory, with copies of the rows of its neighbours that it reads
// (halos), which these give it by messages before a nest that needs them. Main memory is read
// before the first step and written behind the last one.
//
// It stands in front of all passes that cut nests at their borders, by which rows of one field
// become several nests.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Cpe.h"
#include "dialect/Target.h"
#include "passes/Directives.h"
#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/loops/LoopIndices.h"
#include "passes/mesh/CoreLoops.h"
#include "passes/mesh/Fields.h"
#include "passes/mesh/MeshTiling.h"
#include "passes/mesh/NestsOnCores.h"
#include "passes/mesh/Ring.h"
#include "passes/transfers/Footprint.h"
#include "passes/transfers/LdmPlan.h"

#include "mlir/Dialect/Affine/LoopUtils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/IntegerSet.h"

namespace weft {
#define GEN_PASS_DEF_KEEPFIELDS
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using affine::AffineForOp;
using namespace weft;

namespace {

constexpr Notes notes("keep-fields");

/// Bytes of a message; rows begin at a multiple of them.
constexpr int64_t messageBytes = 32;

/// How the rows of a field lie in a core's memory.
struct LocalRows {
  Value array;
  Field field;
  int64_t parts = 1;            ///< numbers of an element: 2 where the last dimension has them
  SmallVector<int64_t> extents; ///< in main memory, without these
  SmallVector<int64_t> strides; ///< in a core's, of elements
  int64_t lead = 0; ///< elements in front of a row, so that lanes begin at a whole message
  int64_t elements = 0;
  Value spread;
  Value source; ///< from which main memory's array they come at first

  static LocalRows of(Value array, const Field &field, const Ring &ring, int64_t firstLane);
  int64_t rowsOfCore(const Ring &ring) const { return field.before + ring.own + field.after; }
  int64_t bytes() const { return elements * parts * elementBytes(array); }
};

LocalRows LocalRows::of(Value array, const Field &field, const Ring &ring, int64_t firstLane) {
  LocalRows rows{array, field, 1, {}, {}, 0, 0, {}, array};
  rows.extents.assign(cast<MemRefType>(array.getType()).getShape());
  if (rows.extents.size() > 1 && rows.extents.back() == 2 && field.dim + 1 < rows.extents.size()) {
    rows.parts = 2;
    rows.extents.pop_back();
  }
  int64_t whole = std::max<int64_t>(1, messageBytes / (elementBytes(array) * rows.parts));
  bool isLast = field.dim + 1 == rows.extents.size();
  rows.strides.resize(rows.extents.size());
  if (!isLast)
    rows.lead = (whole - firstLane % whole) % whole;
  int64_t stride = isLast && field.before + field.after != 0 ? whole : 1;
  for (unsigned dim = rows.extents.size(); dim-- > 0;) {
    rows.strides[dim] = stride;
    int64_t extent = dim == field.dim ? rows.rowsOfCore(ring) : rows.extents[dim];
    stride *= extent;
    if (dim + 1 == rows.extents.size() && !isLast)
      stride = static_cast<int64_t>(llvm::alignTo(rows.lead + extent, whole));
  }
  rows.elements = static_cast<int64_t>(llvm::alignTo(stride, whole));
  return rows;
}

class FieldsOnCores {
public:
  FieldsOnCores(Fields &fields, Mesh mesh, int64_t capacity, const StartCosts &costs)
      : fields(fields), mesh(mesh), capacity(capacity), costs(costs) {}

  /// Whether it pays, and all cores together have room; else why not.
  bool fits();
  StringRef why() const { return reason; }
  double cycles() const { return kept; } ///< of a step
  void move();

private:
  bool no(const Twine &why);
  bool pays();
  AffineForOp overCores(OpBuilder &builder, ValueRange carried = {});
  void makeArrays(OpBuilder &builder);
  void moveRows(OpBuilder &builder, Value place, const LocalRows &rows, bool isGet);
  void moveBlocks(OpBuilder &builder, Value place, const LocalRows &rows, int64_t first,
                  int64_t count, bool isGet);
  void fetchWhole(OpBuilder &builder, Value array);
  void load(OpBuilder &builder);
  void store(OpBuilder &builder);
  void giveHalos(OpBuilder &builder, const LocalRows &rows);
  void findRotation();
  void findSources();
  void rotate();
  bool isHaloRead(const FieldNest &nest, Value array) const;
  void findHalos();
  void step(OpBuilder &builder, Value number);
  void place(OpBuilder &builder, const FieldNest &nest, IRMapping &values);
  void copy(OpBuilder &builder, const FieldNest &nest);
  Value probe(OpBuilder &builder, affine::AffineLoadOp load);
  bool hasRoom();
  void placeRows(AffineForOp over, AffineForOp clone, AffineForOp rows, const FieldNest &nest);
  void redirect(Operation *access, Value place, AffineForOp rows, const FieldNest &nest);
  bool isUsedOutside(Value array) const;
  OpBuilder onlyIf(OpBuilder &builder, ArrayRef<AffineExpr> positive, ValueRange values);

  Fields &fields;
  Mesh mesh;
  int64_t capacity;
  const StartCosts &costs;
  std::string reason;
  double kept = 0;
  Ring ring;
  llvm::MapVector<Value, LocalRows> local;
  DenseMap<Value, Value> own;   ///< of each core: tables and numbers
  DenseMap<Type, Value> probed; ///< of each core: what is read of a single element
  /// By the number of a nest: fields of which it needs halos anew.
  std::vector<SmallVector<Value>> halosBefore;
  /// Nests that only copy at the end of a step, and whose memory is whose in the next one instead.
  llvm::SmallPtrSet<Operation *, 4> copies;
  SmallVector<std::pair<Value, Value>> next;
  int64_t period = 1;         ///< steps until all are in their own memory again
  DenseMap<Value, Value> now; ///< the memory of each field in the step that is being made
  Location where = fields.time.getLoc();
};

bool FieldsOnCores::no(const Twine &why) {
  reason = why.str();
  return false;
}

bool FieldsOnCores::fits() {
  auto asFound = fields.fields;
  findRotation();
  if (hasRoom())
    return pays();
  if (copies.empty())
    return false;
  // Arrays that take turns have all of them room for halos.
  fields.fields = asFound;
  copies.clear();
  next.clear();
  period = 1;
  return hasRoom() && pays();
}

bool FieldsOnCores::hasRoom() {
  local.clear();
  RingDemand demand{fields.rows(), 0, false, fields.hasSums()};
  for (auto &[array, field] : fields.fields) {
    demand.reach = std::max({demand.reach, field.before, field.after});
    demand.closed |= field.wraps;
  }
  auto found = ringFor(demand, mesh.rows, mesh.columns);
  if (!found)
    return no("cores would not have rows enough for their neighbours");
  ring = *found;
  int64_t bytes = 0;
  for (auto &[array, field] : fields.fields) {
    local[array] = LocalRows::of(array, field, ring, fields.firstLane());
    bytes += local[array].bytes();
  }
  for (Value array : llvm::concat<const Value>(fields.tables, fields.numbers))
    bytes += ldmBytesOf(cast<MemRefType>(array.getType()));
  constexpr int64_t forOthers = 1024;
  int64_t room = capacity - forOthers;
  if (bytes > room)
    return no("they take " + Twine(bytes) + " bytes of a core's memory, " + Twine(bytes - room) +
              " more than there are");
  return true;
}

/// Whether steps take fewer cycles than with arrays in main memory, and a start of the cores pays.
bool FieldsOnCores::pays() {
  // Measured: a load, both ends of a message, a store; syncs; numbers instead of vectors.
  constexpr double perMessage = 6, perHalo = 120, perScalar = 8;
  llvm::DenseMap<Value, double> seen;
  double alone = 0, passing = 0;
  for (const FieldNest &one : fields.nests) {
    CoreNest nest{one.root};
    nest.parts = mesh.cores();
    costs.estimate(nest, seen);
    alone += nest.alone;
    passing += nest.together;
    nest.parts = ring.rows / ring.own;
    // A loop over a core's rows has no vectors.
    AffineForOp over = one.rows;
    bool isScalar = over && over->hasAttr("weft.lane");
    kept += one.to ? 0 : costs.computing(nest) * (isScalar ? perScalar : 1);
  }
  for (auto &[array, rows] : local) {
    int64_t reach = rows.field.before + rows.field.after;
    if (reach == 0 || !rows.field.isWritten)
      continue;
    kept += perHalo + perMessage * double(rows.bytes() * reach) /
                          double(messageBytes * rows.rowsOfCore(ring));
  }
  auto steps = double(tripsOf(fields.time)), start = costs.start() + 2 * costs.nest();
  if (alone * steps < start + kept * steps)
    return no("the management core takes about " + Twine(int64_t(alone * steps)) +
              " cycles, the cores and their start " + Twine(int64_t(start + kept * steps)));
  if (passing < kept)
    return no("computing takes about " + Twine(int64_t(kept)) + " cycles a step with " +
              Twine(ring.cores) + " cores, with all of them and main memory " +
              Twine(int64_t(passing)));
  return true;
}

bool FieldsOnCores::isUsedOutside(Value array) const {
  bool found = isa<BlockArgument>(array);
  forEachAccess(array, [&](Operation *user) { found |= !fields.time->isProperAncestor(user); });
  return found;
}

/// A loop over the places of the ring, each core its own.
AffineForOp FieldsOnCores::overCores(OpBuilder &builder, ValueRange carried) {
  auto over = AffineForOp::create(builder, where, 0, ring.cores, 1, carried);
  over->setAttr("weft.parallel", builder.getUnitAttr());
  over->setAttr(ringMark, builder.getI64IntegerAttr(ring.columns));
  return over;
}

void FieldsOnCores::makeArrays(OpBuilder &builder) {
  for (auto &[array, rows] : local) {
    auto type = cast<MemRefType>(array.getType());
    SmallVector<int64_t> shape{mesh.rows, mesh.columns, rows.elements};
    if (rows.parts > 1)
      shape.push_back(rows.parts);
    rows.spread = cpe::SpreadOp::create(builder, array.getLoc(),
                                        MemRefType::get(shape, type.getElementType()));
  }
  for (Operation *load : fields.probes) {
    Type type = load->getResult(0).getType();
    if (!probed.contains(type))
      probed[type] = memref::AllocaOp::create(builder, load->getLoc(), MemRefType::get({1}, type));
  }
  for (Value array : llvm::concat<const Value>(fields.tables, fields.numbers))
    own[array] = memref::AllocaOp::create(
        builder, array.getLoc(),
        MemRefType::get(cast<MemRefType>(array.getType()).getShape(),
                        cast<MemRefType>(array.getType()).getElementType()));
}

OpBuilder FieldsOnCores::onlyIf(OpBuilder &builder, ArrayRef<AffineExpr> positive,
                                ValueRange values) {
  SmallVector<bool> areZero(positive.size(), false);
  auto condition = affine::AffineIfOp::create(builder, where, TypeRange(),
                                              IntegerSet::get(values.size(), 0, positive, areZero),
                                              values, false);
  return OpBuilder::atBlockBegin(condition.getThenBlock());
}

/// Some of a core's own rows, from or to main memory.
void FieldsOnCores::moveBlocks(OpBuilder &builder, Value place, const LocalRows &rows,
                               int64_t first, int64_t count, bool isGet) {
  int64_t inMain = rows.parts, at = 0, stride = 0, block = rows.parts;
  SmallVector<int64_t> counts, strides, pitches;
  bool isBlock = true;
  for (unsigned dim = rows.extents.size(); dim-- > 0;) {
    int64_t many = dim == rows.field.dim ? count : rows.extents[dim];
    int64_t pitch = rows.strides[dim] * rows.parts;
    if (dim == rows.field.dim) {
      stride = inMain;
      at = (rows.field.before + first) * pitch + rows.lead * rows.parts;
    }
    isBlock &= inMain == block && pitch == block;
    if (isBlock) {
      block *= many;
    } else {
      counts.insert(counts.begin(), many);
      strides.insert(strides.begin(), inMain);
      pitches.insert(pitches.begin(), pitch);
    }
    inMain *= rows.extents[dim];
  }
  AffineExpr p = builder.getAffineDimExpr(0);
  auto index = [&](AffineExpr expr) -> Value {
    return affine::AffineApplyOp::create(builder, where, AffineMap::get(1, 0, expr), place);
  };
  Value from = index((ring.startOf(p) + first) * stride);
  Value to = index(builder.getAffineConstantExpr(at));
  SmallVector<Value> core{index(p.floorDiv(mesh.columns)), index(p % mesh.columns)};
  auto packed = builder.getDenseI64ArrayAttr(pitches);
  if (isGet)
    cpe::DmaGetOp::create(builder, where, rows.source, from, now.lookup(rows.array), to, core,
                          block, counts, strides, packed, false, false);
  else
    cpe::DmaPutOp::create(builder, where, now.lookup(rows.array), to, rows.array, from, core, block,
                          counts, strides, packed);
}

/// All of a core's own rows; to main memory those that no core behind it has.
void FieldsOnCores::moveRows(OpBuilder &builder, Value place, const LocalRows &rows, bool isGet) {
  if (isGet || ring.isExact())
    return moveBlocks(builder, place, rows, 0, ring.own, isGet);
  AffineExpr p = builder.getAffineDimExpr(0);
  int64_t least = (ring.rows - ring.own) / (ring.cores - 1);
  moveBlocks(builder, place, rows, 0, least, isGet);
  if ((ring.rows - ring.own) % (ring.cores - 1) != 0) {
    AffineExpr more = ring.startOf(p + 1) - ring.startOf(p) - (least + 1);
    OpBuilder one = onlyIf(builder, {more, ring.cores - 2 - p}, place);
    moveBlocks(one, place, rows, least, 1, isGet);
  }
  if (least < ring.own) {
    OpBuilder rest = onlyIf(builder, {p - (ring.cores - 1)}, place);
    moveBlocks(rest, place, rows, least, ring.own - least, isGet);
  }
}

/// A small array that every core has for itself.
void FieldsOnCores::fetchWhole(OpBuilder &builder, Value array) {
  Value zero = affine::AffineApplyOp::create(
      builder, where, AffineMap::get(0, 0, builder.getAffineConstantExpr(0)), ValueRange());
  int64_t all = cast<MemRefType>(array.getType()).getNumElements();
  cpe::DmaGetOp::create(builder, where, array, zero, own[array], ValueRange(), all,
                        ArrayRef<int64_t>(), ArrayRef<int64_t>());
}

void FieldsOnCores::load(OpBuilder &builder) {
  for (Value array : fields.tables)
    fetchWhole(builder, array);
  for (Value array : fields.numbers)
    if (isUsedOutside(array))
      fetchWhole(builder, array);
  AffineForOp over = overCores(builder);
  OpBuilder inside = OpBuilder::atBlockBegin(over.getBody());
  for (auto &[array, rows] : local) {
    now[array] = rows.spread;
    if (rows.source != array || isUsedOutside(array))
      moveRows(inside, over.getInductionVar(), rows, true);
  }
  cpe::DmaWaitOp::create(builder, where);
}

void FieldsOnCores::store(OpBuilder &builder) {
  AffineForOp over = overCores(builder);
  OpBuilder inside = OpBuilder::atBlockBegin(over.getBody());
  for (auto &[array, rows] : local)
    if (rows.field.isWritten && isUsedOutside(array))
      moveRows(inside, over.getInductionVar(), rows, false);
  cpe::DmaWaitOp::create(builder, where);
  // Numbers are the same with each core.
  for (Value array : fields.numbers) {
    auto type = cast<MemRefType>(array.getType());
    for (int64_t n = 0; isUsedOutside(array) && n < type.getNumElements(); ++n) {
      SmallVector<AffineExpr> index;
      int64_t rest = n;
      for (int64_t dim = type.getRank(); dim-- > 0; rest /= type.getDimSize(dim))
        index.insert(index.begin(), builder.getAffineConstantExpr(rest % type.getDimSize(dim)));
      AffineMap map = AffineMap::get(0, 0, index, builder.getContext());
      Value value = affine::AffineLoadOp::create(builder, where, own[array], map, ValueRange());
      affine::AffineStoreOp::create(builder, where, value, array, map, ValueRange());
    }
  }
}

void FieldsOnCores::giveHalos(OpBuilder &builder, const LocalRows &rows) {
  int64_t row = rows.strides[rows.field.dim] * rows.parts;
  SmallVector<int64_t> counts, strides;
  for (unsigned dim = 0; dim < rows.field.dim; ++dim) {
    counts.push_back(rows.extents[dim]);
    strides.push_back(rows.strides[dim] * rows.parts);
  }
  cpe::HaloOp::create(builder, where, now.lookup(rows.array), ring.rows, ring.own, ring.cores,
                      ring.columns, rows.field.before, rows.field.after, rows.field.wraps, row,
                      counts, strides);
}

/// The place of an access among a core's own rows.
void FieldsOnCores::redirect(Operation *access, Value place, AffineForOp rows,
                             const FieldNest &nest) {
  const LocalRows &mine = local.find(arrayOf(access))->second;
  Value memory = now.lookup(arrayOf(access));
  // Counted before the loop goes over a core's rows.
  int64_t offset = fields.offsetOf(access, nest) + mine.field.before;
  auto [map, operands] = indicesOf(access);
  AffineExpr p = getAffineDimExpr(operands.size(), map.getContext());
  operands.push_back(place);
  AffineExpr row;
  if (rows) {
    row = getAffineDimExpr(operands.size(), map.getContext()) + offset;
    operands.push_back(rows.getInductionVar());
  } else {
    row = nest.shift + offset - ring.startOf(p);
  }
  AffineExpr at = getAffineConstantExpr(mine.lead, map.getContext());
  for (auto [dim, stride] : llvm::enumerate(mine.strides))
    at = at + (dim == mine.field.dim ? row : map.getResult(dim)) * stride;
  SmallVector<AffineExpr> indices{p.floorDiv(mesh.columns), p % mesh.columns, at};
  if (mine.parts > 1)
    indices.push_back(map.getResults().back());
  map = AffineMap::get(operands.size(), 0, indices, map.getContext());
  OpBuilder builder(access);
  if (auto load = dyn_cast<affine::AffineLoadOp>(access)) {
    Value value = affine::AffineLoadOp::create(builder, load.getLoc(), memory, map, operands);
    load.replaceAllUsesWith(value);
  } else {
    auto store = cast<affine::AffineStoreOp>(access);
    affine::AffineStoreOp::create(builder, store.getLoc(), store.getValueToStore(), memory, map,
                                  operands);
  }
  access->erase();
}

/// Lanes are counted from the first one on: where they begin is then told by the rest of an index.
static void countFromZero(AffineForOp nest) {
  nest->walk([](AffineForOp loop) {
    int64_t first = loop.hasConstantBounds() ? loop.getConstantLowerBound() : 0;
    if (first == 0 || !loop->hasAttr("weft.lane"))
      return;
    OpBuilder builder = OpBuilder::atBlockBegin(loop.getBody());
    Value variable = loop.getInductionVar();
    auto number = affine::AffineApplyOp::create(
        builder, variable.getLoc(), AffineMap::get(1, 0, builder.getAffineDimExpr(0) + first),
        variable);
    variable.replaceAllUsesExcept(number, number);
    int64_t behind = loop.getConstantUpperBound();
    loop.setConstantLowerBound(0);
    loop.setConstantUpperBound(behind - first);
  });
}

/// A copy of a nest for the rows of a core.
void FieldsOnCores::placeRows(AffineForOp over, AffineForOp clone, AffineForOp rows,
                              const FieldNest &nest) {
  if (rows && !rows->hasAttr("weft.lane"))
    countFromZero(clone);
  Value p = over.getInductionVar();
  OpBuilder builder(clone);
  AffineExpr place = builder.getAffineDimExpr(0), row = builder.getAffineDimExpr(1);
  SmallVector<Operation *> accesses;
  clone->walk([&](Operation *op) {
    if (isa<affine::AffineLoadOp, affine::AffineStoreOp>(op) && fields.fields.contains(arrayOf(op)))
      accesses.push_back(op);
  });
  FieldNest copied = nest;
  copied.rows = rows;
  for (Operation *access : accesses)
    redirect(access, p, rows, copied);
  if (!rows) {
    OpBuilder inside = onlyIf(
        builder,
        {nest.shift - ring.startOf(place), ring.startOf(place) + ring.own - 1 - nest.shift}, p);
    clone->moveBefore(inside.getInsertionBlock(), inside.getInsertionPoint());
    (void)affine::promoteIfSingleIteration(clone);
    return;
  }
  // Whoever else wants the number of the row.
  Value variable = rows.getInductionVar();
  builder.setInsertionPointToStart(rows.getBody());
  auto number = affine::AffineApplyOp::create(
      builder, where, AffineMap::get(2, 0, ring.startOf(place) + row - nest.shift),
      ValueRange{p, variable});
  variable.replaceUsesWithIf(number, [&](OpOperand &use) {
    Operation *user = use.getOwner();
    return user != number && !(isa<affine::AffineLoadOp, affine::AffineStoreOp>(user) &&
                               cpe::spreadArray(arrayOf(user)));
  });
  if (number->use_empty())
    number.erase();
  rows.setConstantLowerBound(0);
  rows.setConstantUpperBound(ring.own);
  rows->removeAttr("weft.lane");
  rows->removeAttr("weft.independent");
  clone->removeAttr("weft.independent");
  if (nest.from == 0 && nest.until == ring.rows)
    return;
  SmallVector<Operation *> body;
  for (Operation &op : rows.getBody()->without_terminator())
    body.push_back(&op);
  builder.setInsertionPointToStart(rows.getBody());
  OpBuilder inside = onlyIf(
      builder, {ring.startOf(place) + row - nest.from, nest.until - 1 - ring.startOf(place) - row},
      {p, variable});
  for (Operation *op : body)
    op->moveBefore(inside.getInsertionBlock(), inside.getInsertionPoint());
}

void FieldsOnCores::place(OpBuilder &builder, const FieldNest &nest, IRMapping &values) {
  AffineForOp root = nest.root;
  auto startOf = [&](Value init) { return values.lookupOrDefault(init); };
  AffineForOp over = overCores(builder, llvm::map_to_vector(root.getInits(), startOf));
  OpBuilder inside = OpBuilder::atBlockBegin(over.getBody());
  IRMapping mapping = values;
  auto clone = cast<AffineForOp>(inside.clone(*root, mapping));
  clone.getInitsMutable().assign(over.getRegionIterArgs());
  AffineForOp rows;
  if (AffineForOp(nest.rows))
    rows = cast<AffineForOp>(
        mapping.lookup(AffineForOp(nest.rows).getInductionVar()).getParentBlock()->getParentOp());
  placeRows(over, clone, rows, nest);
  if (!nest.isSum)
    return;
  markCombined(over, *combinedOverCores(nest.root));
  if (Attribute names = root->getDiscardableAttr("weft.carries"))
    over->setAttr("weft.carries", names);
  inside.setInsertionPointToEnd(over.getBody());
  affine::AffineYieldOp::create(inside, where, clone.getResults());
  values.map(root.getResults(), over.getResults());
}

/// A core's own rows of an array become those of another one.
void FieldsOnCores::copy(OpBuilder &builder, const FieldNest &nest) {
  const LocalRows &from = local.find(nest.source)->second, &to = local.find(nest.to)->second;
  AffineForOp over = overCores(builder);
  OpBuilder inside = OpBuilder::atBlockBegin(over.getBody());
  SmallVector<Value> operands{over.getInductionVar()};
  AffineExpr p = builder.getAffineDimExpr(0);
  auto index = [&](const LocalRows &rows) {
    return builder.getAffineConstantExpr(rows.field.before * rows.strides[rows.field.dim] +
                                         rows.lead);
  };
  AffineExpr read = index(from), write = index(to);
  for (unsigned dim = 0; dim < from.extents.size(); ++dim) {
    int64_t many = dim == from.field.dim ? ring.own : from.extents[dim];
    auto loop = AffineForOp::create(inside, where, 0, many);
    AffineExpr i = builder.getAffineDimExpr(operands.size());
    operands.push_back(loop.getInductionVar());
    read = read + i * from.strides[dim];
    write = write + i * to.strides[dim];
    inside.setInsertionPointToStart(loop.getBody());
    if (dim + 1 == from.extents.size() && from.parts == 1) {
      loop->setAttr("weft.independent", builder.getUnitAttr());
      loop->setAttr("weft.lane", builder.getUnitAttr());
    }
  }
  for (int64_t part = 0; part < from.parts; ++part) {
    auto map = [&](AffineExpr at) {
      SmallVector<AffineExpr> indices{p.floorDiv(mesh.columns), p % mesh.columns, at};
      if (from.parts > 1)
        indices.push_back(builder.getAffineConstantExpr(part));
      return AffineMap::get(operands.size(), 0, indices, builder.getContext());
    };
    Value value =
        affine::AffineLoadOp::create(inside, where, now.lookup(from.array), map(read), operands);
    affine::AffineStoreOp::create(inside, where, value, now.lookup(to.array), map(write), operands);
  }
}

/// A single element, for all cores: the sum of what the one has that has it and of zeros.
Value FieldsOnCores::probe(OpBuilder &builder, affine::AffineLoadOp load) {
  const LocalRows &rows = local.find(load.getMemref())->second;
  AffineMap indices = indicesOf(load).first;
  auto indexOf = [&](unsigned dim) {
    return cast<AffineConstantExpr>(indices.getResult(dim)).getValue();
  };
  int64_t row = indexOf(rows.field.dim), owner = 0;
  while (ring.startOf(owner) + ring.own <= row)
    ++owner;
  int64_t at = rows.lead;
  for (auto [dim, stride] : llvm::enumerate(rows.strides))
    at += stride *
          (dim == rows.field.dim ? row - ring.startOf(owner) + rows.field.before : indexOf(dim));
  Type type = load.getType();
  Value number = probed.lookup(type);
  AffineMap first = AffineMap::get(0, 0, builder.getAffineConstantExpr(0));
  Value zero = arith::ConstantOp::create(builder, where, builder.getFloatAttr(type, 0.0));
  AffineForOp over = overCores(builder);
  OpBuilder inside = OpBuilder::atBlockBegin(over.getBody());
  affine::AffineStoreOp::create(inside, where, zero, number, first, ValueRange());
  AffineExpr p = builder.getAffineDimExpr(0);
  auto isOwner = affine::AffineIfOp::create(inside, where, TypeRange(),
                                            IntegerSet::get(1, 0, {p - owner}, {true}),
                                            over.getInductionVar(), false);
  inside.setInsertionPointToStart(isOwner.getThenBlock());
  SmallVector<AffineExpr> place{p.floorDiv(mesh.columns), p % mesh.columns,
                                builder.getAffineConstantExpr(at)};
  if (rows.parts > 1)
    place.push_back(indices.getResults().back());
  Value mine = affine::AffineLoadOp::create(inside, load.getLoc(), now.lookup(rows.array),
                                            AffineMap::get(1, 0, place, builder.getContext()),
                                            over.getInductionVar());
  affine::AffineStoreOp::create(inside, where, mine, number, first, ValueRange());
  AffineForOp sum = overCores(builder, zero);
  markCombined(sum, Combining::Sum);
  inside.setInsertionPointToStart(sum.getBody());
  Value part = affine::AffineLoadOp::create(inside, where, number, first, ValueRange());
  Value all = arith::AddFOp::create(inside, where, sum.getRegionIterArgs().front(), part);
  affine::AffineYieldOp::create(inside, where, all);
  return sum.getResult(0);
}

bool FieldsOnCores::isHaloRead(const FieldNest &nest, Value array) const {
  if (nest.to)
    return false;
  bool found = false;
  AffineForOp(nest.root).walk([&](affine::AffineLoadOp load) {
    found |= load.getMemref() == array && fields.offsetOf(load, nest) != 0;
  });
  return found;
}

/// Which nests need halos anew. In the first nest of a step all of them are old.
void FieldsOnCores::findHalos() {
  halosBefore.resize(fields.nests.size());
  for (auto &[array, rows] : local) {
    bool isOld = true;
    for (auto [number, nest] : llvm::enumerate(fields.nests)) {
      if (isOld && rows.field.isWritten && isHaloRead(nest, array)) {
        halosBefore[number].push_back(array);
        isOld = false;
      }
      isOld |= fields.writes(nest, array);
    }
  }
}

/// Copies at the end of a step that need not be: whose memory is whose changes instead.
void FieldsOnCores::findRotation() {
  SmallVector<std::pair<Value, Value>> pairs; // to, from
  llvm::SmallPtrSet<Operation *, 4> nests;
  Operation *last = fields.time.getBody()->getTerminator()->getPrevNode();
  for (const FieldNest &nest : llvm::reverse(fields.nests)) {
    Operation *root = nest.root;
    if (!nest.to || root != last)
      break;
    pairs.insert(pairs.begin(), {nest.to, nest.source});
    nests.insert(root);
    last = last->getPrevNode();
  }
  if (pairs.empty())
    return;
  llvm::MapVector<Value, Value> memory; // of each name, behind a step
  llvm::SetVector<Value> names;
  for (auto [to, from] : pairs)
    names.insert_range(SmallVector<Value>{to, from});
  for (Value name : names)
    memory[name] = name;
  for (auto [to, from] : pairs)
    memory[to] = memory[from];
  // What is made anew in each step takes what is free.
  llvm::SetVector<Value> used, free, anew;
  for (Value name : names) {
    auto *first = llvm::find_if(fields.nests, [&](const FieldNest &nest) {
      return fields.writes(nest, name) || fields.reads(nest, name);
    });
    bool isMade = !isUsedOutside(name) && !fields.reads(*first, name) &&
                  !nests.contains(first->root.getOperation());
    if (isMade)
      anew.insert(name);
    else if (!used.insert(memory[name]))
      return;
  }
  for (Value name : names)
    if (!used.contains(name))
      free.insert(name);
  if (free.size() != anew.size())
    return;
  for (auto [name, place] : llvm::zip_equal(anew, free))
    memory[name] = place;
  // Steps until every name has its own again.
  constexpr int64_t longest = 3;
  llvm::MapVector<Value, Value> at = memory;
  int64_t steps = 1;
  auto isBack = [&] { return llvm::all_of(at, [](auto &one) { return one.first == one.second; }); };
  for (; !isBack() && steps <= longest; ++steps)
    for (auto &[name, place] : at)
      place = memory[place];
  if (steps == 1 || steps > longest)
    return;
  period = steps;
  copies = std::move(nests);
  for (auto &[name, place] : memory)
    next.push_back({name, place});
  // All have room for the same halos.
  Field widest = fields.fields.find(names.front())->second;
  for (Value name : names) {
    const Field &field = fields.fields.find(name)->second;
    if (field.dim != widest.dim) {
      copies.clear();
      next.clear();
      period = 1;
      return;
    }
    widest.before = std::max(widest.before, field.before);
    widest.after = std::max(widest.after, field.after);
    widest.wraps |= field.wraps;
  }
  for (Value name : names) {
    Field &field = fields.fields.find(name)->second;
    field.before = widest.before;
    field.after = widest.after;
    field.wraps = widest.wraps;
  }
}

/// A field that is a copy of another array when the loop begins is fetched from that one; all of
/// its own array is put behind the loop.
void FieldsOnCores::findSources() {
  for (auto &[array, rows] : local) {
    Value mine = array;
    if (!rows.field.isWritten)
      continue;
    auto touches = [](Operation *op, Value value, bool writesOnly) {
      bool found = false;
      forEachAccess(value, [&](Operation *user) {
        found |= op->isAncestor(user) && !(writesOnly && isa<affine::AffineLoadOp>(user));
      });
      return found;
    };
    SmallVector<Operation *> between;
    for (Operation *op = fields.time->getPrevNode(); op; op = op->getPrevNode()) {
      if (!touches(op, mine, false)) {
        between.push_back(op);
        continue;
      }
      FieldNest nest;
      nest.root = dyn_cast<AffineForOp>(op);
      if (nest.root)
        findCopy(nest);
      if (nest.to != mine ||
          llvm::any_of(between, [&](Operation *one) { return touches(one, nest.source, true); }))
        break;
      rows.source = nest.source;
      op->erase();
      break;
    }
  }
}

/// The memory of each field in the next step.
void FieldsOnCores::rotate() {
  DenseMap<Value, Value> before = now;
  for (auto [name, place] : next)
    now[name] = before.lookup(place);
}

/// A step of the loop, behind which names have changed their memory.
void FieldsOnCores::step(OpBuilder &builder, Value number) {
  IRMapping values;
  values.map(fields.time.getInductionVar(), number);
  for (auto &[array, mine] : own)
    values.map(array, mine);
  for (Operation &op : fields.time.getBody()->without_terminator()) {
    auto *nest = llvm::find_if(fields.nests, [&](FieldNest &one) { return one.root == &op; });
    if (fields.probes.contains(&op)) {
      values.map(op.getResult(0), probe(builder, cast<affine::AffineLoadOp>(op)));
      continue;
    }
    if (nest == fields.nests.end()) {
      builder.clone(op, values);
      continue;
    }
    if (copies.contains(&op))
      continue;
    for (Value array : halosBefore[nest - fields.nests.begin()])
      giveHalos(builder, local.find(array)->second);
    if (nest->to)
      copy(builder, *nest);
    else
      place(builder, *nest, values);
  }
  rotate();
}

void FieldsOnCores::move() {
  AffineForOp time = fields.time;
  notes
      .decided(time, "{0}: its fields stay with the cores, {1} rows with each of {2}",
               spokenLoop(time.getInductionVar()), ring.own, ring.cores)
      .because("each of its {0} steps makes rows from rows near by", tripsOf(time))
      .number("cores", ring.cores)
      .number("rows", ring.own);
  findSources();
  OpBuilder builder(time);
  auto cores = cpe::CoresOp::create(builder, where);
  Block &body = cores.getBody().emplaceBlock();
  builder.setInsertionPointToEnd(&body);
  makeArrays(builder);
  load(builder);
  for (auto &[array, rows] : local)
    if (rows.field.before + rows.field.after != 0 && !rows.field.isWritten)
      giveHalos(builder, rows);
  findHalos();
  int64_t trips = tripsOf(time), whole = trips / period, first = time.getConstantLowerBound();
  int64_t by = time.getStepAsInt();
  auto numberAt = [&](OpBuilder &at, AffineExpr expr, ValueRange values) -> Value {
    return affine::AffineApplyOp::create(at, time.getInductionVar().getLoc(),
                                         AffineMap::get(values.size(), 0, expr), values);
  };
  if (whole != 0) {
    auto loop = AffineForOp::create(builder, time.getLoc(), 0, whole);
    loop.getInductionVar().setLoc(time.getInductionVar().getLoc());
    OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
    for (int64_t n = 0; n < period; ++n) {
      AffineExpr turn = inside.getAffineDimExpr(0);
      step(inside, numberAt(inside, (turn * period + n) * by + first, loop.getInductionVar()));
    }
  }
  for (int64_t n = whole * period; n < trips; ++n)
    step(builder, numberAt(builder, builder.getAffineConstantExpr(n * by + first), {}));
  store(builder);
  // What stands behind finds it in main memory.
  cpe::SyncOp::create(builder, where);
  time.erase();
}

/// Single elements that the loop stores into what its nests make: nests of one iteration, for as
/// long as it is not known whether the cores take all of them.
class Points {
public:
  explicit Points(AffineForOp time) {
    SmallVector<affine::AffineStoreOp> stores(time.getBody()->getOps<affine::AffineStoreOp>());
    for (affine::AffineStoreOp store : stores)
      if (isMadeByNests(store.getMemref(), time))
        wrap(store);
  }
  /// As it was.
  void undo() {
    for (AffineForOp loop : loops)
      (void)affine::promoteIfSingleIteration(loop);
  }

private:
  static bool isMadeByNests(Value array, AffineForOp time) {
    return llvm::any_of(array.getUsers(), [&](Operation *user) {
      return isa<affine::AffineStoreOp>(user) && time->isProperAncestor(user) &&
             user->getBlock() != time.getBody();
    });
  }

  /// With all that its value is made of since the last nest.
  void wrap(affine::AffineStoreOp store) {
    llvm::SetVector<Operation *> made;
    Operation *last = store->getPrevNode();
    while (last && last->getNumRegions() == 0 && !isa<affine::AffineStoreOp>(last))
      last = last->getPrevNode();
    SmallVector<Value> open(store->getOperands());
    while (!open.empty()) {
      Operation *op = open.pop_back_val().getDefiningOp();
      if (!op || op->getBlock() != store->getBlock() || (last && !last->isBeforeInBlock(op)) ||
          !made.insert(op))
        continue;
      open.append(op->operand_begin(), op->operand_end());
    }
    OpBuilder builder(store);
    auto loop = AffineForOp::create(builder, store.getLoc(), 0, 1);
    loop->setAttr("weft.independent", builder.getUnitAttr());
    OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
    IRMapping mapping;
    SmallVector<Operation *> inOrder(made.begin(), made.end());
    llvm::sort(inOrder, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    for (Operation *op : inOrder)
      inside.clone(*op, mapping);
    inside.clone(*store, mapping);
    store.erase();
    for (Operation *op : llvm::reverse(inOrder))
      if (isOpTriviallyDead(op))
        op->erase();
    loops.push_back(loop);
  }

  SmallVector<AffineForOp> loops;
};

/// The fields of a loop, by those of their dimensions whose rows take the fewest cycles.
void keepFields(AffineForOp time, Mesh mesh, int64_t capacity, const StartCosts &costs) {
  Points points(time);
  Fields fields(time);
  std::string why;
  AffineForOp best;
  double fewest = 0;
  if (fields.look()) {
    for (AffineForOp rows : fields.rowLoops()) {
      bool isFound = fields.find(rows);
      FieldsOnCores onCores(fields, mesh, capacity, costs);
      if (isFound && onCores.fits()) {
        if (!best || onCores.cycles() < fewest) {
          best = rows;
          fewest = onCores.cycles();
        }
      } else if (why.empty()) {
        why = isFound ? onCores.why().str() : fields.why().str();
      }
    }
  } else {
    why = fields.why().str();
  }
  if (!best) {
    notes.rejected(time, "{0}: its fields stay with the cores", spokenLoop(time.getInductionVar()))
        .because("{0}", why.empty() ? "cores can not share its nests" : why);
    points.undo();
    return;
  }
  fields.find(best);
  FieldsOnCores onCores(fields, mesh, capacity, costs);
  onCores.fits();
  onCores.move();
}

struct KeepFields : public weft::impl::KeepFieldsBase<KeepFields> {
  using KeepFieldsBase::KeepFieldsBase;

  void runOnOperation() override {
    FailureOr<Target> target = Target::of(getOperation());
    if (failed(target))
      return signalPassFailure();
    std::optional<int64_t> rows = target->numberIfAny("mesh_rows");
    if (!rows)
      return;
    FailureOr<int64_t> capacity = ldmCapacity(*target);
    FailureOr<int64_t> cores = target->number("cores");
    FailureOr<VectorUnit> vectors = target->vectors();
    FailureOr<StartCosts> costs = StartCosts::of(*target);
    if (failed(capacity) || failed(cores) || failed(vectors) || failed(costs))
      return signalPassFailure();
    Mesh mesh{*rows, *cores / *rows, vectors->lanes(64)};
    SmallVector<AffineForOp> loops;
    getOperation().walk([&](func::FuncOp func) {
      for (AffineForOp loop : func.getBody().getOps<AffineForOp>())
        if (!loop->hasAttr("weft.independent"))
          loops.push_back(loop);
    });
    for (AffineForOp loop : loops)
      keepFields(loop, mesh, *capacity, *costs);
  }
};

} // namespace
