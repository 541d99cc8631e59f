//===- Passes.td - all passes, in pipeline order -----------------*- tablegen -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------===//
//
// One entry a pass: one flag, one file, one folder in test/passes, one
// name. Order of the entries = order in the pipeline (dsl/weft/pipeline.py), from
// what is meant down to what is printed as C. Each description ends with a
// before/after example.
//
//===----------------------------------------------------------------------------===//

#ifndef WEFT_PASSES
#define WEFT_PASSES

include "mlir/Pass/PassBase.td"

class WeftPass<string flag> : Pass<flag, "::mlir::ModuleOp"> {
  let dependentDialects = [
    "::weft::WeftDialect", "::weft::cpe::CpeDialect", "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::complex::ComplexDialect", "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect", "::mlir::vector::VectorDialect"
  ];
}

def OrderAxes : WeftPass<"order-axes"> {
  let summary = "transforms along several axes, the innermost axis first";
  let description = [{
    Of transforms along different axes one after the other, each the only reader of the
    one before, the innermost axis comes first where their tensor is larger than the
    second cache (`l2_bytes`). Elementwise work before them and the transforms of a row
    and a plane then pass over memory together (`join-nests`), those along the outermost
    axis are a second pass. Behind other transforms of which the input is made element by element,
    a spectrum times a filter, their last axis comes first: there and back along it is one pass.
    The result is the same but for rounding.
    Transforms of a transpose, whose lines lie across the rows that it reads (or all of which stays
    in the second cache), come before it: their last stage stores lines as columns, where the first
    would read each point from another row. Not where a schedule names loops, axes or memory.

    ```mlir
    %a = weft.dft %x axis 0 sign -1 : tensor<512x512xcomplex<f64>>
    %y = weft.dft %a axis 1 sign -1 : tensor<512x512xcomplex<f64>>
    // becomes
    %a = weft.dft %x axis 1 sign -1 : tensor<512x512xcomplex<f64>>
    %y = weft.dft %a axis 0 sign -1 : tensor<512x512xcomplex<f64>>
    ```
  }];
}

def FourStep : WeftPass<"four-step"> {
  let summary = "long lines as columns and lines of a matrix";
  let description = [{
    A transform of contiguous lines of `four_step_double_bytes` or more (c64:
    `four_step_single_bytes`; four times as many of lines that together outgrow `l3_bytes`)
    becomes one of columns, twiddles, one of lines, and a transpose: two passes through the
    caches, whatever the number of stages. The matrix has next to as many rows as columns, both
    whole vectors, or, by the machine's `four_step_columns_per_row`, next to so many times as many
    columns as rows, whole cache lines of them where the length has such factors. Lines of fewer
    points than `four_step_uncrowded_points` go only where they are multiples of 4096, whose stages
    fall into few sets of the first cache. Transforms whose `radices` are given stay as they are, and
    lines with prime factors beyond 31, which have no butterfly.

    ```mlir
    %y = weft.dft %x axis 0 sign -1 : tensor<1048576xcomplex<f64>>
    // becomes
    %m = weft.reshape %x : tensor<1048576xcomplex<f64>> -> tensor<1024x1024xcomplex<f64>>
    %a = weft.dft %m axis 0 sign -1 : tensor<1024x1024xcomplex<f64>>
    %w = weft.twiddle rows 1024 cols 1024 sign -1 : tensor<1024x1024xcomplex<f64>>
    %b = weft.map [0, 0] to [1024, 1024] stores [affine_map<(k, n) -> (k, n)>] { .. %a times %w .. }
    %c = weft.dft %b axis 1 sign -1 : tensor<1024x1024xcomplex<f64>>
    %t = weft.transpose %c perm [1, 0] : ..
    %y = weft.reshape %t : tensor<1024x1024xcomplex<f64>> -> tensor<1048576xcomplex<f64>>
    ```
  }];
}

def FactorTransform : WeftPass<"factor-transform"> {
  let summary = "transforms to stages of butterflies, convolutions to their algorithm";
  let description = [{
    Splits every `weft.dft` into Stockham stages of the radices 2 to 16 and the primes
    to 31 (as the op's `radices` say, or the machine's table of what stages cost, with the
    rounds of their arrays through the caches; without one by fewest stages, then fewest
    operations). Contiguous lines along which vectors do not lie are one butterfly each, to as many
    points as the machine's numbers say (`dft_turned_single_points`), where nothing but transforms
    lies around them, or a window before. Columns that leave much of a vector empty count as points
    of one line: Stockham's stages behind n points are those of n columns. Few in a row are columns
    of all rows, and points with nothing beside them are a line. A larger prime factor p becomes a
    convolution: Rader's of p - 1 points, where these have stages, or Bluestein's of 2*p - 1 points
    at least; lines that a core's memory gets in parts go by Bluestein's. Whole lines of such lengths
    are a convolution of Bluestein's as two transforms along which vectors lie, with maps of chirps at
    their edges, where that is faster by the machine's numbers (`dft_convolution_line_bytes`,
    `dft_rader_line_bytes`) or lines are too few to lie across vectors. The scale of an inverse
    transform goes to the first stage, whose twiddles take it in.

    Every `weft.conv` becomes the sum that it means, or Winograd's transforms of tiles
    and filters, the products between them and the transform back; with a stride of 2 a
    tile begins twice as many pixels behind the one before as it has results. Of few channels, with
    filters side by side in the result, the products of a tile, their sums and the transform
    back are one map. Where the op says
    "auto", it is what takes the fewest cycles by the machine's numbers: those of the
    products in panels, and of the transforms' operations or bytes. The direct sum, and small
    tiles, give way only to what takes a fifth fewer: their error is smaller. The direct sum goes along the
    images' rows or, where these are short, over all of them as one; with strides, over the
    rows and columns of each remainder, which are brought together first. Of fewer than 16 results it
    takes each window whole, with its terms in the order of the filters'. Where each channel has a
    filter of its own, it goes by channels where these lie side by side, by pixels of a row in planes;
    results at the border are sums of their own then, of what is within the image. For the cores of a
    mesh, which pass rows of pixels on, images with channels last or in blocks are turned into planes
    before, and results back behind, each in a pass of its own (`weft.sorted`), where each element
    that is turned is used often enough.

    ```mlir
    %y = weft.dft %x axis 0 sign -1 : tensor<32xcomplex<f64>>
    // becomes
    %a = weft.butterfly %x axis 0 radix 8 done 1 sign -1 : tensor<32xcomplex<f64>>
    %y = weft.butterfly %a axis 0 radix 4 done 8 sign -1 : tensor<32xcomplex<f64>>
    ```
  }];
}

def SplitProducts : WeftPass<"split-products"> {
  let summary = "products of complex matrices as products of their parts";
  let description = [{
    A sum of complex products of two factors, as of matrices, becomes one of real products: the real
    and the imaginary parts of one factor are rows below each other, those of the other one columns
    side by side, and each element is a difference and a sum of four products' sums. It has as many
    multiply-adds, and panels (`arrange-contractions`). A factor that is real has half of the rows.
    Factors may be computed (`conj(x) * y`). What fills no panels stays, and what has fewer
    real products for each number that is moved than `split_products_each`.

    ```mlir
    %z = weft.map .. { weft.reduce sum [0] to [64] { complex.mul %x[%i, %k], %y[%k, %j] } }
    // becomes
    %a = weft.map .. { complex.re %x[..] }, then complex.im, in rows below
    %b = weft.map .. { complex.re %y[..] }, then complex.im, in columns beside
    %p = weft.map .. { weft.reduce sum [0] to [64] { arith.mulf %a[0, %r, %k], %b[0, %c, %k] } }
    %z = weft.map .. { complex.create %p[re, re] - %p[im, im], %p[re, im] + %p[im, re] }
    ```
  }];
}

