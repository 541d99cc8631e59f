//===- Cores.cpp - what the compute cores of a core group do -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A `cpe.cores` becomes a function of a second C file, which every core runs, and in the
// first one its start. What it uses of the kernel (arrays in main memory, numbers) comes
// in a struct.
//
//===-----------------------------------------------------------------------===//

#include "targets/common/FunctionEmitter.h"

#include "passes/mesh/Ring.h"
#include "passes/transfers/LdmPlan.h"

#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <numeric>

using namespace mlir;

namespace weft {

/// Values of the management core that a body uses; those that an index is made of in place
/// of the index.
/// Constants are made anew.
static SetVector<Value> capturedBy(cpe::CoresOp cores, SmallVectorImpl<Operation *> &constants) {
  SetVector<Value> direct, all;
  getUsedValuesDefinedAbove(cores.getBody(), direct);
  SmallVector<Value> open(direct.begin(), direct.end());
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (auto apply = value.getDefiningOp<affine::AffineApplyOp>())
      open.append(apply.getOperands().begin(), apply.getOperands().end());
    else if (isa_and_nonnull<arith::ConstantOp>(value.getDefiningOp()))
      constants.push_back(value.getDefiningOp());
    else if (!isa_and_nonnull<memref::GetGlobalOp>(value.getDefiningOp()))
      all.insert(value);
  }
  return all;
}

LogicalResult FunctionEmitter::emitCores(cpe::CoresOp cores) {
  if (file.cores == 0)
    return refuse(cores, "it has no compute cores");
  int64_t need = memory.ldmBytes(cores), room = file.ldmBytes;
  if (need > room)
    return refuse(cores, "its arrays take " + Twine(need) + " bytes of a core's memory, " +
                             Twine(need - room) + " more than there are");
  file.ldmUsed = std::max(file.ldmUsed, need);

  std::string function = file.names.unique((cName + "_cores").c_str());
  std::string fields, inside;
  SmallVector<std::string> given;
  llvm::StringSet<> known;
  names.open();
  std::string hostBody = std::exchange(body, ""), hostHoisted = std::exchange(hoisted, "");
  llvm::StringMap<std::string> hostVectors = std::exchange(indexVectors, {});
  llvm::DenseMap<Value, Expr> hostValues = values;
  unsigned hostDepth = std::exchange(depth, 1);
  std::string hostPlace = std::exchange(lastPlace, "");
  nests = 0;
  std::string argument = names.unique("given");
  SmallVector<Operation *> constants;
  for (Value value : capturedBy(cores, constants)) {
    bool isBuffer = isa<MemRefType>(value.getType());
    StringRef type = isBuffer ? scalarType(cast<MemRefType>(value.getType()).getElementType())
                     : value.getType().isIndex() ? StringRef("ptrdiff_t")
                                                 : cType(value.getType());
    if (type.empty())
      return refuse(cores, Twine("it has no type for ") + typeKey(value.getType()));
    std::string name = isBuffer ? bufferNames.lookup(value) : get(value).text;
    std::string own = name;
    if (!isBuffer) {
      own = names.numbered("n");
      values[value] = {own, Binding::Primary};
    }
    if (!known.insert(own).second)
      continue;
    StringRef star = isBuffer ? " *" : " ";
    fields += ("  " + type + star + own + ";\n").str();
    inside += ("  " + type + star + "const " + own + " = " + argument + "->" + own + ";\n").str();
    given.push_back(isBuffer ? "(" + type.str() + " *)" + name : name);
  }

  core = names.unique("core");
  inCores = true;
  LogicalResult result = success();
  for (Operation *constant : constants)
    if (isa<VectorType>(constant->getResult(0).getType()) && failed(emitOp(constant)))
      result = failure();
  if (succeeded(result))
    result = emitBlock(cores.getBody().front());
  inCores = false;
  std::string where = placeIn(cores.getLoc());
  file.structs +=
      "\nstruct " + function + " {\n" + (fields.empty() ? "  int none;\n" : fields) + "};\n";
  file.coreBodies +=
      "\n/* " + func.getSymName().str() + (where.empty() ? "" : ", " + where) +
      ": what each core does. */\n" + (cores->hasAttr("weft.ordered") ? "WEFT_ORDERED\n" : "") +
      "void " + function + "(struct " + function + " *" + argument + ") {\n  const int " + core +
      " = athread_get_id(-1);\n" + "  weft_begin();\n" +
      (fields.empty() ? "  (void)" + argument + ";\n" : inside) + hoisted + body + "}\n";
  file.spawned += "extern void SLAVE_FUN(" + function + ")(struct " + function + " *);\n";
  body = std::move(hostBody);
  hoisted = std::move(hostHoisted);
  indexVectors = std::move(hostVectors);
  values = std::move(hostValues);
  depth = hostDepth;
  lastPlace = hostPlace;
  names.close();
  if (failed(result))
    return failure();

  names.open();
  std::string arguments = names.unique("given");
  line("{");
  ++depth;
  place(cores.getLoc());
  line("struct " + function + " " + arguments + " = {" +
       (given.empty() ? std::string("0") : llvm::join(given, ", ")) + "};");
  line("athread_spawn(" + function + ", &" + arguments + ");");
  line("athread_join();");
  --depth;
  line("}");
  names.close();
  return success();
}

