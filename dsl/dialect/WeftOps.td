//===- WeftOps.td - what a kernel means ------------------------*- tablegen -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------===//
//
// Rules are numbered D<op><rule>; the number stands here, at the check in the
// verifier and in the name of the lit test that breaks it (test/dialect).
//
//===-------------------------------------------------------------------------===//

#ifndef WEFT_OPS
#define WEFT_OPS

include "dialect/WeftBase.td"

def Weft_TableOp : Weft_Op<"table", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "a constant table, evaluated at compile time";
  let description = [{
    Meaning: the given elements, computed by the front end in extended precision
    and rounded once.

    Rules: D101 value and result have one type (by the op's declaration).

    Example:
    ```mlir
    %kx = weft.table dense<[0, 1, -2, -1]> : tensor<4xi64>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Weft_Tensor:$result);
  let assemblyFormat = "attr-dict $value";
}

def Weft_TwiddleOp : Weft_Op<"twiddle", [Pure]> {
  let summary = "table of roots of unity";
  let description = [{
    Meaning: `result[k, n] = exp(sign * 2*pi*i * k*n / (rows*cols))`.

    Rules: D201 rows and cols are positive and are the result's shape;
    D202 sign is 1 or -1.

    Example:
    ```mlir
    %w = weft.twiddle rows 8 cols 16 sign -1 : tensor<8x16xcomplex<f64>>
    ```
  }];
  let arguments = (ins I64Attr:$rows, I64Attr:$cols, I64Attr:$sign);
  let results = (outs Weft_ComplexTensor:$result);
  let assemblyFormat = "`rows` $rows `cols` $cols `sign` $sign attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Weft_DftOp : Weft_Op<"dft", [Pure, SameOperandsAndResultType]> {
  let summary = "discrete Fourier transform along one axis";
  let description = [{
    Meaning: `y[.., k, ..] = scale * sum_j x[.., j, ..] * exp(sign*2*pi*i*j*k/n)`
    with n the extent of `axis`. `radices`, if given, is the factorisation that
    `factor-transform` must use.

    Rules: D301 axis lies in the tensor's rank; D302 sign is 1 or -1;
    D303 the product of radices is n.

    Example:
    ```mlir
    %y = weft.dft %x axis 1 sign -1 {scale = 0.125 : f64} : tensor<4x8xcomplex<f64>>
    ```
  }];
  let arguments = (ins Weft_ComplexTensor:$input, I64Attr:$axis, I64Attr:$sign,
                       OptionalAttr<F64Attr>:$scale,
                       OptionalAttr<DenseI64ArrayAttr>:$radices);
  let results = (outs Weft_ComplexTensor:$result);
  let assemblyFormat = "$input `axis` $axis `sign` $sign attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Weft_ButterflyOp : Weft_Op<"butterfly", [Pure, SameOperandsAndResultType]> {
  let summary = "one Stockham stage of a transform";
  let description = [{
    Meaning: with r = radix, L = done, n the extent of `axis`, m = n/(r*L) and
    w(q) = exp(sign*2*pi*i/q), for k, j < r, p < m, l < L:

    `y[(p*r + j)*L + l] = w(r*m)^(j*p) * sum_k x[(k*m + p)*L + l] * w(r)^(j*k)`

    `done` is the product of the radices of the stages before, so that the chain
    of stages with done = 1, r1, r1*r2, ... up to n is the whole transform in
    natural order (Stockham's autosort; no digit reversal). With `scale` every y
    is multiplied by it. With `coprime` the factor w(r*m)^(j*p) is left out: a chain
    of such stages, whose radices have no factors in common, is a transform along each
    digit of the index, and so one of all n points in another order (Good and Thomas).

    Rules: D401 axis lies in the tensor's rank; D402 sign is 1 or -1; D403 radix
    is at least 2 and radix*done divides the extent of axis; D404 with coprime, radix
    and the rest of the extent have no factor in common.

    Example:
    ```mlir
    %y = weft.butterfly %x axis 1 radix 4 done 2 sign -1 : tensor<4x8xcomplex<f64>>
    ```
  }];
  let arguments = (ins Weft_ComplexTensor:$input, I64Attr:$axis, I64Attr:$radix, I64Attr:$done,
                       I64Attr:$sign, OptionalAttr<F64Attr>:$scale, UnitAttr:$coprime);
  let results = (outs Weft_ComplexTensor:$result);
  let assemblyFormat = "$input `axis` $axis `radix` $radix `done` $done `sign` $sign "
                       "(`coprime` $coprime^)? attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Weft_WinogradTransformOp : Weft_Op<"winograd_transform", [Pure]> {
  let summary = "a small constant matrix times one axis";
  let description = [{
    Meaning: `result[.., i, ..] = sum_j matrix[i, j] * input[.., j, ..]` along
    `axis`. Entries of the matrix that are zero take no part: an infinity or a
    NaN that meets none but them leaves the result finite. The order of the sum
    is free, and sums that several results share may be computed once.

    Rules: D1001 axis lies in the tensor's rank; D1002 matrix has two dimensions,
    the second of the extent of axis, and the real element type of the input;
    D1003 the result has the input's element type and its shape, with the rows of
    the matrix in place of the extent of axis.

    Example:
    ```mlir
    %y = weft.winograd_transform %x axis 1 matrix dense<[[1.0, 1.0, 0.0], [0.0, 1.0, -1.0]]> : tensor<2x3xf32> : tensor<4x3xf32> -> tensor<4x2xf32>
    ```
  }];
  let arguments = (ins Weft_FloatTensor:$input, I64Attr:$axis, ElementsAttr:$matrix);
  let results = (outs Weft_FloatTensor:$result);
  let assemblyFormat = [{
    $input `axis` $axis `matrix` $matrix attr-dict `:` type($input) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Weft_ConvOp : Weft_Op<"conv", [Pure]> {
  let summary = "cross-correlation of images with filters, algorithm open";
  let description = [{
    Meaning: with `x[N, C, H, W]`, zero outside of its range, `g[K, C/groups, R, S]`,
    and `b(k)` the first channel of the group of filter k, `C/groups * (k / (K/groups))`:

    `result[n, k, i, j] = sum x[n, b(k) + c, stride[0]*i + r - pad[0], stride[1]*j + s - pad[1]] * g[k, c, r, s]`

    over c, r, s. Images may have one dimension as well (`x[N, C, W]`, `g[K, C/groups, S]`) or three (`x[N, C, D, H, W]`), the filters as many.
    `algorithm` is "direct" (this sum, c, r, s ascending), "winograd" (the entry of `transforms`: AT ((G g G^T) * (BT x B)) A on tiles of m by m
    results, along each dimension in which filters have r elements; the sums in the order that this implies) or "auto": direct or an entry of
    `transforms`, by cost.

    `layout` says in which order the input is kept, `out_layout` in which one the result is:
    "nchw" as above, "nhwc" [N, H, W, C], or "nchw16c" [N, C/16, H, W, 16], where channel c is
    [c floordiv 16] and [c mod 16]; so are "ncw", "nwc", "ncw16c" and "ncdhw", "ndhwc", "ncdhw16c".

    Rules: D1101 filters have 3 to 5 dimensions, input and result as many, those in blocks of channels
    one more, and there is one element type; D1102 for each dimension of a pixel pad holds a number not below 0, stride one above 0; D1103
    groups divides the channels and the filters, and the filters have
    channels/groups channels; D1104 the result has the shape above with (H + 2*pad
    - R) / stride + 1 rows, at least one, the other dimensions alike; D1105 algorithm is direct,
    winograd or auto, and winograd has one transform; D1106 with transforms the stride is one number s along all dimensions in which filters have more than one element, and 1 along others; D1107 a transform
    is a dictionary of m, r and the tables AT[m, n], G[n, r], BT[n, n] with n = s * (m - 1) + r, all of the real element type,
    and filters have r elements along each dimension, or one, and r along one; D1108 a layout is one of those above, by the number of dimensions.

    Example:
    ```mlir
    %y = weft.conv %x, %g pad [1, 1] stride [1, 1] groups 1 algorithm "direct" : tensor<1x4x8x8xf32>, tensor<2x4x3x3xf32> -> tensor<1x2x8x8xf32>
    %z = weft.conv %x, %h pad [1, 1] stride [1, 1] groups 1 algorithm "direct" {out_layout = "nchw16c"} : tensor<1x4x8x8xf32>, tensor<32x4x3x3xf32> -> tensor<1x2x8x8x16xf32>
    ```
  }];
  let arguments = (ins Weft_FloatTensor:$input, Weft_FloatTensor:$filters,
                       DenseI64ArrayAttr:$pad, DenseI64ArrayAttr:$stride, I64Attr:$groups,
                       StrAttr:$algorithm, OptionalAttr<ArrayAttr>:$transforms,
                       DefaultValuedStrAttr<StrAttr, "nchw">:$layout,
                       DefaultValuedStrAttr<StrAttr, "nchw">:$out_layout);
  let results = (outs Weft_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $filters `pad` $pad `stride` $stride `groups` $groups `algorithm` $algorithm
    attr-dict `:` type($input) `,` type($filters) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Weft_TransposeOp : Weft_Op<"transpose", [Pure]> {
  let summary = "permute the dimensions";
  let description = [{
    Meaning: dimension i of the result is dimension `perm[i]` of the input.

    Rules: D501 perm is a permutation of the input's dimensions; D502 the result
    has the permuted shape.

    Example:
    ```mlir
    %y = weft.transpose %x perm [1, 0] : tensor<4x8xf64> -> tensor<8x4xf64>
    ```
  }];
  let arguments = (ins Weft_Tensor:$input, DenseI64ArrayAttr:$perm);
  let results = (outs Weft_Tensor:$result);
  let assemblyFormat = "$input `perm` $perm attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}

def Weft_ReshapeOp : Weft_Op<"reshape", [Pure]> {
  let summary = "the same elements in row-major order under another shape";
  let description = [{
    Rules: D601 the number of elements and their type stay, or pairs of real ones become complex ones and back.

    Example:
    ```mlir
    %y = weft.reshape %x : tensor<4x8xf64> -> tensor<32xf64>
    ```
  }];
  let arguments = (ins Weft_Tensor:$input);
  let results = (outs Weft_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}

def Weft_MapOp : Weft_Op<"map", [RecursivelySpeculatable, RecursiveMemoryEffects]> {
  let summary = "elements computed point by point over a box of indices";
  let description = [{
    Meaning: for each point of the box `lower` .. `upper` (half-open) the body is
    evaluated; the n-th value that it yields becomes the element
    `stores[n](point)` of result `into[n]` (result 0 where `into` is absent).
    With `init` (one for each result) the elements that no point stores keep the
    value of the init; without it the stores give every element exactly once.
    The body is pure: arithmetic, `tensor.extract` of tensors from outside,
    `weft.reduce`. Points are independent, so any order is legal.

    Rules: D701 lower and upper have one length, and lower < upper; D702 the body
    takes one index for each dimension; D703 one yielded value, store map and
    `into` number for each store, of the element type of its result; D704 a store
    map takes the point's indices and gives as many as the result's rank; D705 as
    many inits as results or none, of the same types; D706 stores lie inside of
    the result; D707 without init the number of points stored is the number of
    elements.

    Example:
    ```mlir
    %y = weft.map [0, 0] to [8, 4] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %a = tensor.extract %x[%j, %i] : tensor<4x8xf64>
      weft.yield %a : f64
    } : tensor<8x4xf64>
    ```
  }];
  let arguments = (ins DenseI64ArrayAttr:$lower, DenseI64ArrayAttr:$upper,
                       Variadic<Weft_Tensor>:$inits, AffineMapArrayAttr:$stores,
                       OptionalAttr<DenseI64ArrayAttr>:$into);
  let results = (outs Variadic<Weft_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $lower `to` $upper (`init` `(` $inits^ `:` type($inits) `)`)? `stores` $stores
    (`into` $into^)? attr-dict-with-keyword $body `:` type($results)
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The result that the n-th yielded value goes to.
    int64_t target(unsigned n) { return getInto() ? (*getInto())[n] : 0; }
    ::mlir::AffineMap storeMap(unsigned n) {
      return ::llvm::cast<::mlir::AffineMapAttr>(getStores()[n]).getValue();
    }
    unsigned rank() { return getLower().size(); }
    ::mlir::Block *bodyBlock() { return &getBody().front(); }
    ::mlir::ValueRange yielded() { return bodyBlock()->getTerminator()->getOperands(); }
  }];
}

def Weft_ReduceOp : Weft_Op<"reduce", [RecursivelySpeculatable, RecursiveMemoryEffects]> {
  let summary = "sum, product, maximum or minimum over a box of indices";
  let description = [{
    Meaning: the values that the body yields over the box `lower` .. `upper`,
    combined in row-major order of the points from the neutral element of `kind`
    (max and min of floats: NaN propagates).

    Rules: D801 lower and upper have one length, and lower < upper; D802 the body
    takes one index for each dimension; D803 it yields one value of the result's
    type; D804 kind is sum, prod, max or min, and max and min are not of complex
    numbers.

    Example:
    ```mlir
    %s = weft.reduce sum [0] to [16] {
    ^bb0(%k: index):
      %a = tensor.extract %x[%k] : tensor<16xf64>
      weft.yield %a : f64
    } : f64
    ```
  }];
  let arguments = (ins StrAttr:$kind, DenseI64ArrayAttr:$lower, DenseI64ArrayAttr:$upper);
  let results = (outs AnyTypeOf<[F32, F64, Complex<AnyTypeOf<[F32, F64]>>, I32, I64, I1]>:$result);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    unsigned rank() { return getLower().size(); }
    ::mlir::Block *bodyBlock() { return &getBody().front(); }
    ::mlir::Value yielded() { return bodyBlock()->getTerminator()->getOperand(0); }
  }];
}

def Weft_BlocksOp : Weft_Op<"blocks", [RecursivelySpeculatable, RecursiveMemoryEffects]> {
  let summary = "maps tiled together: a chain of stages on one cache-sized block at a time";
  let description = [{
    Meaning: for each origin of the grid `lower` .. `upper` with `steps`, the body
    is evaluated on tensors local to the block; the n-th value that it yields is
    a local tensor, placed into result n by `places[n]`: a map from (origin...,
    local index...) to the result's index. Blocks are independent. With `init`
    the elements that no block places keep the value of the init.

    Rules: D901 lower, upper and steps have one length, steps are positive and
    divide upper - lower; D902 the body takes one index for each dimension;
    D903 one yielded tensor and place for each result, of its element type;
    D904 a place takes the block's indices and the local tensor's, and gives as
    many as the result's rank; D905 as many inits as results or none, of the same
    types.

    Example:
    ```mlir
    %y = weft.blocks [0] to [32] steps [8] places [affine_map<(b, i, q) -> (i, b + q)>] {
    ^bb0(%b: index):
      %t = weft.map [0, 0] to [4, 8] stores [affine_map<(i, q) -> (i, q)>] {
      ^bb0(%i: index, %q: index):
        %s = affine.apply affine_map<(b, q) -> (b + q)>(%b, %q)
        %a = tensor.extract %x[%i, %s] : tensor<4x32xf64>
        weft.yield %a : f64
      } : tensor<4x8xf64>
      weft.yield %t : tensor<4x8xf64>
    } : tensor<4x32xf64>
    ```
  }];
  let arguments = (ins DenseI64ArrayAttr:$lower, DenseI64ArrayAttr:$upper,
                       DenseI64ArrayAttr:$steps, Variadic<Weft_Tensor>:$inits,
                       AffineMapArrayAttr:$places);
  let results = (outs Variadic<Weft_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $lower `to` $upper `steps` $steps (`init` `(` $inits^ `:` type($inits) `)`)? `places` $places
    attr-dict-with-keyword $body `:` type($results)
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::AffineMap place(unsigned n) {
      return ::llvm::cast<::mlir::AffineMapAttr>(getPlaces()[n]).getValue();
    }
    unsigned rank() { return getLower().size(); }
    ::mlir::Block *bodyBlock() { return &getBody().front(); }
    ::mlir::ValueRange yielded() { return bodyBlock()->getTerminator()->getOperands(); }
  }];
}

def Weft_IndexTensor : StaticShapeTensorOf<[I32, I64]>;

def Weft_CheckedIndicesOp : Weft_Op<"checked_indices", [SameOperandsAndResultType]> {
  let summary = "indices found to lie in a range, or the kernel ends";
  let description = [{
    Meaning: the result has the values of `source`; where one of them is below 0
    or not less than `below`, the kernel returns `code` instead of 0, before
    anything uses the result, and its outputs hold nothing of use. The op has
    that effect: it is neither dropped nor merged nor moved.

    A map reads at such data by `tensor.extract` of the indices, a cast to
    `index`, and a second `tensor.extract` (a gather).

    Rules: D1201 source is of i32 or i64, and the result has its type (by the op's
    declaration); D1202 below is positive; D1203 code lies in 1 to 2147483647.

    Example:
    ```mlir
    %safe = weft.checked_indices %idx below 16 code 1 : tensor<8xi64>
    %y = weft.map [0, 0] to [8, 4] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %k = tensor.extract %safe[%i] : tensor<8xi64>
      %row = arith.index_cast %k : i64 to index
      %e = tensor.extract %x[%row, %j] : tensor<16x4xf64>
      weft.yield %e : f64
    } : tensor<8x4xf64>
    ```
  }];
  let arguments = (ins Weft_IndexTensor:$source, I64Attr:$below, I64Attr:$code);
  let results = (outs Weft_IndexTensor:$result);
  let assemblyFormat = "$source `below` $below `code` $code attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Weft_FailIfOp : Weft_Op<"fail_if"> {
  let summary = "end of the kernel with a code where a condition holds";
  let description = [{
    Meaning: where `condition` holds, the kernel returns `code`; what is written
    before stays written. `lower-to-loops` makes it of `weft.checked_indices`; it
    is the only op of this dialect that has a C form, and stands in no parallel
    loop. Reads and writes do not move across it.

    Rules: D1401 code lies in 1 to 2147483647.

    Example:
    ```mlir
    %outside = arith.cmpi slt, %signs, %zero : i64
    weft.fail_if %outside code 1
    ```
  }];
  let arguments = (ins I1:$condition, I64Attr:$code);
  let assemblyFormat = "$condition `code` $code attr-dict";
  let hasVerifier = 1;
}

def Weft_ScatterOp : Weft_Op<"scatter", [Pure]> {
  let summary = "updates combined into rows that data names";
  let description = [{
    Meaning: y = base; then for each j in row-major order of `indices`:
    `y[indices[j], ...] = y[indices[j], ...] kind updates[j, ...]`. Indices that
    occur several times accumulate in that order; of `set` the last one stays.
    Indices are below the extent of y's first dimension: checked by
    `weft.checked_indices`.

    Rules: D1301 base has a dimension, and the result its type; D1302 updates have
    the shape of indices followed by base's without its first extent, and base's
    element type; D1303 kind is add, mul, max, min or set, and max and min are not
    of complex numbers.

    Example:
    ```mlir
    %safe = weft.checked_indices %idx below 16 code 1 : tensor<8xi64>
    %y = weft.scatter add %base, %safe, %v : tensor<16x4xf64>, tensor<8xi64>, tensor<8x4xf64> -> tensor<16x4xf64>
    ```
  }];
  let arguments = (ins StrAttr:$kind, Weft_Tensor:$base, Weft_IndexTensor:$indices,
                       Weft_Tensor:$updates);
  let results = (outs Weft_Tensor:$result);
  let assemblyFormat = [{
    custom<Keyword>($kind) $base `,` $indices `,` $updates attr-dict `:` type($base) `,`
    type($indices) `,` type($updates) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Weft_YieldOp : Weft_Op<"yield", [Pure, Terminator,
                                     ParentOneOf<["MapOp", "ReduceOp", "BlocksOp"]>]> {
  let summary = "the values of a body";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}

#endif // WEFT_OPS
