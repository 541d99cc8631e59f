// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI of one rank: elements packed into bytes by hand.
#include "MpiTypes.h"

#include <algorithm>
#include <cstring>

using namespace weft::emu::mpi;

namespace {

/// Where in a buffer of `size` bytes `bytes` more go or come from; a fault if they do not fit.
std::size_t placeOf(int position, int size, std::size_t bytes, const char *function) {
  const std::size_t at = countOf(position, function), room = countOf(size, function);
  if (at > room || bytes > room - at)
    fail(function,
         std::to_string(bytes) + " bytes from position " + std::to_string(position) +
             " go past the end of the buffer",
         "at most " + std::to_string(room - std::min(at, room)) + " bytes");
  return at;
}

} // namespace

extern "C" {

int MPI_Pack(const void *from, int count, MPI_Datatype type, void *into, int size, int *position,
             MPI_Comm) {
  const Layout &layout = layoutOf(type, "MPI_Pack");
  const std::size_t elements = countOf(count, "MPI_Pack"), bytes = elements * layout.bytes;
  enter("MPI_Pack", bytes);
  const std::size_t at = placeOf(*position, size, bytes, "MPI_Pack");
  const std::vector<char> packed = pack(from, elements, layout);
  std::copy(packed.begin(), packed.end(), static_cast<char *>(into) + at);
  *position += static_cast<int>(bytes);
  return MPI_SUCCESS;
}

int MPI_Unpack(const void *from, int size, int *position, void *into, int count, MPI_Datatype type,
               MPI_Comm) {
  const Layout &layout = layoutOf(type, "MPI_Unpack");
  const std::size_t bytes = countOf(count, "MPI_Unpack") * layout.bytes;
  enter("MPI_Unpack", bytes);
  const char *first =
      static_cast<const char *>(from) + placeOf(*position, size, bytes, "MPI_Unpack");
  unpack({first, first + bytes}, into, layout);
  *position += static_cast<int>(bytes);
  return MPI_SUCCESS;
}

int MPI_Pack_size(int count, MPI_Datatype type, MPI_Comm, int *bytes) {
  enter("MPI_Pack_size");
  *bytes =
      static_cast<int>(countOf(count, "MPI_Pack_size") * layoutOf(type, "MPI_Pack_size").bytes);
  return MPI_SUCCESS;
}
}
