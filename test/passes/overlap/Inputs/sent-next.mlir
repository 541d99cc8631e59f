func.func @f(%x: tensor<4xf64>) -> (tensor<4xf64> {weft.name = "v"}, tensor<4xf64> {weft.name = "sum"})
    attributes {weft.groups = 2 : i64, weft.schedule = ["SCHEDULE"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 4 : index
  %r:2 = scf.for %t = %c0 to %end step %c1 iter_args(%v = %x, %sum = %x) -> (tensor<4xf64>, tensor<4xf64>) {
    %next = weft.map [0] to [4] stores [affine_map<(i) -> (i)>] {
    ^bb0(%i: index):
      %a = tensor.extract %v[%i] : tensor<4xf64>
      %b = arith.addf %a, %a : f64
      weft.yield %b : f64
    } : tensor<4xf64>
    %y = weft.alltoall %next groups 2 : tensor<4xf64> loc("y")
    %more = weft.map [0] to [4] stores [affine_map<(i) -> (i)>] {
    ^bb0(%i: index):
      %a = tensor.extract %sum[%i] : tensor<4xf64>
      %b = tensor.extract %y[%i] : tensor<4xf64>
      %s = arith.addf %a, %b : f64
      weft.yield %s : f64
    } : tensor<4xf64>
    scf.yield %more, %next : tensor<4xf64>, tensor<4xf64>
  }
  return %r#0, %r#1 : tensor<4xf64>, tensor<4xf64>
}
