//===- CpeOps.td - how a core group does it ---------------------*- tablegen -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------===//
//
// Rules are numbered K<op><rule>; the number stands here, at the check in the verifier
// and in the name of the lit test that breaks it (test/dialect).
//
//===-------------------------------------------------------------------------===//

#ifndef CPE_OPS
#define CPE_OPS

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Cpe_Dialect : Dialect {
  let name = "cpe";
  let cppNamespace = "::weft::cpe";
  let summary = "Cores with a memory of their own: transfers between it and main memory";
  let description = [{
    The management core runs a function; what stands in `cpe.cores` runs on every compute
    core. Arrays made there (`memref.alloca`) lie in the core's own memory, the LDM; all
    others lie in main memory.
  }];
  let useDefaultAttributePrinterParser = 0;
}

class Cpe_Op<string mnemonic, list<Trait> traits = []> : Op<Cpe_Dialect, mnemonic, traits>;

def Cpe_Array : MemRefOf<[F32, F64, I32, I64, I1]>;

def Cpe_CoresOp : Cpe_Op<"cores", [RecursiveMemoryEffects, SingleBlock, NoTerminator]> {
  let summary = "what every compute core does";
  let description = [{
    Meaning: each core runs the body, and the management core goes on when all have ended.
    Loops marked `weft.parallel` in it, one inside of the other without anything between,
    share out their iterations: each is done by one core. What such a loop carries is a sum
    (`weft.sums`): each core adds what its iterations add, and all get the sum of all. All else
    is done by every core, for itself; a store there to main memory is the same from each.

    Rules: K101 it does not stand in another one.

    Example:
    ```mlir
    cpe.cores {
      %a = memref.alloca() : memref<64xf64>
      affine.for %i = 0 to 256 { .. } {weft.parallel}
    }
    ```
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$body attr-dict";
  let hasVerifier = 1;
}

class Cpe_Transfer<string mnemonic, list<Trait> traits = []> : Cpe_Op<mnemonic, traits> {
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Elements that move.
    int64_t elements() {
      int64_t all = getBlock();
      for (int64_t count : getCounts())
        all *= count;
      return all;
    }
    /// Elements of the LDM from the start of one block to that of the next, along each direction.
    llvm::SmallVector<int64_t> pitchesInLdm();
    /// Elements of the LDM from the first one that moves to behind the last one.
    int64_t reachInLdm();
    /// The element of the array in the LDM that the first block begins with; null where all of it
    /// moves.
    mlir::Value startInLdm();
  }];
}

def Cpe_DmaGetOp : Cpe_Transfer<"dma_get", [AttrSizedOperandSegments]> {
  let summary = "starts to copy from main memory to the LDM";
  let description = [{
    Meaning: blocks of `block` elements are copied from main memory, the first from element
    `at` of the array (counted in memory order). `counts` says how many blocks there are
    along each of several directions, outermost first, and `strides` how many elements lie
    from the start of one to the start of the next. In the LDM they lie one behind the
    other, from the array's first element on. The copy is there after the next
    `cpe.dma_wait`.

    Into an array that is spread over the cores, it is copied to the part of the core at a row and
    a column, by that core. Into a part of an array, from element `to` on, blocks may also lie apart:
    `pitches` says how many elements of the LDM lie from the start of one to the start of the next.

    With `in_parts`, each block of the outermost direction is a part that is there after
    `cpe.dma_wait part` with its number.

    With `for_all`, one core gets it for all of them, at the same place in the LDM of each. It is
    there after a `cpe.dma_wait` and a `cpe.sync`; a `cpe.sync` before says that no core needs what
    lay there.

    Rules: K201 both arrays have one element type; K202 there are as many counts as strides,
    all positive, and a positive block; K203 the LDM's array, or the core's part of it, has just
    the elements that move, or, where they come to a part of it, at least so many as that has; K204 it
    lies in the LDM and the other one does not; K205 a row and a column are given for an array that is
    spread, and for no other; K206 pitches are given with `to`, as many as counts, all positive; K207
    parts are blocks of a direction, 2 to 8, and come to a whole array that is not spread; K208 what comes for all comes where all cores
    come by, to a whole array that is not spread, and not in parts.

    Example: four rows of eight of a matrix with rows of 64; into rows of ten; four rows, each a part; a table
    ```mlir
    cpe.dma_get %x[%at], %tile block 8 counts [4] strides [64] : memref<64x64xf64>, memref<32xf64>
    cpe.dma_get %x[%at], %wide[%to] block 8 counts [4] strides [64] pitches [10]
      : memref<64x64xf64>, memref<40xf64>
    cpe.dma_get %x[%at], %rows block 64 counts [4] strides [64] in_parts
      : memref<64x64xf64>, memref<256xf64>
    cpe.dma_get %w[%at], %own block 64 counts [] strides [] for_all : memref<64xf64>, memref<64xf64>
    ```
  }];
  let arguments = (ins Arg<Cpe_Array, "", [MemRead]>:$main, Index:$at,
                   Arg<Cpe_Array, "", [MemWrite]>:$ldm, Optional<Index>:$to, Variadic<Index>:$core,
                   I64Attr:$block, DenseI64ArrayAttr:$counts, DenseI64ArrayAttr:$strides,
                   OptionalAttr<DenseI64ArrayAttr>:$pitches, UnitAttr:$in_parts,
                   UnitAttr:$for_all);
  let assemblyFormat = [{
    $main `[` $at `]` `,` $ldm (`[` $to^ `]`)? (`of` `[` $core^ `]`)? `block` $block `counts` $counts `strides`
    $strides (`pitches` $pitches^)? (`in_parts` $in_parts^)?
    (`for_all` $for_all^)? attr-dict `:` type($main) `,` type($ldm)
  }];
  let builders = [OpBuilder<(ins "mlir::Value":$main, "mlir::Value":$at, "mlir::Value":$ldm,
                                 "mlir::ValueRange":$core, "int64_t":$block,
                                 "llvm::ArrayRef<int64_t>":$counts,
                                 "llvm::ArrayRef<int64_t>":$strides,
                                 CArg<"bool", "false">:$in_parts),
                            [{ build($_builder, $_state, main, at, ldm, mlir::Value(), core,
                                     static_cast<uint64_t>(block), counts, strides,
                                     mlir::DenseI64ArrayAttr(), in_parts, false); }]>];
}

