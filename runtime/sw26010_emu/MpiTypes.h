// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Datatypes of the one-rank MPI: where the bytes of an element lie.
#pragma once

#include "include/mpi.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace weft::emu::mpi {

struct Piece {
  std::ptrdiff_t at;
  std::size_t bytes;
};

struct Layout {
  std::vector<Piece> pieces; // in the order in which they are sent
  std::size_t bytes = 0;     // of an element, gaps not counted
  std::ptrdiff_t lower = 0, extent = 0;
  MPI_Datatype basic = MPI_DATATYPE_NULL; // what it is made of, if of one of mpi.h's types
};

/// The layout of `type`; a fault, told as `function`'s, if there is no such type.
const Layout &layoutOf(MPI_Datatype type, const char *function);
/// A new type.
MPI_Datatype makeType(Layout layout);
void freeType(MPI_Datatype type);

/// Where `count` elements begin and end, gaps at either end left out: from where the first stands.
std::pair<std::ptrdiff_t, std::ptrdiff_t> span(std::size_t count, const Layout &layout);
/// The bytes of `count` elements at `from`, gaps left out.
std::vector<char> pack(const void *from, std::size_t count, const Layout &layout);
/// Puts packed bytes where elements at `into` have them, as far as they go.
void unpack(const std::vector<char> &bytes, void *into, const Layout &layout);

/// What MPI's default error handler does: the program ends.
[[noreturn]] void fail(const char *function, const std::string &what,
                       const std::string &expected = {}, const std::string &help = {});
/// What to tell who asks for other ranks.
std::string rankHelp();
/// A fault unless `rank` is this one or none; `any`: a receive may also ask for any.
void checkRank(int rank, bool any, const char *function);
/// `count`, which is not negative.
std::size_t countOf(int count, const char *function);
/// Every call begins so: MPI is initialised and its time is charged.
void enter(const char *function, std::size_t bytes = 0);

} // namespace weft::emu::mpi
