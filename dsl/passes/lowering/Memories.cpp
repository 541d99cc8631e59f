//===- Memories.cpp - which memory holds which tensor ----------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/lowering/Memories.h"

#include "dialect/Groups.h"
#include "passes/Directives.h"
#include "passes/Notes.h"
#include "passes/loops/TurnLoops.h"
#include "passes/lowering/CarriedChains.h"
#include "passes/lowering/InsertedParts.h"
#include "passes/lowering/Overwriting.h"

using namespace mlir;

namespace weft {

Value sharedBy(Operation *op) {
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return reshape.getInput();
  if (auto checked = dyn_cast<CheckedIndicesOp>(op))
    return checked.getSource();
  if (auto end = dyn_cast<AlltoallEndOp>(op))
    return end.getComing();
  return {};
}

Layout Memories::layoutFor(Location loc, RankedTensorType type, bool isLocal) const {
  Layout layout = outerLayout(type);
  if (layout != Layout::Interleaved || type.getRank() == 0)
    return layout;
  if (auto asked = askedLayouts.find(ownName(loc)); asked != askedLayouts.end())
    return asked->second;
  return isLocal && splitsComplex ? Layout::Split : layout;
}

unsigned Memories::allocate(Location loc, RankedTensorType type, bool atHome) {
  Memory memory;
  memory.bytes = bytesOf(type);
  Layout layout = layoutFor(loc, type, localBlock && !atHome);
  OpBuilder::InsertionGuard guard(builder);
  if (localBlock && !atHome) {
    builder.setInsertionPointToStart(localBlock);
    memory.base = {memref::AllocaOp::create(builder, loc, bufferType(type, layout)), layout};
  } else {
    builder.setInsertionPointToStart(homeBlock);
    auto scratch = memref::AllocOp::create(builder, loc, bufferType(type, layout));
    if (turnsAround != 0)
      scratch->setAttr(inTurnMark, builder.getUnitAttr());
    memory.base = {scratch, layout};
  }
  memories.push_back(memory);
  return memories.size() - 1;
}

void Memories::bind(Value tensor, unsigned memory) {
  memoryOf[tensor] = memory;
  memories[memory].holders.push_back(tensor);
  buffers[tensor] = viewAs(builder, tensor.getLoc(), memories[memory].base,
                           cast<RankedTensorType>(tensor.getType()));
}

void Memories::bindInput(Value tensor, Value memref) {
  Memory memory;
  memory.base = {memref, outerLayout(cast<RankedTensorType>(tensor.getType()))};
  memory.writable = false;
  memories.push_back(memory);
  bind(tensor, memories.size() - 1);
}

void Memories::bindTable(Value tensor, Buffer buffer) {
  Memory memory;
  memory.base = buffer;
  memory.writable = false;
  memories.push_back(memory);
  bind(tensor, memories.size() - 1);
}

void Memories::bindAlias(Operation *op) { bind(op->getResult(0), memoryOf.at(sharedBy(op))); }

unsigned Memories::addOutput(Value memref) {
  Memory memory;
  memory.base.memref = memref;
  memory.pinned = true;
  memories.push_back(memory);
  return memories.size() - 1;
}

void Memories::wantIn(Value tensor, unsigned memory) {
  if (wanted.contains(tensor) || memoryOf.contains(tensor) ||
      askedLayouts.contains(ownName(tensor.getLoc())))
    return;
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return;
  Memory &target = memories[memory];
  target.base.layout = outerLayout(cast<RankedTensorType>(tensor.getType()));
  wanted[tensor] = memory;
  unsigned number = cast<OpResult>(tensor).getResultNumber();
  Value before = goneOnWith(tensor);
  if (Value into = insertedInto(op))
    before = into;
  else if (auto scatter = dyn_cast<ScatterOp>(op))
    before = scatter.getBase();
  else if (auto reshape = dyn_cast<ReshapeOp>(op))
    before = reshape.getInput();
  else if (auto loop = dyn_cast<scf::ForOp>(op))
    before = loop.getInitArgs()[number];
  if (before && before.hasOneUse() && before.getParentBlock() == tensor.getParentBlock())
    wantIn(before, memory);
  bool beginsEmpty = !before || (isa<BlocksOp>(op) && before.getDefiningOp<tensor::EmptyOp>());
  if (Value input = beginsEmpty ? onlyOverwritten(op, tensor) : Value())
    wantIn(input, memory);
}

/// The blocks that alone take what these leave of their result, and fill it.
static BlocksOp lastBlocksBehind(Operation *op, Value result) {
  return isa<BlocksOp>(op) && result.hasOneUse() ? dyn_cast<BlocksOp>(*result.user_begin())
                                                 : BlocksOp();
}

/// What an op, and nobody else, reads and may overwrite with its result. Blocks that go on with
/// other lines of the same count as it.
Value Memories::onlyOverwritten(Operation *op, Value result) {
  if (!isa<MapOp, BlocksOp>(op))
    return {};
  BlocksOp rest = lastBlocksBehind(op, result);
  Value found;
  op->walk([&](tensor::ExtractOp extract) {
    Value input = extract.getTensor();
    Operation *made = input.getDefiningOp();
    if (!found && isa_and_nonnull<MapOp, BlocksOp>(made) && made->getBlock() == op->getBlock() &&
        llvm::all_of(input.getUsers(),
                     [&](Operation *user) {
                       return op->isAncestor(user) || (rest && rest->isAncestor(user));
                     }) &&
        mayOverwrite(op, result, input) && (!rest || mayOverwrite(rest, rest->getResult(0), input)))
      found = input;
  });
  return found;
}

bool Memories::isDead(const Memory &memory, Operation *at, bool includingIt) {
  Block *block = at->getBlock();
  for (Value holder : memory.holders) {
    // What nobody reads is written all the same, with other results of its op.
    if (holder.getParentBlock() != block || holder.getDefiningOp() == at)
      return false;
    for (Operation *user : holder.getUsers()) {
      Operation *here = block->findAncestorOpInBlock(*user);
      if (!here || !(here->isBeforeInBlock(at) || (includingIt && here == at)))
        return false;
    }
  }
  return true;
}

/// Whether iterations of a loop read what the memory held before it.
bool Memories::isReadInside(const Memory &memory, scf::ForOp loop) {
  return llvm::any_of(memory.holders, [&](Value holder) {
    return llvm::any_of(holder.getUsers(),
                        [&](Operation *user) { return loop->isProperAncestor(user); });
  });
}

/// Whether a scatter reads what the memory holds as its updates or indices as well.
bool Memories::readsElsewhere(Operation *op, const Memory &memory) {
  auto scatter = dyn_cast<ScatterOp>(op);
  return scatter && (llvm::is_contained(memory.holders, scatter.getUpdates()) ||
                     llvm::is_contained(memory.holders, scatter.getIndices()));
}

std::optional<unsigned> Memories::overwritable(Operation *op, Value result) {
  SmallVector<Value> read;
  op->walk([&](tensor::ExtractOp extract) { read.push_back(extract.getTensor()); });
  for (Value input : read) {
    auto found = memoryOf.find(input);
    if (found == memoryOf.end())
      continue;
    Memory &memory = memories[found->second];
    bool local = isa_and_nonnull<memref::AllocaOp>(memory.base.memref.getDefiningOp());
    auto type = cast<RankedTensorType>(result.getType());
    if (!memory.writable || memory.pinned || local != (localBlock != nullptr) ||
        memory.base.layout != layoutFor(result.getLoc(), type, local))
      continue;
    // A view of the memory under another shape may be read elsewhere in the op.
    if (llvm::any_of(memory.holders, [&](Value holder) {
          return holder != input && llvm::is_contained(read, holder);
        }))
      continue;
    if (isDead(memory, op, /*includingIt=*/true) && mayOverwrite(op, result, input))
      return found->second;
  }
  return std::nullopt;
}

std::optional<unsigned> Memories::deadOfSize(Operation *op, RankedTensorType type) {
  for (auto [number, memory] : llvm::enumerate(memories)) {
    Operation *made = memory.base.memref.getDefiningOp();
    bool local = isa_and_nonnull<memref::AllocaOp>(made);
    bool scratch = isa_and_nonnull<memref::AllocOp>(made);
    if (memory.pinned || !(localBlock ? local : scratch))
      continue;
    auto held = cast<MemRefType>(memory.base.memref.getType());
    Layout layout = layoutFor(op->getLoc(), type, localBlock != nullptr);
    if (memory.bytes != bytesOf(type) || memory.base.layout != layout ||
        held.getElementType() != realType(type.getElementType()))
      continue;
    if (isDead(memory, op, /*includingIt=*/false))
      return number;
  }
  return std::nullopt;
}

void Memories::copy(Location loc, Value tensor, unsigned memory) {
  Buffer from = buffers.at(tensor);
  Buffer to = viewAs(builder, loc, memories[memory].base, cast<RankedTensorType>(tensor.getType()));
  copyBuffer(builder, loc, from.memref, to.memref);
}

void Memories::explain(Value result, unsigned chosen) {
  constexpr Notes notes("lower-to-loops");
  if (!Notes::wanted(result.getLoc()) || isa_and_nonnull<tensor::EmptyOp>(result.getDefiningOp()))
    return;
  const Memory &memory = memories[chosen];
  int64_t bytes = bytesOf(cast<RankedTensorType>(result.getType()));
  std::string name = spoken(result);
  if (isa<BlockArgument>(memory.base.memref))
    notes.decided(result.getLoc(), "{0} is computed in the caller's array", name)
        .because("it is returned, or becomes what is")
        .number("bytes", bytes);
  else if (!memory.holders.empty())
    notes
        .decided(result.getLoc(), "{0} takes the memory of {1}", name,
                 spoken(memory.holders.back()))
        .because("nobody reads that afterwards: {0} bytes less", bytes)
        .number("bytes", bytes);
  else
    notes
        .decided(result.getLoc(), "{0} gets {1} bytes of {2}", name, bytes,
                 localBlock ? "memory of its block" : "scratch memory")
        .because("no value that is dead by then has its size and form")
        .number("bytes", bytes);
}

void Memories::place(Value result, Operation *op, Value init) {
  auto type = cast<RankedTensorType>(result.getType());
  std::optional<unsigned> chosen;
  if (auto asked = wanted.find(result); asked != wanted.end())
    chosen = asked->second;
  if (!chosen && init) {
    unsigned before = memoryOf.at(init);
    Memory &memory = memories[before];
    bool suits = !init.getDefiningOp<tensor::EmptyOp>() ||
                 memory.base.layout == layoutFor(result.getLoc(), type, localBlock != nullptr);
    if (suits && memory.writable && !memory.pinned && isDead(memory, op, /*includingIt=*/true) &&
        !readsElsewhere(op, memory))
      chosen = before;
  }
  if (!chosen && !init)
    chosen = overwritable(op, result);
  if (!chosen)
    chosen = deadOfSize(op, type);
  if (!chosen)
    chosen = allocate(result.getLoc(), type, /*atHome=*/false);
  explain(result, *chosen);
  if (init && memoryOf.at(init) != *chosen && !init.getDefiningOp<tensor::EmptyOp>())
    copy(result.getLoc(), init, *chosen);
  bind(result, *chosen);
}

FailureOr<Buffer> Memories::bufferOf(Value tensor) {
  auto found = buffers.find(tensor);
  if (found == buffers.end())
    return failure();
  return found->second;
}

void Memories::beginCarried(scf::ForOp loop) {
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  for (auto [n, init] : llvm::enumerate(loop.getInitArgs())) {
    Value result = loop.getResult(n), carried = loop.getRegionIterArg(n);
    auto type = cast<RankedTensorType>(result.getType());
    std::optional<unsigned> chosen;
    if (auto asked = wanted.find(result); asked != wanted.end()) {
      chosen = asked->second;
    } else {
      unsigned before = memoryOf.at(init);
      Memory &memory = memories[before];
      if (memory.writable && !memory.pinned && isDead(memory, loop, /*includingIt=*/true) &&
          !isReadInside(memory, loop) && llvm::count(loop.getInitArgs(), init) == 1)
        chosen = before;
    }
    if (!chosen)
      chosen = allocate(result.getLoc(), type, /*atHome=*/true);
    if (memoryOf.at(init) != *chosen && !init.getDefiningOp<tensor::EmptyOp>())
      copy(result.getLoc(), init, *chosen);
    memories[*chosen].pinned = true;
    bind(carried, *chosen);
    memoryOf[result] = *chosen;

    // The next value may be computed in place where it overwrites this one's last use.
    Value next = yield.getOperand(n);
    if (llvm::count(yield.getOperands(), next) != 1)
      continue;
    for (Value value : chainOver(loop, carried, next))
      wanted.try_emplace(value, *chosen);
  }
}

void Memories::endIteration(scf::ForOp loop, scf::YieldOp yield) {
  // A next value that lies in another carried memory must be saved before that is
  // overwritten: all such copies go through memory of their own.
  SmallVector<std::pair<unsigned, Buffer>> late;
  for (auto [n, next] : llvm::enumerate(yield.getOperands())) {
    unsigned target = memoryOf.at(loop.getResult(n));
    unsigned source = memoryOf.at(next);
    if (source == target)
      continue;
    Buffer from = buffers.at(next);
    if (memories[source].pinned) {
      auto type = cast<RankedTensorType>(next.getType());
      unsigned saved = allocate(next.getLoc(), type, /*atHome=*/true);
      memories[saved].pinned = true;
      copyBuffer(builder, next.getLoc(), from.memref, memories[saved].base.memref);
      from = memories[saved].base;
    }
    late.push_back({n, from});
  }
  for (auto &[n, from] : late)
    copyBuffer(builder, loop.getLoc(), from.memref, buffers.at(loop.getRegionIterArg(n)).memref);
}

void Memories::endCarried(scf::ForOp loop) {
  for (Value result : loop.getResults()) {
    Memory &memory = memories[memoryOf.at(result)];
    memory.holders.clear();
    memory.pinned = isa<BlockArgument>(memory.base.memref);
    bind(result, memoryOf.at(result));
  }
}

void Memories::deliver(Location loc, Value tensor, Value output) {
  Buffer buffer = buffers.at(tensor);
  unsigned memory = memoryOf.at(tensor);
  if (memories[memory].base.memref == output)
    return;
  auto type = cast<RankedTensorType>(tensor.getType());
  Buffer to = viewAs(builder, loc, {output, outerLayout(type)}, type);
  copyBuffer(builder, loc, buffer.memref, to.memref);
}

} // namespace weft
