//===- Pipelines.cpp - upstream passes under their own flags ----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/Passes.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

void weft::registerUpstreamPasses() {
  mlir::registerPass([] { return mlir::createCanonicalizerPass(); });
  mlir::registerPass([] { return mlir::createCSEPass(); });
  mlir::registerPass([] { return mlir::createInlinerPass(); });
  mlir::registerPass([] { return mlir::createSymbolDCEPass(); });
}
