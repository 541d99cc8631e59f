// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Split.h"

#include "Spill.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace llvm;

namespace weft::swcc {

namespace {

constexpr unsigned none = ~0U;

/// An operation of the new block. Values are split values by number; see `Applier::number_`.
struct Item {
  enum class Role : std::uint8_t {
    Own,
    Reload,
    GiveWay,   // a store that is needed if memory is behind
    StoreCopy, // writes a phi's slot
    CopyToo,   // writes the phi's register beside it
  };
  Operation operation;
  Role role = Role::Own;
  unsigned stored = none; // the value whose slot is written
  bool needed = false;    // after it, a reload comes before the next write
  bool behind = true;     // before it, memory may be behind the register
  bool kept = true;
};

class Applier {
public:
  Applier(Code &code, std::vector<SplitBlock> &plan)
      : code_(code), plan_(plan), kinds_(spillKinds(code)), items_(code.blocks.size()) {}

  void run() {
    numberValues();
    for (unsigned index = 0; index < items_.size(); ++index)
      insert(index);
    findNeeded();
    findBehind();
    findParts();
    placeStores();
    findParts();
    rename();
  }

private:
  using Items = std::vector<Item>;

  void numberValues();
  void insert(unsigned index);
  void storeCopy(Items &into, const Operation &copy);
  bool staysInRegister(unsigned block, Register phi) const;
  void findNeeded();
  void findBehind();
  void findLive();
  void findParts();
  void placeStores();
  void rename();
  /// Calls `use(block, item, index, part)` and `def(block, item, part)` along the text.
  template <typename Use, typename Def, typename End> void walkParts(Use use, Def def, End end);
  unsigned numberOf(Register name) const {
    if (!isVirtual(name) || name - firstVirtual >= number_.size())
      return none;
    return number_[name - firstVirtual];
  }
  unsigned find(unsigned part) {
    while (same_[part] != part)
      part = same_[part] = same_[same_[part]];
    return part;
  }
  void unite(unsigned one, unsigned other) {
    // The smaller leads, whatever the order.
    one = find(one);
    other = find(other);
    same_[std::max(one, other)] = std::min(one, other);
  }
  bool hasSlot(unsigned value) const { return !kinds_[values_[value] - firstVirtual].isRemade(); }