/// What a report of a run tells apart has a number, up to the next one: a loop over all cores with
/// the transfers before it, messages between them. The comment is read by dsl/weft/nests.py.
void FunctionEmitter::beginNest(Operation *op, StringRef kind) {
  if (inNest)
    return place(op->getLoc());
  // All that is got before the first loop belongs to it.
  bool continues = isComing && (isa<ForOp>(op) || (nests == 1 && kind == "transfers"));
  isComing = kind == "transfers";
  if (continues)
    return place(op->getLoc());
  std::string here = placeIn(op->getLoc());
  lastPlace = StringRef(here).rsplit(':').first.str();
  line("/* " + (here.empty() ? "" : here + ", ") + "nest " + Twine(++nests) +
       (kind.empty() || isComing ? "" : ": " + kind) + " */");
}

/// A loop of every core: around nests, or one.
LogicalResult FunctionEmitter::emitOwn(ForOp loop) {
  bool isAround = false;
  loop.walk([&](Operation *op) {
    isAround |= op->hasAttr("weft.parallel") ||
                isa<cpe::ExchangeOp, cpe::BroadcastOp, cpe::HaloOp, cpe::CollectOp>(op);
  });
  if (inNest || isAround) {
    isComing = false;
    return emitFor(loop);
  }
  beginNest(loop);
  inNest = true;
  LogicalResult result = emitFor(loop);
  inNest = false;
  return result;
}

