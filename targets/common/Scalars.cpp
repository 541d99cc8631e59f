//===- Scalars.cpp - scalar operations as C expressions -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "targets/common/FunctionEmitter.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace weft {

namespace {

struct Operator {
  const char *op, *c;
  Binding binding;
  const char *kind; ///< of floating-point operands; others count as "integer"
};

/// Ops that are an operator of C.
constexpr Operator operators[] = {
    {"arith.addf", "+", Binding::Sum, "add"},
    {"arith.subf", "-", Binding::Sum, "add"},
    {"arith.mulf", "*", Binding::Product, "mul"},
    {"arith.divf", "/", Binding::Product, "div"},
    {"arith.addi", "+", Binding::Sum, "integer"},
    {"arith.subi", "-", Binding::Sum, "integer"},
    {"arith.muli", "*", Binding::Product, "integer"},
    {"arith.andi", "&", Binding::Loose, "integer"},
    {"arith.ori", "|", Binding::Loose, "integer"},
    {"arith.xori", "^", Binding::Loose, "integer"},
    {"arith.shrsi", ">>", Binding::Loose, "integer"},
};

struct Function {
  const char *op, *c, *kind;
  enum Suffix { Library, Ours } suffix; ///< sqrtf of <math.h>, or weft_.._f32 of support.h
};

/// Ops that are a function call of C.
constexpr Function functions[] = {
    {"math.sqrt", "sqrt", "sqrt", Function::Library},
    {"math.fma", "fma", "fma", Function::Library},
    {"math.absf", "fabs", "sign", Function::Library},
    {"math.copysign", "copysign", "sign", Function::Library},
    {"math.exp", "exp", "function", Function::Library},
    {"math.exp2", "exp2", "function", Function::Library},
    {"math.expm1", "expm1", "function", Function::Library},
    {"math.log", "log", "function", Function::Library},
    {"math.log2", "log2", "function", Function::Library},
    {"math.log10", "log10", "function", Function::Library},
    {"math.log1p", "log1p", "function", Function::Library},
    {"math.sin", "sin", "function", Function::Library},
    {"math.cos", "cos", "function", Function::Library},
    {"math.tan", "tan", "function", Function::Library},
    {"math.asin", "asin", "function", Function::Library},
    {"math.acos", "acos", "function", Function::Library},
    {"math.atan", "atan", "function", Function::Library},
    {"math.atan2", "atan2", "function", Function::Library},
    {"math.sinh", "sinh", "function", Function::Library},
    {"math.cosh", "cosh", "function", Function::Library},
    {"math.tanh", "tanh", "function", Function::Library},
    {"math.erf", "erf", "function", Function::Library},
    {"math.cbrt", "cbrt", "function", Function::Library},
    {"math.powf", "pow", "function", Function::Library},
    {"math.fpowi", "pow", "function", Function::Library},
    {"math.ceil", "ceil", "convert", Function::Library},
    {"math.floor", "floor", "convert", Function::Library},
    {"math.round", "round", "convert", Function::Library},
    {"math.roundeven", "rint", "convert", Function::Library},
    {"math.trunc", "trunc", "convert", Function::Library},
    {"arith.remf", "fmod", "function", Function::Library},
    {"arith.maxnumf", "fmax", "compare", Function::Library},
    {"arith.minnumf", "fmin", "compare", Function::Library},
    {"arith.maximumf", "weft_maximum", "compare", Function::Ours},
    {"arith.minimumf", "weft_minimum", "compare", Function::Ours},
    {"arith.maxsi", "weft_max", "integer", Function::Ours},
    {"arith.minsi", "weft_min", "integer", Function::Ours},
    {"arith.divsi", "weft_div", "integer", Function::Ours},
    {"arith.remsi", "weft_rem", "integer", Function::Ours},
    {"arith.floordivsi", "weft_floordiv", "integer", Function::Ours},
    {"arith.ceildivsi", "weft_ceildiv", "integer", Function::Ours},
    {"math.absi", "weft_abs", "integer", Function::Ours},
};

std::string suffixOf(const Function &function, Type type) {
  if (function.suffix == Function::Library)
    return type.isF32() ? "f" : "";
  return (Twine("_") + (type.isIndex() ? "i64" : typeKey(type))).str();
}

std::string unsignedOf(Type type) { return type.isInteger(32) ? "uint32_t" : "uint64_t"; }

Expr cast(StringRef type, const Expr &value) { return unary(("(" + type + ")").str(), value); }

} // namespace

