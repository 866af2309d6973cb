#include "Check.h"

#include <fmt/core.h>

#include <array>

namespace random_access {

Fingerprint fingerprint_of(kernels::World& world, const Distribution& distribution,
                           std::span<const Word> local) {
  Fingerprint own;
  for (std::size_t i = 0; i < local.size(); ++i) {
    const std::uint64_t index = distribution.first + i;
    own.bits ^= local[i];
    own.sum += local[i];
    if (index == 1) own.second = local[i];
    if (index == distribution.mask) own.last = local[i];
    if (local[i] == index) ++own.unchanged;
  }
  world.reduce(std::span(&own.bits, 1), kernels::World::Reduction::bit_xor);
  std::array<Word, 4> sums{own.sum, own.second, own.last, own.unchanged};
  world.reduce(sums, kernels::World::Reduction::sum);
  return {own.bits, sums[0], sums[1], sums[2], sums[3]};
}

std::optional<Fingerprint> known_fingerprint(unsigned log2_size) {
  switch (log2_size) {
    case 8:
      return Fingerprint{0x00000001fffe0000, 0xed265c0722f41584, 0xe76d86012400b501, 0xff, 186};
    case 10:
      return Fingerprint{0xffffffffffffffe1, 0xac384cb84247d355, 0x763060edd63e0800, 0x3ff, 661};
    case 16:
      return Fingerprint{0xfffffffffffffe19, 0xe8954eb03f1991ab, 0x8d2e6978d2240000,
                         0xce46748f99780000, 5934};
    case 20:
      return Fingerprint{0xfffffffe0001ffe1, 0x4fd96c5f17b397e9, 0x98670b6eefd00001,
                         0x3fa7f0d2feb00000, 32475};
    default:
      return std::nullopt;
  }
}

void undo(const Distribution& distribution, std::uint64_t updates, std::span<Word> local) {
  Word x = element(0);
  for (std::uint64_t k = 0; k < updates; ++k) {
    x = next(x);
    // Wraps around to a large number for words before the local block.
    const std::uint64_t index = (x & distribution.mask) - distribution.first;
    if (index < local.size()) local[index] ^= x;
  }
}

std::uint64_t count_errors(kernels::World& world, const Distribution& distribution,
                           std::span<const Word> local) {
  std::uint64_t errors = 0;
  for (std::size_t i = 0; i < local.size(); ++i) {
    if (local[i] != distribution.first + i) ++errors;
  }
  return world.sum(errors);
}

std::string text_of(const Fingerprint& fingerprint) {
  return fmt::format("xor {:#018x}, sum {:#018x}, T[1] {:#x}, T[N-1] {:#x}, {} unchanged words",
                     fingerprint.bits, fingerprint.sum, fingerprint.second, fingerprint.last,
                     fingerprint.unchanged);
}

}  // namespace random_access
