//===- NpyFile.cpp - NumPy's file format ----------------------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// "\x93NUMPY", version, length of the header, a Python dict as text, the elements in
// little-endian order. https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
//
//===-----------------------------------------------------------------------===//

#include "tools/NpyFile.h"

#include "llvm/Support/EndianStream.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace weft::interpreter;

namespace {

struct Form {
  StringRef descr;
  DType dtype;
  unsigned bytes;
};

constexpr Form forms[] = {
    {"|b1", DType::Bool, 1},   {"<i4", DType::I32, 4}, {"<i8", DType::I64, 8},
    {"<f4", DType::F32, 4},    {"<f8", DType::F64, 8}, {"<c8", DType::C64, 8},
    {"<c16", DType::C128, 16},
};

const Form &formOf(DType dtype) {
  return *find_if(forms, [&](const Form &form) { return form.dtype == dtype; });
}

/// The text between the quotes, or the word, after `'key':` in the header.
StringRef field(StringRef header, StringRef key) {
  StringRef rest = header.split(("'" + key + "':").str()).second.ltrim();
  if (rest.consume_front("'"))
    return rest.split('\'').first;
  if (rest.consume_front("("))
    return rest.split(')').first;
  return rest.take_until([](char c) { return c == ',' || c == '}'; }).trim();
}

template <typename T> T take(const char *&at) {
  T value = support::endian::read<T, endianness::little>(at);
  at += sizeof(T);
  return value;
}

Element takeElement(const char *&at, DType dtype) {
  switch (dtype) {
  case DType::Bool:
    return Element::integer(take<uint8_t>(at) != 0);
  case DType::I32:
    return Element::integer(take<int32_t>(at));
  case DType::I64:
    return Element::integer(take<int64_t>(at));
  case DType::F32:
    return Element::real(bit_cast<float>(take<uint32_t>(at)));
  case DType::F64:
    return Element::real(bit_cast<double>(take<uint64_t>(at)));
  case DType::C64: {
    float re = bit_cast<float>(take<uint32_t>(at));
    return Element::complex({re, bit_cast<float>(take<uint32_t>(at))});
  }
  case DType::C128: {
    double re = bit_cast<double>(take<uint64_t>(at));
    return Element::complex({re, bit_cast<double>(take<uint64_t>(at))});
  }
  }
  llvm_unreachable("all dtypes are above");
}

void putElement(support::endian::Writer &out, const Element &element, DType dtype) {
  switch (dtype) {
  case DType::Bool:
    return out.write(static_cast<uint8_t>(element.i));
  case DType::I32:
    return out.write(static_cast<int32_t>(element.i));
  case DType::I64:
    return out.write(element.i);
  case DType::F32:
    return out.write(static_cast<float>(element.re));
  case DType::F64:
    return out.write(element.re);
  case DType::C64:
    out.write(static_cast<float>(element.re));
    return out.write(static_cast<float>(element.im));
  case DType::C128:
    out.write(element.re);
    return out.write(element.im);
  }
}

} // namespace

Expected<HostArray> weft::readNpy(StringRef path) {
  auto refuse = [&](const Twine &why) {
    return createStringError(inconvertibleErrorCode(), path + ": " + why);
  };
  auto file = MemoryBuffer::getFile(path);
  if (!file)
    return refuse(file.getError().message());
  StringRef bytes = (*file)->getBuffer();
  constexpr StringRef magic("\x93NUMPY", 6);
  bool isShort = bytes.size() > 12 && bytes[6] == 1;
  size_t start = isShort ? 10 : 12;
  if (!bytes.starts_with(magic) || bytes.size() < start)
    return refuse("not a .npy file");
  size_t length = isShort ? support::endian::read16le(bytes.data() + 8)
                          : support::endian::read32le(bytes.data() + 8);
  if (bytes.size() - start < length)
    return refuse("the header is cut off");
  StringRef header = bytes.substr(start, length);

  StringRef descr = field(header, "descr");
  const auto *form = find_if(forms, [&](const Form &form) { return form.descr == descr; });
  if (form == std::end(forms))
    return refuse("expected elements of bool, int32, int64, float32, float64, complex64 or "
                  "complex128 (little-endian), found '" +
                  descr + "'");
  SmallVector<int64_t> shape;
  SmallVector<StringRef> extents;
  field(header, "shape").split(extents, ',', -1, false);
  for (StringRef extent : extents) {
    int64_t number = 0;
    if (!extent.trim().empty() && !extent.trim().getAsInteger(10, number))
      shape.push_back(number);
  }
  if (field(header, "fortran_order") != "False" && shape.size() > 1)
    return refuse("expected row-major order, found Fortran's");
  StringRef data = bytes.substr(start + length);
  if (data.size() != static_cast<size_t>(count(shape)) * form->bytes)
    return refuse("expected " + Twine(count(shape) * form->bytes) + " bytes of elements, found " +
                  Twine(data.size()));

  HostArray array{"", form->dtype, Array(shape)};
  const char *at = data.data();
  for (Element &element : array.array.elements)
    element = takeElement(at, form->dtype);
  return array;
}

Error weft::writeNpy(StringRef path, const HostArray &array) {
  std::string header;
  raw_string_ostream text(header);
  text << "{'descr': '" << formOf(array.dtype).descr << "', 'fortran_order': False, 'shape': (";
  for (int64_t extent : array.array.shape)
    text << extent << ", ";
  text << "), }";
  // The elements start at a multiple of 64 bytes.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';

  std::error_code failed;
  raw_fd_ostream file(path, failed);
  if (failed)
    return createStringError(failed, path + ": " + failed.message());
  file << StringRef("\x93NUMPY\x01\x00", 8);
  support::endian::Writer out(file, endianness::little);
  out.write(static_cast<uint16_t>(header.size()));
  file << header;
  for (const Element &element : array.array.elements)
    putElement(out, element, array.dtype);
  file.close();
  if (file.has_error())
    return createStringError(file.error(), path + ": " + file.error().message());
  return Error::success();
}
