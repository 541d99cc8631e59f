// The entry, inputs and outputs, limits; what it does not know it names.
// RUN: weft-interp %s --random 1 | FileCheck %s
// RUN: weft-interp %s --random 1 --output %t.npy && weft-interp %s --input %t.npy | FileCheck %s --check-prefix=FILE
// RUN: weft-interp %s --entry numbers --show 2 | FileCheck %s --check-prefix=SHOW
// RUN: not weft-interp %s --entry numbers --max-steps 5 2>&1 | FileCheck %s --check-prefix=STEPS
// RUN: not weft-interp %s --entry unknown 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not weft-interp %s --entry nothing 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not weft-interp %s 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not weft-interp %s --input 'dense<1.0> : tensor<3xf64>' 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not weft-interp %s --input %s.npy 2>&1 | FileCheck %s --check-prefix=NOFILE
// RUN: not weft-interp %t.mlir 2>&1 | FileCheck %s --check-prefix=NOSOURCE

// CHECK: y: complex64[2] = [({{-?[0-9.e-]+}}, {{-?[0-9.e-]+}}), ({{-?[0-9.e-]+}}, {{-?[0-9.e-]+}})]
// FILE: y: complex64[2] = [(
// MISSING: weft-interp: expected 1 times --input, or --random, found 0
// SHAPE: error: 'func.func' op input x: expected complex64[2], found float64[3]
// NOFILE: weft-interp.mlir.npy: No such file or directory
// NOSOURCE: weft-interp: cannot open input file
func.func @f(%x: tensor<2xcomplex<f32>> {weft.name = "x"})
    -> (tensor<2xcomplex<f32>> {weft.name = "y"}) attributes {weft.entry} {
  return %x : tensor<2xcomplex<f32>>
}

// SHOW: result0: int64[4] = [0, 1, ...
// STEPS: error: '{{.*}}' op stopped here after 5 steps
func.func @numbers() -> tensor<4xi64> {
  %y = weft.map [0] to [4] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %n = arith.index_cast %i : index to i64
    weft.yield %n : i64
  } : tensor<4xi64>
  return %y : tensor<4xi64>
}

// UNKNOWN: [[#@LINE+3]]:8: error: 'tensor.pad' op is not known to the interpreter
func.func @unknown() -> tensor<4xi64> {
  %x = weft.table dense<[1, 2]> : tensor<2xi64>
  %y = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    %zero = arith.constant 0 : i64
    tensor.yield %zero : i64
  } : tensor<2xi64> to tensor<4xi64>
  return %y : tensor<4xi64>
}

// NOTHING: error: there is no function @nothing
