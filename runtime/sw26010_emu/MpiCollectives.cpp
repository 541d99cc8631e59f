// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI of one rank: collectives, which are copies.
#include "MpiTypes.h"

namespace weft::emu::mpi {

namespace {

/// Of a collective on one rank: the contribution becomes the result.
void copy(const void *from, int sentCount, MPI_Datatype sentType, void *into, int received,
          MPI_Datatype receivedType, std::ptrdiff_t at, const char *function) {
  if (from == MPI_IN_PLACE || into == MPI_IN_PLACE) {
    enter(function);
    return;
  }
  const Layout &source = layoutOf(sentType, function), &target = layoutOf(receivedType, function);
  const std::size_t bytes = countOf(sentCount, function) * source.bytes;
  const std::size_t room = countOf(received, function) * target.bytes;
  enter(function, bytes);
  if (bytes != room)
    fail(function, "this rank sends " + std::to_string(bytes) + " bytes to itself and receives " +
                       std::to_string(room));
  unpack(pack(from, countOf(sentCount, function), source),
         static_cast<char *>(into) + at * target.extent, target);
}

void checkRoot(int root, const char *function) {
  if (root != 0)
    fail(function, "there is no root " + std::to_string(root), "rank 0", rankHelp());
}

} // namespace

} // namespace weft::emu::mpi

using namespace weft::emu::mpi;

extern "C" {

int MPI_Barrier(MPI_Comm) {
  enter("MPI_Barrier");
  return MPI_SUCCESS;
}

int MPI_Bcast(void *, int count, MPI_Datatype type, int root, MPI_Comm) {
  enter("MPI_Bcast");
  layoutOf(type, "MPI_Bcast");
  countOf(count, "MPI_Bcast");
  checkRoot(root, "MPI_Bcast");
  return MPI_SUCCESS;
}

int MPI_Reduce(const void *from, void *into, int count, MPI_Datatype type, MPI_Op, int root,
               MPI_Comm) {
  checkRoot(root, "MPI_Reduce");
  copy(from, count, type, into, count, type, 0, "MPI_Reduce");
  return MPI_SUCCESS;
}

int MPI_Allreduce(const void *from, void *into, int count, MPI_Datatype type, MPI_Op, MPI_Comm) {
  copy(from, count, type, into, count, type, 0, "MPI_Allreduce");
  return MPI_SUCCESS;
}

int MPI_Scan(const void *from, void *into, int count, MPI_Datatype type, MPI_Op, MPI_Comm) {
  copy(from, count, type, into, count, type, 0, "MPI_Scan");
  return MPI_SUCCESS;
}

int MPI_Exscan(const void *, void *, int count, MPI_Datatype type, MPI_Op, MPI_Comm) {
  enter("MPI_Exscan"); // the first rank's result is undefined
  layoutOf(type, "MPI_Exscan");
  countOf(count, "MPI_Exscan");
  return MPI_SUCCESS;
}

int MPI_Reduce_scatter(const void *from, void *into, const int *counts, MPI_Datatype type, MPI_Op,
                       MPI_Comm) {
  copy(from, counts[0], type, into, counts[0], type, 0, "MPI_Reduce_scatter");
  return MPI_SUCCESS;
}

int MPI_Gather(const void *from, int count, MPI_Datatype sentType, void *into, int received,
               MPI_Datatype receivedType, int root, MPI_Comm) {
  checkRoot(root, "MPI_Gather");
  copy(from, count, sentType, into, received, receivedType, 0, "MPI_Gather");
  return MPI_SUCCESS;
}

int MPI_Gatherv(const void *from, int count, MPI_Datatype sentType, void *into, const int *received,
                const int *places, MPI_Datatype receivedType, int root, MPI_Comm) {
  checkRoot(root, "MPI_Gatherv");
  copy(from, count, sentType, into, received[0], receivedType, places[0], "MPI_Gatherv");
  return MPI_SUCCESS;
}

int MPI_Allgather(const void *from, int count, MPI_Datatype sentType, void *into, int received,
                  MPI_Datatype receivedType, MPI_Comm) {
  copy(from, count, sentType, into, received, receivedType, 0, "MPI_Allgather");
  return MPI_SUCCESS;
}

int MPI_Allgatherv(const void *from, int count, MPI_Datatype sentType, void *into,
                   const int *received, const int *places, MPI_Datatype receivedType, MPI_Comm) {
  copy(from, count, sentType, into, received[0], receivedType, places[0], "MPI_Allgatherv");
  return MPI_SUCCESS;
}

int MPI_Scatter(const void *from, int count, MPI_Datatype sentType, void *into, int received,
                MPI_Datatype receivedType, int root, MPI_Comm) {
  checkRoot(root, "MPI_Scatter");
  copy(from, count, sentType, into, received, receivedType, 0, "MPI_Scatter");
  return MPI_SUCCESS;
}

int MPI_Scatterv(const void *from, const int *counts, const int *places, MPI_Datatype sentType,
                 void *into, int received, MPI_Datatype receivedType, int root, MPI_Comm) {
  checkRoot(root, "MPI_Scatterv");
  const auto at = places[0] * layoutOf(sentType, "MPI_Scatterv").extent;
  copy(from == MPI_IN_PLACE ? from : static_cast<const char *>(from) + at, counts[0], sentType,
       into, received, receivedType, 0, "MPI_Scatterv");
  return MPI_SUCCESS;
}

int MPI_Alltoall(const void *from, int count, MPI_Datatype sentType, void *into, int received,
                 MPI_Datatype receivedType, MPI_Comm) {
  copy(from, count, sentType, into, received, receivedType, 0, "MPI_Alltoall");
  return MPI_SUCCESS;
}

int MPI_Alltoallv(const void *from, const int *counts, const int *places, MPI_Datatype sentType,
                  void *into, const int *received, const int *receivedPlaces,
                  MPI_Datatype receivedType, MPI_Comm) {
  const auto at = places[0] * layoutOf(sentType, "MPI_Alltoallv").extent;
  copy(from == MPI_IN_PLACE ? from : static_cast<const char *>(from) + at, counts[0], sentType,
       into, received[0], receivedType, receivedPlaces[0], "MPI_Alltoallv");
  return MPI_SUCCESS;
}

int MPI_Op_create(MPI_User_function *, int, MPI_Op *op) {
  static int next = MPI_REPLACE + 1;
  *op = next++;
  return MPI_SUCCESS;
}

int MPI_Op_free(MPI_Op *op) {
  *op = MPI_OP_NULL;
  return MPI_SUCCESS;
}
}
