// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Program.h"

#include <algorithm>
#include <elf.h>
#include <fcntl.h>
#include <filesystem>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace weft::emu::program {

namespace {

/// The program's file as bytes, mapped while it is read.
class Image {
public:
  Image() {
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat facts{};
    if (file >= 0 && fstat(file, &facts) == 0) {
      size_ = static_cast<std::size_t>(facts.st_size);
      void *mapped = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
      bytes_ = mapped == MAP_FAILED ? nullptr : static_cast<const char *>(mapped);
    }
    if (file >= 0)
      close(file);
  }
  ~Image() {
    if (bytes_)
      munmap(const_cast<char *>(bytes_), size_);
  }
  Image(const Image &) = delete;
  Image &operator=(const Image &) = delete;

  /// Section headers; none if this is no 64-bit ELF file or it was stripped of them.
  std::vector<Elf64_Shdr> sections() const {
    const auto *header = at<Elf64_Ehdr>(0, 1);
    if (!header || std::string_view(bytes_, SELFMAG) != ELFMAG ||
        header->e_ident[EI_CLASS] != ELFCLASS64)
      return {};
    const auto *first = at<Elf64_Shdr>(header->e_shoff, header->e_shnum);
    if (!first)
      return {};
    return {first, first + header->e_shnum};
  }

  std::string_view nameOf(const std::vector<Elf64_Shdr> &sections, const Elf64_Shdr &one) const {
    const auto *header = at<Elf64_Ehdr>(0, 1);
    return text(sections[header->e_shstrndx], one.sh_name);
  }

  std::string_view text(const Elf64_Shdr &strings, std::size_t offset) const {
    if (offset >= strings.sh_size || !at<char>(strings.sh_offset, strings.sh_size))
      return {};
    return bytes_ + strings.sh_offset + offset;
  }

  template <typename T> const T *at(std::size_t offset, std::size_t count) const {
    if (!bytes_ || offset > size_ || count > (size_ - offset) / sizeof(T))
      return nullptr;
    return reinterpret_cast<const T *>(bytes_ + offset);
  }

private:
  const char *bytes_ = nullptr;
  std::size_t size_ = 0;
};

/// By how much the program lies elsewhere than it was linked for: 0 unless it is PIE.
std::uintptr_t bias() {
  std::uintptr_t found = 0;
  dl_iterate_phdr(
      [](dl_phdr_info *info, std::size_t, void *result) {
        *static_cast<std::uintptr_t *>(result) = info->dlpi_addr;
        return 1; // the program comes first
      },
      &found);
  return found;
}

std::vector<Symbol> readSymbols() {
  const Image image;
  const auto sections = image.sections();
  std::vector<Symbol> found;
  for (const auto &table : sections) {
    if (table.sh_type != SHT_SYMTAB || table.sh_link >= sections.size())
      continue;
    const std::size_t count = table.sh_size / sizeof(Elf64_Sym);
    const auto *symbols = image.at<Elf64_Sym>(table.sh_offset, count);
    for (std::size_t n = 0; symbols && n < count; ++n) {
      const auto &one = symbols[n];
      const auto type = ELF64_ST_TYPE(one.st_info);
      if (one.st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_OBJECT))
        continue;
      found.push_back({std::string(image.text(sections[table.sh_link], one.st_name)),
                       one.st_value + bias(), one.st_size, type == STT_FUNC});
    }
  }
  std::ranges::stable_sort(found, {}, &Symbol::address);
  return found;
}

} // namespace

const std::string &path() {
  // Like all here, it outlives static objects: reports are written while the program exits.
  static const auto *name = [] {
    std::error_code none;
    return new std::string(std::filesystem::read_symlink("/proc/self/exe", none).string());
  }();
  return *name;
}

Range section(std::string_view name) {
  const Image image;
  const auto sections = image.sections();
  for (const auto &one : sections)
    if (image.nameOf(sections, one) == name && (one.sh_flags & SHF_ALLOC)) {
      // NOLINTNEXTLINE(performance-no-int-to-ptr): the linker's numbers are addresses
      const auto *begin = reinterpret_cast<const char *>(one.sh_addr + bias());
      return {begin, begin + one.sh_size};
    }
  return {};
}

const std::vector<Symbol> &symbols() {
  static const auto *all = new std::vector<Symbol>(readSymbols());
  return *all;
}

std::string_view functionAt(const void *address) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  const auto &all = symbols();
  auto after = std::ranges::upper_bound(all, wanted, {}, &Symbol::address);
  while (after != all.begin()) {
    const auto &one = *--after;
    if (!one.isFunction)
      continue;
    if (wanted != one.address && wanted >= one.address + one.size)
      return {};
    std::string_view name = one.name;
    if (name.starts_with("slave_"))
      name.remove_prefix(6);
    return name;
  }
  return {};
}

} // namespace weft::emu::program
