//===- Vectors.cpp - vector operations from the target's table -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "targets/common/FunctionEmitter.h"
#include "targets/common/HalfLoads.h"

#include "mlir/IR/Matchers.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace weft {

static std::string typesOf(Operation *op) {
  std::string types;
  llvm::interleave(
      op->getOperandTypes(), [&](Type type) { types += typeKey(type); }, [&] { types += ", "; });
  return types + " -> " + typeKey(op->getResult(0).getType());
}

/// "ab-+c" where `factor` is a constant -1, 1, -1, 1, .., "ab+-c" where it is 1, -1, ..
static StringRef alternatingForm(Value factor) {
  DenseFPElementsAttr numbers;
  if (!matchPattern(factor, m_Constant(&numbers)) || numbers.isSplat())
    return "";
  bool firstNegative = (*numbers.begin()).isNegative();
  for (auto [index, number] : llvm::enumerate(numbers))
    if (!number.isExactlyValue((index % 2 == 0) == firstNegative ? -1.0 : 1.0))
      return "";
  return firstNegative ? "ab-+c" : "ab+-c";
}

/// Lanes that an operation computes for: all, or those that vectorize-complex says are there.
static int64_t lanesOf(Operation *op) {
  if (auto present = op->getAttrOfType<IntegerAttr>("weft.present"))
    return present.getInt();
  auto of = [](Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return vector ? vector.getNumElements() : 1;
  };
  int64_t lanes = of(op->getResult(0).getType());
  for (Type type : op->getOperandTypes())
    lanes = std::max(lanes, of(type));
  return lanes;
}

template <typename Range> static std::string joined(const Range &range) {
  std::string text;
  llvm::interleave(range, [&](const auto &value) { text += value; }, [&] { text += ", "; });
  return text;
}

/// Whether what stands between these is an argument or an element of its own.
static bool standsAlone(StringRef before, StringRef after) {
  before = before.rtrim(' ');
  return (before.ends_with("(") || before.ends_with("{") || before.ends_with(",")) &&
         (after.starts_with(")") || after.starts_with("}") || after.starts_with(","));
}

/// The template with operands ($a, $b, ..) and the rest in place of its words.
static std::string filled(StringRef pattern, ArrayRef<Expr> operands,
                          const llvm::StringMap<std::string> &words) {
  std::string text;
  while (!pattern.empty()) {
    auto [before, after] = pattern.split('$');
    text += before;
    if (after.empty())
      break;
    StringRef word = after.take_while([](char c) { return llvm::isAlpha(c); });
    StringRef rest = after.drop_front(word.size());
    size_t number = word.front() - 'a';
    if (word.size() == 1 && number < operands.size())
      text +=
          standsAlone(text, rest) ? operands[number].text : operands[number].as(Binding::Primary);
    else
      text += words.lookup(word);
    pattern = rest;
  }
  return text;
}

/// The element that an op computes on: of its result, but a comparison gives bits.
static std::string elementOf(Operation *op) {
  Type type = op->getNumResults() ? getElementTypeOrSelf(op->getResult(0).getType()) : Type();
  if (op->getNumOperands() && (!type || type.isInteger(1)))
    type = getElementTypeOrSelf(op->getOperand(0).getType());
  return typeKey(type);
}

FailureOr<Expr> FunctionEmitter::fromTable(Operation *op, StringRef entry, const std::string &types,
                                           const Filling &filling, int64_t lanes, StringRef cost) {
  const Intrinsic *found = file.intrinsics.find(entry, types);
  if (!found)
    return refuse(op, "targets/" + file.targetName + "/intrinsics.toml has no entry for " + entry +
                          " : " + types);
  llvm::StringMap<std::string> words;
  SmallVector<std::string> all;
  for (const Expr &operand : filling.operands)
    all.push_back(operand.text);
  words["all"] = joined(all);
  words["p"] = filling.address;
  words["imm"] = std::to_string(filling.immediate);
  words["bits"] = "0x" + llvm::utohexstr(filling.immediate, /*LowerCase=*/true);
  SmallVector<std::string> numbers;
  for (int64_t index : filling.mask)
    numbers.push_back(std::to_string(index));
  words["mask"] = joined(numbers);
  if (StringRef(found->c).contains("$index"))
    words["index"] = indexVector(filling.mask);
  counts.add(cost.empty() ? StringRef(found->cost) : cost, lanes, elementOf(op));
  return Expr{filled(found->c, filling.operands, words), Binding::Conditional};
}

