// Where a mesh of cores can share a product nothing is packed, and a factor that has its rows side by
// side stays so; lower-to-loops writes one nest and marks it. So it is for few rows and columns of many
// terms, but not for few terms.
// RUN: cat %target_sw26010 %s | weft-opt - --arrange-contractions --mlir-print-local-scope | FileCheck %s
// RUN: cat %target_sw26010 %s | weft-opt - --arrange-contractions --lower-to-loops | FileCheck %s --check-prefix=LOOPS
// RUN: cat %target_sw26010 %s | weft-opt - --arrange-contractions --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s --check-prefix=WHY

// WHY-DAG: decided {{.*}}64 rows by 40 columns as they are, for all cores together

module attributes {weft.target = #target} {
  // CHECK-LABEL: @shared
  // CHECK:         weft.map [0, 0, 0] to [1, 64, 40] {{.*}} attributes {weft.contraction = {shared}} {
  // CHECK-NEXT:    ^bb0(%[[B:.*]]: index, %[[I:.*]]: index, %[[J:.*]]: index):
  // CHECK:         ^bb0(%[[K:.*]]: index):
  // CHECK-NEXT:      tensor.extract %{{.*}}[%[[B]], %[[K]], %[[I]]] : tensor<1x96x64xf32>
  // CHECK-NEXT:      tensor.extract %{{.*}}[%[[B]], %[[K]], %[[J]]] : tensor<1x96x40xf32>
  // LOOPS-LABEL: @shared
  // LOOPS:         affine.for %{{.*}} = 0 to 64 {
  // LOOPS-NEXT:      affine.for %{{.*}} = 0 to 40 {
  // LOOPS:             affine.for %{{.*}} = 0 to 96 iter_args
  // LOOPS:               math.fma
  // LOOPS:             affine.store
  // LOOPS-NEXT:      } {weft.independent, weft.shared_products}
  func.func @shared(%a: tensor<96x64xf32>, %b: tensor<96x40xf32>) -> tensor<64x40xf32> {
    %c = weft.map [0, 0] to [64, 40] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %sum = weft.reduce sum [0] to [96] {
      ^bb0(%k: index):
        %x = tensor.extract %a[%k, %i] : tensor<96x64xf32>
        %y = tensor.extract %b[%k, %j] : tensor<96x40xf32>
        %xy = arith.mulf %x, %y : f32
        weft.yield %xy : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<64x40xf32>
    return %c : tensor<64x40xf32>
  }

  // CHECK-LABEL: @few
  // CHECK-NOT:     weft.contraction
  func.func @few(%a: tensor<5x30xf32>, %b: tensor<30x3xf32>) -> tensor<5x3xf32> {
    %c = weft.map [0, 0] to [5, 3] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %sum = weft.reduce sum [0] to [30] {
      ^bb0(%k: index):
        %x = tensor.extract %a[%i, %k] : tensor<5x30xf32>
        %y = tensor.extract %b[%k, %j] : tensor<30x3xf32>
        %xy = arith.mulf %x, %y : f32
        weft.yield %xy : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<5x3xf32>
    return %c : tensor<5x3xf32>
  }

  // CHECK-LABEL: @narrow
  // CHECK:         weft.contraction = {shared}
  func.func @narrow(%a: tensor<6x1024xf32>, %b: tensor<1024x3xf32>) -> tensor<6x3xf32> {
    %c = weft.map [0, 0] to [6, 3] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %sum = weft.reduce sum [0] to [1024] {
      ^bb0(%k: index):
        %x = tensor.extract %a[%i, %k] : tensor<6x1024xf32>
        %y = tensor.extract %b[%k, %j] : tensor<1024x3xf32>
        %xy = arith.mulf %x, %y : f32
        weft.yield %xy : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<6x3xf32>
    return %c : tensor<6x3xf32>
  }
}
