//===- weft-translate.cpp - lowered IR to C from the shell ------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "dialect/Weft.h"
#include "targets/common/CEmitter.h"

#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"

int main(int argc, char **argv) {
  mlir::TranslateFromMLIRRegistration toC(
      "weft-to-c", "print lowered IR as C",
      [](mlir::Operation *op, llvm::raw_ostream &out) -> mlir::LogicalResult {
        auto module = llvm::dyn_cast<mlir::ModuleOp>(op);
        if (!module)
          return op->emitError("expected a module");
        auto emitted = weft::emitC(module, "weft-translate --weft-to-c");
        if (failed(emitted))
          return mlir::failure();
        out << emitted->c;
        // What the compute cores run is a file of its own.
        if (!emitted->slave.empty())
          out << "\n" << emitted->slave;
        return mlir::success();
      },
      [](mlir::DialectRegistry &registry) { weft::registerDialects(registry); });
  return mlir::failed(mlir::mlirTranslateMain(argc, argv, "Weft's emitter\n"));
}
