// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI of one rank: files, which are the system's.
#include "MpiTypes.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <unistd.h>

namespace weft::emu::mpi {

namespace {

struct File {
  int descriptor;
  std::string name;
  bool removeOnClose;
};

std::map<MPI_File, File> files;
int nextFile = 1;

File &fileOf(MPI_File file, const char *function) {
  enter(function);
  const auto found = files.find(file);
  if (found == files.end())
    fail(function, "no such file handle: " + std::to_string(file));
  return found->second;
}

int transferred(ssize_t bytes, MPI_Status *status) {
  if (bytes < 0)
    return MPI_ERR_IO;
  if (status)
    *status = {.MPI_SOURCE = 0,
               .MPI_TAG = 0,
               .MPI_ERROR = MPI_SUCCESS,
               .weft_cancelled = 0,
               .weft_bytes = static_cast<std::size_t>(bytes)};
  return MPI_SUCCESS;
}

} // namespace

} // namespace weft::emu::mpi

using namespace weft::emu::mpi;

extern "C" {

// As MPI has it for files: errors are returned, not fatal.
int MPI_File_open(MPI_Comm, const char *name, int mode, MPI_Info, MPI_File *file) {
  enter("MPI_File_open");
  int flags = mode & MPI_MODE_RDWR ? O_RDWR : mode & MPI_MODE_WRONLY ? O_WRONLY : O_RDONLY;
  flags |= (mode & MPI_MODE_CREATE ? O_CREAT : 0) | (mode & MPI_MODE_EXCL ? O_EXCL : 0) |
           (mode & MPI_MODE_APPEND ? O_APPEND : 0);
  const int descriptor = open(name, flags, 0666);
  *file = MPI_FILE_NULL;
  if (descriptor < 0)
    return MPI_ERR_IO;
  *file = nextFile++;
  files[*file] = {descriptor, name, (mode & MPI_MODE_DELETE_ON_CLOSE) != 0};
  return MPI_SUCCESS;
}

int MPI_File_close(MPI_File *file) {
  const File own = fileOf(*file, "MPI_File_close");
  files.erase(*file);
  *file = MPI_FILE_NULL;
  const bool good = close(own.descriptor) == 0;
  if (own.removeOnClose)
    unlink(own.name.c_str());
  return good ? MPI_SUCCESS : MPI_ERR_IO;
}

int MPI_File_set_size(MPI_File file, MPI_Offset size) {
  return ftruncate(fileOf(file, "MPI_File_set_size").descriptor, size) == 0 ? MPI_SUCCESS
                                                                            : MPI_ERR_IO;
}

int MPI_File_get_size(MPI_File file, MPI_Offset *size) {
  *size = lseek(fileOf(file, "MPI_File_get_size").descriptor, 0, SEEK_END);
  return *size < 0 ? MPI_ERR_IO : MPI_SUCCESS;
}

int MPI_File_read_at(MPI_File file, MPI_Offset at, void *into, int count, MPI_Datatype type,
                     MPI_Status *status) {
  const Layout &layout = layoutOf(type, "MPI_File_read_at");
  std::vector<char> bytes(static_cast<std::size_t>(count) * layout.bytes);
  const ssize_t got =
      pread(fileOf(file, "MPI_File_read_at").descriptor, bytes.data(), bytes.size(), at);
  if (got >= 0) {
    bytes.resize(static_cast<std::size_t>(got));
    unpack(bytes, into, layout);
  }
  return transferred(got, status);
}

int MPI_File_write_at(MPI_File file, MPI_Offset at, const void *from, int count, MPI_Datatype type,
                      MPI_Status *status) {
  const auto bytes =
      pack(from, static_cast<std::size_t>(count), layoutOf(type, "MPI_File_write_at"));
  return transferred(
      pwrite(fileOf(file, "MPI_File_write_at").descriptor, bytes.data(), bytes.size(), at), status);
}

int MPI_File_read_at_all(MPI_File file, MPI_Offset at, void *into, int count, MPI_Datatype type,
                         MPI_Status *status) {
  return MPI_File_read_at(file, at, into, count, type, status);
}

int MPI_File_write_at_all(MPI_File file, MPI_Offset at, const void *from, int count,
                          MPI_Datatype type, MPI_Status *status) {
  return MPI_File_write_at(file, at, from, count, type, status);
}
}