LogicalResult FunctionEmitter::emitShared(ForOp loop) {
  if (auto columns = loop->getAttrOfType<IntegerAttr>(ringMark))
    return emitInLine(loop, columns.getInt());
  SmallVector<ForOp> loops{loop};
  while (llvm::hasSingleElement(loops.back().getBody()->without_terminator())) {
    auto inner = dyn_cast<ForOp>(loops.back().getBody()->front());
    if (!inner || !inner->hasAttr("weft.parallel"))
      break;
    loops.push_back(inner);
  }
  int64_t all = 1;
  for (ForOp one : loops) {
    bool sums = one->hasAttr("weft.sums") && loops.size() == 1;
    if (!one.hasConstantBounds() || (one.getNumIterOperands() != 0 && !sums))
      return refuse(one, "expected constant bounds, and nothing carried but sums");
    all *= llvm::divideCeilSigned(one.getConstantUpperBound() - one.getConstantLowerBound(),
                                  one.getStepAsInt());
  }
  // Loops over the mesh may leave columns out.
  bool onColumns = all < file.cores && loops.size() == 2 &&
                   llvm::all_of(loops, [](ForOp one) { return one->hasAttr(weft::meshMark); });
  if (failed(openCarried(loop, loop->hasAttr("weft.sums"))))
    return failure();
  names.open();
  std::string task = names.unique("task");
  beginNest(loop);
  int64_t tasks = onColumns ? file.cores : all, rest = tasks;
  line("for (ptrdiff_t " + task + " = " + core + "; " + task + " < " + Twine(tasks) + "; " + task +
       " += " + Twine(file.cores) + ") {");
  ++depth;
  for (ForOp one : loops) {
    int64_t lower = one.getConstantLowerBound(), step = one.getStepAsInt();
    int64_t trips = llvm::divideCeilSigned(one.getConstantUpperBound() - lower, step);
    if (onColumns && one == loops.back()) {
      // Only some columns of the mesh have an iteration.
      lower = 0;
      trips = rest;
    }
    rest /= std::max<int64_t>(trips, 1);
    Value variable = one.getInductionVar();
    StringRef wanted = nameIn(variable.getLoc());
    std::string name = names.unique(wanted.empty() ? StringRef("i") : wanted);
    IndexForm index = IndexForm::atom({task, Binding::Primary}, {0, tasks - 1})
                          .floorDividedBy(rest)
                          .modulo(trips)
                          .times(step)
                          .plus(IndexForm(lower));
    line("const ptrdiff_t " + name + " = " + index.text().text + ";");
    values[variable] = {name, Binding::Primary};
    ranges[variable] = {lower, std::max(lower, lower + (trips - 1) * step), std::gcd(lower, step)};
  }
  if (onColumns) {
    Value column = loops.back().getInductionVar();
    int64_t from = loops.back().getConstantLowerBound(), to = loops.back().getConstantUpperBound();
    ranges[column] = {from, to - 1, std::gcd(from, int64_t(1))};
    std::string name = values.lookup(column).text;
    line("if (" +
         (to == from + 1 ? name + " == " + std::to_string(from)
          : from == 0    ? name + " < " + std::to_string(to)
                         : name + " >= " + std::to_string(from)) +
         (from != 0 && to != from + 1 ? " && " + name + " < " + std::to_string(to) : "") + ") {");
    ++depth;
  }
  int64_t before = counts.setTimes(counts.timesNow() * all);
  Reads around = std::exchange(reads, Reads());
  inParallel = inNest = true;
  LogicalResult result = emitBlock(*loops.back().getBody());
  inParallel = inNest = false;
  reads = std::move(around);
  counts.setTimes(before);
  if (onColumns) {
    --depth;
    line("}");
  }
  --depth;
  names.close();
  line("}");
  return failed(result) ? failure() : emitSums(loop);
}

/// The loops over all but the innermost blocks, and the transfer of these, which lie one behind the
/// other in the LDM.
template <typename Transfer>
LogicalResult FunctionEmitter::emitTransfer(Transfer op, std::string call, bool written) {
  auto type = cast<MemRefType>(op.getMain().getType());
  int64_t bytes = elementBytes(type.getElementType());
  beginNest(op, "transfers");
  names.open();
  IndexForm at = form(op.getAt());
  IndexForm inLdm(0);
  if (Value first = op.startInLdm())
    inLdm = form(first);
  ArrayRef<int64_t> counted = op.getCounts(), strides = op.getStrides();
  SmallVector<int64_t> pitches = op.pitchesInLdm();
  auto block = static_cast<int64_t>(op.getBlock());
  bool inParts = op->hasAttr("in_parts");
  if (op->hasAttr("for_all"))
    call += "_for_all(" + core + ", ";
  else if (!inParts)
    call += "(";
  bool strided = counted.size() > (inParts ? 1 : 0) && pitches.back() == block;
  size_t loops = counted.size() - (strided ? 1 : 0);
  int64_t once = block * (strided ? counted.back() : 1), transfers = 1;
  for (size_t n = 0; n < loops; ++n) {
    transfers *= counted[n];
    std::string i = names.unique(inParts && n == 0 ? "part" : "block");
    if (inParts && n == 0)
      call += "_part(" + i + ", ";
    line(Twine("for (ptrdiff_t ") + i + " = 0; " + i + " < " + Twine(counted[n]) + "; ++" + i +
         ")" + (n + 1 < loops ? "" : " {"));
    ++depth;
    IndexForm index = IndexForm::atom({i, Binding::Primary}, {0, counted[n] - 1});
    at = at.plus(index.times(strides[n]));
    inLdm = inLdm.plus(index.times(pitches[n]));
  }
  auto pointer = [&](Value array, const IndexForm &index) {
    std::string name = bufferNames.lookup(array), text = index.text().text;
    return text == "0" ? name : name + " + " + text;
  };
  std::string main = pointer(op.getMain(), at), ldm = pointer(op.getLdm(), inLdm);
  std::string shape =
      Twine(once * bytes).str() +
      (strided
           ? (", " + Twine(block * bytes) + ", " + Twine((strides.back() - block) * bytes)).str()
           : std::string(", 0, 0"));
  line(call + (written ? ldm + ", " + main : main + ", " + ldm) + ", " + shape + ");");
  for (size_t n = 0; n < loops; ++n) {
    --depth;
    if (n == 0)
      line("}");
  }
  names.close();
  int64_t before = counts.setTimes(counts.timesNow() * transfers);
  counts.add("dma");
  countBytes(op.getMain(), written, once * bytes);
  counts.setTimes(before);
  return success();
}

