// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// <stdio.h> of the slave side. Text of several CPEs comes in the order of virtual time. What a
// format points to is checked first: a wrong %s is a fault of the program, told with its place.
#include "Aftermath.h"
#include "Clock.h"
#include "SlaveLibrary.h"

#include <algorithm>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

using namespace weft::emu;
using namespace weft::emu::slave;

namespace {

/// Walks a format and its arguments as printf does, and checks the strings among them.
class Format {
public:
  Format(const char *format, std::va_list arguments) {
    lengthOf(format);
    va_copy(arguments_, arguments);
    for (next_ = format; *next_; ++next_)
      if (*next_ == '%')
        conversion();
    va_end(arguments_);
  }

private:
  const char *next_;
  std::va_list arguments_;

  void conversion() {
    ++next_;
    next_ += std::strspn(next_, "-+ #0'");
    number();
    long precision = -1;
    if (*next_ == '.') {
      ++next_;
      precision = number();
    }
    const std::size_t width = std::strspn(next_, "hlLqjzt");
    const std::string_view length(next_, width);
    next_ += width;
    argument(*next_, length, precision);
    if (!*next_)
      --next_; // a lone % at the end
  }

  /// A width or precision, in digits or as *.
  long number() {
    if (*next_ == '*') {
      ++next_;
      return va_arg(arguments_, int);
    }
    long value = 0;
    for (; *next_ >= '0' && *next_ <= '9'; ++next_)
      value = value * 10 + (*next_ - '0');
    return value;
  }

  void argument(char kind, std::string_view length, long precision) {
    if (std::strchr("eEfFgGaA", kind) && kind) {
      if (length == "L")
        va_arg(arguments_, long double);
      else
        va_arg(arguments_, double);
    } else if (std::strchr("diouxXc", kind) && kind) {
      if (length.empty() || length[0] == 'h')
        va_arg(arguments_, int);
      else
        va_arg(arguments_, long);
    } else if (kind == 's') {
      const char *text = va_arg(arguments_, const char *);
      if (text && length.empty())
        precision < 0 ? lengthOf(text) : lengthOf(text, static_cast<std::size_t>(precision));
    } else if (kind == 'n') {
      writes(va_arg(arguments_, void *), sizeof(int));
    } else if (kind == 'p') {
      va_arg(arguments_, void *);
    }
  }
};

std::string formatted(const char *format, std::va_list arguments) {
  const Format checked(format, arguments);
  std::va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  std::string text(static_cast<std::size_t>(std::max(length, 0)), '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, arguments);
  return text;
}

int put(std::FILE *file, std::string_view text) {
  Clock::get().arrive();
  charge(Cost::Output);
  if (aftermath::runs())
    return static_cast<int>(text.size());
  const std::size_t written = std::fwrite(text.data(), 1, text.size(), file);
  return written == text.size() ? static_cast<int>(written) : -1;
}

/// The text into a program's buffer of `size` bytes, as snprintf does.
int store(char *to, std::size_t size, std::string_view text) {
  charge(Cost::Byte, text.size());
  if (size) {
    const std::size_t kept = std::min(text.size(), size - 1);
    writes(to, kept + 1);
    std::memcpy(to, text.data(), kept);
    to[kept] = '\0';
  }
  return static_cast<int>(text.size());
}

} // namespace

extern "C" {

int slave_vfprintf(std::FILE *file, const char *format, std::va_list arguments) {
  return put(file, formatted(format, arguments));
}
int slave_vprintf(const char *format, std::va_list arguments) {
  return put(stdout, formatted(format, arguments));
}
int slave_vsnprintf(char *to, std::size_t size, const char *format, std::va_list arguments) {
  return store(to, size, formatted(format, arguments));
}
int slave_vsprintf(char *to, const char *format, std::va_list arguments) {
  return store(to, SIZE_MAX, formatted(format, arguments));
}

#define WEFT_FORMAT(call)                                                                          \
  std::va_list arguments;                                                                          \
  va_start(arguments, format);                                                                     \
  const int result = call;                                                                         \
  va_end(arguments);                                                                               \
  return result
int slave_printf(const char *format, ...) { WEFT_FORMAT(slave_vprintf(format, arguments)); }
int slave_fprintf(std::FILE *file, const char *format, ...) {
  WEFT_FORMAT(slave_vfprintf(file, format, arguments));
}
int slave_sprintf(char *to, const char *format, ...) {
  WEFT_FORMAT(slave_vsprintf(to, format, arguments));
}
int slave_snprintf(char *to, std::size_t size, const char *format, ...) {
  WEFT_FORMAT(slave_vsnprintf(to, size, format, arguments));
}
#undef WEFT_FORMAT

int slave_fputs(const char *text, std::FILE *file) { return put(file, {text, lengthOf(text)}); }
int slave_puts(const char *text) { return put(stdout, std::string(text, lengthOf(text)) + "\n"); }
int slave_fputc(int character, std::FILE *file) {
  const char text = static_cast<char>(character);
  return put(file, {&text, 1}) == 1 ? static_cast<unsigned char>(text) : EOF;
}
int slave_putc(int character, std::FILE *file) { return slave_fputc(character, file); }
// NOLINTNEXTLINE(bugprone-reserved-identifier): what putc is as a macro
int slave__IO_putc(int character, std::FILE *file) { return slave_fputc(character, file); }
int slave_putchar(int character) { return slave_fputc(character, stdout); }
std::size_t slave_fwrite(const void *from, std::size_t size, std::size_t count, std::FILE *file) {
  reads(from, size * count);
  if (size == 0 || put(file, {static_cast<const char *>(from), size * count}) < 0)
    return 0;
  return count;
}
int slave_fflush(std::FILE *file) {
  Clock::get().arrive();
  charge(Cost::Output);
  return aftermath::runs() ? 0 : std::fflush(file);
}

} // extern "C"
