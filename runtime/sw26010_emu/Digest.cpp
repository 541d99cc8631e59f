// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FIPS 180-4. Its constants are the fractional parts of square and cube roots of the first primes,
// computed here rather than listed.
#include "Digest.h"

#include <array>
#include <bit>
#include <cstdint>

namespace weft::emu {

namespace {

using Word = std::uint32_t;

/// The first 32 bits behind the point of the k-th root of `prime`, k being 2 or 3.
Word fractionOfRoot(unsigned prime, int k) {
  // The largest x with x^k <= prime * 2^(32 k): its low half is what is wanted.
  unsigned __int128 low = 0, high = static_cast<unsigned __int128>(1) << 37;
  const unsigned __int128 target = static_cast<unsigned __int128>(prime) << 32 * k;
  while (high - low > 1) {
    const auto middle = (low + high) / 2;
    const auto power = k == 2 ? middle * middle : middle * middle * middle;
    (power <= target ? low : high) = middle;
  }
  return static_cast<Word>(low);
}

struct Constants {
  std::array<Word, 8> start;
  std::array<Word, 64> rounds;
  Constants() {
    unsigned found = 0;
    for (unsigned candidate = 2; found < rounds.size(); ++candidate) {
      bool isPrime = true;
      for (unsigned divisor = 2; divisor * divisor <= candidate; ++divisor)
        isPrime = isPrime && candidate % divisor != 0;
      if (!isPrime)
        continue;
      if (found < start.size())
        start[found] = fractionOfRoot(candidate, 2);
      rounds[found++] = fractionOfRoot(candidate, 3);
    }
  }
};

Word wordAt(const std::string &bytes, std::size_t offset) {
  Word word = 0;
  for (std::size_t n = 0; n < 4; ++n)
    word = word << 8 | static_cast<unsigned char>(bytes[offset + n]);
  return word;
}

void addBlock(std::array<Word, 8> &hash, const std::string &bytes, std::size_t offset,
              const Constants &constants) {
  std::array<Word, 64> w;
  for (std::size_t n = 0; n < 16; ++n)
    w[n] = wordAt(bytes, offset + 4 * n);
  for (std::size_t n = 16; n < 64; ++n) {
    const Word a = w[n - 15], b = w[n - 2];
    w[n] = w[n - 16] + w[n - 7] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = hash;
  for (std::size_t n = 0; n < 64; ++n) {
    const Word first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                       ((e & f) ^ (~e & g)) + constants.rounds[n] + w[n];
    const Word second =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
  }
  const std::array<Word, 8> round{a, b, c, d, e, f, g, h};
  for (std::size_t n = 0; n < hash.size(); ++n)
    hash[n] += round[n];
}

} // namespace

std::string sha256(std::string_view bytes) {
  static const Constants constants;
  std::string padded(bytes);
  padded += '\x80';
  padded.append((120 - padded.size() % 64) % 64, '\0');
  for (int byte = 7; byte >= 0; --byte)
    padded += static_cast<char>(static_cast<std::uint64_t>(bytes.size()) * 8 >> 8 * byte);

  auto hash = constants.start;
  for (std::size_t offset = 0; offset < padded.size(); offset += 64)
    addBlock(hash, padded, offset, constants);
  std::string text;
  for (const Word word : hash)
    for (int nibble = 7; nibble >= 0; --nibble)
      text += "0123456789abcdef"[word >> 4 * nibble & 15];
  return text;
}

} // namespace weft::emu
