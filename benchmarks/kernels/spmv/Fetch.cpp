#include "Fetch.h"

#include <utility>

namespace spmv {

std::vector<ColumnRun> runs_of(const Dependency& dependency) {
  std::vector<ColumnRun> runs;
  for (const std::uint64_t column : dependency.columns) {
    if (!runs.empty() && runs.back().first + runs.back().length == column) {
      ++runs.back().length;
    } else {
      runs.push_back({column, 1});
    }
  }
  return runs;
}

std::vector<ColumnRun> runs_of(const Dependency& dependency, Variant variant) {
  if (variant == Variant::ranges) return {{dependency.first(), dependency.span()}};
  if (variant == Variant::lists) return runs_of(dependency);
  std::vector<ColumnRun> runs;
  for (const std::uint64_t column : dependency.columns)
    runs.push_back({column, 1});
  return runs;
}

Fetch::Fetch(FetchSpec spec) : _spec(std::move(spec)) {
  if (_spec.dependencies.empty()) return;
  const Dependency& last = _spec.dependencies.back();
  for (auto& ghosts : _ghosts)
    ghosts.resize(last.first_ghost + _spec.num_columns(last));
}

double* Fetch::make_buffer(const Dependency& dependency, std::size_t buffer_index) {
  const std::size_t columns = _spec.num_columns(dependency);
  double* const buffer = _buffers[buffer_index].emplace_back(columns * _spec.block_size).data();
  for (std::size_t i = 0; i < columns; ++i)
    _ghosts[buffer_index][dependency.first_ghost + i] = buffer + i * _spec.block_size;
  return buffer;
}

void Fetch::read_in_place(const Dependency& dependency, const double* first) {
  for (std::size_t i = 0; i < _spec.num_columns(dependency); ++i) {
    const std::uint64_t before =
        _spec.variant == Variant::ranges ? i : dependency.columns[i] - dependency.first();
    _ghosts[0][dependency.first_ghost + i] = first + before * _spec.block_size;
  }
}

std::size_t Fetch::fetched_bytes() const {
  std::size_t numbers = 0;
  for (const auto& buffer : _buffers[0])
    numbers += buffer.size();
  return numbers * sizeof(double);
}

}  // namespace spmv
