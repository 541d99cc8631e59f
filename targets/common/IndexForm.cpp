//===- IndexForm.cpp - index expressions, linearised -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "targets/common/IndexForm.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;

namespace weft {

IndexForm IndexForm::atom(Expr text, Range range) {
  IndexForm form;
  form.terms.push_back({std::move(text), range, 1});
  return form;
}

IndexForm IndexForm::plus(const IndexForm &other) const {
  IndexForm sum = *this;
  sum.constant += other.constant;
  for (const Term &term : other.terms) {
    auto same = llvm::find_if(sum.terms,
                              [&](const Term &mine) { return mine.atom.text == term.atom.text; });
    if (same == sum.terms.end())
      sum.terms.push_back(term);
    else
      same->factor += term.factor;
  }
  llvm::erase_if(sum.terms, [](const Term &term) { return term.factor == 0; });
  return sum;
}

IndexForm IndexForm::times(int64_t factor) const {
  if (factor == 0)
    return IndexForm(0);
  IndexForm product = *this;
  product.constant *= factor;
  for (Term &term : product.terms)
    term.factor *= factor;
  return product;
}

std::pair<IndexForm, IndexForm> IndexForm::split(int64_t divisor) const {
  IndexForm whole(llvm::divideFloorSigned(constant, divisor)), rest(llvm::mod(constant, divisor));
  for (const Term &term : terms) {
    bool multiple = term.factor % divisor == 0;
    (multiple ? whole : rest).terms.push_back(term);
    if (multiple)
      whole.terms.back().factor /= divisor;
  }
  return {whole, rest};
}

IndexForm IndexForm::floorDividedBy(int64_t divisor) const {
  auto [whole, rest] = split(divisor);
  Range left = rest.range();
  if (left.low >= 0 && left.high < divisor)
    return whole;
  Range range{llvm::divideFloorSigned(left.low, divisor),
              llvm::divideFloorSigned(left.high, divisor)};
  // C rounds towards zero: the same only where nothing is negative.
  Expr quotient = left.low >= 0 ? binary(rest.text(), "/", literal(divisor), Binding::Product)
                                : call("weft_floordiv_i64", {rest.text(), literal(divisor)});
  return whole.plus(atom(quotient, range));
}

IndexForm IndexForm::modulo(int64_t divisor) const {
  IndexForm rest = split(divisor).second;
  Range left = rest.range();
  if (left.low >= 0 && left.high < divisor)
    return rest;
  Expr remainder = left.low >= 0 ? binary(rest.text(), "%", literal(divisor), Binding::Product)
                                 : call("weft_modulo_i64", {rest.text(), literal(divisor)});
  return atom(remainder, {0, divisor - 1});
}

IndexForm IndexForm::of(AffineExpr expr, ArrayRef<IndexForm> dims, ArrayRef<IndexForm> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return IndexForm(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto both = cast<AffineBinaryOpExpr>(expr);
  IndexForm left = of(both.getLHS(), dims, symbols), right = of(both.getRHS(), dims, symbols);
  if (expr.getKind() == AffineExprKind::Add)
    return left.plus(right);
  std::optional<int64_t> number = right.asConstant();
  if (expr.getKind() == AffineExprKind::Mul) {
    if (number)
      return left.times(*number);
    if (auto factor = left.asConstant())
      return right.times(*factor);
    return atom(binary(left.text(), "*", right.text(), Binding::Product), Range());
  }
  assert(number && *number > 0 && "affine divisors are positive constants");
  if (expr.getKind() == AffineExprKind::Mod)
    return left.modulo(*number);
  if (expr.getKind() == AffineExprKind::CeilDiv)
    return left.plus(IndexForm(*number - 1)).floorDividedBy(*number);
  return left.floorDividedBy(*number);
}

std::optional<int64_t> IndexForm::asConstant() const {
  return terms.empty() ? std::optional(constant) : std::nullopt;
}

bool IndexForm::goesBack() const {
  return llvm::any_of(terms, [](const Term &term) {
    return term.factor < 0 || StringRef(term.atom.text).contains('%');
  });
}

std::pair<std::string, int64_t> IndexForm::apart() const {
  IndexForm rest = *this;
  rest.constant = 0;
  return {rest.text().text, constant};
}

bool IndexForm::isMultipleOf(int64_t number) const {
  return constant % number == 0 && llvm::all_of(terms, [&](const Term &term) {
           return term.factor % number == 0 || term.factor * term.range.multiple % number == 0;
         });
}

Range IndexForm::range() const {
  Range sum{constant, constant};
  for (const Term &term : terms) {
    auto scaled = [&](int64_t end) {
      int64_t product;
      bool overflow = llvm::MulOverflow(end, term.factor, product);
      return overflow || std::abs(product) > INT64_MAX / 4
                 ? ((end < 0) != (term.factor < 0) ? INT64_MIN / 4 : INT64_MAX / 4)
                 : product;
    };
    int64_t one = scaled(term.range.low), other = scaled(term.range.high);
    sum.low = std::max(sum.low + std::min(one, other), INT64_MIN / 4);
    sum.high = std::min(sum.high + std::max(one, other), INT64_MAX / 4);
  }
  return sum;
}

Expr IndexForm::text() const {
  if (terms.empty())
    return literal(constant);

  std::vector<Term> sorted = terms;
  llvm::stable_sort(sorted, [](const Term &one, const Term &other) {
    return std::abs(one.factor) > std::abs(other.factor);
  });

  // Horner's form: terms with a common factor go into parentheses, those after them
  // stand outside. The factor is that of the smallest term that has company.
  Expr sum;
  auto add = [&](const Expr &next, bool minus) {
    if (sum.text.empty())
      sum = minus ? unary("-", next) : next;
    else
      sum = binary(sum, minus ? "-" : "+", next, Binding::Sum);
  };
  size_t inside = 0;
  int64_t common = 0;
  for (size_t count = sorted.size(); count >= 2 && !inside; --count) {
    int64_t gcd = 0;
    for (size_t n = 0; n < count; ++n)
      gcd = std::gcd(gcd, sorted[n].factor);
    if (gcd > 1) {
      inside = count;
      common = gcd;
    }
  }
  if (inside) {
    IndexForm inner(0);
    for (size_t n = 0; n < inside; ++n) {
      inner.terms.push_back(sorted[n]);
      inner.terms.back().factor /= common;
    }
    // Printed without spaces: it is one term of the sum.
    sum = {inner.text().as(Binding::Unary) + "*" + std::to_string(common), Binding::Product};
  }
  for (size_t n = inside; n < sorted.size(); ++n) {
    const Term &term = sorted[n];
    int64_t size = std::abs(term.factor);
    Expr atom = term.atom;
    add(size == 1 ? atom
                  : Expr{atom.as(Binding::Unary) + "*" + std::to_string(size), Binding::Product},
        term.factor < 0);
  }
  // The constant stands outside of all parentheses: places that differ by constants have the rest
  // of their index in common, which C compilers then compute once.
  if (constant != 0)
    add(literal(std::abs(constant)), constant < 0);
  return sum;
}

} // namespace weft
