#include "DashFetch.h"

#include <dash/Array.h>
#include <dash/Future.h>
#include <dash/algorithm/Copy.h>

#include "support/OnNode.h"

namespace spmv {

namespace {

/// What is on the node is read where it is; the rest is copied.
class DashFetch final : public Fetch {
 public:
  explicit DashFetch(const FetchSpec& spec)
      : Fetch(spec),
        _vector(spec.layout.grid.rows() * spec.block_size,
                dash::BLOCKCYCLIC(static_cast<int>(spec.layout.block * spec.block_size))) {
    const auto parts = kernels::parts_on_node(_vector);
    for (const Need& need : spec.needs) {
      const double* const part = parts[static_cast<std::size_t>(need.owner)];
      if (part != nullptr) {
        read_in_place(need, part + spec.place_in_part(need, need.first()));
      } else {
        copy_before_reading(need);
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

  void copy_before_reading(const Need& need) {
    const auto place = [&](std::uint64_t column) {
      return _vector.begin() + static_cast<Vector::index_type>(column * _spec.block_size);
    };
    double* out = make_room(need);
    for (const Run& run : runs_of(need, _spec.variant)) {
      _copies.push_back({place(run.first), place(run.first + run.length), out});
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