namespace {

/// Messages that one core has for another: loops, innermost last.
struct MessageLoop {
  int64_t count, fromStride, toStride;
};

/// Elements of a message: a vector.
constexpr int64_t messageLanes = 4;
/// Messages that stand behind each other in the innermost loop, at most.
constexpr int64_t mostAtATime = 8;
/// Of these so many are on their way before the first that comes is taken. Two cores never wait
/// for each other: each has room for a message to send and for one that came.
constexpr int64_t onTheirWay = 2;

} // namespace

/// What each core has for the one at a place, which the machine knows as `receiver`; for itself
/// where that is empty.
void FunctionEmitter::emitMessages(cpe::ExchangeOp op, StringRef place, StringRef receiver) {
  bool isOwn = receiver.empty();
  bool isDouble = cpe::spreadArray(op.getFrom()).getType().getElementType().isF64();
  std::string suffix = isDouble ? "_v4d(" : "_v4f(";
  std::string type = isDouble ? "const doublev4 " : "const floatv4 ";
  std::string direction = op.getAlongRows() ? "row" : "column";
  MemRefType array = cpe::spreadArray(op.getFrom()).getType();
  int64_t places = array.getDimSize(op.getAlongRows() ? 1 : 0);
  SmallVector<MessageLoop> loops;
  for (auto [count, fromStride, toStride] :
       llvm::zip_equal(op.getCounts(), op.getFromStrides(), op.getToStrides()))
    if (count > 1)
      loops.push_back({count, fromStride, toStride});
  if (int64_t messages = static_cast<int64_t>(op.getBlock()) / messageLanes; messages > 1)
    loops.push_back({messages, messageLanes, messageLanes});
  // Straight behind each other: from the innermost loop outwards.
  SmallVector<std::pair<int64_t, int64_t>> offsets{{0, 0}};
  for (bool whole = true; whole && !loops.empty();) {
    MessageLoop loop = loops.pop_back_val();
    int64_t times = std::min<int64_t>(loop.count, mostAtATime / offsets.size());
    while (loop.count % times != 0)
      --times;
    SmallVector<std::pair<int64_t, int64_t>> inner;
    std::swap(inner, offsets);
    for (int64_t n = 0; n < times; ++n)
      for (auto [from, to] : inner)
        offsets.push_back({from + n * loop.fromStride, to + n * loop.toStride});
    whole = times == loop.count;
    if (!whole)
      loops.push_back({loop.count / times, loop.fromStride * times, loop.toStride * times});
  }

  names.open();
  IndexForm partner = IndexForm::atom({place.str(), Binding::Primary}, {0, places - 1});
  IndexForm from = partner.times(op.getFromStep()), to = partner.times(op.getToStep());
  for (const MessageLoop &loop : loops) {
    std::string n = names.unique("n");
    line(llvm::formatv("for (int {0} = 0; {0} < {1}; ++{0}) {{", n, loop.count).str());
    ++depth;
    IndexForm index = IndexForm::atom({n, Binding::Primary}, {0, loop.count - 1});
    from = from.plus(index.times(loop.fromStride));
    to = to.plus(index.times(loop.toStride));
  }
  auto pointer = [&](Value array, const IndexForm &index) {
    std::string text = index.text().text;
    return bufferNames.lookup(array) + (text == "0" ? "" : " + " + text);
  };
  SmallVector<std::string> messages;
  for (auto [offset, _] : offsets) {
    messages.push_back(names.unique("message"));
    line(llvm::formatv("{0}{1} = weft_load{2}{3});", type, messages.back(), suffix,
                       pointer(op.getFrom(), from.plus(offset)))
             .str());
  }
  size_t ahead = isOwn ? 0 : onTheirWay - 1;
  for (size_t n = 0; n < offsets.size() + ahead; ++n) {
    if (!isOwn && n < offsets.size())
      line(llvm::formatv("weft_to_{0}{1}{2}, {3});", direction, suffix, messages[n], receiver)
               .str());
    if (n < ahead)
      continue;
    std::string came =
        isOwn ? messages[n] : llvm::formatv("weft_from_{0}{1})", direction, suffix).str();
    line(llvm::formatv("simd_store({0}, {1});", came,
                       pointer(op.getTo(), to.plus(offsets[n - ahead].second)))
             .str());
  }
  for (size_t opened = loops.size(); opened; --opened) {
    --depth;
    line("}");
  }
  names.close();
}

