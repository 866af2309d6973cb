#include "Fetch.h"

#include <utility>

namespace spmv {

std::vector<Run> runs_of(const Need& need) {
  std::vector<Run> runs;
  for (const std::uint64_t column : need.columns) {
    if (!runs.empty() && runs.back().first + runs.back().length == column) {
      ++runs.back().length;
    } else {
      runs.push_back({column, 1});
    }
  }
  return runs;
}

std::vector<Run> runs_of(const Need& need, Variant variant) {
  if (variant == Variant::ranges) return {{need.first(), need.span()}};
  if (variant == Variant::lists) return runs_of(need);
  std::vector<Run> runs;
  for (const std::uint64_t column : need.columns)
    runs.push_back({column, 1});
  return runs;
}

Fetch::Fetch(FetchSpec spec) : _spec(std::move(spec)) {
  if (_spec.needs.empty()) return;
  const Need& last = _spec.needs.back();
  for (auto& ghosts : _ghosts)
    ghosts.resize(last.place + _spec.columns_of(last));
}

double* Fetch::make_room(const Need& need, std::size_t turn) {
  const std::size_t columns = _spec.columns_of(need);
  double* const room = _rooms[turn].emplace_back(columns * _spec.block_size).data();
  for (std::size_t i = 0; i < columns; ++i)
    _ghosts[turn][need.place + i] = room + i * _spec.block_size;
  return room;
}

void Fetch::read_in_place(const Need& need, const double* first) {
  for (std::size_t i = 0; i < _spec.columns_of(need); ++i) {
    const std::uint64_t before =
        _spec.variant == Variant::ranges ? i : need.columns[i] - need.first();
    _ghosts[0][need.place + i] = first + before * _spec.block_size;
  }
}

std::size_t Fetch::fetched_bytes() const {
  std::size_t numbers = 0;
  for (const auto& room : _rooms[0])
    numbers += room.size();
  return numbers * sizeof(double);
}

}  // namespace spmv
