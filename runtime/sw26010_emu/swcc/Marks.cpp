// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks are calls of functions that nobody defines; lowerCharges replaces them. In between they
// order nothing but themselves: they touch memory that the program cannot see.
#include "Marks.h"

#include "Abi.h"
#include "Charge.h"
#include "CheckCalls.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <algorithm>
#include <cstddef>
#include <limits>

using namespace llvm;

namespace weft::swcc {

namespace {

constexpr StringLiteral chargeName = "__weft_charge";
constexpr StringLiteral chargeTimesName = "__weft_charge_times";
constexpr StringLiteral byCallMark = "weft.by_call";
/// With more marks than these, none of them takes registers away.
constexpr std::size_t mostPlainMarks = 32;
/// Where a segment's fields lie in its constant; the struct below has the order of Abi.h.
constexpr unsigned cyclesField = 4, codeBytesField = 5;

StructType *lineType(LLVMContext &context) {
  Type *word = Type::getInt32Ty(context), *half = Type::getInt16Ty(context);
  return StructType::get(context, {word, word, half, half, half, half, half, half, half, half, word,
                                   half, half, half, half});
}

StructType *instructionType(LLVMContext &context) {
  Type *word = Type::getInt32Ty(context), *half = Type::getInt16Ty(context);
  return StructType::get(context,
                         {PointerType::get(context, 0), word, half, half, half, half, word});
}

StructType *segmentType(LLVMContext &context) {
  Type *pointer = PointerType::get(context, 0), *word = Type::getInt32Ty(context),
       *wide = Type::getInt64Ty(context);
  return StructType::get(context,
                         {pointer, pointer, pointer, word, word, word, word, pointer, wide, pointer,
                          wide, ArrayType::get(StructType::get(wide, wide), WEFT_SW_CORES)});
}

static_assert(offsetof(WeftSegment, tally) == 72 && sizeof(WeftTally) == 16 &&
                  sizeof(WeftLineCost) == 36 && sizeof(WeftInstruction) == 24,
              "Marks.cpp builds the constants of Abi.h");

ConstantInt *half(LLVMContext &context, std::uint32_t value) {
  return ConstantInt::get(
      Type::getInt16Ty(context),
      std::min<std::uint32_t>(value, std::numeric_limits<std::uint16_t>::max()));
}

ConstantInt *word(LLVMContext &context, std::uint32_t value) {
  return ConstantInt::get(Type::getInt32Ty(context), value);
}

Constant *textConstant(Module &module, StringRef text) {
  // One constant a text and module: segments share function and file names.
  const std::string name = ("__weft_text." + text).str();
  if (GlobalVariable *known = module.getNamedGlobal(name))
    return known;
  Constant *bytes = ConstantDataArray::getString(module.getContext(), text);
  auto *global =
      new GlobalVariable(module, bytes->getType(), true, GlobalValue::PrivateLinkage, bytes, name);
  global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return global;
}

Constant *table(Module &module, StructType *type, ArrayRef<Constant *> rows) {
  if (rows.empty())
    return ConstantPointerNull::get(PointerType::get(module.getContext(), 0));
  Constant *all = ConstantArray::get(ArrayType::get(type, rows.size()), rows);
  return new GlobalVariable(module, all->getType(), true, GlobalValue::PrivateLinkage, all,
                            "__weft_rows");
}

Constant *lineTable(Module &module, ArrayRef<LineCost> lines) {
  LLVMContext &context = module.getContext();
  SmallVector<Constant *> rows;
  for (const LineCost &cost : lines)
    rows.push_back(ConstantStruct::get(
        lineType(context),
        {word(context, cost.line), word(context, cost.cycles), half(context, cost.pipe0),
         half(context, cost.pipe1), half(context, cost.singleIssue), half(context, cost.dataStall),
         half(context, cost.ldmAccesses), half(context, cost.spills), half(context, cost.branch),
         half(context, cost.divisions), word(context, cost.flops), half(context, cost.ldmLoads),
         half(context, cost.conditionalBranches), half(context, cost.unconditionalBranches),
         half(context, cost.jumps)}));
  return table(module, lineType(context), rows);
}

Constant *scheduleTable(Module &module, ArrayRef<IssuedInstruction> schedule) {
  LLVMContext &context = module.getContext();
  SmallVector<Constant *> rows;
  for (const IssuedInstruction &issued : schedule)
    rows.push_back(
        ConstantStruct::get(instructionType(context),
                            {textConstant(module, issued.text), word(context, issued.line),
                             half(context, issued.issue), half(context, issued.latency),
                             half(context, issued.pipe), half(context, 0), word(context, 0)}));
  return table(module, instructionType(context), rows);
}

Function *markFunction(Module &module, StringRef name, ArrayRef<Type *> parameters) {
  if (Function *known = module.getFunction(name))
    return known;
  LLVMContext &context = module.getContext();
  Function *function =
      Function::Create(FunctionType::get(Type::getVoidTy(context), parameters, false),
                       GlobalValue::ExternalLinkage, name, module);
  function->setOnlyAccessesInaccessibleMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return function;
}

/// The callee's name if `instruction` is one of our marks.
StringRef markName(const Instruction &instruction) {
  const auto *call = dyn_cast<CallInst>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !callee->isDeclaration())
    return {};
  const StringRef name = callee->getName();
  return name == chargeName || name == chargeTimesName ? name : StringRef();
}

const GlobalVariable *segmentOf(const CallInst &call) {
  return cast<GlobalVariable>(call.getArgOperand(0)->stripPointerCasts());
}

std::uint64_t numberIn(const GlobalVariable &segment, unsigned field) {
  return cast<ConstantInt>(segment.getInitializer()->getAggregateElement(field))->getZExtValue();
}

std::uint64_t cyclesOf(const GlobalVariable &segment) { return numberIn(segment, cyclesField); }

Value *field(IRBuilderBase &builder, Value *core, std::size_t offset) {
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), core, offset);
}