def SimplifyButterflies : WeftPass<"simplify-butterflies"> {
  let summary = "butterflies and complex arithmetic to few real operations";
  let description = [{
    Writes each butterfly out as a `weft.map` of straight-line real arithmetic with
    constant twiddles folded (1, i, (1+i)/sqrt 2 and their like cost no or fewer
    multiplications), tables of the other twiddles in the order of use, common
    subexpressions shared, and fused multiply-adds where the target has them.
    Complex arithmetic in other maps becomes real as well.

    ```mlir
    %y = weft.butterfly %x axis 0 radix 2 done 1 sign -1 : tensor<2xcomplex<f64>>
    // becomes
    %y = weft.map [0, 0] to [1, 1] stores [affine_map<(p, l) -> (0)>, affine_map<(p, l) -> (1)>] .. {
      // x0, x1 loaded; re and im of x0 + x1 and x0 - x1 yielded
    }
    ```
  }];
}

def Fuse : WeftPass<"fuse"> {
  let summary = "elementwise work into the first or last stage of its neighbours";
  let description = [{
    A map whose result is read by one other map, each element at most once (or that
    costs no arithmetic), is evaluated where it is read; so is what several stores make, or several
    maps read (the pairs and the ends of a half spectrum), where each read is of one store and no map
    of those is evaluated at more points than it had; a map that only reworks
    the elements of a stage point by point is evaluated where they are stored; of sums that
    are reshaped between, over the shape that they have before. Transposes become maps first, so
    that they fold into the index maps of their neighbours.
    What fixed inputs alone give, in no more elements than they have, stays: it is computed once.
    Cores with an LDM have no room for lines of several arrays: what several stores or maps make of
    them stays.
    What makes the line of a transform of real numbers stays a map of its own where vectors will
    lie along that line, which are of complex numbers side by side, and a core with an LDM, if there
    are any, has room for all of it.
    What the `fuse a, b` of a schedule names (`weft.schedule` of the kernel) comes first, and however
    often it is computed then; an error where it cannot be.

    ```mlir
    %a = weft.map .. { a[i] = x[i] * 2 }
    %b = weft.map .. { b[i] = a[i] + 1 }
    // becomes
    %b = weft.map .. { b[i] = x[i] * 2 + 1 }
    ```
  }];
}

def EliminateTransposes : WeftPass<"eliminate-transposes"> {
  let summary = "reads from where a transposed copy comes from";
  let description = [{
    A map that only copies, with its indices in another order, is read where it comes from if all
    that use it read single elements, in its own shape or another one. The innermost index stays
    the innermost one, else elements would be fetched one by one: such a copy is left, but where the
    `fold` of a schedule names it and no transform before it may store it so (`tile-for-ldm`).

    For cores, axes that are neighbours in all that a turned map reads and in its results become one
    ([n, h, w, c] as [n, c, h, w] is planes of h*w pixels): runs in memory are as long as they can be.
    Not where the kernel has a schedule, which may name them.

    ```mlir
    %t = weft.map [0, 0, 0] to [8, 64, 512] .. { tensor.extract %x[%g, %z, %k] }   // from %z, %g, %k
    %r = weft.reshape %t : tensor<8x64x512xf64> -> tensor<512x512xf64>
    .. tensor.extract %r[%y, %k] ..
    // becomes
    .. tensor.extract %x[%y mod 64, %y floordiv 64, %k] ..
    ```
  }];
}

