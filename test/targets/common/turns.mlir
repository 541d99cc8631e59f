// RUN: cat %target_portable %s | weft-translate - --weft-to-c | FileCheck %s

// A nest of turns is one parallel region: a thread takes whole turns, or its part of the loops in
// each; what is no work for several is done by one of them.

module attributes {weft.target = #target} {
  // CHECK: scratch: 0 bytes, and 64 for each of at most 12 threads
  func.func @f(%y: memref<4x12x8xf64> {weft.name = "y", weft.role = "out"}) {
    %one = arith.constant 1.0 : f64
    // CHECK: #pragma omp parallel num_threads(weft_threads(256))
    // CHECK-NEXT: #endif
    // CHECK-NEXT: {
    // CHECK-NEXT:   const struct weft_team team = weft_share(12, 12);
    // CHECK-NEXT:   for (ptrdiff_t j = 0; j < 4; ++j) {
    // CHECK:          for (ptrdiff_t k = 1; k < 12; k += 4) {
    // CHECK-NEXT:       const ptrdiff_t turn = j*3 + (k + 3) / 4 - 1;
    // CHECK-NEXT:       if (turn < team.from || turn >= team.to)
    // CHECK-NEXT:         continue;
    affine.for %i = 0 to 4 {
      affine.for %j = 1 to 12 step 4 {
        // CHECK-NEXT: double *const own = (double *)((char *)scratch + team.slot * 64 + 0);
        %own = memref.alloc() {weft.in_turn} : memref<8xf64> loc("own")
        // CHECK: for (ptrdiff_t l = weft_from(team, 4)*2; l < weft_to(team, 4)*2; l += 2)
        affine.for %k = 0 to 8 step 2 {
          affine.store %one, %own[%k] : memref<8xf64>
        } {weft.parallel}
        // CHECK: weft_meet(team);
        // CHECK-NEXT: if (team.member == 0) {
        affine.for %k = 1 to 8 step 2 {
          affine.store %one, %own[%k] : memref<8xf64>
        }
        // CHECK-NOT: weft_meet
        // CHECK: for (ptrdiff_t m = 0; m < 3; ++m)
        affine.for %k = 0 to 3 {
          affine.store %one, %own[%k] : memref<8xf64>
        }
        // CHECK: weft_meet(team);
        // What is loaded all of them have, before anyone stores there again.
        // CHECK: const double t0 = own[0];
        // CHECK-NEXT: weft_meet(team);
        %first = affine.load %own[0] : memref<8xf64>
        // CHECK: for (ptrdiff_t l = weft_from(team, 8); l < weft_to(team, 8); ++l)
        affine.for %k = 0 to 8 {
          %v = affine.load %own[%k] : memref<8xf64>
          %s = arith.addf %v, %first : f64
          affine.store %s, %y[%i, %j, %k] : memref<4x12x8xf64>
        } {weft.parallel}
        // CHECK: weft_meet(team);
        // CHECK-NEXT: }
      } {weft.in_turn}
    } {weft.in_turn, weft.parallel}
    return
  }

  // Nests of which each goes on with the result of the one before are one region; others have one
  // of their own.
  // CHECK: at most 6 threads
  func.func @together(%y: memref<7x8xf64> {weft.name = "y", weft.role = "out"},
                      %z: memref<2x8xf64> {weft.name = "z", weft.role = "out"}) {
    // CHECK: const struct weft_team team = weft_share(6, 6);
    // CHECK: const ptrdiff_t turn = j;
    %one = arith.constant 1.0 : f64
    affine.for %i = 0 to 4 {
      %own = memref.alloc() {weft.in_turn} : memref<8xf64>
      affine.for %k = 0 to 8 {
        affine.store %one, %own[%k] : memref<8xf64>
        affine.store %one, %y[%i, %k] : memref<7x8xf64>
      } {weft.parallel}
    } {weft.in_turn, weft.parallel}
    // CHECK-NOT: weft_share
    // CHECK: const ptrdiff_t turn = j;
    affine.for %i = 4 to 6 {
      %own = memref.alloc() {weft.in_turn} : memref<8xf64>
      affine.for %k = 0 to 8 {
        affine.store %one, %own[%k] : memref<8xf64>
        affine.store %one, %y[%i, %k] : memref<7x8xf64>
      } {weft.parallel}
    } {weft.beside, weft.in_turn, weft.parallel}
    // CHECK: const struct weft_team team = weft_share(2, 6);
    affine.for %i = 0 to 2 {
      %own = memref.alloc() {weft.in_turn} : memref<8xf64>
      affine.for %k = 0 to 8 {
        affine.store %one, %own[%k] : memref<8xf64>
        affine.store %one, %z[%i, %k] : memref<2x8xf64>
      } {weft.parallel}
    } {weft.in_turn, weft.parallel}
    return
  }

  // An array of a turn is one for all members, on nobody's stack; what a loop carries all compute.
  func.func @stack(%y: memref<4x8xf64> {weft.name = "y", weft.role = "out"}) {
    // CHECK-LABEL: int stack(
    %one = arith.constant 1.0 : f64
    affine.for %i = 0 to 4 {
      // CHECK: double *const few = (double *)((char *)scratch + team.slot *
      %few = memref.alloca() : memref<8xf64> loc("few")
      affine.for %k = 0 to 8 {
        affine.store %one, %few[%k] : memref<8xf64>
      } {weft.parallel}
      // CHECK: double s0 = 1.0;
      // CHECK-NOT: member == 0
      // CHECK: weft_meet(team);
      %sum = affine.for %k = 0 to 8 iter_args(%s = %one) -> (f64) {
        %v = affine.load %few[%k] : memref<8xf64>
        %t = arith.addf %s, %v : f64
        affine.yield %t : f64
      }
      // CHECK: y[{{.*}}] = s0;
      affine.for %k = 0 to 8 {
        affine.store %sum, %y[%i, %k] : memref<4x8xf64>
      } {weft.parallel}
    } {weft.in_turn, weft.parallel}
    return
  }
}