Expr FunctionEmitter::get(Value value) {
  if (value.getDefiningOp<affine::AffineApplyOp>() || ranges.contains(value))
    return form(value).text();
  return values.lookup(value);
}

FailureOr<Expr> FunctionEmitter::scalar(Operation *op) {
  StringRef name = op->getName().getStringRef();
  Type type = op->getResult(0).getType();
  if (!type.isIntOrIndexOrFloat() || scalarType(type).empty())
    return refuse(op, Twine("expected a scalar of f32, f64, i32, i64, i1 or index, found ") +
                          typeKey(type));
  if (isa<affine::AffineLoadOp, memref::LoadOp>(op))
    return load(op);
  if (isa<arith::CmpFOp, arith::CmpIOp>(op))
    return compare(op);
  bool counted = !type.isIndex();
  auto count = [&](StringRef kind) {
    if (counted)
      counts.add(kind, 1, typeKey(type));
  };

  auto operand = [&](unsigned n) { return get(op->getOperand(n)); };
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    count("select");
    return Expr{operand(0).as(Binding::Unary) + " ? " + operand(1).as(Binding::Loose) + " : " +
                    operand(2).as(Binding::Loose),
                Binding::Conditional};
  }
  if (isa<arith::NegFOp>(op)) {
    count("sign");
    return unary("-", operand(0));
  }
  if (isa<arith::ShLIOp, arith::ShRUIOp>(op)) {
    count("integer");
    std::string bits = unsignedOf(type);
    return cast(scalarType(type),
                binary(cast(bits, operand(0)), isa<arith::ShLIOp>(op) ? "<<" : ">>", operand(1),
                       Binding::Loose));
  }
  for (const Operator &row : operators) {
    if (name != row.op)
      continue;
    count(row.kind);
    // One bit wraps around: a sum is "either", a product is "both".
    if (type.isInteger(1) && (name == "arith.addi" || name == "arith.subi"))
      return binary(operand(0), "^", operand(1), Binding::Loose);
    if (type.isInteger(1) && name == "arith.muli")
      return binary(operand(0), "&", operand(1), Binding::Loose);
    return binary(operand(0), row.c, operand(1), row.binding);
  }

  // Division by a number known to be positive is C's own.
  APInt divisor;
  if (isa<arith::DivSIOp, arith::RemSIOp>(op) &&
      matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) && divisor.isStrictlyPositive()) {
    count("integer");
    return binary(operand(0), isa<arith::DivSIOp>(op) ? "/" : "%", operand(1), Binding::Product);
  }
  for (const Function &row : functions) {
    if (name != row.op)
      continue;
    count(row.kind);
    SmallVector<Expr> arguments;
    for (Value value : op->getOperands())
      arguments.push_back(get(value));
    return call(row.c + suffixOf(row, type), arguments);
  }
  if (isa<math::RsqrtOp>(op)) {
    count("div");
    count("sqrt");
    Expr root = call(type.isF32() ? "sqrtf" : "sqrt", {operand(0)});
    return binary({type.isF32() ? "1.0f" : "1.0", Binding::Primary}, "/", root, Binding::Product);
  }
  return convert(op);
}

