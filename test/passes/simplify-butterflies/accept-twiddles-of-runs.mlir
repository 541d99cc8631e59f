// RUN: cat %target_avx512 %s | weft-opt - --simplify-butterflies --mlir-print-local-scope | FileCheck %s
// RUN: cat %target_avx512 %s | sed 's/radix 10 done 1 /radix 10 done 10 /' \
// RUN:   | weft-opt - --simplify-butterflies --mlir-print-local-scope | FileCheck %s --check-prefix=LATER
// RUN: cat %target_avx512 %s | sed 's/3000/3200/g' \
// RUN:   | weft-opt - --simplify-butterflies --mlir-print-local-scope | FileCheck %s --check-prefix=WHOLE
// RUN: cat %target_sw26010 %s | weft-opt - --simplify-butterflies --mlir-print-local-scope | FileCheck %s --check-prefix=LATER
// A row of a large table in parts. A first stage of radix 10 reads it at ten places, 300 columns
// apart: a part of 300 columns is one that no vector leaves. Of 320 columns none leaves one of 64
// either, which makes shorter tables; so has a core without caches.

// CHECK-DAG: weft.table {{.*}} : tensor<100x300xcomplex<f64>>
// CHECK-DAG: weft.table {{.*}} : tensor<100x10xcomplex<f64>>
// LATER-DAG: weft.table {{.*}} : tensor<100x64xcomplex<f64>>
// LATER-DAG: weft.table {{.*}} : tensor<100x47xcomplex<f64>>
// WHOLE-DAG: weft.table {{.*}} : tensor<100x64xcomplex<f64>>
// WHOLE-DAG: weft.table {{.*}} : tensor<100x50xcomplex<f64>>

module attributes {weft.target = #target} {
func.func @rows(%x: tensor<100x3000xcomplex<f64>>) -> tensor<100x3000xcomplex<f64>> {
  %w = weft.twiddle rows 100 cols 3000 sign -1 : tensor<100x3000xcomplex<f64>>
  %m = weft.map [0, 0] to [100, 3000] stores [affine_map<(k, n) -> (k, n)>] {
  ^bb0(%k: index, %n: index):
    %e = tensor.extract %x[%k, %n] : tensor<100x3000xcomplex<f64>>
    %f = tensor.extract %w[%k, %n] : tensor<100x3000xcomplex<f64>>
    %p = complex.mul %e, %f : complex<f64>
    weft.yield %p : complex<f64>
  } : tensor<100x3000xcomplex<f64>>
  %y = weft.butterfly %m axis 1 radix 10 done 1 sign -1 : tensor<100x3000xcomplex<f64>>
  return %y : tensor<100x3000xcomplex<f64>>
}
}