void add(IRBuilderBase &builder, Value *address, Value *amount) {
  Value *old = builder.CreateLoad(builder.getInt64Ty(), address);
  builder.CreateStore(builder.CreateAdd(old, amount), address);
}

FunctionCallee fetcher(Module &module) {
  Type *pointer = PointerType::getUnqual(module.getContext());
  return module.getOrInsertFunction(
      "weft_sw_fetch",
      FunctionType::get(Type::getVoidTy(module.getContext()), {pointer, pointer}, false));
}

/// The same for functions with many segments.
Function *fetchHelper(const Function &caller) {
  Module &module = *const_cast<Module *>(caller.getParent());
  const std::string name = helperName(caller, "__weft_fetch");
  if (Function *known = module.getFunction(name))
    return known;
  Function *made = makeHelper(caller, name, 2);
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", made));
  builder.CreateCall(fetcher(module), {made->getArg(0), made->getArg(1)});
  builder.CreateRetVoid();
  return made;
}

Value *tallyOf(IRBuilderBase &builder, Value *segment, Value *index) {
  return builder.CreateInBoundsGEP(
      builder.getInt8Ty(), segment,
      {builder.CreateAdd(builder.CreateShl(index, Log2_64(sizeof(WeftTally))),
                         builder.getInt64(offsetof(WeftSegment, tally)))});
}

/// Whether a segment with `tally` may not be in the instruction cache of `core`.
Value *isToFetch(IRBuilderBase &builder, Value *core, Value *tally) {
  Type *wide = builder.getInt64Ty();
  Value *fetched = builder.CreateLoad(wide, field(builder, core, offsetof(WeftCore, fetched)));
  Value *stamp = builder.CreateLoad(wide, field(builder, tally, offsetof(WeftTally, stamp)));
  return builder.CreateICmpNE(stamp, fetched);
}

