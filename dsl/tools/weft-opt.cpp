//===- weft-opt.cpp - run passes on IR, with mlir-opt's words ---------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/Passes.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  weft::registerDialects(registry);
  weft::registerUpstreamPasses();
  weft::registerWeftPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "Weft's optimizer: one pass or pipeline from the shell\n", registry));
}