def Cpe_DmaPutOp : Cpe_Transfer<"dma_put", [AttrSizedOperandSegments]> {
  let summary = "starts to copy from the LDM to main memory";
  let description = [{
    Meaning: as `cpe.dma_get`, the other way round: of a part of an array from element `from` on,
    whose blocks may lie apart (`pitches`).

    Rules: K301 to K306 as K201 to K206.

    Example: an array; the last four of ten elements of eight rows
    ```mlir
    cpe.dma_put %tile, %y[%at] block 32 counts [] strides [] : memref<32xf64>, memref<64x64xf64>
    cpe.dma_put %wide[%from], %y[%at] block 4 counts [8] strides [64] pitches [10]
      : memref<80xf64>, memref<64x64xf64>
    ```
  }];
  let arguments = (ins Arg<Cpe_Array, "", [MemRead]>:$ldm, Optional<Index>:$from,
                   Arg<Cpe_Array, "", [MemWrite]>:$main, Index:$at, Variadic<Index>:$core,
                   I64Attr:$block, DenseI64ArrayAttr:$counts, DenseI64ArrayAttr:$strides,
                   OptionalAttr<DenseI64ArrayAttr>:$pitches);
  let assemblyFormat = [{
    $ldm (`[` $from^ `]`)? (`of` `[` $core^ `]`)? `,` $main `[` $at `]` `block` $block `counts` $counts `strides`
    $strides (`pitches` $pitches^)? attr-dict `:` type($ldm) `,` type($main)
  }];
  let builders = [OpBuilder<(ins "mlir::Value":$ldm, "mlir::Value":$main, "mlir::Value":$at,
                                 "mlir::ValueRange":$core, "int64_t":$block,
                                 "llvm::ArrayRef<int64_t>":$counts,
                                 "llvm::ArrayRef<int64_t>":$strides),
                            [{ build($_builder, $_state, ldm, mlir::Value(), main, at, core,
                                     static_cast<uint64_t>(block), counts, strides,
                                     mlir::DenseI64ArrayAttr()); }]>];
}

def Cpe_DmaWaitOp : Cpe_Op<"dma_wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits for the core's transfers";
  let description = [{
    Meaning: all transfers that the core has begun are complete afterwards, but for those that come
    in parts. With a number of a part, those that have it are complete, and no others need be.

    Rules: K401 it stands in `cpe.cores`.

    Example:
    ```mlir
    cpe.dma_wait
    cpe.dma_wait part %p
    ```
  }];
  let arguments = (ins Optional<Index>:$part);
  let assemblyFormat = "(`part` $part^)? attr-dict";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, mlir::Value()); }]>];
  let hasVerifier = 1;
}

