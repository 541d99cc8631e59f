/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MPI of one rank: a program written for MPI runs on one core group. A message to a rank that is
 * not there is a fault by name, never lost. What is not declared here does not compile. */
#ifndef WEFT_SW26010_MPI_H
#define WEFT_SW26010_MPI_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int MPI_Comm;
typedef int MPI_Group;
typedef int MPI_Datatype;
typedef int MPI_Op;
typedef int MPI_Request;
typedef int MPI_Info;
typedef int MPI_Errhandler;
typedef int MPI_Fint;
typedef int MPI_File;
typedef int MPI_Win;
typedef long MPI_Aint;
typedef long long MPI_Offset;
typedef void(MPI_User_function)(void *, void *, int *, MPI_Datatype *);

typedef struct MPI_Status {
  int MPI_SOURCE, MPI_TAG, MPI_ERROR;
  int weft_cancelled;
  size_t weft_bytes;
} MPI_Status;

#define MPI_VERSION 2
#define MPI_SUBVERSION 2

enum {
  MPI_SUCCESS = 0,
  MPI_ERR_BUFFER,
  MPI_ERR_COUNT,
  MPI_ERR_TYPE,
  MPI_ERR_TAG,
  MPI_ERR_COMM,
  MPI_ERR_RANK,
  MPI_ERR_REQUEST,
  MPI_ERR_ROOT,
  MPI_ERR_GROUP,
  MPI_ERR_OP,
  MPI_ERR_TOPOLOGY,
  MPI_ERR_DIMS,
  MPI_ERR_ARG,
  MPI_ERR_UNKNOWN,
  MPI_ERR_TRUNCATE,
  MPI_ERR_OTHER,
  MPI_ERR_INTERN,
  MPI_ERR_IO,
  MPI_ERR_LASTCODE
};

enum { MPI_COMM_NULL = 0, MPI_COMM_WORLD = 1, MPI_COMM_SELF = 2 };
enum { MPI_GROUP_NULL = 0, MPI_GROUP_EMPTY = 1 };
enum { MPI_REQUEST_NULL = 0, MPI_INFO_NULL = 0, MPI_FILE_NULL = 0, MPI_WIN_NULL = 0 };
enum { MPI_ORDER_C = 56, MPI_ORDER_FORTRAN = 57, MPI_BSEND_OVERHEAD = 96 };
enum { MPI_LOCK_EXCLUSIVE = 1, MPI_LOCK_SHARED = 2 };
enum { MPI_ANY_SOURCE = -1, MPI_PROC_NULL = -2, MPI_ROOT = -3, MPI_ANY_TAG = -1 };
enum { MPI_UNDEFINED = -32766, MPI_TAG_UB = 1 };
enum { MPI_IDENT = 0, MPI_CONGRUENT = 1, MPI_SIMILAR = 2, MPI_UNEQUAL = 3 };
enum { MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE };
enum { MPI_ERRORS_ARE_FATAL = 1, MPI_ERRORS_RETURN = 2 };
enum { MPI_MAX_PROCESSOR_NAME = 128, MPI_MAX_ERROR_STRING = 256, MPI_MAX_OBJECT_NAME = 64 };
enum {
  MPI_MODE_CREATE = 1,
  MPI_MODE_RDONLY = 2,
  MPI_MODE_WRONLY = 4,
  MPI_MODE_RDWR = 8,
  MPI_MODE_DELETE_ON_CLOSE = 16,
  MPI_MODE_EXCL = 64,
  MPI_MODE_APPEND = 128,
  /* of windows */
  MPI_MODE_NOCHECK = 1024,
  MPI_MODE_NOSTORE = 2048,
  MPI_MODE_NOPUT = 4096,
  MPI_MODE_NOPRECEDE = 8192,
  MPI_MODE_NOSUCCEED = 16384
};

#define MPI_IN_PLACE ((void *)1)
#define MPI_BOTTOM ((void *)0)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)
#define MPI_STATUS_SIZE ((int)(sizeof(MPI_Status) / sizeof(int)))