/// What is a core's own stays; then rounds of pairs: in round n, places that differ by n (bit by
/// bit) swap what they have for each other. The sync before a round keeps two cores from sending to
/// one. Where rows of the arrays are parts of the machine's, cores of one part swap and wait for
/// each other alone.
LogicalResult FunctionEmitter::emitExchange(cpe::ExchangeOp op) {
  if (op.getBlock() % messageLanes != 0)
    return refuse(op, "expected whole messages of " + Twine(messageLanes) +
                          " elements, found a block of " + Twine(op.getBlock()));
  bool alongRows = op.getAlongRows();
  MemRefType array = cpe::spreadArray(op.getFrom()).getType();
  int64_t columns = array.getDimSize(1), places = array.getDimSize(alongRows ? 1 : 0);
  bool isPart = columns < file.rowCores;
  if (isPart && !alongRows)
    return refuse(op,
                  "expected it along rows: rows are parts of the mesh's, whose cores stand in " +
                      Twine(file.rowCores) + " columns");
  beginNest(op, "exchange");
  names.open();
  std::string mine = names.unique("mine"), round = names.unique("round");
  std::string other = names.unique("other");
  std::string sync = alongRows ? "weft_sync_row();" : "weft_sync_column();";
  line("{");
  ++depth;
  line("const int " + mine + " = " + core + (alongRows ? " % " : " / ") + Twine(columns) + ";");
  std::string receiver = other;
  if (isPart) {
    std::string first = names.unique("first");
    line("const int " + first + " = " + core + " % " + Twine(file.rowCores) + " - " + mine + ";");
    receiver = first + " + " + other;
    sync = ("weft_sync_part(" + Twine((1 << columns) - 1) + " << " + first + ");").str();
  }
  emitMessages(op, mine, "");
  line("for (int " + round + " = 1; " + round + " < " + Twine(places) + "; ++" + round + ") {");
  ++depth;
  line("const int " + other + " = " + mine + " ^ " + round + ";");
  line(sync);
  emitMessages(op, other, receiver);
  for (int closing = 0; closing < 2; ++closing) {
    --depth;
    line("}");
  }
  names.close();
  return success();
}

LogicalResult FunctionEmitter::emitCoreOp(Operation *op) {
  if (auto get = dyn_cast<cpe::DmaGetOp>(op))
    return emitTransfer(get, "weft_get", false);
  if (auto put = dyn_cast<cpe::DmaPutOp>(op))
    return emitTransfer(put, "weft_put", true);
  if (auto exchange = dyn_cast<cpe::ExchangeOp>(op))
    return emitExchange(exchange);
  if (auto broadcast = dyn_cast<cpe::BroadcastOp>(op))
    return emitBroadcast(broadcast);
  if (auto halo = dyn_cast<cpe::HaloOp>(op))
    return emitHalo(halo);
  if (auto collect = dyn_cast<cpe::CollectOp>(op))
    return emitCollect(collect);
  if (isa<cpe::SpreadOp>(op))
    return emitBuffer(op);
  // Cores that meet before the first transfer wait in its nest.
  bool isFirst = nests == 0 && !inNest && isa<cpe::SyncOp>(op);
  if (isFirst)
    beginNest(op, "transfers");
  else
    place(op->getLoc());
  isComing &= isFirst || isa<cpe::DmaWaitOp>(op);
  if (auto wait = dyn_cast<cpe::DmaWaitOp>(op); wait && wait.getPart())
    line("weft_wait_part(" + form(wait.getPart()).text().text + ");");
  else
    line(isa<cpe::SyncOp>(op) ? "weft_sync();" : "weft_wait();");
  return success();
}

} // namespace weft