def Cpe_SyncOp : Cpe_Op<"sync", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until all cores are here";
  let description = [{
    Meaning: what any core has put into main memory before is what every core finds there
    afterwards.

    Rules: K501 it stands in `cpe.cores`, where all cores come by equally often: in a loop whose
    iterations they share out only where each of them has as many.

    Example:
    ```mlir
    cpe.sync
    ```
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Cpe_SpreadOp : Cpe_Op<"spread", [MemoryEffects<[MemAlloc]>]> {
  let summary = "makes an array of which each core has a part in its LDM";
  let description = [{
    Meaning: an array whose first two dimensions are the rows and the columns of the mesh. What
    stands at a row and a column lies in the LDM of the core there, which alone reaches it.

    Rules: K601 it stands in `cpe.cores`; K602 beside row and column it has a dimension or two.

    Example: 512 complex numbers a core
    ```mlir
    %a = cpe.spread : memref<8x8x512x2xf64>
    ```
  }];
  let results = (outs Res<Cpe_Array, "", [MemAlloc]>:$array);
  let assemblyFormat = "attr-dict `:` type($array)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    mlir::MemRefType getType() { return llvm::cast<mlir::MemRefType>(getArray().getType()); }
    /// Elements of one core.
    int64_t elements() {
      int64_t all = 1;
      for (int64_t extent : getType().getShape().drop_front(2))
        all *= extent;
      return all;
    }
  }];
}

def Cpe_ExchangeOp : Cpe_Op<"exchange"> {
  let summary = "every core of a row, or of a column, gives each other one its part";
  let description = [{
    Meaning: of `from`, a core keeps a part for each core of its row (`along_rows`) or of its
    column, and gets as many for `to`. The part for the core at place q of the row begins at
    element `from_step` times q; what comes from the core at place p is put from element
    `to_step` times p on. A part is blocks of `block` elements, `counts` of them along each of
    several directions, outermost first, at distances `from_strides` and `to_strides`. All cores
    come by; what a core keeps for itself is copied. No core sends while another one sends to the
    same: rounds of pairs, with a sync of the row or the column between them, each core sending a
    message and receiving one in turn.

    Rules: K701 both arrays are spread over the cores and have one element type; K702 there are
    as many counts as strides, all positive, and a positive block; K703 it stands where all cores
    come by; K704 no part reaches beyond a core's elements.

    Example: of 32 rows of 32 in blocks of four, to 32 columns
    ```mlir
    cpe.exchange %a, %b along_rows block 8 counts [4, 4] from 8 [256, 64] to 32 [256, 8]
        : memref<8x8x512x2xf64>, memref<8x8x512x2xf64>
    ```
  }];
  let arguments = (ins Arg<Cpe_Array, "", [MemRead]>:$from, Arg<Cpe_Array, "", [MemWrite]>:$to,
                   UnitAttr:$along_rows, I64Attr:$block, DenseI64ArrayAttr:$counts,
                   I64Attr:$from_step, DenseI64ArrayAttr:$from_strides, I64Attr:$to_step,
                   DenseI64ArrayAttr:$to_strides);
  let assemblyFormat = [{
    $from `,` $to (`along_rows` $along_rows^)? `block` $block `counts` $counts
    `from` $from_step $from_strides `to` $to_step $to_strides attr-dict
    `:` type($from) `,` type($to)
  }];
  let hasVerifier = 1;
}

def Cpe_BroadcastOp : Cpe_Op<"broadcast", [AttrSizedOperandSegments]> {
  let summary = "one core of every row, or of every column, gives all others its part";
  let description = [{
    Meaning: the cores of column `place` send their elements of `from` to the cores of their
    rows (`along_rows`), or those of row `place` to the cores of their columns; each core has them
    in `to` afterwards, the one that sends as well. They are all elements of an array, or, of one
    that has several parts of `elements` one behind the other, those of the part with a number. All
    cores come by. Whoever sent last has been heard by all before another one sends: a sync of the
    row or the column stands before the first message, so that messages of two senders never meet.

    Rules: K801 both arrays are spread over the cores and have one element type; K802 an array has
    as many elements as are sent, or, where a number of a part is given, some times as many; K803 it
    stands where all cores come by.

    Example: 512 numbers of column `%s` to every core of the row; the second part of 24 to where
    there is room for those of eight columns
    ```mlir
    cpe.broadcast %a from %s, %b along_rows : memref<8x8x512xf64>, memref<8x8x512xf64>
    cpe.broadcast %c[%one] from %s, %d[%s] along_rows elements 24 : memref<8x8x72xf32>, memref<8x8x192xf32>
    ```
  }];
  let arguments = (ins Arg<Cpe_Array, "", [MemRead]>:$from, Optional<Index>:$from_part,
                   Index:$place, Arg<Cpe_Array, "", [MemWrite]>:$to, Optional<Index>:$to_part,
                   UnitAttr:$along_rows, OptionalAttr<I64Attr>:$elements);
  let assemblyFormat = [{
    $from (`[` $from_part^ `]`)? `from` $place `,` $to (`[` $to_part^ `]`)?
    (`along_rows` $along_rows^)? (`elements` $elements^)? attr-dict `:` type($from) `,` type($to)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Elements that each core gets.
    int64_t sent();
  }];
}

