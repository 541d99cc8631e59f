// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selects, schedules, allocates and prices each function, and marks what its segments cost.
//
// A block is charged what it costs when entered the usual way. Where another way in costs more or
// less, the difference goes to the last segment of the block it comes from if that leads nowhere
// else; else a dearer edge is split and has a mark of its own, and a cheaper one is passed over.
#include "Charge.h"

#include "AbiTypes.h"
#include "Allocate.h"
#include "Asm.h"
#include "Costs.h"
#include "LiveRanges.h"
#include "Marks.h"
#include "Schedule.h"
#include "Select.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace weft::swcc {

namespace {

class Marker {
public:
  Marker(Function &function, const Code &code, const Costs &costs)
      : function_(function), code_(code), costs_(costs), core_(Instructions::get().core()) {}

  void markAll();

private:
  using Lines = MapVector<unsigned, LineCost>;

  void markBlock(unsigned index);
  void count(const Operation &operation, const Issue &issue, Lines &lines) const;
  void spread(ArrayRef<std::pair<const Operation *, Issue>> part, int begin, int end,
              Lines &lines) const;
  using Issued = SmallVector<std::pair<const Operation *, Issue>>;
  /// A mark before `before`; what a segment without cycles did goes to the next. Of the
  /// instructions, `shown` are those that a pipeline view has, from cycle `begin` on.
  void close(Lines &lines, int cycles, unsigned instructions, Instruction *before,
             const Issued &shown = {}, int begin = 0);
  SmallVector<IssuedInstruction, 0> scheduleOf(const Issued &shown, int begin) const;
  Segment segmentOf(const Lines &lines, int cycles, unsigned instructions) const;
  void markCopies(const Operation &operation);
  void markEdges();
  std::string fileName() const;