std::string FunctionEmitter::indexVector(ArrayRef<int64_t> mask) {
  SmallVector<std::string> numbers;
  for (int64_t index : mask)
    numbers.push_back(std::to_string(index));
  std::string content = joined(numbers);
  std::string &name = indexVectors[content];
  if (!name.empty())
    return name;
  auto element = IntegerType::get(func.getContext(), mask.size() == 8 ? 64 : 32);
  auto type = VectorType::get({static_cast<int64_t>(mask.size())}, element);
  const Intrinsic *make =
      file.intrinsics.find("vector.from_elements", typeKey(element) + ".. -> " + typeKey(type));
  assert(make && "a target that permutes by index vectors can make them");
  name = names.hoisted("index");
  llvm::StringMap<std::string> words;
  words["all"] = content;
  hoisted +=
      ("  const " + cType(type) + " " + name + " = " + filled(make->c, {}, words) + ";\n").str();
  return name;
}

FailureOr<Expr> FunctionEmitter::vector(Operation *op) {
  for (Type type : llvm::concat<Type>(llvm::to_vector(op->getOperandTypes()),
                                      llvm::to_vector(op->getResultTypes())))
    if (isa<VectorType>(type) && cType(type).empty())
      return refuse(op, Twine("expected vectors of the target's width, found ") + typeKey(type));
  if (isa<affine::AffineVectorLoadOp, vector::LoadOp>(op))
    return vectorLoad(op);
  if (auto load = dyn_cast<vector::MaskedLoadOp>(op))
    return maskedLoad(load);
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return vectorConstant(constant);
  if (auto of = dyn_cast<vector::ShuffleOp>(op))
    return shuffle(of);
  if (auto of = dyn_cast<math::FmaOp>(op))
    return fused(of);
  if (auto of = dyn_cast<vector::ReductionOp>(op))
    return reduction(of);

  Filling filling;
  for (Value operand : op->getOperands())
    filling.operands.push_back(get(operand));
  std::string entry = op->getName().getStringRef().str(), types = typesOf(op);
  int64_t lanes = lanesOf(op);
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    entry += (":" + arith::stringifyCmpFPredicate(compare.getPredicate())).str();
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    entry += (":" + arith::stringifyCmpIPredicate(compare.getPredicate())).str();
  auto select = dyn_cast<arith::SelectOp>(op);
  if (select && !isa<VectorType>(select.getCondition().getType())) {
    counts.add("select", lanes, elementOf(op));
    return Expr{filling.operands[0].as(Binding::Unary) + " ? " + filling.operands[1].text + " : " +
                    filling.operands[2].text,
                Binding::Conditional};
  }
  if (auto extract = dyn_cast<vector::ExtractOp>(op)) {
    if (extract.getStaticPosition().size() != 1 || extract.hasDynamicPosition())
      return refuse(op, "expected the number of a lane");
    filling.immediate = extract.getStaticPosition()[0];
  }
  if (auto insert = dyn_cast<vector::InsertOp>(op)) {
    if (insert.getStaticPosition().size() != 1 || insert.hasDynamicPosition())
      return refuse(op, "expected the number of a lane");
    filling.immediate = insert.getStaticPosition()[0];
  }
  // Signs by turns are no operation on numbers.
  if (isa<arith::MulFOp>(op) && !alternatingForm(op->getOperand(1)).empty())
    return fromTable(op, entry, types, filling, lanes, "sign");
  if (isa<vector::FromElementsOp>(op))
    types = typeKey(op->getOperand(0).getType()) + ".. -> " + typeKey(op->getResult(0).getType());
  return fromTable(op, entry, types, filling, lanes);
}

FailureOr<Expr> FunctionEmitter::vectorConstant(arith::ConstantOp op) {
  auto type = cast<VectorType>(op.getType());
  auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!dense)
    return refuse(op, "expected dense elements");
  Type element = type.getElementType();
  Filling filling;
  std::string from = typeKey(element), to = typeKey(type);
  int64_t before = counts.setTimes(0); // set once, by no instruction of the kernel's own
  FailureOr<Expr> text = failure();
  if (dense.isSplat()) {
    filling.operands = {literal(element, dense.getSplatValue<Attribute>())};
    text = fromTable(op, "vector.broadcast", from + " -> " + to, filling, 1);
  } else {
    std::string entry = "vector.from_elements", types = from + ".. -> " + to;
    if (element.isInteger(1) && file.intrinsics.find(entry + ":bits", types)) {
      entry += ":bits";
      for (auto [lane, isSet] : llvm::enumerate(dense.getValues<bool>()))
        filling.immediate |= int64_t(isSet) << lane;
    } else {
      for (Attribute value : dense.getValues<Attribute>())
        filling.operands.push_back(literal(element, value));
    }
    text = fromTable(op, entry, types, filling, 1);
  }
  counts.setTimes(before);
  return text;
}

