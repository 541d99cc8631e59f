//===- PairAnalysis.cpp - which scalars are the two parts of a complex number ===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// From the stores backwards: what is stored as the two parts of an element is a pair, and
// the operands of a pair's operations are pairs, in the order that needs fewer shuffles.
//
//===-----------------------------------------------------------------------===//

#include "passes/Passes.h"
#include "passes/vectors/PairBody.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

PairBody::PairBody(AffineForOp loop, const VectorUnit &vectorUnit, bool hasFma, bool byParts)
    : loop(loop), builder(loop), where(loop.getLoc()), unit(vectorUnit), hasFma(hasFma),
      byParts(byParts), copies(byParts ? 2 : 1),
      block{loop.getInductionVar(), 0, loop.getConstantLowerBound()} {}

bool PairBody::refuse(Operation *op, const Twine &reason) {
  if (seesComplex && why.empty())
    why = (reason + " (" + op->getName().getStringRef() + ")").str();
  return false;
}

bool PairBody::analyse() {
  if (loop.getNumIterOperands() != 0)
    return refuse(loop, "it accumulates");
  for (Operation &op : loop.getBody()->without_terminator())
    for (Type type : llvm::concat<const Type>(llvm::to_vector(op.getOperandTypes()),
                                              llvm::to_vector(op.getResultTypes())))
      if (isa<FloatType>(type)) {
        if (element && element != type)
          return refuse(&op, "numbers of two widths");
        element = type;
      }
  if (!element || (!element.isF32() && !element.isF64()))
    return refuse(loop, "it handles no numbers of 32 or 64 bits");
  count = unit.lanes(element.getIntOrFloatBitWidth());
  if (count < 2)
    return refuse(loop, "a vector holds no complex number");
  block.lanes = step();
  if (readsReals()) {
    copies = 2;
    block.lanes = step();
  }
  varying.insert(loop.getInductionVar());
  for (Operation &op : loop.getBody()->without_terminator())
    if (!analyseOp(op))
      return false;
  if (!pairStores() || !loadsMayBeEarly() || !formSquares())
    return false;
  for (Store &store : stores) {
    bool realFirst = *accesses.find(store.first)->second.complexPart() == 0;
    Operation *re = realFirst ? store.first : store.second;
    Operation *im = realFirst ? store.second : store.first;
    store.value = find(re->getOperand(0), im->getOperand(0));
    if (!store.value)
      return refuse(store.second, "its two parts are computed in different ways");
  }
  dropUnused();
  countOperations();
  return true;
}

/// Takes out what was found on the way to pairs that are none.
void PairBody::dropUnused() {
  DenseSet<Node *> used;
  SmallVector<Node *> open;
  for (const Store &store : stores)
    open.push_back(store.value);
  while (!open.empty()) {
    Node *node = open.pop_back_val();
    if (!node || !used.insert(node).second)
      continue;
    open.push_back(node->of);
    for (const Term &term : node->terms)
      open.append({term.a, term.b});
  }
  for (auto &[value, node] : whole)
    if (!used.contains(node))
      node = nullptr;
  llvm::erase_if(nodes, [&](const auto &node) { return !used.contains(node.get()); });
  known.clear();
}

bool PairBody::analyseOp(Operation &op) {
  if (op.getNumRegions() != 0)
    return refuse(&op, "a loop inside of it");
  if (std::optional<Access> access = Access::of(&op, space)) {
    if (llvm::any_of(access->operands,
                     [&](Value operand) { return operand != block.iv && isVarying(operand); }))
      return refuse(&op, "an index varies in a way that is not affine");
    std::optional<int64_t> slope = access->slope(block, space);
    bool uniformLoad = slope == 0 && !access->isStore;
    seesComplex |= slope == 2 && access->complexPart();
    bool isElement = (slope == 2 || isApart(*access)) && access->complexPart();
    if (!uniformLoad && !isElement && !isReals(*access))
      return refuse(&op, "an element is not one of interleaved complex numbers side by side");
    accesses.insert({&op, *access});
    if (!uniformLoad && !access->isStore)
      varying.insert(op.getResult(0));
    return true;
  }
  if (!isMemoryEffectFree(&op))
    return refuse(&op, "an operation has effects");
  if (llvm::none_of(op.getOperands(), [&](Value operand) { return isVarying(operand); }))
    return true;
  varying.insert_range(op.getResults());
  return isa<affine::AffineApplyOp, arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::NegFOp,
             math::FmaOp>(op) ||
         refuse(&op, "an operation has no form on pairs");
}