  Function &function_;
  const Code &code_;
  const Costs &costs_;
  const CoreParameters &core_;
  SmallVector<int> adjustments_; // to the last segment of each block
  GlobalVariable *record_ = nullptr;
  unsigned charged_ = 0; // instructions of the function up to the place that is marked
};

std::string Marker::fileName() const {
  const DISubprogram *subprogram = function_.getSubprogram();
  return subprogram ? subprogram->getFilename().str() : function_.getParent()->getSourceFileName();
}

void Marker::count(const Operation &operation, const Issue &issue, Lines &lines) const {
  LineCost &cost = lines[lineOf(operation, code_)];
  ++(issue.pipe ? cost.pipe1 : cost.pipe0);
  cost.singleIssue += issue.conflict;
  const Opcode &opcode = *operation.opcode;
  const bool accesses =
      (operation.reads || operation.writes) && !operation.call && opcode.kind != Kind::LoadConstant;
  cost.ldmAccesses += accesses;
  cost.ldmLoads += accesses && operation.reads;
  cost.spills += operation.spill;
  cost.flops += opcode.flops;
  if (opcode.kind != Kind::Fp)
    cost.divisions += opcode.flops;
  if (opcode.kind == Kind::Control) {
    const StringRef name = opcode.mnemonic;
    const bool jumps = name == "call" || name == "jmp" || name == "ret";
    ++(jumps                           ? cost.jumps
       : name == "br" || name == "bsr" ? cost.unconditionalBranches
                                       : cost.conditionalBranches);
  }
}

/// The cycles from `begin` to `end`: one to each instruction that issues in a cycle of its own, the
/// others to who made the core wait.
void Marker::spread(ArrayRef<std::pair<const Operation *, Issue>> part, int begin, int end,
                    Lines &lines) const {
  SmallVector<std::pair<const Operation *, Issue>> inOrder(part.begin(), part.end());
  stable_sort(inOrder,
              [](const auto &a, const auto &b) { return a.second.cycle < b.second.cycle; });
  int reached = begin;
  const Operation *last = nullptr;
  for (const auto &[operation, issue] : inOrder) {
    last = operation;
    const int start = std::min(issue.cycle, end);
    LineCost &cost = lines[lineOf(*operation, code_)];
    if (start > reached) { // nothing issued meanwhile
      cost.cycles += start - reached;
      (issue.dataWait ? cost.dataStall : cost.branch) += start - reached;
      reached = start;
    }
    if (start == reached && reached < end) {
      cost.cycles += 1;
      ++reached;
    }
  }
  if (reached < end) {
    LineCost &cost = lines[!last && !lines.empty() ? lines.back().first
                                                   : lineOf(last ? *last : Operation(), code_)];
    cost.cycles += end - reached;
    cost.branch += end - reached;
  }
}

Segment Marker::segmentOf(const Lines &lines, int cycles, unsigned instructions) const {
  Segment segment;
  segment.code = instructions ? record_ : nullptr;
  segment.codeOffset = std::uint64_t(charged_) * core_.instructionBytes;
  segment.function = sourceName(function_);
  segment.cycles = cycles;
  segment.codeBytes = instructions * core_.instructionBytes;
  for (const auto &[line, cost] : lines) {
    segment.lines.push_back(cost);
    segment.lines.back().line = line;
  }
  return segment;
}

SmallVector<IssuedInstruction, 0> Marker::scheduleOf(const Issued &shown, int begin) const {
  SmallVector<IssuedInstruction, 0> schedule;
  for (const auto &[operation, issue] : shown) {
    IssuedInstruction one;
    one.text = assemblyText(*operation, code_);
    std::replace(one.text.begin(), one.text.end(), '\t', ' ');
    one.line = lineOf(*operation, code_);
    one.issue = std::max(0, issue.cycle - begin);
    one.latency = operation->opcode->timing->latency;
    one.pipe = issue.pipe;
    schedule.push_back(std::move(one));
  }
  stable_sort(schedule, [](const auto &a, const auto &b) { return a.issue < b.issue; });
  return schedule;
}

void Marker::close(Lines &lines, int cycles, unsigned instructions, Instruction *before,
                   const Issued &shown, int begin) {
  const std::string file = fileName();
  Segment segment = segmentOf(lines, cycles, instructions);
  segment.schedule = scheduleOf(shown, begin);
  segment.file = file;
  IRBuilder<> builder(before);
  mark(builder, makeSegment(*function_.getParent(), segment));
  lines.clear();
  charged_ += instructions;
}

/// A block's segments end at its interactions and at its end.
void Marker::markBlock(unsigned index) {
  const Block &block = code_.blocks[index];
  const BlockCost &cost = costs_.blocks[index];
  Lines lines;
  Issued part, shown;
  // The way in precedes the run; rounding of a loop's mean is put there, too.
  const int rounding = cost.cycles - cost.penalty - cost.run.cycles;
  int begin = -(cost.penalty + rounding);
  unsigned instructions = 0;
  for (const auto &[operation, issue] : zip(block.operations, cost.run.issues)) {
    if (operation.interaction && operation.source) {
      // A call is charged until it has left; others until they issue.
      const int end = operation.call ? issue.cycle + 1 + int(core_.takenBranch) : issue.cycle;
      if (operation.call) {
        part.emplace_back(&operation, issue);
        shown.emplace_back(&operation, issue);
        count(operation, issue, lines);
        ++instructions;
      }
      if (end > begin) {
        spread(part, begin, end, lines);
        close(lines, end - begin, instructions, const_cast<Instruction *>(operation.source), shown,
              begin);
        shown.clear();
        instructions = 0;
        begin = end;
      }
      part.clear();
      if (operation.call) {
        markCopies(operation);
        continue;
      }
    }
    part.emplace_back(&operation, issue);
    shown.emplace_back(&operation, issue);
    count(operation, issue, lines);
    ++instructions;
  }
  const int end = std::max(begin, cost.run.cycles + adjustments_[index]);
  Instruction *last = block.ir->getTerminator();
  if (const CallInst *tail = block.ir->getTerminatingMustTailCall())
    last = const_cast<CallInst *>(tail);
  if (end > begin || instructions) {
    spread(part, begin, end, lines);
    close(lines, end - begin, instructions, last, shown, begin);
  }
}

/// What the library's copy loop takes depends on the length: a load and a store a chunk.
void Marker::markCopies(const Operation &operation) {
  const auto *copy = dyn_cast_or_null<MemIntrinsic>(operation.source);
  if (!copy)
    return;
  const bool moves = isa<MemTransferInst>(copy);
  Lines lines;
  LineCost &cost = lines[lineOf(operation, code_)];
  cost.cycles = cost.pipe1 = cost.ldmAccesses = moves ? 2 : 1;
  const std::string file = fileName();
  Segment segment = segmentOf(lines, int(cost.cycles), 0); // instructions of the library
  segment.file = file;
  IRBuilder<> builder(const_cast<MemIntrinsic *>(copy));
  Value *length = builder.CreateZExtOrTrunc(copy->getLength(), builder.getInt64Ty());
  Value *chunks =
      builder.CreateUDiv(builder.CreateAdd(length, builder.getInt64(core_.copyChunkBytes - 1)),
                         builder.getInt64(core_.copyChunkBytes));
  mark(builder, makeSegment(*function_.getParent(), segment), chunks);
}

void Marker::markEdges() {
  for (const Edge &edge : costs_.edges) {
    const Block &from = code_.blocks[edge.from];
    if (edge.difference <= 0 || from.successors.size() < 2 ||
        isa<IndirectBrInst, CallBrInst>(from.ir->getTerminator()))
      continue;
    Lines lines;
    const Block &to = code_.blocks[edge.to];
    const Operation first = to.operations.empty() ? Operation() : to.operations.front();
    LineCost &cost = lines[lineOf(first, code_)];
    cost.cycles = edge.difference;
    cost.branch = std::min(edge.penalty, edge.difference);
    cost.dataStall = cost.cycles - cost.branch;
    // A block with one way in needs no edge of its own.
    BasicBlock *between = to.predecessors.size() == 1 ? to.ir : SplitEdge(from.ir, to.ir);
    close(lines, edge.difference, 0, &*between->getFirstInsertionPt());
  }
}

void Marker::markAll() {
  adjustments_.assign(code_.blocks.size(), 0);
  for (const Edge &edge : costs_.edges)
    if (code_.blocks[edge.from].successors.size() == 1)
      adjustments_[edge.from] += edge.difference;
  record_ = makeFunctionRecord(*function_.getParent(), code_.bytes());
  unsigned start = 0;
  for (unsigned index = 0; index < code_.blocks.size(); ++index) {
    charged_ = start;
    markBlock(index);
    start += code_.blocks[index].operations.size();
  }
  markEdges();
}

bool haveOneOrder(const Block &a, const Block &b) {
  return all_of(zip_equal(a.operations, b.operations), [](const auto &operations) {
    const auto &[first, second] = operations;
    return first.opcode == second.opcode && first.def == second.def && first.uses == second.uses;
  });
}

/// Orders a function, allocates its registers and orders it again. What only passes by a block
/// stays in registers, or waits in memory where that leaves too little room for what the block
/// works on: whichever is cheaper.
void orderAndAllocate(Code &code, BatchAAResults &aliases,
                      const BranchProbabilityInfo &probabilities) {
  const auto price = [&](Code &candidate) {
    schedule(candidate, aliases);
    return cyclesOfCall(candidate, findCosts(candidate, probabilities), probabilities);
  };
  Code other = code;
  schedule(code, aliases, Passing::InRegisters);
  schedule(other, aliases, Passing::InMemory);
  const bool isOneOrder = all_of(zip_equal(code.blocks, other.blocks), [](const auto &blocks) {
    return haveOneOrder(std::get<0>(blocks), std::get<1>(blocks));
  });
  const double cycles = allocate(code, price);
  if (!isOneOrder && allocate(other, price) < cycles)
    code = std::move(other);
}

/// Of each loop, how much more often its body runs than frequencies say: these guess the turns of
/// loops that count to a number.
DenseMap<const Loop *, double> moreTurns(LoopInfo &loops, const BlockFrequencyInfo &frequencies,
                                         ScalarEvolution &evolution) {
  DenseMap<const Loop *, double> more;
  for (const Loop *loop : loops.getLoopsInPreorder()) {
    const unsigned turns = evolution.getSmallConstantTripCount(loop);
    const BasicBlock *before = loop->getLoopPreheader();
    const auto often = [&](const BasicBlock *block) {
      return double(std::max<std::uint64_t>(1, frequencies.getBlockFreq(block).getFrequency()));
    };
    more[loop] = turns && before ? turns * often(before) / often(loop->getHeader()) : 1;
  }
  return more;
}

/// Prices one function; false after an error has been told.
bool chargeFunction(Function &function, FunctionAnalysisManager &analyses, raw_ostream *listing) {
  // A loop needs a place before it for what does not vary: what the optimizer removed last.
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  for (Loop *loop : loops)
    simplifyLoop(loop, &analyses.getResult<DominatorTreeAnalysis>(function), &loops,
                 &analyses.getResult<ScalarEvolutionAnalysis>(function),
                 &analyses.getResult<AssumptionAnalysis>(function), nullptr, false);
  PreservedAnalyses kept;
  kept.preserve<LoopAnalysis>();
  kept.preserve<DominatorTreeAnalysis>();
  kept.preserve<ScalarEvolutionAnalysis>();
  kept.preserve<AssumptionAnalysis>();
  analyses.invalidate(function, kept);

  Code code;
  if (!select(function, analyses, code))
    return false;
  const auto &frequencies = analyses.getResult<BlockFrequencyAnalysis>(function);
  const double entry =
      double(std::max<std::uint64_t>(1, frequencies.getEntryFreq().getFrequency()));
  DenseMap<const BasicBlock *, unsigned> numbers;
  for (const auto &[index, block] : enumerate(code.blocks))
    numbers[block.ir] = index;
  const DenseMap<const Loop *, double> turns =
      moreTurns(loops, frequencies, analyses.getResult<ScalarEvolutionAnalysis>(function));
  for (Block &block : code.blocks) {
    block.frequency = double(frequencies.getBlockFreq(block.ir).getFrequency()) / entry;
    for (const Loop *loop = loops.getLoopFor(block.ir); loop; loop = loop->getParentLoop())
      block.frequency *= turns.lookup(loop);
    if (const Loop *loop = loops.getLoopFor(block.ir)) {
      block.loopHeader = numbers.lookup(loop->getHeader());
      if (loop->getHeader() == block.ir && loop->getParentLoop())
        block.outerHeader = numbers.lookup(loop->getParentLoop()->getHeader());
    }
  }
  BatchAAResults aliases(analyses.getResult<AAManager>(function));
  const auto &probabilities = analyses.getResult<BranchProbabilityAnalysis>(function);
  coalesce(code);
  orderAndAllocate(code, aliases, probabilities);
  const Costs costs = findCosts(code, probabilities);
  if (listing)
    writeListing(*listing, code, costs);
  Marker(function, code, costs).markAll();
  analyses.invalidate(function, PreservedAnalyses::none());
  return true;
}

} // namespace

void chargeModule(Module &module, ModuleAnalysisManager &analyses, const ChargeOptions &options) {
  auto &functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  std::unique_ptr<raw_fd_ostream> listing;
  if (!options.listing.empty()) {
    std::error_code failed;
    listing = std::make_unique<raw_fd_ostream>(options.listing, failed, sys::fs::OF_Text);
    if (failed) {
      module.getContext().emitError("weft-swcc: cannot write " + options.listing + ": " +
                                    failed.message());
      return;
    }
    *listing << "# " << module.getSourceFileName()
             << ": instruction, [cycle of issue in its block], pipe, source line\n";
  }
  for (Function &function : module) {
    if (!isProgram(function))
      continue;
    chargeFunction(function, functions, listing.get());
  }
}

} // namespace weft::swcc