  Code &code_;
  std::vector<SplitBlock> &plan_;
  const std::vector<SpillKind> kinds_;
  std::vector<unsigned> number_; // of each register among the values that are split
  std::vector<Register> values_;
  std::vector<unsigned> slots_;
  std::vector<Items> items_;
  std::vector<BitVector> neededIn_, liveIn_, liveOut_;
  std::vector<DenseMap<unsigned, unsigned>> partIn_; // of each value live into each block
  unsigned firstPart_ = 0;
  std::vector<unsigned> same_;
};

/// Who is reloaded anywhere is split; who gives way for good is not.
void Applier::numberValues() {
  number_.assign(code_.next - firstVirtual, none);
  for (const SplitBlock &block : plan_)
    for (const SplitEdit &edit : block.edits)
      if (edit.what == SplitEdit::What::Reload && number_[edit.value] == none) {
        number_[edit.value] = values_.size();
        values_.push_back(edit.value + firstVirtual);
      }
  slots_.assign(values_.size(), none);
}

bool Applier::staysInRegister(unsigned block, Register phi) const {
  return any_of(code_.blocks[block].successors,
                [&](unsigned to) { return is_contained(plan_[to].entry, phi - firstVirtual); });
}

void Applier::storeCopy(Items &into, const Operation &copy) {
  const unsigned value = numberOf(copy.def);
  if (value == none)
    return; // nobody reloads it
  Register stored = copy.uses.front();
  if (!copy.copy || !isVirtual(stored)) {
    Operation made = copy;
    made.copy = made.lastCopy = false;
    made.def = stored = code_.fresh();
    into.push_back({std::move(made)});
  }
  Item item{spillAccess(stored, 0, true, kinds_[copy.def - firstVirtual].vector, copy.source)};
  item.role = Item::Role::StoreCopy;
  item.stored = value;
  into.push_back(std::move(item));
}

void Applier::insert(unsigned index) {
  std::vector<Operation> &all = code_.blocks[index].operations;
  std::vector<SplitEdit> &edits = plan_[index].edits;
  stable_sort(edits, [](const SplitEdit &a, const SplitEdit &b) { return a.before < b.before; });
  BitVector storedCopies(all.size());
  for (const SplitEdit &edit : edits)
    if (edit.what == SplitEdit::What::StoreCopy)
      storedCopies.set(edit.value);
  Items &items = items_[index];
  items.reserve(all.size() + edits.size());
  auto edit = edits.begin();
  BitVector done(all.size());
  for (std::size_t at = 0; at <= all.size(); ++at) {
    const Instruction *source = at < all.size() ? all[at].source : nullptr;
    for (; edit != edits.end() && edit->before == at; ++edit) {
      if (edit->what == SplitEdit::What::StoreCopy) {
        if (!done.test(edit->value))
          storeCopy(items, all[edit->value]);
        done.set(edit->value);
        continue;
      }
      const unsigned value = number_[edit->value];
      if (value == none)
        continue;
      const Register name = values_[value];
      const SpillKind &kind = kinds_[edit->value];
      Item item;
      if (edit->what == SplitEdit::What::Store) {
        if (kind.isRemade())
          continue;
        item.operation = spillAccess(name, 0, true, kind.vector, source);
        item.role = Item::Role::GiveWay;
        item.stored = value;
      } else {
        item.operation =
            kind.isRemade() ? kind.remade : spillAccess(name, 0, false, kind.vector, source);
        item.operation.source = source;
        item.role = Item::Role::Reload;
      }
      items.push_back(std::move(item));
    }
    if (at == all.size() || (storedCopies.test(at) && !staysInRegister(index, all[at].def)))
      continue;
    items.push_back({all[at]});
    if (storedCopies.test(at))
      items.back().role = Item::Role::CopyToo;
  }
}

/// Where memory is needed: a reload comes before the next write.
void Applier::findNeeded() {
  neededIn_.assign(items_.size(), BitVector(values_.size()));
  const auto walk = [&](unsigned index, bool mark) {
    BitVector needed(values_.size());
    for (const unsigned to : code_.blocks[index].successors)
      needed |= neededIn_[to];
    for (Item &item : reverse(items_[index])) {
      const unsigned made = numberOf(item.operation.def);
      const unsigned value = item.stored != none ? item.stored : made;
      if (value == none)
        continue;
      if (mark)
        item.needed = needed.test(value);
      if (item.role == Item::Role::Reload || item.role == Item::Role::CopyToo)
        needed.set(value);
      else if (item.role != Item::Role::GiveWay)
        needed.reset(value);
    }
    const bool changed = needed != neededIn_[index];
    neededIn_[index] = std::move(needed);
    return changed;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned index = items_.size(); index-- > 0;)
      changed |= walk(index, false);
  }
  for (unsigned index = 0; index < items_.size(); ++index)
    walk(index, true);
}

/// Where memory may be behind the register: the value was written and not stored since.
void Applier::findBehind() {
  std::vector<BitVector> out(items_.size(), BitVector(values_.size()));
  const auto walk = [&](unsigned index, bool mark) {
    BitVector behind(values_.size(), index == 0);
    for (const unsigned from : code_.blocks[index].predecessors)
      behind |= out[from];
    for (Item &item : items_[index]) {
      const unsigned made = numberOf(item.operation.def);
      const unsigned value = item.stored != none ? item.stored : made;
      if (value == none)
        continue;
      if (mark)
        item.behind = behind.test(value);
      if (item.role == Item::Role::Own)
        behind.set(value);
      else
        behind.reset(value);
    }
    const bool changed = behind != out[index];
    out[index] = std::move(behind);
    return changed;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned index = 0; index < items_.size(); ++index)
      changed |= walk(index, false);
  }
  for (unsigned index = 0; index < items_.size(); ++index)
    walk(index, true);
}

