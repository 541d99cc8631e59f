// mlir-opt's words go without their prefix too; what does not exist is told with what comes close.
// RUN: weft-opt %s --print-ir-after-all --canonicalize --cse -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: weft-opt %s --print-ir-after=cse --canonicalize --cse -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: weft-opt %s --print-ir-before=cse --canonicalize --cse -o /dev/null 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: weft-opt %s --print-ir-after-change --canonicalize --cse -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHANGE
// RUN: weft-opt %s --mlir-print-ir-after-all --cse -o /dev/null 2>&1 | FileCheck %s --check-prefix=PREFIX
// RUN: weft-opt %s --timing --cse -o /dev/null 2>&1 | FileCheck %s --check-prefix=TIMING
// RUN: weft-opt %s --pass-pipeline='builtin.module(func.func(canonicalize{top-down=false max-iterations=3}),cse)' | FileCheck %s --check-prefix=FOLDED
// RUN: not weft-opt %s --canonicalise 2>&1 | FileCheck %s --check-prefix=CLOSE
// RUN: not weft-opt %s --print-ir-after-al 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not weft-opt %s --pass-pipeline='builtin.module(cse,func.func(tile-for-lmd{x={y=1}}))' 2>&1 | FileCheck %s --check-prefix=PIPELINE
// RUN: not weft-opt %s --pass-pipeline 'builtin.module(frobnicate)' 2>&1 | FileCheck %s --check-prefix=FAR

// ALL: IR Dump After Canonicalizer
// ALL: IR Dump After CSE
// ONE-NOT: IR Dump After Canonicalizer
// ONE: IR Dump After CSE
// BEFORE-NOT: IR Dump Before Canonicalizer
// BEFORE: IR Dump Before CSE
// CHANGE: IR Dump After Canonicalizer
// CHANGE-NOT: IR Dump After CSE
// PREFIX: IR Dump After CSE
// TIMING: Execution time report
// FOLDED-NOT: arith.addf
// CLOSE: weft-opt: there is no option or pass 'canonicalise'; did you mean 'canonicalize'?
// OPTION: weft-opt: there is no option or pass 'print-ir-after-al'; did you mean 'print-ir-after-all'
// PIPELINE: weft-opt: there is no pass 'tile-for-lmd'; did you mean 'tile-for-ldm'?
// FAR: weft-opt: there is no pass 'frobnicate'{{$}}
func.func @fold() -> f64 {
  %one = arith.constant 1.0 : f64
  %two = arith.addf %one, %one : f64
  return %two : f64
}
