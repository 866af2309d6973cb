#include "dash/algorithm/internal/sort/DistributedSort.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "dash/Array.h"
#include "dash/algorithm/internal/sort/FindSplits.h"
#include "dash/algorithm/internal/sort/MergeSort.h"
#include "dash/algorithm/internal/call/Rounds.h"
#include "dash/algorithm/internal/call/ScratchBytes.h"
#include "dash/algorithm/internal/sort/SplitSearch.h"
#include "dash/async/FunctionRef.h"
#include "dash/pattern/CSRPattern.h"

namespace dash::internal {

namespace {

using Fetch = exec::FunctionRef<void(Transfer&, std::uint64_t, std::uint64_t, void*)>;

/// What each unit sees of few elements, on the stack.
struct alignas(64) FewElements {
  std::byte bytes[4096];
};

std::size_t longest(const RangeParts& parts) {
  return static_cast<std::size_t>(*std::max_element(parts.sizes().begin(), parts.sizes().end()));
}

/// Sorts elements of which each unit has consecutive ones.
///
/// 1. Each unit sorts its own.
/// 2. They find, for all units at once, which parts of the sorted sequences belong to a unit.
/// 3. Each unit fetches the parts that are to be its own.
/// 4. When all have done so, it merges them into its place.
class SortInPlace {
 public:
  /// \param own    the caller's elements
  /// \param fetch  begins to get elements by their positions
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

  /// \param prepare, finish  are called on each unit before the first step and after the last
  /// \throws exception::RuntimeError on all units if something throws on one
  /// \collective over the call's team  \blocks until all units have finished
  void run(exec::FunctionRef<void()> prepare, exec::FunctionRef<void()> finish) {
    std::optional<Rounds> rounds;
    _call.prepare(
        [&] { rounds.emplace(_call, _search.per_round(), _nbytes, _kernel.alignment()); });
    find_splits(
        *rounds, _parts, _search, _own, _kernel,
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
  struct Piece {
    std::size_t begin;
    std::size_t size;
  };

  /// What of a sequence is to be the caller's.
  Piece piece(std::size_t sequence) const {
    const auto begin = _search.split(_parts.self(), sequence);
    const auto end = _search.split(_parts.self() + 1, sequence);
    return {static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)};
  }

  void fetch() {
    std::size_t filled = 0;
    for (std::size_t sequence = 0; sequence < _parts.count(); ++sequence) {
      if (piece(sequence).size > 0) ++filled;
    }
    const std::size_t self = _parts.self();
    // Of two pieces the own one can stay, unless several workers are to merge them.
    _own_stays = filled < 2 ? piece(self).size == _size
                            : filled == 2 && piece(self).size > 0 && _workers == 1;
    std::vector<std::size_t> at(_parts.count());
    _bounds = {0};
    for (std::size_t sequence = 0; sequence < _parts.count(); ++sequence) {
      at[sequence] = _bounds.back();
      if (piece(sequence).size == 0 || (sequence == self && _own_stays)) continue;
      _bounds.push_back(_bounds.back() + piece(sequence).size);
    }
    if (_bounds.back() == 0) return;
    _fetched = ScratchBytes(_bounds.back() * _nbytes, _kernel.alignment());
    Transfer transfer(_call.myid(), Transfer::Mode::blocking);
    for (std::size_t i = 1; i < _parts.count(); ++i) {
      // Beginning with the next one, so that not all turn to the same unit first.
      const std::size_t sequence = (self + i) % _parts.count();
      const Piece from = piece(sequence);
      if (from.size == 0) continue;
      const std::uint64_t begin = _parts.offset(sequence) + from.begin;
      _fetch(transfer, begin, begin + from.size, _fetched.data() + at[sequence] * _nbytes);
    }
    if (!_own_stays) {
      const Piece own = piece(self);
      copy_native(_own + own.begin * _nbytes, own.size * _nbytes,
                  _fetched.data() + at[self] * _nbytes, _workers);
    }
    transfer.wait();
  }

  void merge() {
    if (_bounds.back() == 0) return;
    if (_own_stays) {
      merge_fetched_with_own();
      return;
    }
    const void* const result =
        merge_sequences(std::move(_bounds), _fetched.data(), _own, _kernel, _workers);
    if (result != _own) copy_native(result, _size * _nbytes, _own, _workers);
  }

  /// The own piece moves to the end of its place, where what is written does not overtake it.
  void merge_fetched_with_own() {
    const Piece own = piece(_parts.self());
    const std::size_t fetched_size = _bounds.back();
    std::byte* const own_begin = _own + fetched_size * _nbytes;
    std::memmove(own_begin, _own + own.begin * _nbytes, own.size * _nbytes);
    const Merge both = first_piece() == _parts.self()
                           ? Merge{own_begin, own.size, _fetched.data(), fetched_size, _own}
                           : Merge{_fetched.data(), fetched_size, own_begin, own.size, _own};
    _kernel.merge(both, 0, fetched_size + own.size);
  }
  std::size_t first_piece() const {
    std::size_t sequence = 0;
    while (piece(sequence).size == 0)
      ++sequence;
    return sequence;
  }

  Call& _call;
  const RangeParts& _parts;
  std::byte* _own;
  std::size_t _size;
  Fetch _fetch;
  SortKernel& _kernel;
  std::size_t _nbytes;  // of an element
  int _workers;
  SplitSearch _search;
  ScratchBytes _fetched;
  std::vector<std::size_t> _bounds;  // of the fetched pieces
  bool _own_stays = false;
};

}  // namespace

bool are_few(const RangeParts& parts, const SortKernel& kernel) {
  // More would cost each unit more than the exchanges do that it saves, if the order is dear.
  constexpr std::uint64_t most = 64;
  return parts.total() <= most && kernel.alignment() <= alignof(FewElements) &&
         parts.count() * Rounds::stride(longest(parts), kernel.element_size()) <=
             sizeof(FewElements);
}

void sort_few(Call& call, const RangeParts& parts, const SortRange& range, SortKernel& kernel,
              exec::FunctionRef<void(const void*)> sorted) {
  const std::size_t nbytes = kernel.element_size();
  const auto bytes_of = [&](std::size_t sequence) {
    return static_cast<std::size_t>(parts.size(sequence)) * nbytes;
  };
  FewElements own;
  FewElements all;
  Rounds rounds(call, longest(parts), nbytes, own.bytes, all.bytes);
  rounds.next([&](void* mine) {
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
      std::memcpy(end, rounds.shown(parts.unit(sequence), 0), bytes_of(sequence));
      end += bytes_of(sequence);
    }
    kernel.sort(own.bytes, static_cast<std::size_t>(parts.total()));
    const std::byte* const part = own.bytes + parts.offset(parts.self()) * nbytes;
    if (!parts.in_place()) {
      range.place(part);
    } else if (bytes_of(parts.self()) > 0) {
      std::memcpy(range.own(), part, bytes_of(parts.self()));
    }
    sorted(own.bytes);
  });
}

void sort_parts(Call& call, const RangeParts& parts, const SortRange& range, SortKernel& kernel,
                int workers) {
  if (parts.total() < 2) return;
  if (are_few(parts, kernel)) {
    sort_few(call, parts, range, kernel, [](const void*) {});
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
      .run([&] { range.load(sequence.lbegin()); }, [&] { range.place(sequence.lbegin()); });
}

}  // namespace dash::internal