/// Charges a segment once.
Function *chargeHelper(const Function &caller) {
  Module &module = *const_cast<Module *>(caller.getParent());
  const std::string name = helperName(caller, "__weft_charge_once");
  if (Function *known = module.getFunction(name))
    return known;
  Function *fetch = fetchHelper(caller);
  Function *made = makeHelper(caller, name, 1);
  LLVMContext &context = module.getContext();
  auto *start = BasicBlock::Create(context, "", made);
  auto *absent = BasicBlock::Create(context, "absent", made);
  auto *there = BasicBlock::Create(context, "there", made);
  IRBuilder<> builder(start);
  Value *segment = made->getArg(0);
  Value *core = builder.CreateLoad(builder.getPtrTy(),
                                   module.getOrInsertGlobal("weft_sw_current", builder.getPtrTy()));
  Value *index =
      builder.CreateLoad(builder.getInt64Ty(), field(builder, core, offsetof(WeftCore, index)));
  Value *tally = tallyOf(builder, segment, index);
  builder.CreateCondBr(isToFetch(builder, core, tally), absent, there,
                       MDBuilder(context).createBranchWeights(1, 1 << 20));
  builder.SetInsertPoint(absent);
  callHelper(builder, fetch, {core, segment});
  builder.CreateBr(there);
  builder.SetInsertPoint(there);
  Value *cycles =
      builder.CreateZExt(builder.CreateLoad(builder.getInt32Ty(),
                                            field(builder, segment, offsetof(WeftSegment, cycles))),
                         builder.getInt64Ty());
  add(builder, field(builder, core, offsetof(WeftCore, now)), cycles);
  add(builder, field(builder, tally, offsetof(WeftTally, count)), builder.getInt64(1));
  builder.CreateRetVoid();
  return made;
}

/// core->now += cycles * times; segment.tally[core->index].count += times. Before that, a segment
/// that may not be in the instruction cache is fetched.
void lowerCharge(CallInst &call, Value *core, Value *index, Function *fetchCall) {
  Module &module = *call.getModule();
  LLVMContext &context = module.getContext();
  GlobalVariable *segment = const_cast<GlobalVariable *>(segmentOf(call));
  IRBuilder<> builder(&call);
  Value *times = call.arg_size() > 1 ? call.getArgOperand(1) : nullptr;

  if (call.hasMetadata(byCallMark)) {
    callHelper(builder, chargeHelper(*call.getFunction()), {segment});
    call.eraseFromParent();
    return;
  }
  Value *tally = tallyOf(builder, segment, index);
  Value *wanted = isToFetch(builder, core, tally);
  if (times) // a loop that did not turn fetches nothing
    wanted = builder.CreateAnd(wanted, builder.CreateICmpNE(times, builder.getInt64(0)));
  Instruction *rarely = SplitBlockAndInsertIfThen(
      wanted, &call, false, MDBuilder(context).createBranchWeights(1, 1 << 20));
  IRBuilder<> rare(rarely);
  if (fetchCall)
    callHelper(rare, fetchCall, {core, segment});
  else
    rare.CreateCall(fetcher(module), {core, segment});

  builder.SetInsertPoint(&call);
  if (!times)
    times = builder.getInt64(1);
  Value *cycles = builder.CreateMul(times, builder.getInt64(cyclesOf(*segment)));
  if (auto *constant = dyn_cast<ConstantInt>(cycles); !constant || !constant->isZero())
    add(builder, field(builder, core, offsetof(WeftCore, now)), cycles);
  add(builder, field(builder, tally, offsetof(WeftTally, count)), times);
  call.eraseFromParent();
}

} // namespace

