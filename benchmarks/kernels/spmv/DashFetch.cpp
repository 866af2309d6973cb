#include "DashFetch.h"

#include <dash/Array.h>
#include <dash/Exception.h>
#include <dash/Future.h>
#include <dash/algorithm/Copy.h>

#include "support/DashTypes.h"

namespace spmv {

namespace {

using Vector = dash::Array<double>;
using Index = Vector::index_type;

class DashFetch : public Fetch {
 public:
  explicit DashFetch(const FetchSpec& spec)
      : _spec(spec),
        _vector(spec.layout.grid.rows() * spec.block_size,
                dash::BLOCKCYCLIC(static_cast<int>(spec.layout.block * spec.block_size))) {
    _ghosts.resize(spec.ghosts);
  }

  std::span<double> local() override { return {_vector.lbegin(), _vector.lsize()}; }

 protected:
  /// Starts to fetch columns that follow each other.
  void fetch(std::uint64_t first, std::uint64_t length, double* out) {
    const auto begin = _vector.begin() + static_cast<Index>(first * _spec.block_size);
    const auto end = begin + static_cast<Index>(length * _spec.block_size);
    _fetches.push_back(dash::copy_async(begin, end, out));
  }
  double* ghosts_of(const Need& need) { return _ghosts.data() + need.place * _spec.block_size; }

  FetchSpec _spec;
  Vector _vector;
  std::vector<dash::Future<double*>> _fetches;

 public:
  void finish() override {
    for (auto& each : _fetches)
      each.get();
    _fetches.clear();
  }
};

/// A get for each column.
class DashElements final : public DashFetch {
 public:
  using DashFetch::DashFetch;
  void start() override {
    for (const Need& need : _spec.needs) {
      double* out = ghosts_of(need);
      for (const std::uint64_t column : need.columns) {
        fetch(column, 1, out);
        out += _spec.block_size;
      }
    }
  }
};

/// A get for each owner.
class DashRanges final : public DashFetch {
 public:
  using DashFetch::DashFetch;
  void start() override {
    for (const Need& need : _spec.needs)
      fetch(need.first(), need.span(), ghosts_of(need));
  }
};

/// A get for each owner, of the elements of a list that is made once.
class DashLists final : public DashFetch {
 public:
  explicit DashLists(const FetchSpec& spec) : DashFetch(spec) {
    for (const Need& need : _spec.needs) {
      std::vector<std::size_t> lengths;
      std::vector<std::size_t> places;
      for (const Run& run : runs_of(need)) {
        lengths.push_back(run.length * _spec.block_size);
        places.push_back((run.first - need.first()) * _spec.block_size);
      }
      const auto first = static_cast<Index>(need.first() * _spec.block_size);
      _lists.emplace_back(_vector.gptr_at(first), need.columns.size() * _spec.block_size,
                          kernels::IndexedType(DART_TYPE_DOUBLE, lengths, places));
    }
  }

  void start() override {
    for (std::size_t i = 0; i < _lists.size(); ++i) {
      const List& list = _lists[i];
      kernels::check(dart_get_handle(ghosts_of(_spec.needs[i]), list.begin, list.size,
                                     list.type.get(), DART_TYPE_DOUBLE,
                                     &_handles.emplace_back(DART_HANDLE_NULL)));
    }
  }
  void finish() override {
    if (!_handles.empty()) kernels::check(dart_waitall_local(_handles.data(), _handles.size()));
    _handles.clear();
  }

 private:
  struct List {
    List(const dart_gptr_t& first, std::size_t n, kernels::IndexedType indexed)
        : begin(first), size(n), type(std::move(indexed)) {}
    dart_gptr_t begin;
    std::size_t size;
    kernels::IndexedType type;
  };
  std::vector<List> _lists;
  std::vector<dart_handle_t> _handles;
};

}  // namespace

std::unique_ptr<Fetch> make_dash_fetch(const FetchSpec& spec, const std::string& /*via*/) {
  switch (spec.variant) {
    case Fetch::Variant::elements:
      return std::make_unique<DashElements>(spec);
    case Fetch::Variant::ranges:
      return std::make_unique<DashRanges>(spec);
    case Fetch::Variant::lists:
      return std::make_unique<DashLists>(spec);
  }
  return nullptr;
}

}  // namespace spmv
