//===- Halos.cpp - rows for the neighbours of a core -------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "targets/common/FunctionEmitter.h"

#include "passes/mesh/Ring.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace weft {

/// Of a core outside of the line the place is -1.
std::string FunctionEmitter::placeInLine(int64_t columns, int64_t cores) const {
  return llvm::formatv("weft_place({0}, {1}, {2})", core, columns, cores).str();
}

/// A loop over the places of a line of cores, each doing its own.
LogicalResult FunctionEmitter::emitInLine(ForOp loop, int64_t columns) {
  if (!loop.hasConstantBounds() || loop.getConstantLowerBound() != 0 || loop.getStepAsInt() != 1)
    return refuse(loop, "expected an iteration of each core of the line");
  int64_t cores = loop.getConstantUpperBound();
  if (failed(openCarried(loop, loop->hasAttr("weft.sums"))))
    return failure();
  names.open();
  beginNest(loop);
  StringRef wanted = nameIn(loop.getInductionVar().getLoc());
  std::string name = names.unique(wanted.empty() ? StringRef("place") : wanted);
  values[loop.getInductionVar()] = {name, Binding::Primary};
  ranges[loop.getInductionVar()] = {0, cores - 1, 1};
  line("{");
  ++depth;
  line("const ptrdiff_t " + name + " = " + placeInLine(columns, cores) + ";");
  line("if (" + name + " >= 0) {");
  ++depth;
  int64_t earlier = counts.setTimes(counts.timesNow() * cores);
  Reads around = std::exchange(reads, Reads());
  inParallel = inNest = true;
  LogicalResult result = emitBlock(*loop.getBody());
  inParallel = inNest = false;
  reads = std::move(around);
  counts.setTimes(earlier);
  for (int closing = 0; closing < 2; ++closing) {
    --depth;
    line("}");
  }
  names.close();
  return failed(result) ? failure() : emitSums(loop);
}

/// Each core sends forward and hears from the one behind it, and then the other way round.
LogicalResult FunctionEmitter::emitHalo(cpe::HaloOp op) {
  beginNest(op, "halo");
  auto cores = static_cast<int64_t>(op.getCores()), columns = static_cast<int64_t>(op.getColumns());
  auto own = static_cast<int64_t>(op.getOwn()), block = static_cast<int64_t>(op.getBlock());
  auto before = static_cast<int64_t>(op.getBefore()), after = static_cast<int64_t>(op.getAfter());
  int64_t bytes = elementBytes(cast<MemRefType>(op.getArray().getType()).getElementType()) * block;
  Ring ring{static_cast<int64_t>(op.getRows()), own, cores, columns};
  names.open();
  std::string place = names.unique("place");
  line("{");
  ++depth;
  line("const int " + place + " = " + placeInLine(columns, cores) + ";");
  std::string ahead = names.unique("ahead"), behind = names.unique("behind");
  auto neighbour = [&](int64_t step) {
    bool forward = step > 0;
    int64_t end = forward ? cores - 1 : 0, other = forward ? 0 : cores - 1;
    std::string beyond = op.getWraps()
                             ? llvm::formatv("weft_core_at({0}, {1})", other, columns).str()
                             : std::string("-1");
    return llvm::formatv("{0} < 0 ? -1 : {0} == {1} ? {2} : weft_core_at({0} {3} 1, {4})", place,
                         end, beyond, forward ? "+" : "-", columns)
        .str();
  };
  line("const int " + ahead + " = " + neighbour(1) + ";");
  line("const int " + behind + " = " + neighbour(-1) + ";");
  // Rows from the first one of a core to that of the next.
  auto apart = [&](int64_t from) -> IndexForm {
    if (ring.isExact())
      return IndexForm(own);
    std::string first = from == 0 ? place : "(" + place + " - 1)";
    std::string next = from == 0 ? "(" + place + " + 1)" : place;
    std::string atEnd = llvm::formatv("{0} == {1}", place, from == 0 ? cores - 1 : 0).str();
    std::string text = llvm::formatv("({0} ? {1} : {2} * {3} / {4} - {5} * {3} / {4})", atEnd, own,
                                     next, ring.rows - own, cores - 1, first)
                           .str();
    return IndexForm::atom({text, Binding::Primary}, {1, own});
  };
  auto pass = [&](StringRef to, StringRef from, const IndexForm &fromRow, int64_t toRow,
                  int64_t count) {
    if (count == 0)
      return;
    line("weft_sync();");
    names.open();
    IndexForm out = fromRow.times(block), in(toRow * block);
    size_t loops = 0;
    for (auto [many, stride] : llvm::zip_equal(op.getCounts(), op.getStrides())) {
      if (many == 1)
        continue;
      std::string n = names.unique("n");
      line(llvm::formatv("for (int {0} = 0; {0} < {1}; ++{0}) {{", n, many).str());
      ++depth;
      ++loops;
      IndexForm index = IndexForm::atom({n, Binding::Primary}, {0, many - 1});
      out = out.plus(index.times(stride));
      in = in.plus(index.times(stride));
    }
    std::string array = bufferNames.lookup(op.getArray());
    auto pointer = [&](const IndexForm &index) {
      std::string text = index.text().text;
      return text == "0" ? array : array + " + " + text;
    };
    line(llvm::formatv("weft_pass({0}, {1}, {2}, {3}, {4}, {5});", core, to, from, pointer(out),
                       pointer(in), count * bytes / messageBytes)
             .str());
    for (; loops; --loops) {
      --depth;
      line("}");
    }
    names.close();
  };
  pass(ahead, behind, apart(0), 0, before);
  pass(behind, ahead, IndexForm(before + own).plus(apart(1).times(-1)), before + own, after);
  --depth;
  line("}");
  names.close();
  return success();
}

/// All cores come by: those outside of the line hear what the others give.
LogicalResult FunctionEmitter::emitCollect(cpe::CollectOp op) {
  beginNest(op, "collect");
  int64_t bytes = elementBytes(cast<MemRefType>(op.getAll().getType()).getElementType()) *
                  static_cast<int64_t>(op.getElements());
  std::string part = bufferNames.lookup(op.getPart());
  if (op.getFirst() != 0)
    part += " + " + std::to_string(op.getFirst());
  line(llvm::formatv("weft_collect({0}, {1}, {2}, {3}, {4}, {5});", core, op.getColumns(),
                     op.lines(), part, bufferNames.lookup(op.getAll()), bytes / messageBytes)
           .str());
  return success();
}

} // namespace weft