/* A basic type is its number and its bytes. */
#define WEFT_MPI_TYPE(number, bytes) ((number) << 8 | (bytes))
enum {
  MPI_DATATYPE_NULL = 0,
  MPI_CHAR = WEFT_MPI_TYPE(1, 1),
  MPI_SIGNED_CHAR = WEFT_MPI_TYPE(2, 1),
  MPI_UNSIGNED_CHAR = WEFT_MPI_TYPE(3, 1),
  MPI_BYTE = WEFT_MPI_TYPE(4, 1),
  MPI_SHORT = WEFT_MPI_TYPE(5, 2),
  MPI_UNSIGNED_SHORT = WEFT_MPI_TYPE(6, 2),
  MPI_INT = WEFT_MPI_TYPE(7, 4),
  MPI_UNSIGNED = WEFT_MPI_TYPE(8, 4),
  MPI_LONG = WEFT_MPI_TYPE(9, 8),
  MPI_UNSIGNED_LONG = WEFT_MPI_TYPE(10, 8),
  MPI_LONG_LONG = WEFT_MPI_TYPE(11, 8),
  MPI_LONG_LONG_INT = MPI_LONG_LONG,
  MPI_UNSIGNED_LONG_LONG = WEFT_MPI_TYPE(12, 8),
  MPI_FLOAT = WEFT_MPI_TYPE(13, 4),
  MPI_DOUBLE = WEFT_MPI_TYPE(14, 8),
  MPI_LONG_DOUBLE = WEFT_MPI_TYPE(15, 16),
  MPI_INT8_T = WEFT_MPI_TYPE(16, 1),
  MPI_INT16_T = WEFT_MPI_TYPE(17, 2),
  MPI_INT32_T = WEFT_MPI_TYPE(18, 4),
  MPI_INT64_T = WEFT_MPI_TYPE(19, 8),
  MPI_UINT8_T = WEFT_MPI_TYPE(20, 1),
  MPI_UINT16_T = WEFT_MPI_TYPE(21, 2),
  MPI_UINT32_T = WEFT_MPI_TYPE(22, 4),
  MPI_UINT64_T = WEFT_MPI_TYPE(23, 8),
  MPI_C_FLOAT_COMPLEX = WEFT_MPI_TYPE(24, 8),
  MPI_C_DOUBLE_COMPLEX = WEFT_MPI_TYPE(25, 16),
  MPI_COMPLEX = WEFT_MPI_TYPE(26, 8),
  MPI_DOUBLE_COMPLEX = WEFT_MPI_TYPE(27, 16),
  MPI_INTEGER = WEFT_MPI_TYPE(28, 4),
  MPI_REAL = WEFT_MPI_TYPE(29, 4),
  MPI_DOUBLE_PRECISION = WEFT_MPI_TYPE(30, 8),
  MPI_LOGICAL = WEFT_MPI_TYPE(31, 4),
  MPI_CHARACTER = WEFT_MPI_TYPE(32, 1),
  MPI_INTEGER8 = WEFT_MPI_TYPE(33, 8),
  MPI_REAL8 = WEFT_MPI_TYPE(34, 8),
  MPI_AINT = WEFT_MPI_TYPE(35, 8),
  MPI_2INT = WEFT_MPI_TYPE(36, 8),
  MPI_FLOAT_INT = WEFT_MPI_TYPE(37, 8),
  MPI_DOUBLE_INT = WEFT_MPI_TYPE(38, 16),
  MPI_LONG_INT = WEFT_MPI_TYPE(39, 16),
  MPI_2DOUBLE_PRECISION = WEFT_MPI_TYPE(40, 16),
  MPI_PACKED = WEFT_MPI_TYPE(41, 1),
  MPI_C_BOOL = WEFT_MPI_TYPE(42, 1),
  MPI_OFFSET = WEFT_MPI_TYPE(43, 8)
};

