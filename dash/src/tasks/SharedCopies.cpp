#include "tasks/SharedCopies.h"

#include <algorithm>
#include <iterator>

namespace dash::tasks::internal {

namespace {

std::vector<GlobalMemoryRange> ranges_of(const Dependencies& source) {
  std::vector<GlobalMemoryRange> ranges;
  ranges.reserve(source.size());
  for (const Dependency& block : source)
    ranges.push_back(GlobalMemoryRange::of(block.gptr, block.nbytes));
  return ranges;
}

}  // namespace

bool SharedCopies::is_reusable(const CopyIn& copy, exec::TaskGraph& graph) {
  if (!is_active()) return false;
  const std::vector<GlobalMemoryRange> source = ranges_of(copy.source);
  const exec::MemoryRange buffer = exec::MemoryRange::of(copy.buffer, copy.nbytes);
  const std::lock_guard lock(_mutex);
  const auto found = _copies.find(copy.buffer);
  if (found == _copies.end()) return false;
  const Copy& last = found->second;
  return last.source == source && graph.is_last_writer(*last.node, buffer) &&
         std::none_of(source.begin(), source.end(), [&](const GlobalMemoryRange& range) {
           return was_written_since(range, last.writes_before);
         });
}

std::uint64_t SharedCopies::begin_copy() noexcept {
  const std::lock_guard lock(_mutex);
  _is_active.store(true, std::memory_order_release);
  return _num_writes;
}

void SharedCopies::add(const CopyIn& copy, std::uint64_t writes_before, exec::GraphNode& node) {
  std::vector<GlobalMemoryRange> source = ranges_of(copy.source);
  const std::lock_guard lock(_mutex);
  const auto [entry, added] = _copies.try_emplace(copy.buffer);
  if (!added) entry->second.node->release();
  node.retain();
  entry->second = {std::move(source), writes_before, &node};
}

/// Splits the range that contains the address, if there is one, into two.
void SharedCopies::split(WrittenRanges& written, std::uintptr_t at) {
  const auto after = written.lower_bound(at);
  if (after == written.begin()) return;
  WrittenRange& before = std::prev(after)->second;
  if (before.end <= at) return;
  written.emplace_hint(after, at, before);
  before.end = at;
}

void SharedCopies::record_write(const GlobalMemoryRange& range) {
  const auto [begin, end] = range.range;
  const std::lock_guard lock(_mutex);
  WrittenRanges& written = _written[{range.owner, range.segment}];
  split(written, begin);
  split(written, end);
  const auto after = written.erase(written.lower_bound(begin), written.lower_bound(end));
  written.emplace_hint(after, begin, WrittenRange{end, ++_num_writes});
}

bool SharedCopies::was_written_since(const GlobalMemoryRange& range,
                                     std::uint64_t writes_before) const {
  const auto found = _written.find({range.owner, range.segment});
  if (found == _written.end()) return false;
  const WrittenRanges& written = found->second;
  auto entry = written.upper_bound(range.range.begin);
  if (entry != written.begin() && std::prev(entry)->second.end > range.range.begin) --entry;
  for (; entry != written.end() && entry->first < range.range.end; ++entry) {
    if (entry->second.write > writes_before) return true;
  }
  return false;
}

void SharedCopies::clear() noexcept {
  const std::lock_guard lock(_mutex);
  for (auto& [buffer, copy] : _copies)
    copy.node->release();
  _copies.clear();
  _written.clear();
  _is_active.store(false, std::memory_order_release);
}

}  // namespace dash::tasks::internal