/// Each store of one part with that of the other, if nothing between them can see the
/// difference.
bool PairBody::pairStores() {
  SmallVector<const Access *> open;
  for (auto &[op, access] : accesses) {
    const Access *partner = nullptr;
    if (access.isStore)
      for (const Access *other : open)
        if (other->memref == access.memref && other->complexPart() != access.complexPart() &&
            distance(*other, access, space) == *access.complexPart() - *other->complexPart())
          partner = other;
    if (partner) {
      stores.push_back({partner->op, op, nullptr});
      llvm::erase(open, partner);
    }
    for (const Access *other : open)
      if (mayAlias(other->memref, access.memref) &&
          (other->memref != access.memref || distance(*other, access, space).value_or(0) == 0))
        return refuse(op, "it may lie between the stores of the two parts of one element");
    if (access.isStore && !partner)
      open.push_back(&access);
  }
  return open.empty() || refuse(open.front()->op, "one part of an element is stored alone");
}

bool PairBody::mayRepeat() const {
  for (auto &[op, load] : accesses)
    for (auto &[other, store] : accesses)
      if (!load.isStore && store.isStore && mayAlias(load.memref, store.memref))
        return false;
  return true;
}

bool PairBody::mayBeMasked() const {
  return copies == 1 &&
         llvm::none_of(nodes, [](const auto &node) { return node->kind == Node::Kind::TwinTable; });
}

/// The load of an element's second part takes place with that of the first: what was stored
/// to the element before either of them might lie between.
bool PairBody::loadsMayBeEarly() {
  SmallVector<const Access *> stored;
  for (auto &[op, access] : accesses) {
    if (access.isStore) {
      stored.push_back(&access);
      continue;
    }
    for (const Access *store : stored)
      if (mayAlias(store->memref, access.memref) &&
          (store->memref != access.memref || distance(*store, access, space).value_or(0) == 0))
        return refuse(op, "it may read what was stored before it");
  }
  return true;
}

const Access *PairBody::loadOf(Value value) const {
  Operation *op = value.getDefiningOp();
  auto found = op ? accesses.find(op) : accesses.end();
  return found == accesses.end() || !isVarying(value) ? nullptr : &found->second;
}

static std::pair<Value, bool> withoutSign(Value value) {
  bool negative = false;
  while (auto negation = value.getDefiningOp<arith::NegFOp>()) {
    value = negation.getOperand();
    negative = !negative;
  }
  return {value, negative};
}

/// What a value is first of all: the operand that others are added to.
static Value leadingOperand(Operation *op, llvm::function_ref<bool(Value)> isVarying) {
  if (isa<math::FmaOp>(op)) {
    Value addend = withoutSign(op->getOperand(2)).first;
    if (isVarying(addend) && !addend.getDefiningOp<arith::MulFOp>())
      return addend;
  }
  for (Value operand : op->getOperands())
    if (isVarying(operand))
      return operand;
  return {};
}

/// The load of what a value is, first of all, computed from; null where that is none of these.
const Access *PairBody::leafOf(Value value) {
  auto found = leaves.find(value);
  if (found != leaves.end())
    return found->second;
  const Access *leaf = loadOf(value);
  if (!leaf)
    if (Value leading = leadingOperand(value.getDefiningOp(),
                                       [&](Value operand) { return isVarying(operand); }))
      leaf = leafOf(leading);
  return leaves[value] = leaf;
}

/// The part of an element that a value is, first of all, computed from.
int64_t PairBody::leafPart(Value value) {
  const Access *leaf = leafOf(value);
  return leaf ? leaf->complexPart().value_or(0) : 0;
}

/// Whether two values are, first of all, computed from parts of the same element.
bool PairBody::haveOneLeaf(Value re, Value im) {
  const Access *first = leafOf(re), *second = leafOf(im);
  return first && second && first->memref == second->memref && first->complexPart() &&
         distance(*first, *second, space) == *second->complexPart() - *first->complexPart();
}

/// The sum of products that a value is.
std::optional<PairBody::Scalars> PairBody::scalarsOf(Value value) const {
  auto product = [](Value a, Value b, bool negative) {
    auto [first, firstNegative] = withoutSign(a);
    auto [second, secondNegative] = withoutSign(b);
    return Product{first, second, (negative != firstNegative) != secondNegative};
  };
  // A product that only this sum uses is a term of it.
  auto term = [&](Value operand, bool negative) {
    auto [bare, ownNegative] = withoutSign(operand);
    if (auto of = bare.getDefiningOp<arith::MulFOp>();
        of && of->hasOneUse() && isVarying(of.getResult()))
      return product(of.getLhs(), of.getRhs(), negative != ownNegative);
    return Product{bare, Value(), negative != ownNegative};
  };
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (isa<arith::AddFOp, arith::SubFOp>(op))
    return Scalars{
        {term(op->getOperand(0), false), term(op->getOperand(1), isa<arith::SubFOp>(op))}, false};
  if (isa<arith::MulFOp>(op))
    return Scalars{{product(op->getOperand(0), op->getOperand(1), false)}, false};
  if (isa<math::FmaOp>(op))
    return Scalars{
        {product(op->getOperand(0), op->getOperand(1), false), term(op->getOperand(2), false)},
        true};
  return std::nullopt;
}

