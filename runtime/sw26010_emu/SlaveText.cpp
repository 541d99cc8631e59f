// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// <string.h> of the slave side. Operands are checked before they are touched; copies and fills cost
// by eight bytes, text by the byte.
#include "SlaveLibrary.h"

#include <algorithm>
#include <cstring>

using namespace weft::emu::slave;

namespace {

void chargeWords(std::size_t bytes) {
  charge(Cost::Call);
  charge(Cost::Word, (bytes + 7) / 8);
}

} // namespace

extern "C" {

void *slave_memmove(void *to, const void *from, std::size_t bytes) {
  chargeWords(bytes);
  if (bytes) {
    reads(from, bytes);
    writes(to, bytes);
    std::memmove(to, from, bytes);
  }
  return to;
}

// On the machine a copy that overlaps goes wrong in its own way; here it goes as memmove does.
void *slave_memcpy(void *to, const void *from, std::size_t bytes) {
  return slave_memmove(to, from, bytes);
}

void *slave_memset(void *to, int value, std::size_t bytes) {
  chargeWords(bytes);
  if (bytes) {
    writes(to, bytes);
    std::memset(to, value, bytes);
  }
  return to;
}
void slave_bzero(void *to, std::size_t bytes) { slave_memset(to, 0, bytes); }

int slave_memcmp(const void *a, const void *b, std::size_t bytes) {
  charge(Cost::Call);
  charge(Cost::Byte, bytes);
  if (!bytes)
    return 0;
  reads(a, bytes);
  reads(b, bytes);
  return std::memcmp(a, b, bytes);
}
int slave_bcmp(const void *a, const void *b, std::size_t bytes) {
  return slave_memcmp(a, b, bytes);
}

void *slave_memchr(const void *from, int value, std::size_t bytes) {
  charge(Cost::Call);
  charge(Cost::Byte, bytes);
  if (!bytes)
    return nullptr;
  reads(from, bytes);
  return const_cast<void *>(std::memchr(from, value, bytes));
}

std::size_t slave_strlen(const char *text) {
  charge(Cost::Call);
  return lengthOf(text);
}
std::size_t slave_strnlen(const char *text, std::size_t most) {
  charge(Cost::Call);
  return lengthOf(text, most);
}

char *slave_strcpy(char *to, const char *from) {
  charge(Cost::Call);
  const std::size_t bytes = lengthOf(from) + 1;
  writes(to, bytes);
  return static_cast<char *>(std::memmove(to, from, bytes));
}
char *slave_strncpy(char *to, const char *from, std::size_t bytes) {
  charge(Cost::Call);
  const std::size_t length = lengthOf(from, bytes);
  if (bytes) {
    writes(to, bytes);
    std::memmove(to, from, length);
    std::fill_n(to + length, bytes - length, '\0');
  }
  return to;
}
char *slave_strcat(char *to, const char *from) {
  charge(Cost::Call);
  slave_strcpy(to + lengthOf(to), from);
  return to;
}
char *slave_strncat(char *to, const char *from, std::size_t most) {
  charge(Cost::Call);
  char *end = to + lengthOf(to);
  const std::size_t length = lengthOf(from, most);
  writes(end, length + 1);
  std::memmove(end, from, length);
  end[length] = '\0';
  return to;
}

int slave_strcmp(const char *a, const char *b) {
  charge(Cost::Call);
  lengthOf(a);
  lengthOf(b);
  return std::strcmp(a, b);
}
int slave_strncmp(const char *a, const char *b, std::size_t most) {
  charge(Cost::Call);
  lengthOf(a, most);
  lengthOf(b, most);
  return std::strncmp(a, b, most);
}
char *slave_strchr(const char *text, int wanted) {
  charge(Cost::Call);
  lengthOf(text);
  return const_cast<char *>(std::strchr(text, wanted));
}
char *slave_strrchr(const char *text, int wanted) {
  charge(Cost::Call);
  lengthOf(text);
  return const_cast<char *>(std::strrchr(text, wanted));
}
char *slave_strstr(const char *text, const char *wanted) {
  charge(Cost::Call);
  lengthOf(text);
  lengthOf(wanted);
  return const_cast<char *>(std::strstr(text, wanted));
}

} // extern "C"
