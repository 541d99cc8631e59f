// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What programs do with MPI beyond messages, on the one rank: collectives in place and of vectors,
// derived types, operations of their own, communicators, topologies, time.
// RUN: %swcc -host -c %s -o %t.o && %swcc -hybrid %t.o -o %t && %t | FileCheck %s
// CHECK: initialised 1, threads 1, a name 1
#include <mpi.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  char tag;
  double place[3];
  int id;
} particle;

static void keep_larger(void *in, void *inout, int *count, MPI_Datatype *type) {
  int i;
  (void)type;
  for (i = 0; i < *count; i++)
    if (((double *)in)[i] > ((double *)inout)[i])
      ((double *)inout)[i] = ((double *)in)[i];
}

static void collectives(void) {
  double sums[3] = {1, 2, 3}, all[3] = {0, 0, 0}, largest[2] = {-7, 7}, out[2] = {0, 0};
  int counts[1] = {2}, places[1] = {1}, zero[1] = {0}, got[4] = {9, 9, 9, 9},
      sent[4] = {1, 2, 3, 4};
  int three[1] = {3};
  MPI_Op larger;

  MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Reduce(MPI_IN_PLACE, sums + 1, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Reduce(sums, all, 3, MPI_DOUBLE, MPI_PROD, 0, MPI_COMM_WORLD);
  // CHECK: sums 1 2 3, 1 2 3
  printf("sums %g %g %g, %g %g %g\n", sums[0], sums[1], sums[2], all[0], all[1], all[2]);
  MPI_Op_create(keep_larger, 1, &larger);
  MPI_Allreduce(largest, out, 2, MPI_DOUBLE, larger, MPI_COMM_WORLD);
  MPI_Op_free(&larger);
  // CHECK: own operation -7 7, freed 1
  printf("own operation %g %g, freed %d\n", out[0], out[1], larger == MPI_OP_NULL);

  MPI_Gatherv(sent, 2, MPI_INT, got, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
  // CHECK: gatherv 9 1 2 9
  printf("gatherv %d %d %d %d\n", got[0], got[1], got[2], got[3]);
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, three, zero, MPI_INT, MPI_COMM_WORLD);
  MPI_Scatterv(sent + 1, counts, places, MPI_INT, got, 2, MPI_INT, 0, MPI_COMM_WORLD);
  // CHECK: scatterv 3 4 2 9
  printf("scatterv %d %d %d %d\n", got[0], got[1], got[2], got[3]);
  MPI_Alltoallv(sent, counts, zero, MPI_INT, got, counts, places, MPI_INT, MPI_COMM_WORLD);
  // CHECK: alltoallv 3 1 2 9
  printf("alltoallv %d %d %d %d\n", got[0], got[1], got[2], got[3]);
  MPI_Alltoall(sent + 3, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Bcast(got + 3, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Scan(sent + 1, got + 1, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Reduce_scatter(sent, got + 2, counts, MPI_INT, MPI_BAND, MPI_COMM_WORLD);
  // CHECK: alltoall, scan, scatter of sums 4 2 1 2
  printf("alltoall, scan, scatter of sums %d %d %d %d\n", got[0], got[1], got[2], got[3]);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void types(void) {
  const int blocks[3] = {1, 3, 1};
  MPI_Aint places[3], begin, lower, extent;
  const MPI_Datatype kinds[3] = {MPI_CHAR, MPI_DOUBLE, MPI_INT};
  MPI_Datatype record, resized, plane, pairs;
  particle from[2] = {{'a', {1, 2, 3}, 7}, {'b', {4, 5, 6}, 8}}, into[2];
  double cube[3][4][5], face[12];
  int numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7}, picked[3], size, i;
  const int two[2] = {2, 1}, at[2] = {1, 6};
  MPI_Request requests[2];
  MPI_Status status;

  MPI_Get_address(&from[0], &begin);
  MPI_Get_address(&from[0].tag, &places[0]);
  MPI_Get_address(&from[0].place, &places[1]);
  MPI_Get_address(&from[0].id, &places[2]);
  for (i = 0; i < 3; i++)
    places[i] -= begin;
  MPI_Type_create_struct(3, blocks, places, kinds, &record);
  MPI_Type_create_resized(record, 0, sizeof(particle), &resized);
  MPI_Type_commit(&resized);
  MPI_Type_size(resized, &size);
  MPI_Type_get_extent(resized, &lower, &extent);
  memset(into, 'x', sizeof into);
  MPI_Irecv(into, 2, resized, 0, 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(from, 2, resized, 0, 3, MPI_COMM_WORLD, &requests[1]);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  MPI_Wait(&requests[0], &status);
  MPI_Get_count(&status, resized, &i);
  // CHECK: 29 bytes of 40; 2 records: b 6 8, between x
  printf("%d bytes of %ld; %d records: %c %g %d, between %c\n", size, (long)extent, i, into[1].tag,
         into[1].place[2], into[1].id, ((char *)&into[1])[1]);

  for (i = 0; i < 60; i++)
    (&cube[0][0][0])[i] = i;
  MPI_Type_vector(12, 1, 5, MPI_DOUBLE, &plane); // one index of the last dimension
  MPI_Type_commit(&plane);
  MPI_Sendrecv(&cube[0][0][4], 1, plane, 0, 1, face, 12, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &status);
  // CHECK: plane 4 9 59
  printf("plane %g %g %g\n", face[0], face[1], face[11]);
  MPI_Type_indexed(2, two, at, MPI_INT, &pairs);
  MPI_Type_commit(&pairs);
  MPI_Send(numbers, 1, pairs, 0, 2, MPI_COMM_WORLD);
  MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_INT, &size);
  MPI_Recv(picked, size, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
  // CHECK: 3 picked: 1 2 6
  printf("%d picked: %d %d %d\n", size, picked[0], picked[1], picked[2]);
  MPI_Type_free(&record);
  MPI_Type_free(&resized);
  MPI_Type_free(&plane);
  MPI_Type_free(&pairs);
}

static void communicators(void) {
  int dims[2] = {0, 0}, periods[2] = {1, 0}, at[2] = {5, 5}, up, down, left, right, rank, size,
      same;
  MPI_Comm copy, grid, line, part, none;
  MPI_Group group, front;
  const int first[1] = {0};

  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_compare(MPI_COMM_WORLD, copy, &same);
  // A message stays in its communicator.
  MPI_Send(first, 1, MPI_INT, 0, 1, copy);
  MPI_Iprobe(0, 1, MPI_COMM_WORLD, &up, MPI_STATUS_IGNORE);
  MPI_Iprobe(0, 1, copy, &down, MPI_STATUS_IGNORE);
  MPI_Recv(&size, 1, MPI_INT, 0, 1, copy, MPI_STATUS_IGNORE);
  // CHECK: copy like 1, messages 0 1
  printf("copy like %d, messages %d %d\n", same == MPI_CONGRUENT, up, down);
  MPI_Comm_split(copy, MPI_UNDEFINED, 0, &none);
  MPI_Comm_group(copy, &group);
  MPI_Group_incl(group, 1, first, &front);
  MPI_Comm_create(copy, front, &part);
  MPI_Comm_rank(part, &rank);
  MPI_Comm_size(part, &size);
  // CHECK: none 1, part 0 of 1
  printf("none %d, part %d of %d\n", none == MPI_COMM_NULL, rank, size);

  MPI_Dims_create(1, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
  MPI_Cart_coords(grid, 0, 2, at);
  MPI_Cart_shift(grid, 0, 1, &up, &down);
  MPI_Cart_shift(grid, 1, 1, &left, &right);
  // CHECK: grid 1 x 1 at 0 0; around 0 0, at the border 1 1
  printf("grid %d x %d at %d %d; around %d %d, at the border %d %d\n", dims[0], dims[1], at[0],
         at[1], up, down, left == MPI_PROC_NULL, right == MPI_PROC_NULL);
  // To nobody and from nobody is no message.
  size = 41;
  MPI_Sendrecv(first, 1, MPI_INT, right, 0, &size, 1, MPI_INT, left, 0, grid, MPI_STATUS_IGNORE);
  at[0] = 0;
  at[1] = 1;
  MPI_Cart_sub(grid, at, &line);
  MPI_Comm_size(line, &rank);
  // CHECK: from nobody 41, line of 1
  printf("from nobody %d, line of %d\n", size, rank);
  MPI_Comm_free(&line);
  MPI_Comm_free(&grid);
  MPI_Comm_free(&part);
  MPI_Group_free(&front);
  MPI_Group_free(&group);
  MPI_Comm_free(&copy);
}

int main(int argc, char **argv) {
  int provided, flag, length, i;
  char name[MPI_MAX_PROCESSOR_NAME];
  volatile double sum = 0;
  double before;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Initialized(&flag);
  MPI_Get_processor_name(name, &length);
  printf("initialised %d, threads %d, a name %d\n", flag, provided >= MPI_THREAD_FUNNELED,
         length == (int)strlen(name) && length > 0);
  collectives();
  types();
  communicators();
  before = MPI_Wtime();
  for (i = 0; i < 100000; i++)
    sum += i;
  before = MPI_Wtime() - before;
  // A turn is at least one cycle of 1.45 GHz, and not a hundred.
  // CHECK: time 1, tick 1
  printf("time %d, tick %d\n", before > 100000 / 1.45e9 && before < 1e7 / 1.45e9,
         MPI_Wtick() > 0 && MPI_Wtick() < 1e-6);
  MPI_Finalize();
  MPI_Finalized(&flag);
  // CHECK: finalised 1
  printf("finalised %d\n", flag);
  return 0;
}
