#include "Copies.h"

#include <algorithm>
#include <iterator>

namespace dash::tasks::internal {

namespace {

std::vector<GlobalMemoryRange> places_of(const Dependencies& source) {
  std::vector<GlobalMemoryRange> places;
  places.reserve(source.size());
  for (const Dependency& run : source)
    places.push_back(GlobalMemoryRange::of(run.gptr, run.nbytes));
  return places;
}

}  // namespace

bool Copies::has(const CopyIn& copy, exec::TaskGraph& graph) {
  if (!any()) return false;
  const std::vector<GlobalMemoryRange> source = places_of(copy.source);
  const exec::MemoryRange buffer = exec::MemoryRange::of(copy.buffer, copy.nbytes);
  const std::lock_guard lock(_mutex);
  const auto found = _copies.find(copy.buffer);
  if (found == _copies.end()) return false;
  const Copy& last = found->second;
  return last.source == source && graph.is_last_writer(*last.node, buffer) &&
         std::none_of(source.begin(), source.end(), [&](const GlobalMemoryRange& place) {
           return is_written_since(place, last.begun);
         });
}

std::uint64_t Copies::begin() noexcept {
  const std::lock_guard lock(_mutex);
  _any.store(true, std::memory_order_release);
  return _writes;
}

void Copies::add(const CopyIn& copy, std::uint64_t begun, exec::GraphNode& node) {
  std::vector<GlobalMemoryRange> source = places_of(copy.source);
  const std::lock_guard lock(_mutex);
  const auto [entry, added] = _copies.try_emplace(copy.buffer);
  if (!added) entry->second.node->release();
  node.retain();
  entry->second = {std::move(source), begun, &node};
}

/// Lets a part end, and another begin, at an address.
void Copies::split(Parts& parts, std::uintptr_t at) {
  const auto after = parts.lower_bound(at);
  if (after == parts.begin()) return;
  Part& before = std::prev(after)->second;
  if (before.end <= at) return;
  parts.emplace_hint(after, at, before);
  before.end = at;
}

void Copies::is_written(const GlobalMemoryRange& place) {
  const auto [begin, end] = place.range;
  const std::lock_guard lock(_mutex);
  Parts& parts = _written[{place.owner, place.segment}];
  split(parts, begin);
  split(parts, end);
  const auto after = parts.erase(parts.lower_bound(begin), parts.lower_bound(end));
  parts.emplace_hint(after, begin, Part{end, ++_writes});
}

bool Copies::is_written_since(const GlobalMemoryRange& place, std::uint64_t begun) const {
  const auto found = _written.find({place.owner, place.segment});
  if (found == _written.end()) return false;
  const Parts& parts = found->second;
  auto part = parts.upper_bound(place.range.begin);
  if (part != parts.begin() && std::prev(part)->second.end > place.range.begin) --part;
  for (; part != parts.end() && part->first < place.range.end; ++part) {
    if (part->second.write > begun) return true;
  }
  return false;
}

void Copies::forget() noexcept {
  const std::lock_guard lock(_mutex);
  for (auto& [buffer, copy] : _copies)
    copy.node->release();
  _copies.clear();
  _written.clear();
  _any.store(false, std::memory_order_release);
}

}  // namespace dash::tasks::internal
