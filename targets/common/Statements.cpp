//===- Statements.cpp - loops, variables, buffers -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "targets/common/FunctionEmitter.h"
#include "targets/common/GroupCalls.h"

#include "passes/mesh/CoreLoops.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/StringExtras.h"

#include <numeric>

using namespace mlir;

namespace weft {

constexpr size_t widest = 100;       ///< of a line
constexpr size_t longestNested = 72; ///< a longer expression gets a variable

void FunctionEmitter::line(const Twine &text) {
  std::string string = text.str();
  StringRef rest = string;
  size_t indent = rest.starts_with("#") ? 0 : 2 * depth;
  // Too long: broken after a comma.
  while (indent + rest.size() > widest) {
    size_t comma = rest.take_front(widest - indent).rfind(", ");
    if (comma == StringRef::npos || rest.starts_with("#"))
      break;
    body.append(indent, ' ').append(rest.take_front(comma + 1)).append("\n");
    rest = rest.drop_front(comma + 2);
    indent = 2 * depth + 4;
  }
  body.append(indent, ' ').append(rest).append("\n");
}

void FunctionEmitter::place(Location loc) {
  std::string here = placeIn(loc);
  // By line: the columns within one change with nearly every operation.
  StringRef lineOfHere = StringRef(here).rsplit(':').first;
  if (here.empty() || lineOfHere == lastPlace)
    return;
  lastPlace = lineOfHere.str();
  line("/* " + here + " */");
}

LogicalResult FunctionEmitter::refuse(Operation *op, const Twine &why) {
  return op->emitError("no C form for `")
         << op->getName() << "` on target '" << file.targetName << "': " << why;
}

StringRef FunctionEmitter::cType(Type type) {
  return isa<VectorType>(type) ? file.intrinsics.cType(type) : scalarType(type);
}

LogicalResult FunctionEmitter::define(Operation *op, Expr value) {
  Value result = op->getResult(0);
  if (nesting.isNested(result) && value.text.size() <= longestNested) {
    values[result] = std::move(value);
    return success();
  }
  StringRef type = cType(result.getType());
  if (type.empty())
    return refuse(op, Twine("it has no type for ") + typeKey(result.getType()));
  StringRef wanted = nameIn(op->getLoc());
  bool isVector = isa<VectorType>(result.getType());
  std::string name = wanted.empty() ? names.numbered(isVector ? "v" : "t") : names.unique(wanted);
  place(op->getLoc());
  line("const " + type + " " + name + " = " + value.text + ";");
  values[result] = {name, Binding::Primary};
  return success();
}

LogicalResult FunctionEmitter::emitBlock(Block &block) {
  if (!team.empty() && !inParallel)
    return emitInTurn(block);
  for (Operation &op : block)
    if (failed(emitOp(&op)))
      return failure();
  return success();
}

LogicalResult FunctionEmitter::emitOp(Operation *op) {
  if (nesting.isSilent(op) || emitted.contains(op))
    return success();
  if (auto cores = dyn_cast<cpe::CoresOp>(op))
    return emitCores(cores);
  if (isa<cpe::CpeDialect>(op->getDialect()))
    return emitCoreOp(op);
  if (auto loop = dyn_cast<ForOp>(op); loop && inCores)
    return loop->hasAttr("weft.parallel") && !inParallel ? emitShared(loop) : emitOwn(loop);
  if (auto loop = dyn_cast<ForOp>(op))
    return loop->hasAttr("weft.parallel") && !inParallel && team.empty() ? emitParallel(loop)
                                                                         : emitFor(loop);
  if (auto condition = dyn_cast<affine::AffineIfOp>(op))
    return emitIf(condition);
  if (isa<affine::AffineYieldOp>(op) && isa<affine::AffineIfOp>(op->getParentOp()))
    return success();
  if (isa<affine::AffineYieldOp>(op))
    return emitYield(cast<ForOp>(op->getParentOp()));
  if (isa<affine::AffineStoreOp, memref::StoreOp>(op))
    return emitStore(op);
  if (inHalves.contains(op)) { // read where its halves are put together
    askAhead(op);
    return success();
  }
  if (isa<affine::AffineVectorStoreOp, vector::StoreOp>(op))
    return emitVectorStore(op);
  if (auto store = dyn_cast<vector::MaskedStoreOp>(op))
    return emitMaskedStore(store);
  if (isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp, memref::ReinterpretCastOp,
          memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp>(op))
    return emitBuffer(op);
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return emitCopy(copy);
  if (isa<func::ReturnOp, memref::DeallocOp, affine::AffineApplyOp>(op))
    return success(); // applied maps become part of index expressions
  if (auto fail = dyn_cast<FailIfOp>(op))
    return emitFailure(fail);
  if (auto exchange = dyn_cast<ExchangeOp>(op)) {
    if (inParallel || inCores || !team.empty() || !isOverGroups(func))
      return refuse(op, "groups meet in a function marked weft.groups, outside of parallel loops");
    Value from = exchange.getFrom(), to = exchange.getTo();
    int64_t sent = bytesOf(cast<MemRefType>(from.getType()));
    int64_t taken = bytesOf(cast<MemRefType>(to.getType()));
    bool parts = exchange.getKind().starts_with("alltoall");
    int64_t block =
        parts ? sent / static_cast<int64_t>(exchange.getGroups()) : std::min(sent, taken);
    place(op->getLoc());
    line("if (weft_" + exchange.getKind() + "(" + groupsName + ", " + bufferNames.lookup(from) +
         ", " + bufferNames.lookup(to) + ", " + Twine(block) + "))");
    ++depth;
    line("return -1;");
    --depth;
    // What was begun was counted then.
    if (exchange.getKind() != "alltoall_end") {
      countBytes(from, false, exchange.getKind() == "own" ? block : sent);
      countBytes(to, true, taken);
    }
    return success();
  }
  auto constant = dyn_cast<arith::ConstantOp>(op);
  if (constant && constant.getType().isIntOrIndexOrFloat()) {
    values[constant] = literal(constant.getType(), constant.getValue());
    return success();
  }

  if (op->getNumResults() != 1 || op->getNumRegions() != 0)
    return refuse(op, "run check-emittable to see which pass should have removed it");
  bool onVectors = isa<vector::VectorDialect>(op->getDialect()) ||
                   llvm::any_of(op->getOperandTypes(), llvm::IsaPred<VectorType>) ||
                   isa<VectorType>(op->getResult(0).getType());
  FailureOr<Expr> value = onVectors ? vector(op) : scalar(op);
  return failed(value) ? failure() : define(op, *value);
}

LogicalResult FunctionEmitter::emitFailure(FailIfOp fail) {
  if (inParallel || !team.empty())
    return refuse(fail, "a thread alone cannot end the kernel");
  place(fail.getLoc());
  line("if (" + get(fail.getCondition()).text + ")");
  ++depth;
  line("return " + Twine(fail.getCode()) + ";");
  --depth;
  return success();
}

LogicalResult FunctionEmitter::openCarried(ForOp loop, bool fromZero) {
  // What the loop carries lives in variables of the scope around it.
  auto carries = loop->getAttrOfType<ArrayAttr>("weft.carries");
  SmallVector<Combining> how = combiningOf(loop);
  for (auto [number, result, carried, start] :
       llvm::enumerate(loop.getResults(), loop.getRegionIterArgs(), loop.getInits())) {
    StringRef type = cType(result.getType());
    if (type.empty())
      return refuse(loop, Twine("it has no type for ") + typeKey(result.getType()));
    // Not by its location, which a dump does not hold.
    StringRef wanted;
    if (carries && number < carries.size())
      wanted = cast<StringAttr>(carries[number]).getValue();
    if (wanted.empty())
      wanted = nameIn(loop.getLoc());
    std::string name = wanted.empty() ? names.numbered("s") : names.unique(wanted);
    place(loop.getLoc());
    bool isZero = fromZero && how[number] == Combining::Sum;
    line(type + " " + name + " = " + (isZero ? std::string("0.0") : get(start).text) + ";");
    // One by one: the second may move what the first refers to.
    values[result] = {name, Binding::Primary};
    values[carried] = {name, Binding::Primary};
  }
  return success();
}

LogicalResult FunctionEmitter::emitFor(ForOp loop) {
  return emitLoop(loop, {}, [&] { return emitBlock(*loop.getBody()); });
}

LogicalResult FunctionEmitter::emitLoop(ForOp loop, StringRef sharedBy,
                                        llvm::function_ref<LogicalResult()> emitBody) {
  if (!loop.hasConstantBounds())
    return refuse(loop, "expected constant bounds");
  int64_t lower = loop.getConstantLowerBound(), upper = loop.getConstantUpperBound();
  int64_t step = loop.getStepAsInt();
  int64_t trips = std::max<int64_t>(0, llvm::divideCeilSigned(upper - lower, step));

  if (failed(openCarried(loop, false)))
    return failure();
  names.open();
  Value variable = loop.getInductionVar();
  StringRef wanted = nameIn(variable.getLoc());
  if (wanted.empty()) {
    static const char *const usual[] = {"i", "j", "k", "l", "m", "n"};
    wanted = usual[std::min<size_t>(depth - 1, std::size(usual) - 1)];
  }
  std::string name = names.unique(wanted);
  values[variable] = {name, Binding::Primary};
  ranges[variable] = {lower, std::max(lower, lower + (trips - 1) * step), std::gcd(lower, step)};
  std::string next = step == 1 ? "++" + name : name + " += " + std::to_string(step);
  place(loop.getLoc());
  auto bound = [&](int64_t whole, const char *part) {
    if (sharedBy.empty())
      return std::to_string(whole);
    std::string trip = (part + ("(" + sharedBy + ", ") + Twine(trips) + ")").str();
    return IndexForm::atom({trip, Binding::Primary}, {0, trips})
        .times(step)
        .plus(IndexForm(lower))
        .text()
        .text;
  };
  line("for (ptrdiff_t " + name + " = " + bound(lower, "weft_from") + "; " + name + " < " +
       bound(upper, "weft_to") + "; " + next + ") {");
  ++depth;
  int64_t before = counts.setTimes(counts.timesNow() * trips);
  Reads around = std::exchange(reads, Reads());
  askForRows(loop);
  LogicalResult result = emitBody();
  auto isNumber = [](Type type) { return isa<FloatType>(type); };
  if (reads.outOfOrder && llvm::any_of(loop.getResultTypes(), isNumber))
    line("weft_in_turn();");
  reads = std::move(around);
  counts.setTimes(before);
  --depth;
  names.close();
  line("}");
  return result;
}

/// What is done where indices have certain values; nothing comes out of it.
LogicalResult FunctionEmitter::emitIf(affine::AffineIfOp op) {
  if (op.getNumResults() != 0 || op.hasElse())
    return refuse(op, "expected no results, and nothing to do where it does not hold");
  IntegerSet set = op.getIntegerSet();
  auto operands = llvm::map_to_vector(op.getOperands(), [&](Value v) { return form(v); });
  ArrayRef<IndexForm> all = operands;
  std::string text;
  for (auto [n, constraint] : llvm::enumerate(set.getConstraints())) {
    IndexForm index = IndexForm::of(constraint, all.take_front(set.getNumDims()),
                                    all.drop_front(set.getNumDims()));
    text += (n ? " && " : "") + index.text().text + (set.isEq(n) ? " == 0" : " >= 0");
  }
  place(op.getLoc());
  line("if (" + text + ") {");
  ++depth;
  names.open();
  LogicalResult result = emitBlock(*op.getThenBlock());
  names.close();
  --depth;
  line("}");
  return result;
}

/// Whether the text written for `value` mentions `wanted`.
static bool mentions(const Expr &expr, StringRef wanted) {
  StringRef text = expr.text;
  for (size_t at = text.find(wanted); at != StringRef::npos; at = text.find(wanted, at + 1)) {
    auto inWord = [&](size_t n) {
      return n < text.size() && (llvm::isAlnum(text[n]) || text[n] == '_');
    };
    if ((at == 0 || !inWord(at - 1)) && !inWord(at + wanted.size()))
      return true;
  }
  return false;
}

LogicalResult FunctionEmitter::emitYield(ForOp loop) {
  SmallVector<Expr> nexts;
  SmallVector<std::string> carried;
  for (auto [argument, next] :
       llvm::zip(loop.getRegionIterArgs(),
                 cast<affine::AffineYieldOp>(loop.getBody()->getTerminator()).getOperands())) {
    carried.push_back(values.lookup(argument).text);
    nexts.push_back(get(next));
  }
  // All change at once: one that is read after it has changed needs its new value aside.
  for (size_t n = 1; n < nexts.size(); ++n)
    for (size_t earlier = 0; earlier < n; ++earlier)
      if (mentions(nexts[n], carried[earlier])) {
        std::string name = names.numbered("t");
        line("const " + cType(loop.getResult(n).getType()) + " " + name + " = " + nexts[n].text +
             ";");
        nexts[n] = {name, Binding::Primary};
        break;
      }
  for (auto [name, next] : llvm::zip(carried, nexts))
    if (name != next.text)
      line(name + " = " + next.text + ";");
  return success();
}

LogicalResult FunctionEmitter::emitBuffer(Operation *op) {
  auto type = dyn_cast<MemRefType>(op->getResult(0).getType());
  StringRef element = type ? scalarType(type.getElementType()) : "";
  if (element.empty() || !type.hasStaticShape() || !type.getLayout().isIdentity())
    return refuse(op, Twine("expected a contiguous buffer of static shape, found ") +
                          typeKey(op->getResult(0).getType()));
  std::string &name = bufferNames[op->getResult(0)];
  if (auto global = dyn_cast<memref::GetGlobalOp>(op)) {
    auto found = file.tables.find(global.getName());
    if (found == file.tables.end())
      return refuse(op, "no constant of this name in the module");
    name = found->second;
    return success();
  }
  if (!isa<memref::AllocOp, memref::AllocaOp, cpe::SpreadOp>(op)) {
    auto cast = dyn_cast<memref::ReinterpretCastOp>(op);
    if (cast && (cast.isDynamicOffset(0) || cast.getStaticOffset(0) != 0))
      return refuse(op, "expected the same bytes under another shape");
    name = bufferNames.lookup(op->getOperand(0));
    return success();
  }

  StringRef wanted = nameIn(op->getLoc());
  name = wanted.empty() ? names.numbered("buffer") : names.unique(wanted);
  const MemoryPlan::Place &at = memory.placeOf(op);
  if (at.kind == MemoryPlan::Kind::Stack) {
    line(alignedAs(op) + element + " " + name + "[" + Twine(type.getNumElements()) + "];");
    return success();
  }
  std::string offset = std::to_string(at.offset);
  if (at.kind == MemoryPlan::Kind::Ldm) {
    line(element + " *const " + name + " = (" + element + " *)(weft_arrays + " + offset + ");");
    return success();
  }
  bool ofTeam = at.kind == MemoryPlan::Kind::Thread && !team.empty() && !inParallel;
  if (at.kind == MemoryPlan::Kind::Thread)
    offset = (ofTeam ? team + ".slot" : std::string("weft_thread()")) + " * " +
             std::to_string(memory.threadBytes()) + " + " +
             std::to_string(memory.sharedBytes() + at.offset);
  // Only where nobody else uses the bytes may the C compiler be told so.
  std::string qualifier = at.alone && !ofTeam ? "*const restrict " : "*const ";
  std::string start = offset == "0" ? "scratch" : "((char *)scratch + " + offset + ")";
  line(element + " " + qualifier + name + " = (" + element + " *)" + start + ";");
  return success();
}

LogicalResult FunctionEmitter::emitCopy(memref::CopyOp copy) {
  auto type = cast<MemRefType>(copy.getSource().getType());
  int64_t elements = type.getNumElements(), bytes = elementBytes(type.getElementType());
  names.open();
  std::string i = names.unique("i");
  place(copy.getLoc());
  line("for (ptrdiff_t " + i + " = 0; " + i + " < " + Twine(elements) + "; ++" + i + ")");
  ++depth;
  line(bufferNames.lookup(copy.getTarget()) + "[" + i +
       "] = " + bufferNames.lookup(copy.getSource()) + "[" + i + "];");
  --depth;
  names.close();
  int64_t before = counts.setTimes(counts.timesNow() * elements);
  counts.add("load");
  counts.add("store");
  countBytes(copy.getSource(), false, bytes);
  countBytes(copy.getTarget(), true, bytes);
  counts.setTimes(before);
  return success();
}

} // namespace weft