void Applier::findLive() {
  const unsigned count = values_.size();
  liveIn_.assign(items_.size(), BitVector(count));
  liveOut_.assign(items_.size(), BitVector(count));
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned index = items_.size(); index-- > 0;) {
      for (const unsigned to : code_.blocks[index].successors)
        liveOut_[index] |= liveIn_[to];
      BitVector live = liveOut_[index];
      for (const Item &item : reverse(items_[index])) {
        if (const unsigned made = numberOf(item.operation.def); made != none)
          live.reset(made);
        for (const Register use : item.operation.uses)
          if (const unsigned read = numberOf(use); read != none)
            live.set(read);
      }
      if (live != liveIn_[index]) {
        liveIn_[index] = std::move(live);
        changed = true;
      }
    }
  }
}

template <typename Use, typename Def, typename End>
void Applier::walkParts(Use use, Def def, End end) {
  unsigned next = firstPart_;
  for (unsigned index = 0; index < items_.size(); ++index) {
    DenseMap<unsigned, unsigned> now = partIn_[index];
    for (Item &item : items_[index]) {
      bool readsOwn = item.operation.lastCopy;
      for (unsigned at = 0; at < item.operation.uses.size(); ++at)
        if (const unsigned read = numberOf(item.operation.uses[at]); read != none) {
          readsOwn = readsOwn || item.operation.uses[at] == item.operation.def;
          // Read before it is written on this way: whatever it holds.
          if (const auto [known, isNew] = now.try_emplace(read, next); isNew)
            ++next;
          use(index, item, at, now[read]);
        }
      if (const unsigned made = numberOf(item.operation.def); made != none) {
        // What goes on from its old value stays where it is.
        if (!readsOwn || !now.contains(made))
          now[made] = next++;
        def(index, item, now[made]);
      }
    }
    end(index, now);
  }
}

/// Parts of values that share a register: what is joined by control.
void Applier::findParts() {
  findLive();
  partIn_.clear();
  partIn_.resize(items_.size());
  firstPart_ = 0;
  std::size_t most = 0;
  for (unsigned index = 0; index < items_.size(); ++index) {
    for (const unsigned value : liveIn_[index].set_bits())
      partIn_[index][value] = firstPart_++;
    for (const Item &item : items_[index])
      most += 1 + item.operation.uses.size();
  }
  same_.resize(firstPart_ + most);
  for (unsigned part = 0; part < same_.size(); ++part)
    same_[part] = part;
  walkParts([](auto...) {}, [](auto...) {},
            [&](unsigned index, const DenseMap<unsigned, unsigned> &now) {
              for (const unsigned to : code_.blocks[index].successors)
                for (const unsigned value : liveIn_[to].set_bits())
                  if (const auto known = now.find(value); known != now.end())
                    unite(known->second, partIn_[to][value]);
            });
}

