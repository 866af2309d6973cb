#include "dash/algorithm/internal/sort/DistributedSort.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "dash/Array.h"
#include "dash/algorithm/internal/call/CheckedAllgather.h"
#include "dash/algorithm/internal/call/ScratchBytes.h"
#include "dash/algorithm/internal/sort/FindSplits.h"
#include "dash/algorithm/internal/sort/MergeSort.h"
#include "dash/algorithm/internal/sort/SplitSearch.h"
#include "dash/async/FunctionRef.h"
#include "dash/pattern/CSRPattern.h"

namespace dash::internal {

namespace {

using Fetch = exec::FunctionRef<void(Transfer&, std::uint64_t, std::uint64_t, void*)>;

/// Stack buffer for all elements of a small range.
struct alignas(64) SmallBuffer {
  std::byte bytes[4096];
};

std::size_t longest(const RangeParts& parts) {
  return static_cast<std::size_t>(*std::max_element(parts.sizes().begin(), parts.sizes().end()));
}

/// Sorts a range of which each unit owns consecutive elements.
///
/// 1. Each unit sorts its own elements.
/// 2. The units find, for all units at once, the fragments of the sorted sequences that each unit
/// will own.
/// 3. Each unit fetches its fragments.
/// 4. After all units have fetched, each unit merges its fragments into its own memory.
class SortInPlace {
 public:
  /// \param own    the caller's elements
  /// \param fetch  starts to fetch elements by positions
  SortInPlace(Call& call, const RangeParts& parts, void* own, Fetch fetch, SortKernel& kernel,
              int workers)
      : _call(call),
        _parts(parts),
        _own(static_cast<std::byte*>(own)),
        _size(static_cast<std::size_t>(parts.size(parts.self()))),
        _fetch(fetch),
        _kernel(kernel),
        _nbytes(kernel.element_size()),
        _workers(workers),
        _search(parts.sizes(), parts.offsets(), kernel.element_size()) {}

  /// \param prepare, finish  called on each unit before the first step and after the last one
  /// \throws exception::RuntimeError on all units if any step throws on one
  /// \collective over the call's team  \blocks until all units have finished
  void run(exec::FunctionRef<void()> prepare, exec::FunctionRef<void()> finish) {
    std::optional<CheckedAllgather> allgather;
    _call.prepare(
        [&] { allgather.emplace(_call, _search.per_round(), _nbytes, _kernel.alignment()); });
    find_splits(
        *allgather, _parts, _search, _own, _kernel,
        [&] {
          prepare();
          _kernel.check(_own, _size);
          sort_native(_own, _size, _kernel, _workers);
        },
        [&] { fetch(); });
    _call.run([&] {
      merge();
      finish();
    });
  }

 private:
  struct Fragment {
    std::size_t begin;
    std::size_t size;
  };

  /// The fragment of a sequence that the caller will own.
  Fragment fragment(std::size_t sequence) const {
    const auto begin = _search.split(_parts.self(), sequence);
    const auto end = _search.split(_parts.self() + 1, sequence);
    return {static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)};
  }

  void fetch() {
    std::size_t filled = 0;
    for (std::size_t sequence = 0; sequence < _parts.count(); ++sequence) {
      if (fragment(sequence).size > 0) ++filled;
    }
    const std::size_t self = _parts.self();
    // If there are only two fragments, the caller's own one stays in place, unless several workers
    // merge them.
    _keeps_own = filled < 2 ? fragment(self).size == _size
                            : filled == 2 && fragment(self).size > 0 && _workers == 1;
    std::vector<std::size_t> at(_parts.count());
    _bounds = {0};
    for (std::size_t sequence = 0; sequence < _parts.count(); ++sequence) {
      at[sequence] = _bounds.back();
      if (fragment(sequence).size == 0 || (sequence == self && _keeps_own)) continue;
      _bounds.push_back(_bounds.back() + fragment(sequence).size);
    }
    if (_bounds.back() == 0) return;
    _fetched = ScratchBytes(_bounds.back() * _nbytes, _kernel.alignment());
    Transfer transfer(_call.myid(), Transfer::Mode::blocking);
    for (std::size_t i = 1; i < _parts.count(); ++i) {
      // Each unit begins with the next one, so that the units do not all access the same unit
      // first.
      const std::size_t sequence = (self + i) % _parts.count();
      const Fragment from = fragment(sequence);
      if (from.size == 0) continue;
      const std::uint64_t begin = _parts.offset(sequence) + from.begin;
      _fetch(transfer, begin, begin + from.size, _fetched.data() + at[sequence] * _nbytes);
    }
    if (!_keeps_own) {
      const Fragment own = fragment(self);
      copy_native(_own + own.begin * _nbytes, own.size * _nbytes,
                  _fetched.data() + at[self] * _nbytes, _workers);
    }
    transfer.wait();
  }