PairBody::Node *PairBody::make(Node::Kind kind, Value re, Value im) {
  nodes.push_back(std::make_unique<Node>());
  Node *node = nodes.back().get();
  node->kind = kind;
  node->re = re;
  node->im = im;
  known[{re, im}] = node;
  bool hasParts = re != im && kind != Node::Kind::Swapped && kind != Node::Kind::Uniform;
  if (hasParts || kind == Node::Kind::Reals) {
    whole.try_emplace(re, node);
    whole.try_emplace(im, node);
  }
  return node;
}

PairBody::Node *PairBody::find(Value re, Value im) {
  if (Node *node = known.lookup({re, im}))
    return node;
  if (failed.contains({re, im}))
    return nullptr;
  Node *node = findNew(re, im);
  if (!node)
    failed.insert({re, im});
  return node;
}

PairBody::Node *PairBody::findNew(Value re, Value im) {
  if (!isVarying(re) && !isVarying(im))
    return make(Node::Kind::Uniform, re, im);
  if (!isVarying(re) || !isVarying(im))
    return nullptr;
  if (re.getDefiningOp<arith::NegFOp>() || im.getDefiningOp<arith::NegFOp>())
    return findNegated(re, im);
  if (re == im)
    return findTwin(re);
  Node *turned = known.lookup({im, re});
  if (!turned && leafPart(re) == 1 && leafPart(im) == 0 && !mixesParts(re, im))
    turned = find(im, re);
  if (turned) {
    Node *node = make(Node::Kind::Swapped, re, im);
    node->of = turned;
    return node;
  }
  if (loadOf(re) || loadOf(im))
    return findLoad(re, im);
  return findSum(re, im);
}

PairBody::Node *PairBody::findNegated(Value re, Value im) {
  auto [bareRe, reNegative] = withoutSign(re);
  auto [bareIm, imNegative] = withoutSign(im);
  Node *of = find(bareRe, bareIm);
  if (!of)
    return nullptr;
  Node *node = make(Node::Kind::Sum, re, im);
  node->terms = {Term{of, nullptr, {reNegative, imNegative}}};
  return node;
}

/// Both are sums of the same two scalars, with other signs: x.re - x.im and x.re + x.im.
bool PairBody::mixesParts(Value re, Value im) const {
  std::optional<Scalars> first = scalarsOf(re), second = scalarsOf(im);
  if (!first || !second || first->terms.size() != 2 || second->terms.size() != 2)
    return false;
  for (const Product &term : llvm::concat<Product>(first->terms, second->terms))
    if (term.b)
      return false;
  return first->terms[0].a == second->terms[1].a && first->terms[1].a == second->terms[0].a;
}

PairBody::Node *PairBody::findLoad(Value re, Value im) {
  const Access *first = loadOf(re), *second = loadOf(im);
  if (!first || !second || first->memref != second->memref || first->complexPart() != 0 ||
      second->complexPart() != 1 || distance(*first, *second, space) != 1)
    return nullptr;
  return make(Node::Kind::Load, re, im);
}

/// The constant that a memref shows whole, where a load may give one part of it twice.
memref::GlobalOp PairBody::tableOf(Value memref) const {
  if (unit.onlyFloats())
    return {};
  auto get = memref.getDefiningOp<memref::GetGlobalOp>();
  auto global = get ? SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(get, get.getNameAttr())
                    : memref::GlobalOp();
  return global && global.getConstant() &&
                 isa_and_nonnull<DenseFPElementsAttr>(global.getInitialValueAttr())
             ? global
             : memref::GlobalOp();
}

/// One part, or one real number, in both places.
PairBody::Node *PairBody::findTwin(Value value) {
  if (isOfReals(value))
    return loadOf(value) ? make(Node::Kind::Reals, value, value) : findSum(value, value);
  Node *of = whole.lookup(value);
  if (const Access *load = loadOf(value); load && !of)
    for (auto &[op, other] : accesses)
      if (!other.isStore && other.memref == load->memref && isVarying(op->getResult(0)) &&
          distance(*load, other, space) == (*load->complexPart() == 0 ? 1 : -1)) {
        of = *load->complexPart() == 0 ? find(value, op->getResult(0))
                                       : find(op->getResult(0), value);
        break;
      }
  if (!of)
    return nullptr;
  // A table is known to change nowhere: a load of it gives one part twice, with no shuffle to pay.
  const Access *load = loadOf(value);
  bool isTable = load && of->kind == Node::Kind::Load && tableOf(load->memref) && !isApart(*load);
  Node *node = make(isTable ? Node::Kind::TwinTable : Node::Kind::Twin, value, value);
  node->of = of;
  node->part = of->im == value ? 1 : 0;
  return node;
}

