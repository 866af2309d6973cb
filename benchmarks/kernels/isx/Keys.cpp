#include "Keys.h"

namespace isx {

void make_keys(int unit, std::uint32_t max_key, std::span<Key> keys) {
  const auto seed = static_cast<std::uint64_t>(unit);
  Pcg32 random(seed, seed);
  for (Key& key : keys)
    key = random.below(max_key);
}

}  // namespace isx