/// A part is stored after it is written, or where it gives way: where that happens less often.
void Applier::placeStores() {
  std::vector<double> afterWrites(same_.size()), givingWay(same_.size());
  std::vector<unsigned> made; // part of each item, along the text
  const auto isWrite = [](const Item &item) { return item.role == Item::Role::Own && item.needed; };
  for (const Register argument : code_.arguments)
    if (const unsigned value = numberOf(argument);
        value != none && neededIn_[0].test(value) && partIn_[0].contains(value))
      afterWrites[find(partIn_[0][value])] += 1;
  walkParts(
      [&](unsigned index, Item &item, unsigned at, unsigned part) {
        if (item.role == Item::Role::GiveWay && at == 0 && item.needed && item.behind)
          givingWay[find(part)] += code_.blocks[index].frequency;
      },
      [&](unsigned index, Item &item, unsigned part) {
        if (isWrite(item))
          afterWrites[find(part)] += code_.blocks[index].frequency;
      },
      [](auto...) {});
  const auto early = [&](unsigned part) { return afterWrites[find(part)] < givingWay[find(part)]; };
  // Which writes are followed by a store; blocks grow only afterwards.
  std::vector<std::vector<const Item *>> stored(items_.size());
  walkParts(
      [&](unsigned, Item &item, unsigned at, unsigned part) {
        if (item.role == Item::Role::GiveWay && at == 0)
          item.kept = item.needed && item.behind && !early(part);
      },
      [&](unsigned index, Item &item, unsigned part) {
        if (isWrite(item) && early(part) && hasSlot(numberOf(item.operation.def)))
          stored[index].push_back(&item);
      },
      [](auto...) {});
  SmallVector<Register, 8> arrived;
  for (const Register argument : code_.arguments)
    if (const unsigned value = numberOf(argument); value != none && neededIn_[0].test(value))
      if (const auto part = partIn_[0].find(value); part == partIn_[0].end() || early(part->second))
        arrived.push_back(argument);
  for (unsigned index = 0; index < items_.size(); ++index) {
    Items all;
    if (index == 0)
      for (const Register argument : arrived)
        all.push_back(
            {spillAccess(argument, 0, true, kinds_[argument - firstVirtual].vector, nullptr),
             Item::Role::StoreCopy, numberOf(argument)});
    auto next = stored[index].begin();
    std::size_t lastCopies = 0; // in `all`: copies happen together, their stores before
    for (Item &item : items_[index]) {
      if (item.role == Item::Role::StoreCopy && !item.needed)
        continue;
      const bool isStored = next != stored[index].end() && *next == &item;
      next += isStored;
      if (!item.kept)
        continue;
      if (!item.operation.lastCopy &&
          (item.operation.opcode->kind != Kind::Control || item.operation.call))
        lastCopies = all.size() + 1;
      if (isStored && item.operation.lastCopy) {
        Items store;
        storeCopy(store, item.operation);
        all.insert(all.begin() + lastCopies, store.begin(), store.end());
        lastCopies += store.size();
        all.push_back(std::move(item));
        continue;
      }
      const Register made = item.operation.def;
      const Instruction *source = item.operation.source;
      all.push_back(std::move(item));
      if (!isStored)
        continue;
      all.push_back({spillAccess(made, 0, true, kinds_[made - firstVirtual].vector, source),
                     Item::Role::GiveWay, numberOf(made)});
      lastCopies = all.size();
    }
    items_[index] = std::move(all);
  }
}

void Applier::rename() {
  std::vector<Register> names(same_.size(), noRegister);
  std::vector<bool> isRead(same_.size());
  const auto nameOf = [&](unsigned part) {
    Register &name = names[find(part)];
    if (name == noRegister)
      name = code_.fresh();
    return name;
  };
  // Renamed later: operations are still asked for their old names.
  struct Change {
    Register *where;
    unsigned part;
  };
  std::vector<Change> changes;
  walkParts(
      [&](unsigned, Item &item, unsigned at, unsigned part) {
        changes.push_back({&item.operation.uses[at], part});
        isRead[find(part)] = true;
      },
      [&](unsigned, Item &item, unsigned part) { changes.push_back({&item.operation.def, part}); },
      [](auto...) {});
  walkParts([](auto...) {},
            [&](unsigned, Item &item, unsigned part) {
              const unsigned value = numberOf(item.operation.def);
              const bool canGo = item.role == Item::Role::Reload ||
                                 (item.role == Item::Role::Own && !hasSlot(value));
              item.kept = !canGo || isRead[find(part)];
            },
            [](auto...) {});
  for (Items &items : items_)
    for (Item &item : items) {
      const unsigned value = item.stored != none               ? item.stored
                             : item.role == Item::Role::Reload ? numberOf(item.operation.def)
                                                               : none;
      if (value == none || !hasSlot(value))
        continue;
      if (slots_[value] == none)
        slots_[value] = code_.spilled++;
      item.operation.immediate = 32 * std::int64_t(slots_[value]);
    }
  for (Register &argument : code_.arguments)
    if (const unsigned value = numberOf(argument); value != none)
      if (const auto part = partIn_[0].find(value); part != partIn_[0].end())
        argument = nameOf(part->second);
  for (const Change &change : changes)
    *change.where = nameOf(change.part);
  for (unsigned index = 0; index < items_.size(); ++index) {
    std::vector<Operation> &all = code_.blocks[index].operations;
    all.clear();
    for (Item &item : items_[index])
      if (item.kept)
        all.push_back(std::move(item.operation));
  }
}

} // namespace

void applySplit(Code &code, std::vector<SplitBlock> &plan) { Applier(code, plan).run(); }

} // namespace weft::swcc
