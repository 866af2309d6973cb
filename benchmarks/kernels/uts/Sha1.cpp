#include "Sha1.h"

#include <algorithm>
#include <bit>

namespace uts {

namespace {

constexpr std::size_t block_words = 16;
constexpr int rounds = 80;
constexpr Sha1Digest initial = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};

/// The words a to e of the standard.
struct State {
  std::uint32_t a, b, c, d, e;
};

void round(State& s, std::uint32_t f, std::uint32_t constant, std::uint32_t word) {
  const std::uint32_t next = std::rotl(s.a, 5) + f + s.e + constant + word;
  s = {next, s.a, std::rotl(s.b, 30), s.c, s.d};
}

}  // namespace

Sha1Digest sha1(const std::uint32_t* words, std::size_t count) {
  std::array<std::uint32_t, rounds> schedule{};
  std::copy_n(words, count, schedule.begin());
  schedule[count] = 0x80000000;
  schedule[block_words - 1] = static_cast<std::uint32_t>(32 * count);  // length in bits
  for (std::size_t t = block_words; t < rounds; ++t) {
    schedule[t] =
        std::rotl(schedule[t - 3] ^ schedule[t - 8] ^ schedule[t - 14] ^ schedule[t - 16], 1);
  }
  State s{initial[0], initial[1], initial[2], initial[3], initial[4]};
  std::size_t t = 0;
  for (; t < 20; ++t)
    round(s, (s.b & s.c) | (~s.b & s.d), 0x5a827999, schedule[t]);
  for (; t < 40; ++t)
    round(s, s.b ^ s.c ^ s.d, 0x6ed9eba1, schedule[t]);
  for (; t < 60; ++t)
    round(s, (s.b & s.c) | (s.b & s.d) | (s.c & s.d), 0x8f1bbcdc, schedule[t]);
  for (; t < rounds; ++t)
    round(s, s.b ^ s.c ^ s.d, 0xca62c1d6, schedule[t]);
  return {initial[0] + s.a, initial[1] + s.b, initial[2] + s.c, initial[3] + s.d, initial[4] + s.e};
}

}  // namespace uts
