//===- Cpe.cpp - the cpe dialect ---------------------------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "dialect/Cpe.h"

#include "dialect/Target.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FoldInterfaces.h"

#include "dialect/CpeDialect.cpp.inc"

#define GET_OP_CLASSES
#include "dialect/CpeOps.cpp.inc"

using namespace mlir;

namespace weft::cpe {

namespace {

/// Constants of a core's work stay with it: it is another function in the end.
struct CpeFolds : public DialectFoldInterface {
  using DialectFoldInterface::DialectFoldInterface;
  bool shouldMaterializeInto(Region *region) const final {
    return isa<CoresOp>(region->getParentOp());
  }
};

} // namespace

void CpeDialect::initialize() {
  addInterfaces<CpeFolds>();
  addOperations<
#define GET_OP_LIST
#include "dialect/CpeOps.cpp.inc"
      >();
}

bool isInLdm(Value memref) {
  Operation *op = memref.getDefiningOp();
  while (op && isa<memref::ReinterpretCastOp, memref::CastOp, memref::CollapseShapeOp,
                   memref::ExpandShapeOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return op && isa<memref::AllocaOp, SpreadOp>(op) && op->getParentOfType<CoresOp>();
}

SpreadOp spreadArray(Value memref) { return memref.getDefiningOp<SpreadOp>(); }

/// Whether every core comes by at an op.
static bool allComeBy(Operation *op) {
  for (Operation *around = op->getParentOp(); around; around = around->getParentOp()) {
    if (isa<CoresOp>(around))
      return true;
    if (!isa<affine::AffineForOp>(around) || around->hasAttr("weft.parallel"))
      return false;
  }
  return false;
}

bool allComeByAlike(Operation *op, int64_t cores) {
  auto isShared = [](Operation *around) { return around->hasAttr("weft.parallel"); };
  Operation *around = op->getParentOp();
  while (isa_and_present<affine::AffineForOp>(around) && !isShared(around))
    around = around->getParentOp();
  if (!around || !isShared(around))
    return allComeBy(op);
  // Loops right in one another are shared out as one.
  int64_t tasks = 1;
  for (Operation *within = nullptr; around && isShared(around);
       within = around, around = around->getParentOp()) {
    auto loop = dyn_cast<affine::AffineForOp>(around);
    if (!loop || !loop.hasConstantBounds() ||
        (within && !llvm::hasSingleElement(loop.getBody()->without_terminator())))
      return false;
    tasks *= llvm::divideCeilSigned(loop.getConstantUpperBound() - loop.getConstantLowerBound(),
                                    loop.getStepAsInt());
  }
  return around && tasks > 0 && tasks % cores == 0 && (isa<CoresOp>(around) || allComeBy(around));
}

LogicalResult CoresOp::verify() {
  if ((*this)->getParentOfType<CoresOp>()) // K101
    return emitOpError("stands in another one: expected it on the management core");
  return success();
}

/// Blocks one behind the other.
template <typename Transfer> static SmallVector<int64_t> packed(Transfer op) {
  SmallVector<int64_t> pitches;
  int64_t pitch = op.elements();
  for (int64_t count : op.getCounts())
    pitches.push_back(pitch /= count);
  return pitches;
}

template <typename Transfer> static SmallVector<int64_t> pitchesOf(Transfer op) {
  return op.getPitches() ? SmallVector<int64_t>(*op.getPitches()) : packed(op);
}

SmallVector<int64_t> DmaGetOp::pitchesInLdm() { return pitchesOf(*this); }
SmallVector<int64_t> DmaPutOp::pitchesInLdm() { return pitchesOf(*this); }

template <typename Transfer> static int64_t reachOf(Transfer op) {
  int64_t reach = op.getBlock();
  for (auto [count, pitch] : llvm::zip_equal(op.getCounts(), op.pitchesInLdm()))
    reach += (count - 1) * pitch;
  return reach;
}

int64_t DmaGetOp::reachInLdm() { return reachOf(*this); }
int64_t DmaPutOp::reachInLdm() { return reachOf(*this); }

Value DmaGetOp::startInLdm() { return getTo(); }
Value DmaPutOp::startInLdm() { return getFrom(); }

template <typename Transfer> static LogicalResult verifyTransfer(Transfer op) {
  auto main = cast<MemRefType>(op.getMain().getType());
  auto ldm = cast<MemRefType>(op.getLdm().getType());
  if (main.getElementType() != ldm.getElementType()) // K201
    return op.emitOpError("moves ") << main.getElementType() << " of main memory and "
                                    << ldm.getElementType() << " of the LDM: expected one type";
  auto positive = [](int64_t number) { return number > 0; };
  if (op.getCounts().size() != op.getStrides().size() || op.getBlock() < 1 ||
      !llvm::all_of(op.getCounts(), positive) || !llvm::all_of(op.getStrides(), positive)) // K202
    return op.emitOpError("expected a positive block, and positive counts and strides in pairs");
  SpreadOp spread = spreadArray(op.getLdm());
  int64_t room = spread ? spread.elements() : ldm.hasStaticShape() ? ldm.getNumElements() : -1;
  constexpr bool isGet = std::is_same_v<Transfer, DmaGetOp>;
  if (auto pitches = op.getPitches())
    if (!op.startInLdm() || pitches->size() != op.getCounts().size() ||
        !llvm::all_of(*pitches, positive)) // K206
      return op.emitOpError("expected positive pitches, as many as counts, with the element of the "
                            "LDM that the first block ")
             << (isGet ? "comes to" : "begins with");
  if (op.startInLdm()) {
    int64_t reach = op.reachInLdm();
    if (room < reach) // K203
      return op.emitOpError(isGet ? "moves to " : "moves ")
             << reach << " elements: expected an LDM array of at least as many, found " << ldm;
    room = op.elements();
  }
  if (room != op.elements()) // K203
    return op.emitOpError("moves ")
           << op.elements() << " elements: expected an LDM array of as many, found " << ldm;
  if (!isInLdm(op.getLdm()) || isInLdm(op.getMain())) // K204
    return op.emitOpError("expected one array in main memory and one made in `cpe.cores`");
  if (op.getCore().size() != (spread ? 2 : 0)) // K205
    return op.emitOpError(
        "expected a row and a column of an array of `cpe.spread`, and of no other");
  return success();
}

LogicalResult DmaGetOp::verify() {
  if (failed(verifyTransfer(*this)))
    return failure();
  if (getForAll() && (getInParts() || !getCore().empty() || getTo() || !allComeBy(*this))) // K208
    return emitOpError(
        "comes for all: expected it whole, where all cores come by, to a whole array "
        "that is not spread");
  if (!getInParts())
    return success();
  int64_t parts = getCounts().empty() ? 1 : getCounts().front();
  if (parts < 2 || parts > mostParts || !getCore().empty() || getTo()) // K207
    return emitOpError("comes in parts: expected 2 to ")
           << mostParts << " blocks of a direction, to a whole array that is not spread, found "
           << parts;
  return success();
}
LogicalResult DmaPutOp::verify() { return verifyTransfer(*this); }

LogicalResult DmaWaitOp::verify() {
  if (!(*this)->getParentOfType<CoresOp>()) // K401
    return emitOpError("expected it in `cpe.cores`");
  return success();
}

LogicalResult SyncOp::verify() {
  if (allComeBy(*this))
    return success();
  auto module = (*this)->getParentOfType<ModuleOp>();
  std::optional<int64_t> cores;
  if (module && Target::isGiven(module))
    cores = Target::of(module)->numberIfAny("cores");
  if (!cores || !allComeByAlike(*this, *cores)) // K501
    return emitOpError("expected it in `cpe.cores`, where all cores come by equally often");
  return success();
}

LogicalResult SpreadOp::verify() {
  if (!(*this)->getParentOfType<CoresOp>()) // K601
    return emitOpError("expected it in `cpe.cores`");
  MemRefType type = getType();
  if (!type.hasStaticShape() || type.getRank() < 3 || type.getRank() > 4) // K602
    return emitOpError("expected rows, columns and a dimension or two of each core, found ")
           << type;
  return success();
}

LogicalResult ExchangeOp::verify() {
  SpreadOp from = spreadArray(getFrom()), to = spreadArray(getTo());
  if (!from || !to || from.getType().getElementType() != to.getType().getElementType()) // K701
    return emitOpError("expected two arrays of `cpe.spread` with one element type");
  auto positive = [](int64_t number) { return number > 0; };
  size_t directions = getCounts().size();
  if (getFromStrides().size() != directions || getToStrides().size() != directions ||
      getBlock() < 1 || getFromStep() < 1 || getToStep() < 1 ||
      !llvm::all_of(getCounts(), positive) || !llvm::all_of(getFromStrides(), positive) ||
      !llvm::all_of(getToStrides(), positive)) // K702
    return emitOpError("expected a positive block and positive steps, and positive counts and "
                       "strides in pairs");
  if (!allComeBy(*this)) // K703
    return emitOpError("expected it in `cpe.cores`, where all cores come by");
  auto reach = [&](SpreadOp array, int64_t step, ArrayRef<int64_t> strides) {
    int64_t places = array.getType().getDimSize(getAlongRows() ? 1 : 0);
    int64_t last = (places - 1) * step + static_cast<int64_t>(getBlock()) - 1;
    for (auto [count, stride] : llvm::zip_equal(getCounts(), strides))
      last += (count - 1) * stride;
    return last;
  };
  auto verifyReach = [&](StringRef which, SpreadOp array, int64_t last) -> LogicalResult {
    if (last < array.elements())
      return success();
    return emitOpError("reaches element ")
           << last << " of `" << which << "`, of which a core has " << array.elements(); // K704
  };
  if (failed(verifyReach("from", from, reach(from, getFromStep(), getFromStrides()))))
    return failure();
  return verifyReach("to", to, reach(to, getToStep(), getToStrides()));
}

int64_t BroadcastOp::sent() { return getElements().value_or(spreadArray(getFrom()).elements()); }

LogicalResult BroadcastOp::verify() {
  SpreadOp from = spreadArray(getFrom()), to = spreadArray(getTo());
  if (!from || !to || from.getType().getElementType() != to.getType().getElementType()) // K801
    return emitOpError("expected two arrays of `cpe.spread` with one element type");
  int64_t count = sent(); // K802
  for (auto [array, part] : {std::pair(from, getFromPart()), {to, getToPart()}})
    if (count <= 0 || (part ? array.elements() % count : array.elements() - count) != 0)
      return emitOpError("sends ")
             << count << " elements of a core, found an array of " << array.elements()
             << ": expected as many" << (part ? ", or some times as many" : "");
  if (!allComeBy(*this)) // K803
    return emitOpError("expected it in `cpe.cores`, where all cores come by");
  return success();
}

LogicalResult HaloOp::verify() {
  SpreadOp spread = spreadArray(getArray());
  auto rows = static_cast<int64_t>(getRows()), own = static_cast<int64_t>(getOwn());
  auto cores = static_cast<int64_t>(getCores()), columns = static_cast<int64_t>(getColumns());
  auto before = static_cast<int64_t>(getBefore()), after = static_cast<int64_t>(getAfter());
  auto block = static_cast<int64_t>(getBlock());
  int64_t meshRows = spread ? spread.getType().getDimSize(0) : 0;
  int64_t meshColumns = spread ? spread.getType().getDimSize(1) : 0;
  if (!spread || columns < 1 || columns > meshColumns || cores < 2 ||
      cores > meshRows * columns) // K901
    return emitOpError("expected an array of `cpe.spread`, and a line of 2 to ")
           << meshRows * std::clamp<int64_t>(columns, 1, std::max<int64_t>(1, meshColumns))
           << " cores on it";
  int64_t apart = (rows - own) / (cores - 1), reach = std::max(before, after);
  if (before < 0 || after < 0 || reach < 1 || own < reach || apart < std::max<int64_t>(1, reach) ||
      apart + (((rows - own) % (cores - 1)) != 0) > own) // K902
    return emitOpError("gives a neighbour ")
           << reach << " of " << own << " rows, the next ones beginning " << apart
           << " on: expected one row at least, not more than lie from one core to the next, and "
              "none between two cores";
  auto positive = [](int64_t number) { return number > 0; };
  if (getCounts().size() != getStrides().size() || block < 1 ||
      !llvm::all_of(getCounts(), positive) || !llvm::all_of(getStrides(), positive)) // K903
    return emitOpError("expected a positive block, and positive counts and strides in pairs");
  int64_t reached = (before + own + after) * block;
  for (auto [count, stride] : llvm::zip_equal(getCounts(), getStrides()))
    reached += (count - 1) * stride;
  if (reached > spread.elements()) // K903
    return emitOpError("reaches element ")
           << reached - 1 << " of an array of which a core has " << spread.elements();
  constexpr int64_t messageBits = 256;
  int64_t bits = std::max<int64_t>(8, spread.getType().getElementTypeBitWidth());
  if (block * bits % messageBits != 0) // K904
    return emitOpError("expected rows of whole messages of 32 bytes, found ")
           << block << " elements of " << spread.getType().getElementType();
  bool closes = cores <= columns || (cores % columns == 0 && cores / columns % 2 == 0);
  if (getWraps() && !closes) // K905
    return emitOpError("wraps around a line of ")
           << cores << " cores on " << columns
           << " columns, whose last one is not beside the first one";
  if (!allComeBy(*this)) // K906
    return emitOpError("expected it in `cpe.cores`, where all cores come by");
  return success();
}

LogicalResult CollectOp::verify() {
  SpreadOp spread = spreadArray(getPart());
  auto all = cast<MemRefType>(getAll().getType());
  if (!spread || spreadArray(getAll()) || !isInLdm(getAll()) || !all.hasStaticShape() ||
      spread.getType().getElementType() != all.getElementType()) // K1001
    return emitOpError("expected an array of `cpe.spread` and an array of each core with one "
                       "element type");
  auto cores = static_cast<int64_t>(getCores()), columns = static_cast<int64_t>(getColumns());
  int64_t meshRows = spread.getType().getDimSize(0), meshColumns = spread.getType().getDimSize(1);
  if (cores < 1 || columns < 1 || columns > meshColumns || cores > meshRows * columns) // K1002
    return emitOpError("expected a line of 1 to ")
           << meshRows * std::clamp<int64_t>(columns, 1, meshColumns) << " cores on 1 to "
           << meshColumns << " columns, found " << cores << " on " << columns;
  auto first = static_cast<int64_t>(getFirst()), elements = static_cast<int64_t>(getElements());
  if (first < 0 || elements < 1 || first + elements > spread.elements()) // K1003
    return emitOpError("gives ") << elements << " elements from " << first
                                 << " on, where a core has " << spread.elements();
  if (lines() * columns * elements > all.getNumElements()) // K1003
    return emitOpError("gives each core ")
           << lines() * columns * elements << " elements, where there is room for "
           << all.getNumElements();
  constexpr int64_t messageBits = 256;
  int64_t bits = std::max<int64_t>(8, all.getElementTypeBitWidth());
  if (elements * bits % messageBits != 0 || first * bits % messageBits != 0) // K1004
    return emitOpError("expected whole messages of 32 bytes, found ")
           << elements << " elements from " << first << " on of " << all.getElementType();
  if (!allComeBy(*this)) // K1005
    return emitOpError("expected it in `cpe.cores`, where all cores come by");
  return success();
}

} // namespace weft::cpe