enum {
  MPI_OP_NULL = 0,
  MPI_MAX,
  MPI_MIN,
  MPI_SUM,
  MPI_PROD,
  MPI_LAND,
  MPI_BAND,
  MPI_LOR,
  MPI_BOR,
  MPI_LXOR,
  MPI_BXOR,
  MPI_MINLOC,
  MPI_MAXLOC,
  MPI_REPLACE
};

/* ---- environment ---- */
int MPI_Init(int *argc, char ***argv);
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int MPI_Initialized(int *flag);
int MPI_Finalize(void);
int MPI_Finalized(int *flag);
int MPI_Abort(MPI_Comm comm, int code);
double MPI_Wtime(void);
double MPI_Wtick(void);
int MPI_Get_processor_name(char *name, int *length);
int MPI_Get_version(int *version, int *subversion);
int MPI_Error_string(int code, char *text, int *length);
int MPI_Error_class(int code, int *kind);
int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler);
int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler);

/* ---- communicators, groups, topologies ---- */
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy);
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *part);
int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *part);
int MPI_Comm_free(MPI_Comm *comm);
int MPI_Comm_compare(MPI_Comm one, MPI_Comm other, int *result);
int MPI_Comm_group(MPI_Comm comm, MPI_Group *group);
int MPI_Group_size(MPI_Group group, int *size);
int MPI_Group_rank(MPI_Group group, int *rank);
int MPI_Group_incl(MPI_Group group, int count, const int *ranks, MPI_Group *part);
int MPI_Group_excl(MPI_Group group, int count, const int *ranks, MPI_Group *part);
int MPI_Group_free(MPI_Group *group);
MPI_Fint MPI_Comm_c2f(MPI_Comm comm);
MPI_Comm MPI_Comm_f2c(MPI_Fint comm);
int MPI_Dims_create(int nodes, int count, int *dims);
int MPI_Cart_create(MPI_Comm comm, int count, const int *dims, const int *periods, int reorder,
                    MPI_Comm *cart);
int MPI_Cart_coords(MPI_Comm comm, int rank, int count, int *coordinates);
int MPI_Cart_rank(MPI_Comm comm, const int *coordinates, int *rank);
int MPI_Cart_shift(MPI_Comm comm, int direction, int distance, int *source, int *destination);
int MPI_Cart_get(MPI_Comm comm, int count, int *dims, int *periods, int *coordinates);
int MPI_Cart_sub(MPI_Comm comm, const int *remain, MPI_Comm *part);

/* ---- types and operations ---- */
int MPI_Type_size(MPI_Datatype type, int *bytes);
int MPI_Type_get_extent(MPI_Datatype type, MPI_Aint *lower, MPI_Aint *extent);
int MPI_Type_extent(MPI_Datatype type, MPI_Aint *extent);
int MPI_Type_contiguous(int count, MPI_Datatype old, MPI_Datatype *made);
int MPI_Type_vector(int count, int block, int stride, MPI_Datatype old, MPI_Datatype *made);
int MPI_Type_hvector(int count, int block, MPI_Aint stride, MPI_Datatype old, MPI_Datatype *made);
int MPI_Type_create_hvector(int count, int block, MPI_Aint stride, MPI_Datatype old,
                            MPI_Datatype *made);
int MPI_Type_indexed(int count, const int *blocks, const int *places, MPI_Datatype old,
                     MPI_Datatype *made);
int MPI_Type_create_indexed_block(int count, int block, const int *places, MPI_Datatype old,
                                  MPI_Datatype *made);
int MPI_Type_create_hindexed(int count, const int *blocks, const MPI_Aint *places, MPI_Datatype old,
                             MPI_Datatype *made);
int MPI_Type_hindexed(int count, const int *blocks, const MPI_Aint *places, MPI_Datatype old,
                      MPI_Datatype *made);
int MPI_Type_create_subarray(int count, const int *sizes, const int *parts, const int *starts,
                             int order, MPI_Datatype old, MPI_Datatype *made);