def ArrangeContractions : WeftPass<"arrange-contractions"> {
  let summary = "sums of products laid out for registers and caches";
  let description = [{
    A sum of products over an index (`a @ b`, also batched, with indices in any order)
    becomes a batch of matrix products in one form: rows' elements along the reduced
    index, columns packed into panels of whole vectors. What computes a factor where it is used
    (`(2*x + 1) @ y`) becomes a tensor of its own before: it is computed once. Tiles that a codelet
    transforms and a sum reads at windows (`v[n, c, i+r, a, j]`) are transformed for each window where
    so many products (16) use each of them. On CPUs an index of one factor
    alone that the result has before the other factor's counts products, too (`n` of `y[n, k, p] =
    g[k, c] * x[n, c, p]`), where the rest of its side fills two vectors and others than maps read
    the result. Where columns fill their vectors and products lie as results do, what the map does
    with its sums is done before a panel is stored. The map's mark
    `weft.contraction` says how many rows and vectors share registers (`rows`,
    `vectors`), after how many terms a sum is stored (`depth`, by the first cache) and
    how many panels of columns stay in the second cache (`panels`). What the cores of a mesh can
    share (`share-panels`) is left unpacked, the mark says `shared` alone. Tensors that only
    maps make and read are made in the order that suits; others are copied. Codelets
    (`weft.codelet`) get their tensors in an order in which they have vectors. The terms of each sum
    are added in the order that they had. Where a mesh shares the products and a codelet cuts its tiles
    of planes, tiles are the columns and the codelets keep planes as they are: they read and put long
    runs, one element after the other.

    Columns that a codelet makes, more than the second cache holds, for few rows are
    made a panel at a time, in `weft.blocks` that take turns (`weft.in_turn`). Where a codelet
    makes the rows and another one reads the sums, as with Winograd's tiles, and together they are
    more than the second cache, a strip of rows goes through all three in such a block.

    A sum over windows, `filter[row, term] * image[column + some of the term]`, gets panels
    as well, and so does a product of up to 14 rows with columns that lie side by side, but nothing is packed: a vector of the image is read where it lies, once a term for
    all rows of a panel. What vectors are loaded from and has its columns elsewhere is turned
    before, the vectors of a block of columns one behind the other; blocks of columns that lie
    apart in the result, of filters, share a panel where that saves loads of the rows; lines of few
    rows are together in one where the first cache does not hold a panel's vectors. Fixed vectors lie
    in the order of the terms. Columns that do not fill the last vector are computed twice. Where
    those that lie side by side in the result fill none, others are the columns: the sums lie apart,
    and go to the result from there. Where the image stays in the second cache, a
    panel of rows goes through all of it before the next one does (`rows_first`). Where the turned
    vectors of all columns do not stay there, a panel of columns has so many of the dimensions around
    before the next one does (`within_columns`) that the fewest bytes come from beyond it. Where the cores of
    a mesh can share it, the mark says `shared`, too.

    ```mlir
    %c = weft.map .. { c[i, j] = sum over k of a[i, k] * b[k, j] }
    // becomes
    %p = weft.map .. { p[0, j / 32, k, j % 32] = b[k, j] }
    %c = weft.map .. { c[0, i, j] = sum over k of a[0, i, k] * p[0, j / 32, k, j % 32] }
         {weft.contraction = {rows = 14, vectors = 2, depth = 512, panels = 8}}
    ```
  }];
}

def SplitFixed : WeftPass<"split-fixed"> {
  let summary = "what inputs that stay the same give, apart from what each call computes";
  let description = [{
    An entry with arguments marked `weft.fixed` becomes one of its two parts, as its attribute
    `weft.part` says: `prepare` takes the fixed arguments and returns what is computed of them
    alone and read by the rest; `run` takes the other arguments, the fixed ones that it still
    reads itself, and these values, in the layout that they have by now. Other shapes of an
    argument are no computation. Functions without `weft.part` stay as they are.

    ```mlir
    func.func @f(%x: tensor<8xf32>, %g: tensor<8xf32> {weft.fixed}) attributes {weft.part = "run"} {
      %h = weft.map .. { h[i] = g[i] * g[i] }
      %y = weft.map .. { y[i] = x[i] + h[i] }
    // becomes
    func.func @f(%x: tensor<8xf32>, %h: tensor<8xf32> {weft.name = "prepared0"}) .. {
      %y = weft.map .. { y[i] = x[i] + h[i] }
    ```
  }];
}

def RecomputeTwiddles : WeftPass<"recompute-twiddles"> {
  let summary = "tables of twiddles in part, where a core has room for a line then";
  let description = [{
    Where an LDM holds a line with what its stages pass on, but not their tables as well, the
    largest of these keeps some of the powers of a butterfly's twiddles, as many as fit, and the
    others are products of them: of two where these are enough, else of four at most. The
    scale of an inverse transform, which all entries of its table have, is taken out of one of
    the two. Lines with more than one input, with edges, or whose vectors do not lie along them
    stay as they are, and those of a kernel with `weft.split`: `tile-for-ldm` shares long lines
    among the CPEs of a row, and their tables with them. That is slower: 512 lines of 1440
    points of c128 reach 84 % of the DMA roof by rows, 97 with 4 of 15 powers in a table.

    ```mlir
    %w = weft.table {weft.powers = 0} .. : tensor<15x90xcomplex<f64>>
    %a = weft.map .. { .. extract %w[2, p] .. }
    // becomes
    %v = weft.table .. : tensor<4x90xcomplex<f64>>
    %a = weft.map .. { .. extract %v[1, p] times extract %v[0, p] .. }
    ```
  }];
}

def TileForLdm : WeftPass<"tile-for-ldm"> {
  let summary = "chains of stages over blocks of lines that stay in the fast memory";
  let description = [{
    The stages of one transform become a `weft.blocks`: for each block of lines all
    stages run on tensors local to the block, in a cache of a CPU (`l2_bytes`) or in
    the LDM of a CPE. The lines of a block lie side by side, one a vector lane; where
    memory holds them otherwise (a transform along the last axis), a packing and an
    unpacking map transpose them on the way. If the first radix and the lengths allow,
    such a transform is not packed: a block is one line, and vectors lie along it
    (`weft.along_lines`). On CPUs stages need not fill vectors for it, where a table of what
    stages cost (`dft_stage_cycles`) says that the points done twice, and lanes that are left empty
    where a target masks them, cost less than packing.
    Lines that pass through one butterfly, and fill vectors of several complex numbers, are no
    blocks on a CPU: vectors lie across them (`weft.lane_index`), and `vectorize-complex` turns
    them in registers.

    On a CPU the last block of packed lines begins earlier, and does lines of the block before it
    again; of other lines it takes those that are fewer than a vector's lanes together with those of a
    whole block.

    Maps at the edges of the stages are done in the blocks, too: those that make the lines of the
    first stage, and those that alone read the lines of the last one, where they have one dimension
    along a line. Of a real transform, they put the halves of the spectrum together or take them
    apart.

    A copy behind the stages that only changes the order of axes (`transpose`) is none where the last
    stage can store its elements where the copy has them: rows that become columns from vectors
    across them, columns that become rows turned in registers. On CPUs that is so but for columns of
    several dimensions of lines whose neighbours come apart, and where the rows of a square meet in
    one place of the first cache; on CPEs where there is a block of a vector's lines for each of
    them, else they exchange what they copy.

    The `tile`, `distribute` and `vectorize` of a schedule (`weft.schedule` of the kernel) take the
    place of what is chosen here: of the width and the lanes of a value's blocks, of who shares the
    loop over them, and of the dimensions of maps that are in no block, where `tile` makes two of
    one. `fold` has a transposed copy stored by the stages before it. What cannot be had is an error.

    Lines that a CPE has no room for are shared by the CPEs of a row: blocks of as many lines
    as the mesh has rows take turns (`weft.in_turn`), and the loops of their stages are written
    such that only one stage needs what other CPEs have (`insert-exchanges`). Where CPEs cannot
    share a line evenly, the arrays between its stages are filled up, and the maps say by
    `weft.shared_dims` which of their loops go over the rows and the columns of the mesh.
    Halves or quarters of a row share a line (`weft.sharing`: by how many CPEs) where that saves a
    sixteenth of the points, with what lines are filled up with, and tables fit as well. A kernel's attribute
    `weft.split`, the `split` of its schedule, decides instead by how many CPEs of a row; an error
    where these cannot.
    Columns, whose neighbours lie beside them in memory, are shared by the CPEs of a column of the
    mesh: the CPEs of a row have neighbours of each point, in runs that they move together. So are
    columns that a CPE has room for, where runs become as long as `long_run_bytes` only by that, and
    all CPEs together have no room for them. A kernel's attribute `weft.exchange`, the `exchange`
    of its schedule, is how many elements a run is to have, and takes the place of `long_run_bytes`:
    blocks are no wider than it takes, and what cannot be had is an error (here, or where
    `insert-transfers` finds that CPEs move shorter runs alone). A map that makes these columns
    point by point, and is read behind the stages as well, is done by the first stage: the blocks
    have a second result (`weft.own_elements`: made of the elements at the same places, so that it
    may lie there). Where CPEs have room for whole columns, all that lie side by side, a row of them
    takes these, at indices of its own along another dimension (`weft.planes`); a transform along
    the last dimension, of the lines of the same planes, behind or before it is part of such rounds.

    ```mlir
    %a = weft.map .. { stage 1 of x } {weft.lines = 0}
    %y = weft.map .. { stage 2 of a } {weft.lines = 0}
    // becomes
    %y = weft.blocks [0] to [64] steps [16] places [..] { stage 1, stage 2 on 16 lines }
    ```
  }];
}

def Overlap : WeftPass<"overlap"> {
  let summary = "computing while groups exchange";
  let description = [{
    In a loop of at least two iterations the largest `weft.alltoall` goes on beside the work on
    both sides of it. What is sent and all that it needs, in this iteration and the next ones, is
    the first part of an iteration, all else the last. The first part of an iteration runs before
    the last part of the one before; between them the exchange of the one before ends and its own
    begins. Two iterations make one of the new loop, as two exchanges take turns in memory. A loop
    whose next iteration sends what this one makes of the exchange is left alone. What the `overlap`
    of a schedule names goes on so, or is an error.

    ```mlir
    %r = scf.for .. iter_args(%v) { .. %y = weft.alltoall %s groups 4 .. }
    // becomes
    %coming = weft.alltoall_begin %s0 groups 4
    %r = scf.for .. iter_args(%v, %s0, %coming) {
      .. %y0 = weft.alltoall_end %coming of %s0 groups 4
      %next = weft.alltoall_begin %s1 groups 4
      ..
    }
    ```
  }];
}

def LowerToLoops : WeftPass<"lower-to-loops"> {
  let summary = "tensors to loops over real buffers";
  let description = [{
    Chooses a buffer for every tensor (an argument, a slice of the scratch memory, or
    an array local to a block; in place where the value before is dead), makes
    complex buffers real (interleaved, or split inside of a block) and turns maps,
    reductions and blocks into affine loops. Loops that should become vectors carry
    `weft.lane`; loops whose iterations are independent carry `weft.independent`;
    the loop of a reduction along contiguous data carries `weft.reassociate`: its
    values may be combined in another order than the written one. On CPUs that of one whose terms lie
    apart carries it as well, without lanes, and terms that go across rows, of which another index goes
    along the rows of all that is read, are taken in the order of memory. Terms that are read in whole rows,
    one behind the other, are one row before (not on a mesh of cores, whose memories take rows). Sums over windows in panels read an
    image as it lies, not the copy with zeros around it that nobody else reads: terms that lie beyond the image are left out, those
    of a panel's rows that begin or end there in loops of their own, and lines at the image's edge stand beside the others
    (where results are of at most nine kinds, by what of their windows is in the image). The `layout` of a schedule decides
    how the complex numbers of a value lie, where only the loops of this function see them.

    On CPUs carried arrays take turns. A loop over time whose step would copy what it carries takes
    several steps at a time, so many that each array then has its role again: two where a step
    reads other elements than it stores, or where `old` becomes `now` and the new value may be
    stored over the old one; one more where it may not; four at most. What is over stands behind
    the loop. Steps stay as they are where there are less than two turns, where they have more than
    256 operations a point or copy less than an eighth of what they store, where groups exchange in
    them, and in a program with a schedule.

    ```mlir
    %y = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] { .. tensor.extract %x[%i] .. }
    // becomes
    affine.for %i = 0 to 8 {
      %a = affine.load %x[%i] : memref<8xf64>
      affine.store %a, %y[%i] : memref<8xf64>
    } {weft.independent, weft.lane}
    ```
  }];
}

def JoinNests : WeftPass<"join-nests"> {
  let summary = "nests over the same slices, slice by slice";
  let description = [{
    Two neighbouring nests whose outermost loops are the same become one where the
    second reads of what the first writes only the iteration's own slice, all of it is
    larger than a cache (`l1d_bytes`, `l2_bytes`, `l3_bytes`) and half of that cache holds a slice: a
    plane is transformed along x and along y while it is there, in one pass over memory. Slices of
    less than a kilobyte wait for each other's stores, and stay apart. Nests that only read the same
    rows are joined likewise, unless half of the first cache does not hold what they read besides in
    every iteration.
    Reductions of one array in the same loops, to single numbers or for each row or column, become
    one nest that carries all they combine: each element is loaded once.
    Within joined nests the same is asked again of what they consist of, there of slices of any size:
    a row is damped and transformed before the next one is. A view of an array, such as of real
    numbers as complex ones, has its slices too.

    Nests between which a value goes that the `place` of a schedule wants in a cache become one
    wherever they can.

    On a core group there is no cache to gain. There nests become one that fill one array
    together and do not read it: the borders and the inside of a padded image then leave a
    core's memory as whole rows, or whole planes, and not the border's columns element by
    element. What the cores share stays a perfect nest of at least as many iterations as there
    are cores (`cores`).

    ```mlir
    affine.for %z = 0 to 128 { affine.for %y = 0 to 128 { .. %a[%z, %y, ..] .. } } {weft.independent}
    affine.for %z = 0 to 128 { affine.for %x = 0 to 128 { .. %a[%z, .., %x] .. } } {weft.independent}
    // becomes
    affine.for %z = 0 to 128 {
      affine.for %y = 0 to 128 { .. %a[%z, %y, ..] .. }
      affine.for %x = 0 to 128 { .. %a[%z, .., %x] .. }
    } {weft.independent}
    ```
  }];
}

def KeepSlices : WeftPass<"keep-slices"> {
  let summary = "slices that pass between nests, in memory of their own";
  let description = [{
    In a loop over slices, as `join-nests` makes them, an array that no cache holds (`l3_bytes`) is
    filled by nests that go before, and again by the last one that stores there: what lies between
    goes to an array of one slice, which every iteration has anew and which stays in a cache.
    Where nobody touches the array but these nests, it is such a slice alone; then also of an array
    that only the first cache (`l1d_bytes`) does not hold. Variables of loops around do not vary within
    an iteration: of planes of several images a slice is one plane.

    What the `place` of a schedule wants in a cache is such a slice whatever its size; an error where
    it can be none, and has more bytes than the second cache (`l2_bytes`).

    The first nests have to fill the whole slice and to read none of it; the last one has to fill it, and
    may not read what it has stored itself.

    ```mlir
    affine.for %z = 0 to 128 {
      affine.for %y = 0 to 128 { .. affine.store %a, %out[%z, %y, ..] .. }
      affine.for %x = 0 to 128 { .. affine.load %out[%z, .., %x] .. affine.store %b, %out[%z, .., %x] .. }
    } {weft.independent}
    // becomes
    affine.for %z = 0 to 128 {
      %slice = memref.alloca() {weft.slice} : memref<128x128xf64>
      affine.for %y = 0 to 128 { .. affine.store %a, %slice[%y, ..] .. }
      affine.for %x = 0 to 128 { .. affine.load %slice[.., %x] .. affine.store %b, %out[%z, .., %x] .. }
    } {weft.independent}
    ```
  }];
}

def KeepFields : WeftPass<"keep-fields"> {
  let summary = "the fields of a loop over time stay with the cores, which give each other halos";
  let description = [{
    A loop over time whose nests make rows of arrays from rows near by, where one dimension of each
    array is that of rows, goes to the cores as a whole. Each core has as many rows of each array in
    its own memory, and room for those of its neighbours that it reads (`cpe.halo`), which these give
    it by messages before a nest that needs them anew. The cores are in a line of which each is in a row or a column
    of the mesh with the next, and the last one with the first where rows wrap around. Where the cores do not
    divide the rows, some rows lie with two of them, and both compute them. Main memory is read
    before the loop and written behind it. Arrays that a step copies at its end change names instead,
    two or three steps a turn. Small arrays that the loop only reads, and numbers that it carries, are
    there with every core; sums of f64 and f32 are added over the cores, maxima and minima compared,
    of all rows or of some.
    Single elements are made by the core that has their row, and sent to all where the loop reads them.
    Where arrays have fewer rows than others, as a field beside its copy with a border around it, theirs
    lie in the middle of those. Short sums over windows (`u[i + a, j + b]`) are written out, where that makes fields stay.

    Where that is not enough, every core may have all rows of an array of which it makes some: a
    vector that a matrix is multiplied by, the places of all particles. Each gives its own to all
    others (`cpe.collect`) before a nest that reads them where they have changed. Rows are those of the
    first dimension then, and each core has a multiple of whole messages of them, if that is at most
    twice as many. Where it still is not, nests that make small arrays of at most 64 elements, as
    sums over the rows, become numbers: their iterations are written out, all sums one loop. Lanes of
    rows stay lanes where a core's own lie side by side, and become those of a loop within where that goes
    along what it reads.

    Loops stay as they are where an array has no such dimension, where rows are not made in
    their order or are no whole words of a transfer, where a schedule says how their nests are done,
    where all cores together have no room, or where it does not pay by count of cycles.

    ```mlir
    affine.for %t = 0 to 10 {
      affine.for %i = 1 to 127 { affine.for %j = .. { .. %u[%i - 1, %j] .. %u[%i + 1, %j] .. } }
    }
    // becomes
    cpe.cores {
      %own = cpe.spread : memref<8x8x512xf64>
      affine.for %p = 0 to 64 { cpe.dma_get .. } {weft.parallel, weft.ring = 8}
      affine.for %t = 0 to 10 {
        cpe.halo %own rows 128 own 2 cores 64 columns 8 before 1 after 1 ..
        affine.for %p = 0 to 64 { affine.for %i = 0 to 2 { .. } } {weft.parallel, weft.ring = 8}
      }
      affine.for %p = 0 to 64 { cpe.dma_put .. } {weft.parallel, weft.ring = 8}
    }
    ```
  }];
}

def SplitBorders : WeftPass<"split-borders"> {
  let summary = "the inside of a row apart from its borders";
  let description = [{
    A lane loop that asks for remainders of its variable (`x[i, (j+1) % m]`) or compares
    it (`where(j > 0, ..)`) becomes several: between the iterations where an answer
    changes it is known, the remainder is an affine index and the condition gone.
    Borders of less than half of all iterations, rounded to whole vectors, stay as
    they are written. Where no answer changes along a loop at all (`x[(j+1) % m]` for j from 1 to
    m-1), it is known without a copy. On a core group the loops that cores share do as well, at the very iteration:
    rows of one form pass through a core's memory many at a time. The inside of an inner loop is cut out
    of the inside of the outer one, whose borders stay whole, and each part is a nest of its own. Where
    there are iterations enough for all cores, each of which passes through a core's memory as a whole,
    what is inside of them may wrap around there and is not cut. Before all that, short sums over
    windows that wrap around (`sum(x[(i + a) % n] for a in 0:3)`) are written out term by term.

    ```mlir
    affine.for %j = 0 to 128 { .. %x[(%j + 1) mod 128] .. } {weft.independent, weft.lane}
    // becomes
    affine.for %j = 0 to 120 { .. %x[%j + 1] .. } {weft.independent, weft.lane}
    affine.for %j = 120 to 128 { .. %x[(%j + 1) mod 128] .. } {weft.independent, weft.lane}
    ```
  }];
}

def StreamReductions : WeftPass<"stream-reductions"> {
  let summary = "sums over rows, row by row";
  let description = [{
    A lane loop over columns whose body reduces many rows becomes, for a block of
    columns, an array of the sums and a loop over the rows, a few at a time: memory is
    read along the rows, and each sum takes its values in the same order as before.
    Columns too few for a vector are carried side by side by one loop over the rows, whose lanes,
    where it has some, are picked from the same vectors; sums of one vector need no array. A block has a page of each row, half of one where rows
    have less than two, and sums of a quarter of the first cache at most.
    A long reduction to single numbers, whose order is free, becomes 64 blocks or fewer, which threads share;
    what they have come to is combined in their order, whatever the number of threads.

    ```mlir
    affine.for %j = 0 to 1024 { %s = affine.for %i = 0 to 64 iter_args(..) { .. %x[%i, %j] .. } .. }
    // becomes
    affine.for %b = 0 to 1024 step 512 {
      affine.for %i = 0 to 64 step 4 { affine.for %j = 0 to 512 { %sums[%j] .. %x[%i, %b + %j] .. } }
    }
    ```
  }];
}

def DistributeToCores : WeftPass<"distribute-to-cores"> {
  let summary = "outer loops over the cores";
  let description = [{
    The outermost independent loop of a nest that does enough work is marked
    `weft.parallel`: an OpenMP loop over the threads. Each iteration writes its own
    elements, so that results do not depend on the number of threads. One thread alone takes
    0.2 us to begin such a loop, two that sleep 2 to 8 us: less than that to do is no work
    for them.

    Loops over blocks that take turns (`weft.in_turn`) are independent but for the arrays
    with the same mark. Each turn gets these for itself, and a nest of such loops is
    marked as well, beside the loops inside of it: emitted as one parallel region, in which
    threads take whole turns where there are enough, else parts of the loops in each. What
    turns write without that mark are results, of which each has elements of its own.
    Nests behind each other of which one goes on with the result of the other and stores no
    element of it again (`weft.beside`) share one region.

    On CPUs a nest of rows that lie one behind the other, in all that it reads and stores, is one loop
    over all elements first, where a row is no number of whole vectors: 13 numbers a row are one
    vector that is not full each. What is read along a row alone, a schedule that names a
    loop, or a variable that is a number keeps the rows.

    A loop that the `distribute` of a schedule names (`weft.distribute`, its text) is taken whatever it
    does, and no other of its nest.

    On a core group (`cores` in the target) reductions to single numbers become 64 blocks first, or
    about as many of whole rows, and a few of what is left; where there are few rows, these are cut.
    The results of blocks are combined by the management core, once the blocks of all reductions that
    stand one behind the other are done. Those of long columns, and of rows that a core has no room
    for, become blocks that cores combine; a loop stands in `cpe.cores`, its iterations
    shared out among the cores, together with loops just inside of it where there would be
    too few. Nests one behind the other share a `cpe.cores`, with a `cpe.sync` between them unless
    neither stores what the other one touches, element for element. The borders of a nest
    (`weft.border`) go with its inside. That happens where the nests of a block together save more
    cycles of the management core than a start of the cores takes; in a loop over time all of them
    go, if each iteration saves its share of one start.

    ```mlir
    affine.for %i = 0 to 1024 { .. } {weft.independent}
    // becomes
    affine.for %i = 0 to 1024 { .. } {weft.independent, weft.parallel}
    ```
  }];
  let options = [
    Option<"minWork", "min-work", "int64_t", /*default=*/"32768",
           "on CPUs operations of a lane of its vectors below which a loop stays on one core">
  ];
}

def JoinCores : WeftPass<"join-cores"> {
  let summary = "one start of the cores for much";
  let description = [{
    A loop around parts that run on the cores goes to them as a whole, with what else is in it:
    sums, of which each core does a part (their order of additions is another one then), numbers,
    which every core computes for itself, and what is stored of them, which one core stores. A
    small array that only the loop uses comes along. A loop in which the management core reads
    what it has stored, or which has other work of its own, stays with it.

    ```mlir
    affine.for %t = 0 to 6 { cpe.cores { .. }  %s = affine.for .. iter_args(..) { .. } .. }
    // becomes
    cpe.cores {
      affine.for %t = 0 to 6 {
        ..
        cpe.sync
        %s = affine.for %core = 0 to 64 iter_args(..) { .. } {weft.parallel, weft.sums}
        ..
      }
    }
    ```
  }];
}

def SharePanels : WeftPass<"share-panels"> {
  let summary = "products of matrices by all cores together, panels of the factors by messages";
  let description = [{
    A nest over products, rows, columns and the terms of a sum that `lower-to-loops` has marked
    (`weft.shared_products`; `arrange-contractions` has left its factors unpacked) is shared out in
    blocks over rows and columns of the mesh; of many small products, rows or columns of the mesh,
    or all cores, have some each, or the nest stays as it is where that takes clearly fewer cycles. A core keeps its block of the result in its LDM. The reduced index
    goes by in panels, of which each core fetches its own part by DMA, the next one while this one is
    used; in as many steps as the mesh has columns, one column of cores sends what it has of the left
    factor along the rows and one row of cores what it has of the right one along the columns
    (`cpe.broadcast`). Some rows by some vectors of sums are in registers for a step, whose terms are
    written out.

    Where rows, columns or terms are many and the others few, each core works for itself: it has a part
    of the rows or of the columns, and what all of them need of the other factor comes for all at once
    (`for_all`); or it has a part of the terms and all sums, whose parts the cores exchange along rows
    and columns of the mesh and add up.

    The sizes are those with the fewest cycles by count. Of extents that are no multiples the last
    block begins in the one before, so that all are equal, and puts what that has not; what is left of
    the reduced index has a panel of its own, which each core fetches by itself where it is short. A sum
    takes its terms in the order that it had, but for parts of cores. A nest whose factors or result do
    not lie in runs in memory is left to `insert-transfers`.

    Of a sum over windows, `filter[k, c, tap] * image[c, pixel + reach of the tap]`, a core's block is
    some filters by some whole lines of the result. Panels are of channels, and of each of them a core's
    block reads one stretch of the image, which all taps share: a tap is that stretch from another
    element on. What lies between the lines of the result is computed and left out when the block is put.
    A border of zeros is no copy in memory: the rows that there are come, and cores lay them apart.
    A nest behind that reworks each result (a bias, ReLU) is done before that.

    Of products between transforms (Winograd's tiles) a core transforms its channels of a block of
    tiles, has the products of some filters with it, all points of them, and transforms these back: only
    images, filters and results go through memory, the next images while the cores multiply, and here,
    too, what reworks each result comes before it is put. A border of zeros, or what fills images up to
    whole tiles, is no copy in memory then: cores fetch what there is of a block, and make the rest
    zero. All that is done where channels and filters are the same number for each row of cores,
    all of a block fits, and the count of cycles is less than with tiles that go through memory.

    ```mlir
    affine.for %i = 0 to 512 { affine.for %j = 0 to 512 {
      %s = affine.for %k = 0 to 512 iter_args(%t = %zero) { .. %a[%i, %k] * %b[%k, %j] .. }
      affine.store %s, %c[%i, %j]
    } {weft.parallel, weft.shared_products} } {weft.parallel}
    // becomes
    affine.for %p = 0 to 8 {
      cpe.dma_wait
      affine.for %r = 0 to 8 { affine.for %c = 0 to 8 { cpe.dma_get %a[..], %coming of[%r, %c] .. } }
      affine.for %s = 0 to 8 {
        cpe.broadcast %a_part from %s, %a_sent along_rows
        cpe.broadcast %b_part from %s, %b_sent
        affine.for %r = 0 to 8 { affine.for %c = 0 to 8 { .. %block += %a_sent * %b_sent .. } }
      }
    }
    ```
  }];
}

def InsertExchanges : WeftPass<"insert-exchanges"> {
  let summary = "arrays that stay with the cores, which exchange their parts";
  let description = [{
    Nests that one start of the cores does one after the other pass arrays on. Where the cores
    together have room for such an array (each has `ldm_bytes` less `ldm_reserved_bytes`; a third
    is left for all else), it stays with them: the nests are shared out over the rows and the
    columns of the mesh (`mesh_rows`), each core keeps its part (`cpe.spread`), and where the
    next nest wants other parts, the cores of a row or of a column exchange them
    (`cpe.exchange`). A sum over the array is made by the cores that have the elements, by lists of
    their places, which they have before the loop over time begins where there is room. An array
    that goes in or out of the function stays in memory, as does one whose parts would have to
    change row and column at once. In a loop whose iterations take turns (`weft.in_turn`), parts
    of tables come once and stay, and no `cpe.sync` is left where nothing passes through memory.
    Nests whose loops say that they go over the mesh (`weft.over_rows`, `weft.over_columns`) share
    the dimensions of arrays that these loops index; a loop over fewer elements than such a
    dimension has leaves the last columns of the mesh less to do, or nothing.

    Of what stays in memory, a core that works on columns of a few elements would fetch runs of
    as few, shorter than `long_run_bytes`, or than the kernel's `weft.exchange`. Where the cores
    of a row work on columns side by side, and have the room, they fetch and put back their runs
    together, each a share of the rows, and exchange what is of each other's columns. In a loop whose iterations take turns and wait for no others, what an earlier nest puts
    waits until the last one's puts, where the room allows: puts among gets are slower.

    ```mlir
    affine.for %i = 0 to 32 { affine.for %j = 0 to 32 { .. %t[%i, %j, %k] .. } } {weft.parallel}
    affine.for %i = 0 to 32 { affine.for %k = 0 to 32 { .. %t[%i, %j, %k] .. } } {weft.parallel}
    // becomes
    %a = cpe.spread : memref<8x8x512xf64>
    %b = cpe.spread : memref<8x8x512xf64>
    affine.for %r = 0 to 8 { affine.for %c = 0 to 8 { .. %a[%r, %c, ..] .. } } {weft.parallel}
    cpe.exchange %a, %b along_rows block 4 counts [4, 4] from 4 [128, 32] to 16 [128, 4]
    affine.for %r = 0 to 8 { affine.for %c = 0 to 8 { .. %b[%r, %c, ..] .. } } {weft.parallel}
    ```
  }];
}

def InsertTransfers : WeftPass<"insert-transfers"> {
  let summary = "main memory through the cores' own";
  let description = [{
    In `cpe.cores`, what a piece of work touches of main memory is copied to an array in the
    LDM before it, and back behind it. A piece is what fits into the LDM (`ldm_bytes` less
    `ldm_reserved_bytes`): the body of a loop, else one loop after the other, else some
    iterations of a loop, which becomes two. Tables stay for the whole body where they take
    no more than a third, and so does an array that is only read, at places which are data or wrap
    around by the sum of several indices, four times as often as it has elements or more. Which elements those are is counted one by one, so that what is
    written back is never another core's. What is only read may be more: the box around the points
    of a stencil, or parts, where some lie far apart (`FootprintBox.cpp`). An array with an index that
    is data, with elements too far apart, or with runs that are no whole words of a transfer
    (`transfer_word_bytes`), is accessed where it is.

    Of two loops that the cores share, one right in the other, the one goes inside whose iterations
    lie together in what is written, where that moves clearly less by count: runs are longer. Where
    one of two such loops walks along what is read, the other along what is written, or iterations
    beside each other read the same rows, both are cut (`TransferTiles.h`). Pieces are fewer than cores where short runs would make the memory wait: what
    all of them move is weighed against what a core's own transfers take (`own_line_hundredths`,
    `reply_cycles`).

    Where each iteration of a piece reads its share of an input before it writes its share of a
    result, and both are the same bytes of what the piece has of the two arrays, they have one array
    in the LDM, if there is no room for two: pieces have more iterations.

    Where the iterations of a piece read one block after the other, and computing them takes long
    beside a get more (`part_cycles`), the blocks come in up to eight parts, each waited for where
    it is read first, while the others come. Puts go at the end, all together: among gets a kilobyte
    takes `mixing_cycles` longer. Where the last part is computed for `rest_cycles`, with fewer parts
    if that moves more, the memory has rested before the puts, and they are fast. For that all cores
    meet before them (`cpe.sync`); those that have one piece each, which comes at once, are in step
    without.

    The `place` of a schedule names values that cores shall not access where they are; with
    `double_buffered` what they fetch of them comes in parts, however little is computed. What cannot
    be had is an error.

    Tables that the first part of a start of the cores reads, where all begin together, are got by
    one core for all of them (`for_all`). Those of later parts each core gets for itself: a `cpe.sync`
    would keep in step rows of cores that else compute while others wait for transfers.

    ```mlir
    affine.for %i = 0 to 4096 { .. affine.load %x[%i] : memref<4096xf64> .. } {weft.parallel}
    // becomes
    affine.for %i = 0 to 4096 step 64 {
      %a = memref.alloca() : memref<64xf64>
      cpe.dma_get %x[%i], %a block 64 counts [] strides [] : memref<4096xf64>, memref<64xf64>
      cpe.dma_wait
      affine.for %j = 0 to 64 { .. affine.load %a[%j] : memref<64xf64> .. }
    } {weft.parallel}
    ```
  }];
}

def ExpandMath : WeftPass<"expand-math"> {
  let summary = "functions that have short arithmetic forms";
  let description = [{
    `math.exp` becomes a reduction by ln 2, a polynomial and a power of two put
    together from bits, with an error below one unit in the last place; powers with
    small constant integer exponents become multiplications, one of 0.5 is the root. All of it has
    vector forms. Other functions stay calls of the C library, one a lane, or, on targets with
    `vector_functions`, one a vector.

    ```mlir
    %y = math.powf %x, %three : f64
    // becomes
    %square = arith.mulf %x, %x : f64
    %y = arith.mulf %x, %square : f64
    ```
  }];
}

def VectorizeComplex : WeftPass<"vectorize-complex"> {
  let summary = "lane loops to vectors of real lanes";
  let description = [{
    A loop marked `weft.lane` becomes a loop over full vectors and a scalar remainder, or, of real
    numbers that lie side by side, one more vector whose other lanes are masked, where the target
    can (`masked_lanes`) and it has a third of them to fill; loops of fewer iterations than a vector
    has lanes are such a vector alone, and the largest or least of 6 numbers or more, which one by one
    would wait for each other. Truth values that lie side by side are vectors where the target packs
    them into bytes (`packed_truths`).
    Interleaved complex elements are split into a vector of real and a vector of
    imaginary parts by two shuffles at the load, and joined again at the store; split
    buffers need none; values that do not vary are broadcast; a transposing copy goes
    through registers. On CPUs numbers that lie two to four apart are picked from the vectors
    between them, under a mask as well where what its lanes read is a vector at least, and those that
    go to even and to odd places are joined at the store. What has no vector form stays scalar, and so
    does a loop in which numbers of two widths meet and nothing else has none, where all it reads and
    stores lies side by side: the C compiler widens half a vector at once.

    Where that takes fewer operations, vectors hold complex numbers as memory has them,
    parts by turns: a sum is one, a multiplication by i an exchange of neighbours and a
    sum with signs by turns, one by a twiddle an exchange, a product and a sum; a vector of real
    numbers side by side serves two of complex ones, shuffled twice. Results
    that go to elements side by side, with lanes that lie apart, are turned in squares, or, where
    lanes follow one another without a gap, in slabs of any width; on CPUs loads as well. Fewer
    iterations than a vector has complex numbers are one vector whose others are masked, where the
    target can (`masked_lanes`). Tables of at most a quarter of the first cache get two others that hold
    one part of each number twice.

    Where the target tells of its pipes (`pipeline`), three forms are written, measured in
    cycles of a turn, and the shortest is kept: `split`, parts in vectors of their own from
    load to store; `interleaved`, parts by turns and an exchange of neighbours a product;
    `six_shuffle`, parts by turns but for products, for which two shuffles bring the parts
    of two vectors apart and four together again. A kernel's attribute `weft.complex`, the
    `complex` of its schedule, decides instead for all its loops.

    On CPUs a nest of two loops whose inner one reads an element of another row each time (transposed
    and worked on, backwards, wrapped around), which the caches would lose before the outer loop's
    next iteration, goes in tiles of 64 by 16 iterations: each line comes from memory once.

    A product that a loop adds to what it carries becomes one operation with the sum, where the
    target has it (`fma`).

    Where the `vectorize` of a schedule names a loop (`weft.vectorize`, its text), it is an error if it
    has no vector form.

    A loop that accumulates becomes one if it is marked `weft.reassociate` as well:
    up to eight vectors of partial sums (products, maxima, ..), joined at the end, the
    lanes of one vector by halves. Which element goes to which partial sum depends on
    the sizes and the target alone, so that every run gives the same result. What is left over is
    one more vector under a mask, where the target has them and it has a third of the lanes to fill.

    ```mlir
    affine.for %i = 0 to 16 { .. affine.load %x[%i] : memref<16xf64> .. } {weft.lane}
    // becomes
    affine.for %i = 0 to 16 step 8 { .. affine.vector_load %x[%i] : memref<16xf64>, vector<8xf64> .. }
    ```
  }];
}

def OrderLanes : WeftPass<"order-lanes"> {
  let summary = "lanes in the order that splits and joins of complex pairs cost the least in";
  let description = [{
    Where two vectors of complex pairs are split into real and imaginary parts, and joined
    again, the parts need not be in order of memory in between: a shuffle that keeps each
    number in its 16 bytes of a vector takes no index vector and crosses nothing. All vectors
    that meet, in an operation or in an array of the kernel's own, have the same order; they
    keep that of memory where one of them is used otherwise.

    ```mlir
    %re = vector.shuffle %low, %high [0, 2, 4, 6, 8, 10, 12, 14] : vector<8xf64>, vector<8xf64>
    %pairs = vector.shuffle %re, %im [0, 8, 1, 9, 2, 10, 3, 11] : vector<8xf64>, vector<8xf64>
    // becomes
    %re = vector.shuffle %low, %high [0, 8, 2, 10, 4, 12, 6, 14] : vector<8xf64>, vector<8xf64>
    %pairs = vector.shuffle %re, %im [0, 8, 2, 10, 4, 12, 6, 14] : vector<8xf64>, vector<8xf64>
    ```
  }];
}

def AlternateNests : WeftPass<"alternate-nests"> {
  let summary = "nests by turns, over parts of the array between them";
  let description = [{
    An array that one nest fills and the next one reads, and that goes to the second cache
    meanwhile: it and what is read for it are more than the first one holds
    (`l1d_bytes`). The nests take turns: a part of the one, then the part of the other that needs no
    more than that. The array is looked at as [outer][places][inner]; one nest has a loop over
    places, the other over (outer, places), and a part is a few places, as many as fill vectors and a
    line of the cache (`line_bytes`); there are four at least, and two of them fit the first cache. Turns
    of the loops must be independent. What else one of the nests writes and the other one touches must
    split into places as well.

    ```mlir
    affine.for %p = 0 to 512 step 4 { .. affine.vector_store %v, %t[%p * 16] .. }
    affine.for %p = 0 to 64 { .. affine.vector_load %t[%p * 16 + 1024] .. }
    // becomes
    affine.for %b = 0 to 64 step 4 {
      affine.for %o = 0 to 8 { .. affine.vector_store %v, %part[%o * 64] .. }
      affine.for %q = 0 to 4 { .. affine.vector_load %part[%q * 16 + 64] .. }
    }
    ```
  }];
}

def LendResults : WeftPass<"lend-results"> {
  let summary = "arrays between nests in the memory of a result";
  let description = [{
    An array whose last reader stores, in each turn, to the places of a result where what it
    has read would lie there gets its memory: the nest works in place, and fewer bytes leave
    the first cache. A turn, which may hold nests itself, must be the only one to read where it
    stores, all reads of a turn come before
    its stores, and nobody else touches the result meanwhile. An array that is made anew in
    each turn of a loop and fits the first cache (`l1d_bytes`) stays there.

    ```mlir
    %t = memref.alloca() : memref<256x2x8xf64>
    .. affine.vector_store %v, %t[%p, 0, 0] ..
    .. %re = affine.vector_load %t[%i, 0, 0] .. affine.vector_store %w, %y[%i, 0, 0] ..
    // becomes
    %line = memref.reinterpret_cast %y to .. memref<4096xf64>
    .. affine.vector_store %v, %line[%p * 16] ..
    .. %re = affine.vector_load %line[%i * 16] .. affine.vector_store %w, %y[%i, 0, 0] ..
    ```
  }];
}

def InterleaveLines : WeftPass<"interleave-lines"> {
  let summary = "several short lines computed beside each other";
  let description = [{
    Turns of an independent loop whose body goes through an array of its own from nest to nest,
    and is short beside what a core looks ahead (`reorder_window`): two or four of them go together, nest
    by nest, each in an array of its own, so that a core has other work while what one line stored is
    loaded again. Nests have vectors and four turns at most; the loop has four such turns at least. Where no
    nest spills (`vector_registers`) they are written out, else they stay loops, as below. Targets that
    do not tell how far they look ahead have no use for it.

    ```mlir
    affine.for %i = 0 to 512 {
      %t = memref.alloca() : memref<64xf64>
      affine.for %p = 0 to 64 step 8 { .. affine.vector_store %v, %t[%p] .. }
      affine.for %q = 0 to 64 step 16 { .. affine.vector_load %t[%q] .. }
    } {weft.independent}
    // becomes
    affine.for %i = 0 to 512 step 2 {
      %t = memref.alloca() : memref<64xf64>
      %u = memref.alloca() : memref<64xf64>
      affine.for %p = 0 to 64 step 8 {
        .. affine.vector_store %v, %t[%p] .. affine.vector_store %w, %u[%p] ..
      }
      affine.for %q = 0 to 64 step 16 {
        .. affine.vector_load %t[%q] .. affine.vector_load %u[%q] ..
      }
    } {weft.independent}
    ```
  }];
}

def Unroll : WeftPass<"unroll"> {
  let summary = "short inner loops written out";
  let description = [{
    Innermost loops are unrolled by a factor that the number of live values and the
    target's registers (`vector_registers`) and `max_unroll` allow; loops with one
    iteration disappear, sums over a window, to 7 by 7, are written out. Up to four turns of a loop
    and of those around it whose loads are the same in part become one: the windows of two by two
    neighbouring pixels load 16 numbers together, four a result instead of nine. A loop with others behind
    it, for what is left of whole vectors, gets the independent loop around them for itself before.
    Where the target tells of its pipes (`pipeline`), the factor is the one with the fewest cycles an
    iteration, and what no longer varies once a loop is written out goes in front of the independent
    loops around. A kernel's attribute `weft.unroll`, the `unroll` of its schedule, decides instead for
    all its loops; there a warning tells how many vectors are spilled, or that the code is more than a
    core holds.

    ```mlir
    affine.for %i = 0 to 2 { affine.store %v, %y[%i] : memref<2xf64> }
    // becomes
    affine.store %v, %y[0] : memref<2xf64>
    affine.store %v, %y[1] : memref<2xf64>
    ```
  }];
  let options = [
    Option<"factor", "factor", "int64_t", /*default=*/"0",
           "copies of each innermost body; 0: chosen by cost">
  ];
}

def ShiftRows : WeftPass<"shift-rows"> {
  let summary = "rows between zeros shifted in registers, not stored";
  let description = [{
    An image whose rows are shorter than a vector, copied with a border of zeros into a local array that
    windows read: where all else that is stored there is zero, a row is loaded from the image and shifted in
    a register, and one of the border is zero; the array goes. A load that begins beside a store and needs
    what others have stored as well would wait for all of them. Loops over rows fall into parts with the same
    rows of the border, up to five. Nothing is stored to the image while the array lives, and windows that
    are read lie along its rows.

    ```mlir
    %v = vector.maskedload %x[%c1, %c0], %seven, %none : ...
    vector.maskedstore %padded[%c2, %c1], %seven, %v : memref<9x9xf32>, ...
    %w = vector.maskedload %padded[%c2, %c0], %seven, %none : ...
    // becomes
    %v = vector.maskedload %x[%c1, %c0], %seven, %none : ...
    %w = vector.shuffle %v, %none [16, 0, 1, 2, 3, 4, 5, 23, ...] : vector<16xf32>, vector<16xf32>
    ```
  }];
}

def AlignArrays : WeftPass<"align-arrays"> {
  let summary = "arrays begin with a line of memory; vectors that lie well are marked";
  let description = [{
    On CPUs whose `l1d_ways` are given, the rows of a local array lie a line farther apart where a body
    touches more lines at once that fall into one set of the first cache than it holds there, and more
    than 16, which stages of transforms touch: the points of a tile, each of which belongs to a
    matrix of its own. Rows have one or more dimensions, and are those of every view of the array.

    Arrays in main memory and tables begin at multiples of the target's `line_bytes`, those in a
    core's own memory at multiples of what its plan counts with: their `alignment`. Loads and
    stores of vectors that lie at multiples of their size in every turn are marked
    (`weft.aligned`); `schedule-dual-issue` counts one instruction for them, and the emitter takes
    the target's entry for them, for others the one marked `:unaligned` where it has one.

    ```mlir
    %a = memref.alloca() : memref<64xf64>
    affine.for %i = 0 to 60 step 4 {
      %v = affine.vector_load %a[%i] : memref<64xf64>, vector<4xf64>
      %w = affine.vector_load %a[%i + 1] : memref<64xf64>, vector<4xf64>
    }
    // becomes
    %a = memref.alloca() {alignment = 64 : i64} : memref<64xf64>
    affine.for %i = 0 to 60 step 4 {
      %v = affine.vector_load %a[%i] {weft.aligned} : memref<64xf64>, vector<4xf64>
      %w = affine.vector_load %a[%i + 1] : memref<64xf64>, vector<4xf64>
    }
    ```
  }];
}

def OrderAccesses : WeftPass<"order-accesses"> {
  let summary = "loads and stores beside what they serve";
  let description = [{
    In bodies of innermost loops that are arithmetic of vectors between loads and stores, and that spread
    numbers over lanes: each such number goes to its first use, each store to what it stores. Accesses to one
    array keep their order as far as one of them is a store. So fewer values wait in registers, and stores do
    not come in one bunch at the end.

    ```mlir
    %w = affine.load %t[%i] : memref<8xf64>
    %v = vector.broadcast %w : f64 to vector<8xf64>
    %s = arith.addf %a, %b : vector<8xf64>
    %p = arith.mulf %s, %v : vector<8xf64>
    affine.vector_store %s, %y[%i] : memref<64xf64>, vector<8xf64>
    affine.vector_store %p, %y[%i + 8] : memref<64xf64>, vector<8xf64>
    // becomes
    %s = arith.addf %a, %b : vector<8xf64>
    affine.vector_store %s, %y[%i] : memref<64xf64>, vector<8xf64>
    %w = affine.load %t[%i] : memref<8xf64>
    %v = vector.broadcast %w : f64 to vector<8xf64>
    %p = arith.mulf %s, %v : vector<8xf64>
    affine.vector_store %p, %y[%i + 8] : memref<64xf64>, vector<8xf64>
    ```
  }];
}

def BalanceSums : WeftPass<"balance-sums"> {
  let summary = "sums on the pipes of products";
  let description = [{
    Where the target's sums have pipes of their own, as many as products (`sums_apart`): of a loop's body with
    one and a half times as many sums of vectors as products and multiply-adds, or more, as many sums become
    multiply-adds by one as make both equal. They are spread evenly among the others, and give the same
    numbers. Sums that a loop carries stay, as a multiply-add takes longer, and so do those of a body that
    spills (`vector_registers`). The counts of operations have them as additions.

    ```mlir
    %s = arith.addf %a, %b : vector<8xf64>
    %d = arith.subf %a, %b : vector<8xf64>
    // becomes
    %one = arith.constant dense<1.0> : vector<8xf64>
    %s = arith.addf %a, %b : vector<8xf64>
    %n = arith.negf %b : vector<8xf64>
    %d = math.fma %n, %one, %a : vector<8xf64>
    ```
  }];
}

def OverlapTurns : WeftPass<"overlap-turns"> {
  let summary = "shuffles of one turn beside the arithmetic of the next";
  let description = [{
    Where the target tells of the pipes of a core out of order (`wide_pipes`): in innermost loops that turn
    vectors in squares before they store them, what only shuffles lie between and the stores is done a turn later,
    among the arithmetic of the next turn, if registers hold what passes on; else, and in parallel loops, a turn is
    put in order by itself, where it needs no more values at a time than before. What has the longest way to the
    end stands first, with few values at a time.

    Where the target also tells how many operations the core keeps waiting (`wide_window`), a turn by itself is
    followed through that window, many turns one behind the other, in several such orders: with more and with fewer
    values at a time, parts that nothing connects one more and less behind the other. The one of fewest cycles
    stands, a store counted for each value that registers do not hold. So are operations between loops put in
    order, a stage of short lines that has one turn.

    ```mlir
    affine.for %i = 0 to 64 step 8 {
      %a = affine.vector_load %x[%i] : memref<64xf64>, vector<8xf64>
      %s = arith.addf %a, %a : vector<8xf64>
      %t = vector.shuffle %s, %a [0, 8, 2, 10, 4, 12, 6, 14] : vector<8xf64>, vector<8xf64>
      %u = vector.shuffle %t, %a [0, 1, 8, 9, 4, 5, 12, 13] : vector<8xf64>, vector<8xf64>
      affine.vector_store %u, %y[%i] : memref<64xf64>, vector<8xf64>
    }
    // becomes
    %a0 = affine.vector_load %x[0] : memref<64xf64>, vector<8xf64>
    %s0 = arith.addf %a0, %a0 : vector<8xf64>
    %e:2 = affine.for %i = 0 to 56 step 8 iter_args(%s1 = %s0, %a1 = %a0) -> (vector<8xf64>, vector<8xf64>) {
      // the shuffles and the store of %i, beside the load and the sum of %i + 8
      affine.yield %s, %a : vector<8xf64>, vector<8xf64>
    }
    // the shuffles and the store of 56
    ```
  }];
}

def ScheduleDualIssue : WeftPass<"schedule-dual-issue"> {
  let summary = "ops in the order in which two pipes take them";
  let description = [{
    In `cpe.cores`, where the target tells of its pipes (`pipeline`, `issue`): ops stand in the
    order in which a core issues them, that of a list schedule with its latencies and no more
    values at a time than registers. Where it pays, the turns of an innermost loop overlap: a turn
    loads what the next one works on, and what passes on is carried by the loop. Memory keeps its
    order, and so do messages, transfers and meetings. The emitter has the C compiler keep the
    order (`weft.ordered`).

    All that a core does in one `cpe.cores` is ordered, or nothing of it and the C compiler orders
    it: where it has no loop of vectors and numbers alone, and where one body needs about all
    registers, since the C compiler sees what it spills. What the C compiler orders stands as a list
    schedule has it, too: arrays of a core's memory are one array for the C compiler, which moves no
    load before a store.

    A kernel's attribute `weft.order`, the `order` of its schedule, asks for one, whatever it wins
    or spills: `latency`, the one above; `pressure`, each body in place with the fewest values at a
    time; `source`, none. The first two are refused where there is no `cpe.cores`.

    ```mlir
    affine.for %i = 0 to 64 step 4 {
      %a = affine.vector_load %x[%i] : memref<64xf64>, vector<4xf64>
      %b = arith.mulf %a, %a : vector<4xf64>
      affine.vector_store %b, %y[%i] : memref<64xf64>, vector<4xf64>
    }
    // becomes
    %a = affine.vector_load %x[0] : memref<64xf64>, vector<4xf64>
    %b = arith.mulf %a, %a : vector<4xf64>
    %last = affine.for %i = 0 to 60 step 4 iter_args(%ahead = %b) -> (vector<4xf64>) {
      %c = affine.vector_load %x[%i + 4] : memref<64xf64>, vector<4xf64>
      affine.vector_store %ahead, %y[%i] : memref<64xf64>, vector<4xf64>
      %d = arith.mulf %c, %c : vector<4xf64>
      affine.yield %d : vector<4xf64>
    }
    affine.vector_store %last, %y[60] : memref<64xf64>, vector<4xf64>
    ```
  }];
  let options = [
    Option<"problems", "problems", "std::string", /*default=*/"",
           "file to which the problem of each loop that is ordered is added, a line of JSON each">
  ];
}

def CheckEmittable : WeftPass<"check-emittable"> {
  let summary = "only what the emitter knows remains";
  let description = [{
    Fails, with the place in the source, on every op that has no C form: all ops of the
    `weft` dialect but `weft.fail_if`, tensors, complex values, vectors of other widths than the
    target's. Changes nothing.

    ```mlir
    %y = weft.dft %x axis 0 sign -1 : tensor<8xcomplex<f64>>   // error: not lowered
    ```
  }];
}

#endif // WEFT_PASSES
