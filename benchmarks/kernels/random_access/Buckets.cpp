#include "Buckets.h"

#include <algorithm>
#include <bit>

#include "support/World.h"

namespace random_access {

Distribution::Distribution(unsigned log2_size, int num_units, int own_unit)
    : size(std::uint64_t{1} << log2_size),
      mask(size - 1),
      units(num_units),
      unit(own_unit),
      block((size + static_cast<std::uint64_t>(num_units) - 1) /
            static_cast<std::uint64_t>(num_units)),
      first(std::min(size, block * static_cast<std::uint64_t>(own_unit))),
      local_size(std::min(size, first + block) - first),
      _inverse(1.0 / static_cast<double>(block)) {
  if (std::has_single_bit(block)) _shift = std::countr_zero(block);
}

Share::Share(std::uint64_t updates, int units, int unit) {
  const auto shares = static_cast<std::uint64_t>(units);
  const auto share = static_cast<std::uint64_t>(unit);
  begin = kernels::block_begin(updates, shares, share);
  size = kernels::block_begin(updates, shares, share + 1) - begin;
  largest = (updates + shares - 1) / shares;
}

std::size_t get_put_batch_size(const Distribution& distribution) {
  const std::uint64_t size =
      distribution.size / (4096 * static_cast<std::uint64_t>(distribution.units));
  return std::clamp<std::uint64_t>(size, 1, look_ahead);
}

void generate(Word& x, std::size_t n, const Distribution& distribution,
              std::span<Word* const> messages, std::span<Word*> ends) {
  std::copy(messages.begin(), messages.end(), ends.begin());
  // No branch on the owner, which would be unpredictable.
  Word** const end_of = ends.data();
  for_updates(x, n, [&](Word update) {
    *++end_of[distribution.owner(update & distribution.mask)] = update;
  });
  for (std::size_t unit = 0; unit < messages.size(); ++unit)
    *messages[unit] = static_cast<Word>(ends[unit] - messages[unit]);
}

}  // namespace random_access