/// How well two scalars go together as parts. Of equals those that come from one element: long
/// butterflies have sums of one form for many of them.
int PairBody::score(Value re, Value im) {
  constexpr int never = -100;
  if (!isVarying(re) && !isVarying(im))
    return re == im ? 6 : 4;
  if (!isVarying(re) || !isVarying(im))
    return never;
  if (re == im) {
    const Access *load = loadOf(re);
    bool isFree = load && (!load->complexPart() || tableOf(load->memref));
    return isFree ? 8 : load || isOfReals(re) ? 4 : 2;
  }
  if (known.contains({re, im}))
    return 10;
  if (known.contains({im, re}))
    return 6;
  int64_t reLeaf = leafPart(re), imLeaf = leafPart(im);
  int ofParts = reLeaf == imLeaf ? 0 : reLeaf == 0 ? 8 : 4;
  return ofParts + (haveOneLeaf(re, im) ? 1 : 0);
}

int PairBody::score(const Product &re, const Product &im, bool *crossed) {
  constexpr int never = -1000;
  if (!re.b != !im.b)
    return never;
  if (!re.b)
    return score(re.a, im.a);
  int straight = score(re.a, im.a) + score(re.b, im.b);
  int other = score(re.a, im.b) + score(re.b, im.a);
  if (crossed)
    *crossed = other > straight;
  return std::max(straight, other);
}

bool PairBody::findTerm(const Product &re, const Product &im, Term &term) {
  bool crossed = false;
  if (score(re, im, &crossed) < 0)
    return false;
  term = {nullptr, nullptr, {re.negative, im.negative}};
  if (!re.b) {
    term.a = find(re.a, im.a);
    return term.a;
  }
  for (bool isCrossed : {crossed, !crossed}) {
    term.a = find(re.a, isCrossed ? im.b : im.a);
    term.b = find(re.b, isCrossed ? im.a : im.b);
    if (term.a && term.b)
      return true;
  }
  return false;
}

PairBody::Node *PairBody::findSum(Value re, Value im) {
  std::optional<Scalars> first = scalarsOf(re), second = scalarsOf(im);
  if (!first || !second || first->terms.size() != second->terms.size())
    return nullptr;
  SmallVector<Term, 2> terms(first->terms.size());
  auto areTerms = [&] {
    return llvm::all_of(llvm::zip(first->terms, second->terms, terms), [&](const auto &entry) {
      return findTerm(std::get<0>(entry), std::get<1>(entry), std::get<2>(entry));
    });
  };
  bool hasTwo = terms.size() == 2;
  auto turn = [&] { std::swap(second->terms[0], second->terms[1]); };
  if (hasTwo) {
    auto total = [&](int other) {
      return score(first->terms[0], second->terms[other]) +
             score(first->terms[1], second->terms[1 - other]);
    };
    if (total(1) > total(0))
      turn();
  }
  bool found = areTerms();
  if (!found && hasTwo) {
    // Long butterflies have sums that look alike.
    turn();
    found = areTerms();
  }
  if (!found)
    return nullptr;
  Node *node = make(Node::Kind::Sum, re, im);
  node->terms = terms;
  node->fused = first->fused && second->fused;
  return node;
}

void PairBody::countOperations() {
  for (const auto &node : nodes) {
    shuffles += node->kind == Node::Kind::Swapped || node->kind == Node::Kind::Twin ||
                node->kind == Node::Kind::Reals;
    if (node->kind != Node::Kind::Sum)
      continue;
    int64_t products = llvm::count_if(node->terms, [](const Term &term) { return term.b; });
    bool one = node->terms.size() == 1;
    arithmetic += one ? 1 : 1 + products - (node->fused && products > 0);
  }
  for (Operation &op : loop.getBody()->without_terminator())
    if (op.getNumResults() == 1 && isVarying(op.getResult(0)))
      scalarOps += isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, math::FmaOp>(op);
  for (auto &[op, access] : accesses)
    loadedPairs += !access.isStore && isVarying(op->getResult(0)) && access.complexPart() == 0;
  storedPairs = stores.size();
  // Of lanes() rows each, log2(lanes()) times one shuffle a row; apart, an extraction or an
  // insertion for each real number.
  for (const Square &square : squares) {
    auto rows = static_cast<int64_t>(square.rows.size());
    turning += square.isDense ? slabOf(rows).shuffles()
                              : rows * static_cast<int64_t>(llvm::Log2_64(lanes()));
    apart += rows * 2 * count;
  }
}

} // namespace weft
