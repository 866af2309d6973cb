#include "dash/algorithm/internal/matrix/Summa.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/Team.h"
#include "dash/async/Executor.h"
#include "matrix/summa/IndexGroups.h"
#include "matrix/summa/Panel.h"
#include "matrix/summa/Result.h"

namespace dash::internal {

namespace {

/// Maximum number of rows and of columns of C that are computed together. Elements of A and B that
/// are fetched are used up to that many times. The size of their buffers grows in proportion.
constexpr std::ptrdiff_t max_tile_extent = 2048;
/// Maximum number of columns of A and rows of B of a step. The operands of the next step are
/// fetched during a step.
constexpr std::ptrdiff_t max_step_depth = 512;
/// The rows of a product are divided among workers in multiples of this number.
constexpr std::ptrdiff_t split_rows = 48;

using Groups = std::span<const IndexGroup>;

/// Rows and columns of C that are computed together.
struct ResultTile {
  Groups rows;
  Groups cols;
};

std::vector<Groups> split_groups(const std::vector<IndexGroup>& groups) {
  std::vector<Groups> parts;
  std::size_t first = 0;
  std::ptrdiff_t extent = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (i > first && extent + groups[i].extent() > max_tile_extent) {
      parts.push_back(Groups(groups).subspan(first, i - first));
      first = i;
      extent = 0;
    }
    extent += groups[i].extent();
  }
  if (first < groups.size()) parts.push_back(Groups(groups).subspan(first));
  return parts;
}

/// A unit's part of a product as a sequence of steps: for each tile of C, the products of
/// consecutive columns of A and rows of B.
class SummaSteps {
 public:
  explicit SummaSteps(const SummaProduct& product) {
    const auto& a = product.a.properties();
    const auto& b = product.b.properties();
    const auto& c = product.c.properties();
    // If the local part of C is stored as one matrix, its block boundaries do not matter.
    const auto blocks_of_c = c.is_canonical ? c.extents : c.block_extents;
    _inner = group_indices({{0, a.extents[1]}}, {a.block_extents[1], b.block_extents[0]},
                           max_step_depth);
    _outer.reserve(2 * product.boxes.size());
    for (const IndexBox& box : product.boxes) {
      const auto& rows = _outer.emplace_back(
          group_indices(box.rows, {blocks_of_c[0], a.block_extents[0]}, max_tile_extent));
      const auto& cols = _outer.emplace_back(
          group_indices(box.cols, {blocks_of_c[1], b.block_extents[1]}, max_tile_extent));
      for (const Groups part_of_rows : split_groups(rows)) {
        for (const Groups part_of_cols : split_groups(cols))
          _tiles.push_back({part_of_rows, part_of_cols});
      }
    }
    // Units begin with different steps, so that they do not all read from the same unit first.
    const Team& team = product.c.memory().team();
    _begin = _inner.size() * static_cast<std::size_t>(team.myid().id) / team.size();
  }

  std::size_t size() const { return _tiles.size() * _inner.size(); }
  const ResultTile& tile(std::size_t step) const { return _tiles[step / _inner.size()]; }
  bool is_first(std::size_t step) const { return step % _inner.size() == 0; }
  bool is_last(std::size_t step) const { return is_first(step + 1); }
  Groups inner(std::size_t step) const {
    return Groups(_inner).subspan((step % _inner.size() + _begin) % _inner.size(), 1);
  }

 private:
  std::vector<IndexGroup> _inner;
  std::vector<std::vector<IndexGroup>> _outer;
  std::vector<ResultTile> _tiles;
  std::size_t _begin = 0;
};

/// The operands of a step.
struct Operands {
  Panel a;
  Panel b;

  explicit Operands(const SummaProduct& product)
      : a(product.a, product.element_size), b(product.b, product.element_size) {}
  void prefetch(const SummaSteps& steps, std::size_t step) {
    a.prefetch(steps.tile(step).rows, steps.inner(step));
    b.prefetch(steps.inner(step), steps.tile(step).cols);
  }
  void complete(bool parallel) {
    a.complete(parallel);
    b.complete(parallel);
  }
};

/// Adds the product of a step to the result, divided into tasks for the workers.
void add_product(const SummaProduct& product, const Operands& operands, std::ptrdiff_t depth,
                 const ProductResult& result, bool is_first) {
  struct Task {
    const ProductResult::Part* part;
    std::ptrdiff_t row;
    std::ptrdiff_t rows;
  };
  const auto& parts = result.parts();
  const int workers = product.parallel ? exec::executor_workers() : 1;
  // Several tasks per worker, for load balancing.
  const auto wanted = workers > 1 ? 4 * static_cast<std::ptrdiff_t>(workers) : 1;
  const auto nparts = static_cast<std::ptrdiff_t>(parts.size());
  const std::ptrdiff_t splits = (wanted + nparts - 1) / nparts;
  std::vector<Task> tasks;
  for (const ProductResult::Part& part : parts) {
    std::ptrdiff_t rows = (part.rows + splits - 1) / splits;
    if (splits > 1) rows = (rows + split_rows - 1) / split_rows * split_rows;
    for (std::ptrdiff_t row = 0; row < part.rows; row += rows)
      tasks.push_back({&part, row, std::min(rows, part.rows - row)});
  }
  run_on_workers(product.parallel, tasks.size(), [&](std::size_t i) {
    const auto& [part, row, rows] = tasks[i];
    product.multiply({rows, part->cols, depth}, operands.a.block(part->row_group, 0).at(row, 0),
                     operands.b.block(0, part->col_group), part->block.at(row, 0), is_first);
  });
}

}  // namespace

void check_summa(const DistributedMatrix::Extents& a, const DistributedMatrix::Extents& b,
                 const DistributedMatrix::Extents& c, bool is_in_place) {
  if (a[1] != b[0] || a[0] != c[0] || b[1] != c[1]) {
    DASH_THROW(dash::exception::InvalidArgument,
               "dash::summa: A is " << a[0] << " x " << a[1] << ", B is " << b[0] << " x " << b[1]
                                    << " and C is " << c[0] << " x " << c[1]
                                    << "; expected A of m x k, B of k x n and C of m x n");
  }
  if (a[0] == 0)
    DASH_THROW(dash::exception::InvalidArgument, "dash::summa: the matrices are not allocated");
  if (is_in_place) {
    DASH_THROW(dash::exception::InvalidArgument,
               "dash::summa: C is one of the factors; expected a separate matrix for the product");
  }
}

void check_member(const char* matrix, const Team& team) {
  if (team.myid() >= 0) return;
  DASH_THROW(dash::exception::InvalidArgument,
             "unit " << dash::myid() << " is not in the team of " << matrix
                     << "; expected matrices that all units of the team of C can read");
}

void compute_summa(const SummaProduct& product) {
  const SummaSteps steps(product);
  if (steps.size() == 0) return;
  std::array<Operands, 2> operands{Operands(product), Operands(product)};
  std::optional<ProductResult> result;
  operands[0].prefetch(steps, 0);
  for (std::size_t step = 0; step < steps.size(); ++step) {
    Operands& now = operands[step % 2];
    now.complete(product.parallel);
    if (step + 1 < steps.size()) operands[(step + 1) % 2].prefetch(steps, step + 1);
    if (steps.is_first(step)) {
      const ResultTile& tile = steps.tile(step);
      result.emplace(product.c, product.element_size, tile.rows, tile.cols);
      if (product.reads_c) result->load(product.parallel);
    }
    add_product(product, now, steps.inner(step).front().extent(), *result, steps.is_first(step));
    if (steps.is_last(step)) result->store(product.parallel);
  }
}

}  // namespace dash::internal