FailureOr<Expr> FunctionEmitter::shuffle(vector::ShuffleOp op) {
  if (inHalves.contains(op.getV1().getDefiningOp()))
    return loadHalves(op, *upperHalves(op.getMask()));
  auto type = op.getResultVectorType();
  if (op.getV1VectorType() != type || op.getV2VectorType() != type)
    return refuse(op, "expected two vectors of the result's type");
  int64_t lanes = type.getNumElements();
  bool one = op.getV1() == op.getV2();
  SmallVector<int64_t> mask;
  for (int64_t index : op.getMask()) // an element that may be anything is the first
    mask.push_back(index < 0 ? 0 : one ? index % lanes : index);
  bool onlyFirst = llvm::all_of(mask, [&](int64_t index) { return index < lanes; });
  bool onlySecond = llvm::all_of(mask, [&](int64_t index) { return index >= lanes; });
  Expr first = get(op.getV1()), second = get(op.getV2());
  if (onlySecond) {
    first = second;
    for (int64_t &index : mask)
      index -= lanes;
  }
  one |= onlyFirst || onlySecond;
  ShuffleForm form = file.target.shuffle(mask, lanes, one);
  Filling filling;
  filling.operands = {first, one ? first : second};
  if (form.swapped)
    std::swap(filling.operands[0], filling.operands[1]);
  filling.immediate = form.immediate;
  filling.mask = form.mask;
  std::string key = typeKey(type);
  return fromTable(op, form.op, key + ", " + key + " -> " + key, filling, lanes);
}

/// "-ab-c" for fma(-a, b, -c), and so on.
static std::string fusedForm(bool negatedProduct, bool negatedAddend) {
  return std::string(negatedProduct ? "-ab" : "ab") + (negatedAddend ? "-c" : "+c");
}

/// The multiplication of an addend by signs that alternate, if that is one; the product
/// is its first operand.
static arith::MulFOp alternation(math::FmaOp fma) {
  auto isNegated = [&](unsigned n) {
    return bool(fma.getOperand(n).getDefiningOp<arith::NegFOp>());
  };
  if (isNegated(0) != isNegated(1))
    return {}; // no target has -a*b with signs by turns
  auto product = fma.getOperand(2).getDefiningOp<arith::MulFOp>();
  return product && !alternatingForm(product.getRhs()).empty() ? product : arith::MulFOp();
}

bool FunctionEmitter::absorbsNegation(OpOperand &use) {
  auto fma = dyn_cast<math::FmaOp>(use.getOwner());
  if (!fma || !isa<VectorType>(fma.getType()))
    return false;
  if (use.getOperandNumber() == 2)
    if (arith::MulFOp signs = alternation(fma))
      return file.intrinsics.find(("math.fma:" + alternatingForm(signs.getRhs())).str(),
                                  typesOf(fma));
  if (!use.get().getDefiningOp<arith::NegFOp>())
    return false;
  return file.intrinsics.find("math.fma:" + fusedForm(true, true), typesOf(fma));
}

FailureOr<Expr> FunctionEmitter::fused(math::FmaOp op) {
  Filling filling;
  bool negated[3] = {};
  for (OpOperand &use : op->getOpOperands()) {
    Value value = use.get();
    unsigned n = use.getOperandNumber();
    negated[n] = absorbsNegation(use);
    // The absorbed operation's first operand is what it changes the sign of.
    filling.operands.push_back(get(negated[n] ? value.getDefiningOp()->getOperand(0) : value));
  }
  std::string entry = "math.fma";
  if (arith::MulFOp signs = alternation(op); signs && negated[2])
    return fromTable(op, (entry + ":" + alternatingForm(signs.getRhs())).str(), typesOf(op),
                     filling, lanesOf(op));
  bool product = negated[0] != negated[1];
  if (product || negated[2])
    entry.append(":").append(fusedForm(product, negated[2]));
  // With one or signs by turns for a factor it is a sum.
  bool isSum =
      matchPattern(op.getOperand(1), m_OneFloat()) || !alternatingForm(op.getOperand(1)).empty();
  return fromTable(op, entry, typesOf(op), filling, lanesOf(op), isSum ? "add" : "");
}

/// In the order of the lanes: another order is another result.
FailureOr<Expr> FunctionEmitter::reduction(vector::ReductionOp op) {
  Type type = op.getType();
  auto kind = op.getKind();
  bool adds = kind == vector::CombiningKind::ADD, multiplies = kind == vector::CombiningKind::MUL;
  if ((!adds && !multiplies) || !isa<FloatType>(type))
    return refuse(op, "only sums and products of floats are reduced in registers");
  auto vectorType = op.getSourceVectorType();
  Expr sum = op.getAcc() ? get(op.getAcc()) : Expr();
  for (int64_t lane = 0; lane < vectorType.getNumElements(); ++lane) {
    Filling filling;
    filling.operands = {get(op.getVector())};
    filling.immediate = lane;
    FailureOr<Expr> part =
        fromTable(op, "vector.extract", typeKey(vectorType) + " -> " + typeKey(type), filling, 1);
    if (failed(part))
      return failure();
    part->binding = Binding::Primary;
    if (sum.text.empty()) {
      sum = *part;
      continue;
    }
    counts.add(adds ? "add" : "mul", 1, typeKey(type));
    sum = binary(sum, adds ? "+" : "*", *part, adds ? Binding::Sum : Binding::Product);
  }
  return sum;
}

} // namespace weft
