#include "DashFetch.h"

#include <dash/Array.h>
#include <dash/Future.h>
#include <dash/algorithm/Copy.h>

#include "support/NodeBlocks.h"

namespace spmv {

namespace {

/// Reads columns on the same node in place and copies those on other nodes.
class DashFetch final : public Fetch {
 public:
  explicit DashFetch(const FetchSpec& spec)
      : Fetch(spec),
        _vector(spec.layout.grid.rows() * spec.block_size,
                dash::BLOCKCYCLIC(static_cast<int>(spec.layout.block * spec.block_size))) {
    const auto blocks = kernels::blocks_on_node(_vector);
    for (const Dependency& dependency : spec.dependencies) {
      const double* const block = blocks[static_cast<std::size_t>(dependency.owner)];
      if (block != nullptr) {
        read_in_place(dependency, block + spec.offset_in_block(dependency, dependency.first()));
      } else {
        copy_before_reading(dependency);
      }
    }
  }

  std::span<double> local() override { return {_vector.lbegin(), _vector.lsize()}; }

  void start() override {
    for (const Copy& copy : _copies)
      _fetches.push_back(dash::copy_async(copy.begin, copy.end, copy.out));
  }
  void finish() override {
    for (auto& each : _fetches)
      each.get();
    _fetches.clear();
  }

 private:
  using Vector = dash::Array<double>;
  struct Copy {
    Vector::iterator begin;
    Vector::iterator end;
    double* out;
  };

  void copy_before_reading(const Dependency& dependency) {
    const auto at = [&](std::uint64_t column) {
      return _vector.begin() + static_cast<Vector::index_type>(column * _spec.block_size);
    };
    double* out = make_buffer(dependency);
    for (const ColumnRun& run : runs_of(dependency, _spec.variant)) {
      _copies.push_back({at(run.first), at(run.first + run.length), out});
      out += run.length * _spec.block_size;
    }
  }

  Vector _vector;
  std::vector<Copy> _copies;
  std::vector<dash::Future<double*>> _fetches;
};

}  // namespace

std::unique_ptr<Fetch> make_dash_fetch(const FetchSpec& spec, const std::string& /*via*/) {
  return std::make_unique<DashFetch>(spec);
}

}  // namespace spmv
