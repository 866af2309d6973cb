#include "base/RangeAllocator.h"

#include <algorithm>

namespace dash::dart {

RangeAllocator::RangeAllocator(std::uint64_t begin, std::uint64_t end) : _high_water(begin) {
  add_free(begin, end);
}

void RangeAllocator::add_free(std::uint64_t begin, std::uint64_t end) {
  if (begin >= end) return;
  _free.emplace(begin, end);
  _free_by_size.emplace(end - begin, begin);
}

std::map<std::uint64_t, std::uint64_t>::iterator RangeAllocator::remove_free(
    std::map<std::uint64_t, std::uint64_t>::iterator range) {
  _free_by_size.erase({range->second - range->first, range->first});
  return _free.erase(range);
}

std::optional<std::uint64_t> RangeAllocator::find_best(std::uint64_t nbytes) const {
  const auto best = _free_by_size.lower_bound({nbytes, 0});
  if (best == _free_by_size.end()) return std::nullopt;
  return best->second;
}

std::optional<std::uint64_t> RangeAllocator::find(std::uint64_t nbytes,
                                                  std::uint64_t at_least) const {
  auto range = _free.upper_bound(at_least);
  if (range != _free.begin()) --range;
  for (; range != _free.end(); ++range) {
    const std::uint64_t begin = std::max(range->first, at_least);
    if (begin < range->second && nbytes <= range->second - begin) return begin;
  }
  return std::nullopt;
}

void RangeAllocator::take(std::uint64_t offset, std::uint64_t nbytes) {
  const auto range = std::prev(_free.upper_bound(offset));
  const auto [begin, end] = *range;
  remove_free(range);
  add_free(begin, offset);
  add_free(offset + nbytes, end);
  _used.emplace(offset, nbytes);
  _high_water = std::max(_high_water, offset + nbytes);
}

std::optional<std::uint64_t> RangeAllocator::size_of_used(std::uint64_t offset) const {
  const auto used = _used.find(offset);
  return used == _used.end() ? std::nullopt : std::optional(used->second);
}

std::optional<std::uint64_t> RangeAllocator::release(std::uint64_t offset) {
  const auto used = _used.find(offset);
  if (used == _used.end()) return std::nullopt;
  const std::uint64_t nbytes = used->second;
  _used.erase(used);
  std::uint64_t begin = offset;
  std::uint64_t end = offset + nbytes;
  auto next = _free.lower_bound(begin);
  if (next != _free.end() && next->first == end) {
    end = next->second;
    next = remove_free(next);
  }
  if (next != _free.begin()) {
    const auto previous = std::prev(next);
    if (previous->second == begin) {
      begin = previous->first;
      remove_free(previous);
    }
  }
  add_free(begin, end);
  return nbytes;
}

}  // namespace dash::dart