def Cpe_HaloOp : Cpe_Op<"halo"> {
  let summary = "cores in a line give their neighbours the rows that these read";
  let description = [{
    Meaning: `rows` rows lie with `cores` cores, `own` of them with each. The cores are in a line: along
    the first row of the mesh, of which it takes `columns` columns, back along the second, and so on.
    The first row of the core at place p is p times (`rows` - `own`) over (`cores` - 1), rounded down. A core's
    part of the array is `before` rows that lie before its own, its own, and `after` rows behind them;
    a row is `block` elements, and where there are `counts`, there are as many such parts along each of
    several directions at distances `strides`. What a core has before and behind its own rows is
    afterwards what its neighbours have there as their own; where the line `wraps`, what the first and
    the last one have is taken to lie side by side. All cores come by. They send forward first and then
    back, with a sync of all before each, so that nobody hears two at once.

    Rules: K901 the array is spread over the cores and has a core for each place of the line; K902 a core has rows enough for its
    neighbours, and no row of a line lies with three; K903 there are as many counts as strides, and a
    core's part of the array has room for all; K904 rows are whole messages of 32 bytes; K905 where the line wraps, the
    last core is in a row or a column with the first; K906 it stands where all cores come by.

    Example: two rows of 128 of each core, and one of each neighbour
    ```mlir
    cpe.halo %u rows 128 own 2 cores 64 columns 8 before 1 after 1 wraps block 128 counts [] strides []
        : memref<8x8x512xf64>
    ```
  }];
  let arguments = (ins Arg<Cpe_Array, "", [MemRead, MemWrite]>:$array, I64Attr:$rows, I64Attr:$own,
                   I64Attr:$cores, I64Attr:$columns, I64Attr:$before, I64Attr:$after,
                   UnitAttr:$wraps, I64Attr:$block, DenseI64ArrayAttr:$counts,
                   DenseI64ArrayAttr:$strides);
  let assemblyFormat = [{
    $array `rows` $rows `own` $own `cores` $cores `columns` $columns `before` $before `after` $after
    (`wraps` $wraps^)? `block` $block `counts` $counts `strides` $strides attr-dict `:` type($array)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The first row of the core at a place.
    int64_t startOf(int64_t place) {
      int64_t others = getCores() - 1;
      return others == 0 ? 0 : place * static_cast<int64_t>(getRows() - getOwn()) / others;
    }
  }];
}

def Cpe_CollectOp : Cpe_Op<"collect"> {
  let summary = "cores in a line give all cores what each of them has";
  let description = [{
    Meaning: the cores are in a line as those of `cpe.halo`, `cores` of them on `columns` columns of the
    mesh. Afterwards each core has in `all`, one part behind the other in the order of the line, what
    each core of the line has in `part` from element `first` on, `elements` of them. Parts for what is
    left of the last row of the mesh follow, of which nobody knows what they hold. All cores come by,
    those outside of the line as well. The cores of a row give each other their parts, one core after the
    other, with a sync of the row before each; then those of a column what their rows have.

    Rules: K1001 `part` is spread over the cores, `all` is an array of each core, and both have one element
    type; K1002 there is a core for each place of the line; K1003 a core has the elements that it gives,
    and room for those of all places of the rows of the mesh that the line takes; K1004 parts are whole messages of 32
    bytes; K1005 it stands where all cores come by.

    Example: four numbers of each core
    ```mlir
    cpe.collect %part first 0 elements 4 cores 64 columns 8, %all : memref<8x8x4xf64>, memref<256xf64>
    ```
  }];
  let arguments = (ins Arg<Cpe_Array, "", [MemRead]>:$part, I64Attr:$first, I64Attr:$elements,
                   I64Attr:$cores, I64Attr:$columns, Arg<Cpe_Array, "", [MemWrite]>:$all);
  let assemblyFormat = [{
    $part `first` $first `elements` $elements `cores` $cores `columns` $columns `,` $all attr-dict
    `:` type($part) `,` type($all)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Rows of the mesh that the line takes.
    int64_t lines() {
      return static_cast<int64_t>((getCores() + getColumns() - 1) / getColumns());
    }
  }];
}

#endif // CPE_OPS
