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
  const auto parts = static_cast<std::uint64_t>(units);
  const auto part = static_cast<std::uint64_t>(unit);
  begin = kernels::block_begin(updates, parts, part);
  size = kernels::block_begin(updates, parts, part + 1) - begin;
  largest = (updates + parts - 1) / parts;
}

Buckets::Buckets(int units)
    : _words(static_cast<std::size_t>(units) * message_size),
      _ends(static_cast<std::size_t>(units)) {
  for (std::size_t unit = 0; unit < static_cast<std::size_t>(units); ++unit)
    _begins.push_back(_words.data() + unit * message_size);
}

void Buckets::generate(Word& x, std::size_t n, const Distribution& distribution) {
  _ends = _begins;
  Word* const* const begins = _begins.data();
  Word** const ends = _ends.data();
  Word current = x;
  // Without a branch on whose words they are, which nobody could predict.
  for (std::size_t i = 0; i < n; ++i) {
    current = next(current);
    *++ends[distribution.owner(current & distribution.mask)] = current;
  }
  x = current;
  for (std::size_t unit = 0; unit < _begins.size(); ++unit)
    *begins[unit] = static_cast<Word>(ends[unit] - begins[unit]);
}

}  // namespace random_access