int MPI_Type_create_struct(int count, const int *blocks, const MPI_Aint *places,
                           const MPI_Datatype *types, MPI_Datatype *made);
int MPI_Type_struct(int count, const int *blocks, const MPI_Aint *places, const MPI_Datatype *types,
                    MPI_Datatype *made);
int MPI_Type_create_resized(MPI_Datatype old, MPI_Aint lower, MPI_Aint extent, MPI_Datatype *made);
int MPI_Type_dup(MPI_Datatype old, MPI_Datatype *made);
int MPI_Type_get_true_extent(MPI_Datatype type, MPI_Aint *lower, MPI_Aint *extent);
int MPI_Type_lb(MPI_Datatype type, MPI_Aint *lower);
int MPI_Type_ub(MPI_Datatype type, MPI_Aint *upper);
int MPI_Type_commit(MPI_Datatype *type);
int MPI_Type_free(MPI_Datatype *type);
int MPI_Get_address(const void *address, MPI_Aint *result);
int MPI_Address(const void *address, MPI_Aint *result);
int MPI_Pack(const void *from, int count, MPI_Datatype type, void *into, int size, int *position,
             MPI_Comm comm);
int MPI_Unpack(const void *from, int size, int *position, void *into, int count, MPI_Datatype type,
               MPI_Comm comm);
int MPI_Pack_size(int count, MPI_Datatype type, MPI_Comm comm, int *bytes);
int MPI_Op_create(MPI_User_function *function, int commutes, MPI_Op *op);
int MPI_Op_free(MPI_Op *op);

/* ---- messages ---- */
int MPI_Send(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Ssend(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Rsend(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Bsend(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Recv(void *into, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *status);
int MPI_Isend(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request);
int MPI_Issend(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request *request);
int MPI_Irsend(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request *request);
int MPI_Irecv(void *into, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request);
int MPI_Wait(MPI_Request *request, MPI_Status *status);
int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses);
int MPI_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status);
int MPI_Waitsome(int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses);
int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status);
int MPI_Testall(int count, MPI_Request *requests, int *flag, MPI_Status *statuses);
int MPI_Testany(int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status);
int MPI_Testsome(int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses);
int MPI_Send_init(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request *request);
int MPI_Ssend_init(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request *request);
int MPI_Bsend_init(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request *request);
int MPI_Rsend_init(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request *request);
int MPI_Recv_init(void *into, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Request *request);
int MPI_Start(MPI_Request *request);
int MPI_Startall(int count, MPI_Request *requests);
int MPI_Test_cancelled(const MPI_Status *status, int *flag);
int MPI_Request_free(MPI_Request *request);
int MPI_Cancel(MPI_Request *request);
int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status *status);
int MPI_Iprobe(int from, int tag, MPI_Comm comm, int *flag, MPI_Status *status);
int MPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count);
int MPI_Sendrecv(const void *from, int sent, MPI_Datatype sent_type, int to, int sent_tag,
                 void *into, int received, MPI_Datatype received_type, int source, int received_tag,
                 MPI_Comm comm, MPI_Status *status);
int MPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int to, int sent_tag,
                         int source, int received_tag, MPI_Comm comm, MPI_Status *status);
int MPI_Buffer_attach(void *buffer, int bytes);
int MPI_Buffer_detach(void *buffer, int *bytes);