FailureOr<Expr> FunctionEmitter::compare(Operation *op) {
  Expr left = get(op->getOperand(0)), right = get(op->getOperand(1));
  Type type = op->getOperand(0).getType();
  if (!type.isIndex())
    counts.add("compare", 1, typeKey(op->getOperand(0).getType()));
  auto with = [&](StringRef symbol) { return binary(left, symbol, right, Binding::Loose); };
  auto negated = [&](Expr value) { return unary("!", value); };
  if (auto integers = dyn_cast<arith::CmpIOp>(op)) {
    using arith::CmpIPredicate;
    CmpIPredicate predicate = integers.getPredicate();
    bool isUnsigned = predicate >= CmpIPredicate::ult;
    if (isUnsigned && !type.isInteger(1)) {
      left = cast(unsignedOf(type), left);
      right = cast(unsignedOf(type), right);
    }
    // A signed truth value is 0 or -1: the order is the other way round.
    if (!isUnsigned && type.isInteger(1) && predicate >= CmpIPredicate::slt)
      std::swap(left, right);
    return with(llvm::StringSwitch<StringRef>(arith::stringifyCmpIPredicate(predicate))
                    .Case("eq", "==")
                    .Case("ne", "!=")
                    .Cases({"slt", "ult"}, "<")
                    .Cases({"sle", "ule"}, "<=")
                    .Cases({"sgt", "ugt"}, ">")
                    .Default(">="));
  }
  switch (cast<arith::CmpFOp>(op).getPredicate()) {
  case arith::CmpFPredicate::OEQ:
    return with("==");
  case arith::CmpFPredicate::OGT:
    return with(">");
  case arith::CmpFPredicate::OGE:
    return with(">=");
  case arith::CmpFPredicate::OLT:
    return with("<");
  case arith::CmpFPredicate::OLE:
    return with("<=");
  case arith::CmpFPredicate::UNE:
    return with("!=");
  case arith::CmpFPredicate::UGT:
    return negated(with("<="));
  case arith::CmpFPredicate::UGE:
    return negated(with("<"));
  case arith::CmpFPredicate::ULT:
    return negated(with(">="));
  case arith::CmpFPredicate::ULE:
    return negated(with(">"));
  case arith::CmpFPredicate::ONE:
    return call("islessgreater", {left, right});
  case arith::CmpFPredicate::UEQ:
    return negated(call("islessgreater", {left, right}));
  case arith::CmpFPredicate::ORD:
    return negated(call("isunordered", {left, right}));
  case arith::CmpFPredicate::UNO:
    return call("isunordered", {left, right});
  case arith::CmpFPredicate::AlwaysTrue:
    return Expr{"true", Binding::Primary};
  case arith::CmpFPredicate::AlwaysFalse:
    return Expr{"false", Binding::Primary};
  }
  return refuse(op, "unknown comparison");
}

FailureOr<Expr> FunctionEmitter::convert(Operation *op) {
  if (op->getNumOperands() != 1)
    return refuse(op, "the emitter does not know it");
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  Expr value = get(op->getOperand(0));
  if (!isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    counts.add("convert", 1, typeKey(op->getResult(0).getType()));
  StringRef type = scalarType(to);
  if (isa<arith::BitcastOp>(op)) {
    // i32 <-> f32, i64 <-> f64.
    return call((Twine("weft_") + typeKey(to) + "_of_" + typeKey(from)).str(), {value});
  }
  if (isa<arith::TruncIOp>(op) && to.isInteger(1))
    return binary(binary(value, "&", literal(1), Binding::Loose), "!=", literal(0), Binding::Loose);
  if (isa<arith::ExtSIOp, arith::SIToFPOp>(op) && from.isInteger(1))
    return unary("-", cast(type, value));
  if (isa<arith::ExtUIOp, arith::UIToFPOp, arith::IndexCastUIOp>(op) && !from.isInteger(1))
    return cast(type, cast(unsignedOf(from), value));
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op) && from.isInteger(64))
    return value; // one type in C
  if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::SIToFPOp,
          arith::UIToFPOp, arith::FPToSIOp, arith::ExtFOp, arith::TruncFOp>(op))
    return cast(type, value);
  return refuse(op, "the emitter does not know it");
}

} // namespace weft
