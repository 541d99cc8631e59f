//===- GroupOps.td - what groups that run one function exchange -*- tablegen -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------===//
//
// Rules are numbered as in WeftOps.td. A function marked `weft.groups = n` is run by n
// groups at once, each on tensors of its own. They come to the same collectives in the same
// order: the function has no other control flow than loops of constant bounds. What is
// exchanged are blocks along the first axis, which lie contiguously in memory; other axes
// are transposed before and behind, where the transposes fold into their neighbours.
//
//===-------------------------------------------------------------------------===//

#ifndef GROUP_OPS
#define GROUP_OPS

include "dialect/WeftBase.td"

def Weft_AlltoallOp : Weft_Op<"alltoall", [Pure, SameOperandsAndResultType]> {
  let summary = "every group gives every group a part of its tensor";
  let description = [{
    Meaning: each group cuts its `input` into `groups` equal parts along the first axis
    and gives part g to group g. Part g of the result comes from group g.

    Rules: D1501 groups is at least 2; D1502 groups divides the first extent.

    Example:
    ```mlir
    %y = weft.alltoall %x groups 2 : tensor<4x6xf64>
    ```
  }];
  let arguments = (ins Weft_Tensor:$input, I64Attr:$groups);
  let results = (outs Weft_Tensor:$result);
  let assemblyFormat = "$input `groups` $groups attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Weft_AlltoallBeginOp : Weft_Op<"alltoall_begin", [Pure, SameOperandsAndResultType]> {
  let summary = "an alltoall that goes on beside what follows";
  let description = [{
    Meaning: the result is that of `weft.alltoall`, which nobody has until `weft.alltoall_end`.
    `overlap` makes both.

    Rules: D1901 groups is at least 2; D1902 groups divides the first extent.

    Example:
    ```mlir
    %coming = weft.alltoall_begin %x groups 2 : tensor<4x6xf64>
    %y = weft.alltoall_end %coming of %x groups 2 : tensor<4x6xf64>
    ```
  }];
  let arguments = (ins Weft_Tensor:$input, I64Attr:$groups);
  let results = (outs Weft_Tensor:$result);
  let assemblyFormat = "$input `groups` $groups attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Weft_AlltoallEndOp : Weft_Op<"alltoall_end", [Pure, SameOperandsAndResultType]> {
  let summary = "the end of an alltoall";
  let description = [{
    Meaning: waits for what `weft.alltoall_begin` has begun; `input` is what that sends, which
    has been sent then. Those that are on their way at once end in the order of their beginning.

    Rules: D2001 groups is at least 2; D2002 groups divides the first extent.

    Example: see `weft.alltoall_begin`.
  }];
  let arguments = (ins Weft_Tensor:$coming, Weft_Tensor:$input, I64Attr:$groups);
  let results = (outs Weft_Tensor:$result);
  let assemblyFormat = "$coming `of` $input `groups` $groups attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Weft_AllgatherOp : Weft_Op<"allgather", [Pure]> {
  let summary = "the tensors of all groups, put together";
  let description = [{
    Meaning: the inputs of all groups, put together along the first axis in the order of
    the groups. Every group gets the same.

    Rules: D1601 groups is at least 2; D1602 the result has the input's type with the
    first extent multiplied by groups.

    Example:
    ```mlir
    %y = weft.allgather %x groups 2 : tensor<4x6xf64> -> tensor<8x6xf64>
    ```
  }];
  let arguments = (ins Weft_Tensor:$input, I64Attr:$groups);
  let results = (outs Weft_Tensor:$result);
  let assemblyFormat = "$input `groups` $groups attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}

def Weft_OwnOp : Weft_Op<"own", [Pure]> {
  let summary = "the group's part of a tensor";
  let description = [{
    Meaning: part g of the input in group g, the parts being equal along the first axis:
    the inverse of `weft.allgather`, and nothing is sent.

    Rules: D1701 groups is at least 2; D1702 the input has the result's type with the
    first extent multiplied by groups.

    Example:
    ```mlir
    %y = weft.own %x groups 2 : tensor<8x6xf64> -> tensor<4x6xf64>
    ```
  }];
  let arguments = (ins Weft_Tensor:$input, I64Attr:$groups);
  let results = (outs Weft_Tensor:$result);
  let assemblyFormat = "$input `groups` $groups attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}

def Weft_Array : MemRefOf<[F32, F64, I32, I64, I1]>;

def Weft_ExchangeOp : Weft_Op<"exchange"> {
  let summary = "an exchange between groups, in memory";
  let description = [{
    Meaning: both arrays are contiguous. Of "alltoall", `from` and `to` are as many
    equal blocks as there are groups: block g of `from` goes to group g, block g of `to`
    comes from group g. "alltoall_begin" begins that and "alltoall_end" waits for it: between
    them `from` is not written, and `to` neither written nor read. Of "allgather", block g
    of `to` is the `from` of group g. Of "own", `to` is block g of `from` in group g.
    `lower-to-loops` makes it of the ops on tensors; it has a C form, and stands in no
    parallel loop.

    Rules: D1801 kind is one of these; D1802 groups is at least 2; D1803
    the arrays are contiguous, have one element type, and their numbers of elements are
    those of the kind.

    Example:
    ```mlir
    weft.exchange "alltoall" %from to %to groups 2 : memref<2x12xf64>, memref<2x12xf64>
    ```
  }];
  let arguments = (ins StrAttr:$kind, Arg<Weft_Array, "sent", [MemRead]>:$from,
                       Arg<Weft_Array, "received", [MemWrite]>:$to, I64Attr:$groups);
  let assemblyFormat = [{
    $kind $from `to` $to `groups` $groups attr-dict `:` type($from) `,` type($to)
  }];
  let hasVerifier = 1;
}

#endif // GROUP_OPS
