//===- PlacedValues.cpp - values that a schedule wants in the LDM --------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/transfers/PlacedValues.h"

#include "passes/Notes.h"
#include "passes/loops/Buffers.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace weft {

const Directive *PlacedValues::of(Value array) const {
  StringRef name = ownName(array.getLoc());
  for (const Directive &one : directives)
    if (llvm::is_contained(one.operands, name))
      return &one;
  return nullptr;
}

LogicalResult PlacedValues::areIn(StringRef memory, func::FuncOp func) const {
  bool hasCores = func.walk([](cpe::CoresOp) { return WalkResult::interrupt(); }).wasInterrupted();
  for (const Directive &one : directives) {
    if (one.behind.front() != memory)
      return refuse(func.getLoc(), one.text,
                    memory == "ldm" ? "cores of a core group have memory of their own, and no cache"
                                    : "a CPU has caches, and no other memory near its cores",
                    memory);
    if (memory == "ldm" && !hasCores)
      return refuse(func.getLoc(), one.text,
                    "no loop of the kernel does enough for the cores to share it", "none");
    if (memory == "cache" && !one.flags.empty())
      return refuse(func.getLoc(), one.text, "caches fetch what follows by themselves",
                    "place without double_buffered");
  }
  return success();
}

LogicalResult PlacedValues::areInCache(int64_t cacheBytes, func::FuncOp func) const {
  for (BlockArgument array : func.getArguments())
    if (const Directive *one = of(array))
      return refuse(func.getLoc(), one->text,
                    llvm::formatv("{0} is the caller's array", spoken(array)),
                    "values between loops of the kernel");
  WalkResult walked = func.walk([&](memref::AllocOp array) {
    const Directive *one = of(array);
    int64_t bytes = bytesOf(array.getType());
    if (!one || bytes <= cacheBytes)
      return WalkResult::advance();
    (void)refuse(array.getLoc(), one->text,
                 llvm::formatv("{0} has {1} bytes, {2} more than a cache (l2_bytes), and the loops "
                               "that make it and read it do not go over the same slices",
                               spoken(array.getResult()), bytes, bytes - cacheBytes),
                 "values that each iteration of an outer loop makes and reads alone");
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

bool PlacedValues::wantParts(const FootprintAnalysis &analysis) const {
  return llvm::any_of(analysis.footprints(), [&](const Footprint &footprint) {
    const Directive *one = of(footprint.array);
    return one && footprint.needsGet && llvm::is_contained(one->flags, "double_buffered");
  });
}

LogicalResult PlacedValues::areKept(cpe::CoresOp cores) const {
  if (directives.empty())
    return success();
  WalkResult walked = cores.walk([&](Operation *op) {
    auto refused = [&](const Directive &one, const Twine &why, const Twine &expected) {
      (void)refuse(op->getLoc(), one.text, why, expected);
      return WalkResult::interrupt();
    };
    if (isa<affine::AffineReadOpInterface, affine::AffineWriteOpInterface, memref::LoadOp,
            memref::StoreOp>(op))
      for (Value array : op->getOperands())
        if (const Directive *one = isa<MemRefType>(array.getType()) ? of(array) : nullptr;
            one && !cores.getBody().isAncestor(array.getParentRegion()))
          return refused(*one,
                         llvm::formatv("cores access {0} word by word in main memory: an index is "
                                       "data, or elements lie too irregularly for transfers",
                                       spoken(array)),
                         "values at places that are known when the kernel is compiled");
    auto get = dyn_cast<cpe::DmaGetOp>(op);
    const Directive *one = get ? of(get.getMain()) : nullptr;
    if (one && llvm::is_contained(one->flags, "double_buffered") && !get.getInParts())
      return refused(*one,
                     llvm::formatv("{0} comes as a whole: the first of the iterations that use it "
                                   "needs all of it, or they are lanes of one vector",
                                   spoken(get.getMain())),
                     "place without double_buffered");
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

} // namespace weft