/* ---- collectives ---- */
int MPI_Barrier(MPI_Comm comm);
int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);
int MPI_Reduce(const void *from, void *into, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm);
int MPI_Allreduce(const void *from, void *into, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm);
int MPI_Scan(const void *from, void *into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Exscan(const void *from, void *into, int count, MPI_Datatype type, MPI_Op op,
               MPI_Comm comm);
int MPI_Reduce_scatter(const void *from, void *into, const int *counts, MPI_Datatype type,
                       MPI_Op op, MPI_Comm comm);
int MPI_Gather(const void *from, int sent, MPI_Datatype sent_type, void *into, int received,
               MPI_Datatype received_type, int root, MPI_Comm comm);
int MPI_Gatherv(const void *from, int sent, MPI_Datatype sent_type, void *into, const int *received,
                const int *places, MPI_Datatype received_type, int root, MPI_Comm comm);
int MPI_Allgather(const void *from, int sent, MPI_Datatype sent_type, void *into, int received,
                  MPI_Datatype received_type, MPI_Comm comm);
int MPI_Allgatherv(const void *from, int sent, MPI_Datatype sent_type, void *into,
                   const int *received, const int *places, MPI_Datatype received_type,
                   MPI_Comm comm);
int MPI_Scatter(const void *from, int sent, MPI_Datatype sent_type, void *into, int received,
                MPI_Datatype received_type, int root, MPI_Comm comm);
int MPI_Scatterv(const void *from, const int *sent, const int *places, MPI_Datatype sent_type,
                 void *into, int received, MPI_Datatype received_type, int root, MPI_Comm comm);
int MPI_Alltoall(const void *from, int sent, MPI_Datatype sent_type, void *into, int received,
                 MPI_Datatype received_type, MPI_Comm comm);
int MPI_Alltoallv(const void *from, const int *sent, const int *sent_places, MPI_Datatype sent_type,
                  void *into, const int *received, const int *received_places,
                  MPI_Datatype received_type, MPI_Comm comm);

/* ---- windows ---- */
int MPI_Alloc_mem(MPI_Aint bytes, MPI_Info info, void *memory);
int MPI_Free_mem(void *memory);
int MPI_Win_create(void *base, MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm,
                   MPI_Win *window);
int MPI_Win_free(MPI_Win *window);
int MPI_Win_get_group(MPI_Win window, MPI_Group *group);
int MPI_Win_fence(int assertion, MPI_Win window);
int MPI_Win_lock(int kind, int rank, int assertion, MPI_Win window);
int MPI_Win_unlock(int rank, MPI_Win window);
int MPI_Win_post(MPI_Group group, int assertion, MPI_Win window);
int MPI_Win_start(MPI_Group group, int assertion, MPI_Win window);
int MPI_Win_complete(MPI_Win window);
int MPI_Win_wait(MPI_Win window);
int MPI_Win_test(MPI_Win window, int *flag);
int MPI_Put(const void *from, int count, MPI_Datatype type, int rank, MPI_Aint place, int targets,
            MPI_Datatype target_type, MPI_Win window);
int MPI_Get(void *into, int count, MPI_Datatype type, int rank, MPI_Aint place, int targets,
            MPI_Datatype target_type, MPI_Win window);
int MPI_Accumulate(const void *from, int count, MPI_Datatype type, int rank, MPI_Aint place,
                   int targets, MPI_Datatype target_type, MPI_Op op, MPI_Win window);

/* ---- files ---- */
int MPI_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file);
int MPI_File_close(MPI_File *file);
int MPI_File_set_size(MPI_File file, MPI_Offset size);
int MPI_File_get_size(MPI_File file, MPI_Offset *size);
int MPI_File_read_at(MPI_File file, MPI_Offset at, void *into, int count, MPI_Datatype type,
                     MPI_Status *status);
int MPI_File_write_at(MPI_File file, MPI_Offset at, const void *from, int count, MPI_Datatype type,
                      MPI_Status *status);
int MPI_File_read_at_all(MPI_File file, MPI_Offset at, void *into, int count, MPI_Datatype type,
                         MPI_Status *status);
int MPI_File_write_at_all(MPI_File file, MPI_Offset at, const void *from, int count,
                          MPI_Datatype type, MPI_Status *status);
int MPI_Info_create(MPI_Info *info);
int MPI_Info_set(MPI_Info info, const char *key, const char *value);
int MPI_Info_free(MPI_Info *info);

#ifdef __cplusplus
}
#endif

#endif /* WEFT_SW26010_MPI_H */