  void merge() {
    if (_bounds.back() == 0) return;
    if (_keeps_own) {
      merge_with_own_fragment();
      return;
    }
    const void* const result =
        merge_sequences(std::move(_bounds), _fetched.data(), _own, _kernel, _workers);
    if (result != _own) copy_native(result, _size * _nbytes, _own, _workers);
  }

  /// Moves the caller's own fragment to the end of its memory, where the output of the merge does
  /// not overtake it.
  void merge_with_own_fragment() {
    const Fragment own = fragment(_parts.self());
    const std::size_t fetched_size = _bounds.back();
    std::byte* const own_begin = _own + fetched_size * _nbytes;
    std::memmove(own_begin, _own + own.begin * _nbytes, own.size * _nbytes);
    const Merge both = first_fragment() == _parts.self()
                           ? Merge{own_begin, own.size, _fetched.data(), fetched_size, _own}
                           : Merge{_fetched.data(), fetched_size, own_begin, own.size, _own};
    _kernel.merge(both, 0, fetched_size + own.size);
  }
  std::size_t first_fragment() const {
    std::size_t sequence = 0;
    while (fragment(sequence).size == 0)
      ++sequence;
    return sequence;
  }

  Call& _call;
  const RangeParts& _parts;
  std::byte* _own;
  std::size_t _size;
  Fetch _fetch;
  SortKernel& _kernel;
  std::size_t _nbytes;  // element size
  int _workers;
  SplitSearch _search;
  ScratchBytes _fetched;
  std::vector<std::size_t> _bounds;  // of the fetched fragments
  bool _keeps_own = false;
};

}  // namespace

bool is_small(const RangeParts& parts, const SortKernel& kernel) {
  // With an expensive comparison, sorting more elements redundantly costs more than the exchanges
  // that it saves.
  constexpr std::uint64_t max_elements = 64;
  return parts.total() <= max_elements && kernel.alignment() <= alignof(SmallBuffer) &&
         parts.count() * CheckedAllgather::stride(longest(parts), kernel.element_size()) <=
             sizeof(SmallBuffer);
}

void sort_small(Call& call, const RangeParts& parts, const SortRange& range, SortKernel& kernel,
                exec::FunctionRef<void(const void*)> sorted) {
  const std::size_t nbytes = kernel.element_size();
  const auto bytes_of = [&](std::size_t sequence) {
    return static_cast<std::size_t>(parts.size(sequence)) * nbytes;
  };
  SmallBuffer own;
  SmallBuffer all;
  CheckedAllgather allgather(call, longest(parts), nbytes, own.bytes, all.bytes);
  allgather.gather([&](void* mine) {
    if (!parts.in_place()) {
      range.load(mine);
    } else if (bytes_of(parts.self()) > 0) {
      std::memcpy(mine, range.own(), bytes_of(parts.self()));
    }
    kernel.check(mine, static_cast<std::size_t>(parts.size(parts.self())));
  });
  call.run([&] {
    std::byte* end = own.bytes;
    for (std::size_t sequence = 0; sequence < parts.count(); ++sequence) {
      std::memcpy(end, allgather.element(parts.unit(sequence), 0), bytes_of(sequence));
      end += bytes_of(sequence);
    }
    kernel.sort(own.bytes, static_cast<std::size_t>(parts.total()));
    const std::byte* const part = own.bytes + parts.offset(parts.self()) * nbytes;
    if (!parts.in_place()) {
      range.store(part);
    } else if (bytes_of(parts.self()) > 0) {
      std::memcpy(range.own(), part, bytes_of(parts.self()));
    }
    sorted(own.bytes);
  });
}

void sort_parts(Call& call, const RangeParts& parts, const SortRange& range, SortKernel& kernel,
                int workers) {
  if (parts.total() < 2) return;
  if (is_small(parts, kernel)) {
    sort_small(call, parts, range, kernel, [](const void*) {});
    return;
  }
  if (parts.in_place()) {
    const auto fetch = [&](Transfer& transfer, std::uint64_t begin, std::uint64_t end, void* out) {
      range.fetch(transfer, begin, end, out);
    };
    SortInPlace(call, parts, range.own(), fetch, kernel, workers).run([] {}, [] {});
    return;
  }
  const std::size_t nbytes = kernel.element_size();
  std::vector<std::size_t> sizes;
  for (const std::uint64_t size : parts.sizes())
    sizes.push_back(static_cast<std::size_t>(size) * nbytes);
  Array<std::byte, default_index_t, CSRPattern<1>> sequence(CSRPattern<1>(sizes, call.team()));
  const auto fetch = [&](Transfer& transfer, std::uint64_t begin, std::uint64_t end, void* out) {
    start_get(transfer, sequence.begin() + static_cast<default_index_t>(begin * nbytes),
              sequence.begin() + static_cast<default_index_t>(end * nbytes),
              static_cast<std::byte*>(out));
  };
  SortInPlace(call, parts, sequence.lbegin(), fetch, kernel, workers)
      .run([&] { range.load(sequence.lbegin()); }, [&] { range.store(sequence.lbegin()); });
}

}  // namespace dash::internal