GlobalVariable *makeFunctionRecord(Module &module, std::uint64_t bytes) {
  Type *wide = Type::getInt64Ty(module.getContext());
  StructType *type = StructType::get(wide, wide);
  auto *record = new GlobalVariable(
      module, type, false, GlobalValue::InternalLinkage,
      ConstantStruct::get(type, {ConstantInt::get(wide, bytes), ConstantInt::get(wide, 0)}),
      "__weft_function");
  record->setSection("weft_functions");
  record->setAlignment(Align(alignof(WeftFunction)));
  appendToCompilerUsed(module, {record}); // it takes its place even if no part of it is charged
  return record;
}

GlobalVariable *makeSegment(Module &module, const Segment &segment) {
  LLVMContext &context = module.getContext();
  StructType *type = segmentType(context);
  Type *wide = Type::getInt64Ty(context);
  Constant *value = ConstantStruct::get(
      type,
      {textConstant(module, segment.function), textConstant(module, segment.file),
       lineTable(module, segment.lines), word(context, segment.lines.size()),
       word(context, segment.cycles), word(context, segment.codeBytes), word(context, segment.kind),
       scheduleTable(module, segment.schedule), ConstantInt::get(wide, segment.schedule.size()),
       segment.code ? static_cast<Constant *>(segment.code)
                    : ConstantPointerNull::get(PointerType::get(context, 0)),
       ConstantInt::get(wide, segment.codeOffset),
       Constant::getNullValue(type->getElementType(type->getNumElements() - 1))});
  auto *global = new GlobalVariable(module, type, false, GlobalValue::InternalLinkage, value,
                                    "__weft_segment");
  global->setSection("weft_segments");
  global->setAlignment(Align(alignof(WeftSegment)));
  return global;
}

void mark(IRBuilderBase &builder, GlobalVariable *segment, Value *times) {
  Module &module = *segment->getParent();
  if (!times) {
    builder.CreateCall(markFunction(module, chargeName, {builder.getPtrTy()}), {segment});
    return;
  }
  builder.CreateCall(
      markFunction(module, chargeTimesName, {builder.getPtrTy(), builder.getInt64Ty()}),
      {segment, times});
}

bool isCharge(const Instruction &instruction) { return !markName(instruction).empty(); }

std::uint64_t chargedCycles(const BasicBlock &block) {
  std::uint64_t cycles = 0;
  for (const Instruction &instruction : block)
    if (markName(instruction) == chargeName)
      cycles += cyclesOf(*segmentOf(cast<CallInst>(instruction)));
  return cycles;
}

GlobalVariable *chargedOnce(const Instruction &instruction) {
  if (markName(instruction) != chargeName)
    return nullptr;
  return const_cast<GlobalVariable *>(segmentOf(cast<CallInst>(instruction)));
}

void chargeByCall(Instruction &instruction) {
  instruction.setMetadata(byCallMark, MDNode::get(instruction.getContext(), {}));
}

std::uint64_t codeBytesOf(const GlobalVariable &segment) {
  return numberIn(segment, codeBytesField);
}

void chargeTimes(IRBuilderBase &builder, GlobalVariable *segment, Value *times) {
  mark(builder, segment, times);
}

void lowerCharges(Function &function, Value *core) {
  SmallVector<CallInst *> marks;
  for (BasicBlock &block : function)
    for (Instruction &instruction : block)
      if (isCharge(instruction))
        marks.push_back(cast<CallInst>(&instruction));
  if (marks.empty())
    return;

  // A core's number never changes: load it once, after `core` itself.
  IRBuilder<> builder(function.getContext());
  if (auto *definition = dyn_cast<Instruction>(core))
    builder.SetInsertPoint(definition->getParent(), std::next(definition->getIterator()));
  else
    builder.SetInsertPoint(function.getEntryBlock().getFirstInsertionPt());
  Value *index =
      builder.CreateLoad(builder.getInt64Ty(), field(builder, core, offsetof(WeftCore, index)));
  Function *fetchCall = marks.size() > mostPlainMarks ? fetchHelper(function) : nullptr;
  for (CallInst *call : marks)
    lowerCharge(*call, core, index, fetchCall);
}

} // namespace weft::swcc
