#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/ExecutionPolicy.h"
#include "dash/algorithm/internal/call/Chunks.h"
#include "dash/algorithm/internal/call/Operand.h"
#include "dash/algorithm/internal/scan/OrderedFold.h"
#include "dash/algorithm/internal/scan/ScanExchange.h"
#include "dash/algorithm/internal/scan/ScanKernel.h"
#include "dash/algorithm/internal/reduce/Search.h"
#include "dash/async/Executor.h"
#include "dash/internal/transfer/LocalBlocks.h"
#include "dash/internal/transfer/RangeTransfer.h"

namespace dash::internal {

/// What a scan reads, as seen by the owner of the output: native memory for all of its local part,
/// fetched as a whole if it is not there already. It is read twice, and the output may be written
/// over it.
template <class InputIt, class OutputIt>
class ScanInput {
 public:
  using Value = std::remove_cv_t<std::iter_value_t<InputIt>>;
  using Output = std::remove_pointer_t<typename OutputIt::local_type>;

  ScanInput(const InputIt& in_first, const OutputIt& out_first)
      : _in(in_first), _out(out_first), _is_aligned(internal::is_aligned(in_first, out_first)) {}

  /// \pre once, before at()
  void fetch(const Chunks<Output>& output) {
    _out_base = static_cast<const Output*>(_out.globmem().local_begin());
    if constexpr (GlobalIterator<InputIt>) {
      if (_is_aligned) {
        _base = static_cast<const Value*>(_in.globmem().local_begin());
        return;
      }
    }
    _memory = std::make_unique<Bytes[]>(static_cast<std::size_t>(output.size()));
    auto* to = reinterpret_cast<Value*>(_memory.get());
    _base = to;
    if constexpr (GlobalIterator<InputIt>) {
      Transfer transfer(_in.team().myid());
      for_each_run(output, [&](auto length, auto position) {
        start_get(transfer, _in + position, _in + position + length, to);
        to += length;
      });
      transfer.wait();
    } else {
      for_each_run(output, [&](auto length, auto position) {
        for (decltype(length) i = 0; i < length; ++i) {
          const Value value = _in[position + i];
          std::memcpy(static_cast<void*>(to++), &value, sizeof(Value));
        }
      });
    }
  }

  /// The input of an output element; those of the others of a run follow.
  const Value* at(const Output* element, default_index_t ordinal) const {
    return _base + (_is_aligned ? element - _out_base : ordinal);
  }

 private:
  struct alignas(Value) Bytes {
    unsigned char of_value[sizeof(Value)];
  };

  template <class Fn>
  void for_each_run(const Chunks<Output>& output, Fn fn) const {
    output.for_each_part(0, output.size(), [&](const LocalBlock<Output>& part) {
      for_each_position_run(_out, part,
                            [&](Output*, auto length, auto position) { fn(length, position); });
    });
  }

  InputIt _in;
  OutputIt _out;
  bool _is_aligned;
  const Output* _out_base = nullptr;
  const Value* _base = nullptr;
  std::unique_ptr<Bytes[]> _memory;
};

/// What a unit does of a scan: sums up the pieces of its part, and scans them as soon as it is known
/// what comes before them. Pieces are of one chunk at most, so that results do not depend on the
/// number of workers.
template <class InputIt, GlobalIterator OutputIt, class T, class BinaryOperation>
class ScanPart {
 public:
  using Index = typename OutputIt::index_type;
  using Output = std::remove_pointer_t<typename OutputIt::local_type>;

  /// \param in_order  on one thread
  ScanPart(ScanKind kind, bool in_order, const InputIt& in_first, const OutputIt& out_first,
           const OutputIt& out_last, BinaryOperation operation)
      : _kind(kind),
        _in_order(in_order),
        _out(out_first),
        _size(out_last - out_first),
        _op(std::move(operation)),
        _input(in_first, out_first) {}

  /// Gets the input. Before the other functions, but for size() and op().
  void fetch() {
    _chunks = local_chunks(_out, _out + _size);
    _input.fetch(_chunks);
  }

  Index size() const { return _size; }
  BinaryOperation& op() { return _op; }
  const std::vector<Stretch<T>>& stretches() const { return _stretches; }

  /// Where the caller's elements begin that have not been summed up.
  Index next_position() const {
    Index position = _size;
    _chunks.for_each_part(_next, _next + 1, [&](const LocalBlock<Output>& element) {
      position =
          static_cast<Index>(position_of_local(_out, static_cast<Index>(element.local_index)));
    });
    return position;
  }

  /// The whole scan, if the caller has all elements: some chunks are scanned while they are in the
  /// cache from summing them up, and the next ones summed up meanwhile, so that memory is read and
  /// written at the same time.
  void scan_alone(std::optional<T> before) {
    const auto whole = [](const LocalBlock<Output>& part, const auto& add) {
      add(part.data, part.length, static_cast<Index>(part.ordinal));
    };
    do {
      before = set_carries(0, _pieces.size(), std::move(before));
      run_tasks(_pieces.size(), next_batch(), whole);
    } while (!_pieces.empty());
  }

  /// Sums up more of the caller's elements, until they have many pieces, or all.
  void sum() {
    while (_next < _chunks.size() &&
           (_pieces.size() < max_pieces || !is_memory_ordered<OutputIt>)) {
      run_tasks(0, next_batch(), [this](const LocalBlock<Output>& part, const auto& add) {
        for_each_position_run(_out, part, add);
      });
    }
    if (!is_memory_ordered<OutputIt>) {
      std::sort(_pieces.begin(), _pieces.end(),
                [](const Piece& a, const Piece& b) { return a.position < b.position; });
    }
    find_stretches();
  }

  /// Scans the first stretches.
  /// \param before  before(i): what comes before stretch i; nothing at the begin of a range only
  template <class Before>
  void scan(std::size_t nstretches, const Before& before) {
    for (std::size_t i = 0; i < nstretches; ++i)
      set_carries(_first_pieces[i], _first_pieces[i + 1], before(i));
    run_tasks(_first_pieces[nstretches], _next, [](const auto&, const auto&) {});
    _first_pieces.clear();
    _stretches.clear();
  }

 private:
  /// Consecutive in the range and in memory.
  struct Piece {
    Output* data;
    default_index_t length;
    default_index_t ordinal;
    Index position;
    T sum;  ///< then what comes before it
  };

  static constexpr std::size_t max_pieces = std::size_t{1} << 17;
  /// Chunks of each worker that stay in its cache between two passes.
  static constexpr default_index_t chunks_of_worker = 8;

  /// The end of the elements that are summed up next.
  default_index_t next_batch() const {
    const auto most = Chunks<Output>::length * chunks_of_worker * exec::executor_workers();
    return std::min(_next + most, _chunks.size());
  }

  /// Scans the first pieces and forgets them; and sums up the elements from the next one to `end`,
  /// which become new pieces.
  /// \param split  split(part, add) calls add(data, length, position) for the pieces of a part
  template <class Split>
  void run_tasks(std::size_t nscanned, default_index_t end, const Split& split) {
    constexpr auto length = Chunks<Output>::length;
    if (nscanned == 0 && end - _next <= length) {
      _chunks.for_each_part(_next, end,
                            [&](const LocalBlock<Output>& part) { sum_part(part, split, _pieces); });
      _next = end;
      return;
    }
    const auto scans = scan_tasks(nscanned);
    std::vector<std::vector<Piece>> sums(
        static_cast<std::size_t>((end - _next + length - 1) / length));
    const auto scan = [&](std::size_t task) {
      BinaryOperation own_op = _op;
      for (std::size_t i = scans[task]; i < scans[task + 1]; ++i)
        scan_piece(_pieces[i], _begins_bare && i == 0, own_op);
    };
    const auto sum = [&](std::size_t chunk) {
      const auto begin = _next + static_cast<default_index_t>(chunk) * length;
      _chunks.for_each_part(
          begin, std::min(begin + length, end),
          [&](const LocalBlock<Output>& part) { sum_part(part, split, sums[chunk]); });
    };
    run_both(scans.size() - 1, scan, sums.size(), sum);
    if (nscanned > 0) _begins_bare = false;
    _pieces.erase(_pieces.begin(), _pieces.begin() + static_cast<std::ptrdiff_t>(nscanned));
    for (const auto& pieces : sums)
      _pieces.insert(_pieces.end(), pieces.begin(), pieces.end());
    _next = end;
  }

  /// The tasks of both kinds, in turns if there are both.
  template <class Scan, class Sum>
  void run_both(std::size_t nscans, const Scan& scan, std::size_t nsums, const Sum& sum) const {
    const std::size_t kinds = nscans > 0 && nsums > 0 ? 2 : 1;
    const std::size_t ntasks = kinds * std::max(nscans, nsums);
    const auto run = [&](std::size_t task) {
      const std::size_t number = task / kinds;
      const bool is_scan = kinds == 2 ? task % 2 == 0 : nscans > 0;
      if (is_scan && number < nscans) scan(number);
      if (!is_scan && number < nsums) sum(number);
    };
    if (_in_order) {
      for (std::size_t task = 0; task < ntasks; ++task)
        run(task);
    } else {
      exec::run_chunks(ntasks, run);
    }
  }

  template <class Split>
  void sum_part(const LocalBlock<Output>& part, const Split& split,
                std::vector<Piece>& pieces) const {
    BinaryOperation own_op = _op;
    split(part, [&](Output* data, auto length, Index position) {
      const auto ordinal = part.ordinal + (data - part.data);
      const auto* const in = _input.at(data, ordinal);
      const auto n = static_cast<default_index_t>(length);
      pieces.push_back({data, n, ordinal, position,
                        fold_ordered<T>(n, own_op, [in](default_index_t i) { return in[i]; })});
    });
  }

  void find_stretches() {
    _stretches.clear();
    _first_pieces.clear();
    Index end = -1;
    for (std::size_t i = 0; i < _pieces.size(); ++i) {
      const Piece& piece = _pieces[i];
      if (piece.position == end) {
        _stretches.back().sum = static_cast<T>(_op(_stretches.back().sum, piece.sum));
      } else {
        _stretches.push_back({piece.position, piece.sum});
        _first_pieces.push_back(i);
      }
      end = piece.position + static_cast<Index>(piece.length);
    }
    _first_pieces.push_back(_pieces.size());
  }

  /// Replaces the sums of pieces that follow each other by what comes before each.
  /// \returns what comes after the last
  std::optional<T> set_carries(std::size_t begin, std::size_t end, std::optional<T> before) {
    for (std::size_t i = begin; i < end; ++i) {
      const T sum = _pieces[i].sum;
      if (before) {
        _pieces[i].sum = *before;
      } else {
        _begins_bare = true;
      }
      fold_into(before, sum, _op);
    }
    return before;
  }

  /// Where the tasks begin that scan the first pieces, and the end: short pieces are put together.
  std::vector<std::size_t> scan_tasks(std::size_t npieces) const {
    std::vector<std::size_t> tasks;
    default_index_t left = 0;
    for (std::size_t i = 0; i < npieces; ++i) {
      if (left <= 0) {
        tasks.push_back(i);
        left = Chunks<Output>::length;
      }
      left -= _pieces[i].length;
    }
    tasks.push_back(npieces);
    return tasks;
  }

  /// \param is_bare  nothing comes before it: its first element is the first result
  void scan_piece(const Piece& piece, bool is_bare, BinaryOperation& op) const {
    scan_after(_kind, is_bare ? nullptr : &piece.sum, _input.at(piece.data, piece.ordinal),
               piece.data, piece.length, op);
  }

  ScanKind _kind;
  bool _in_order;
  OutputIt _out;
  Index _size;
  BinaryOperation _op;
  Chunks<Output> _chunks;  // of the output
  ScanInput<InputIt, OutputIt> _input;
  default_index_t _next = 0;   // elements that have been summed up
  std::vector<Piece> _pieces;  // of those, what has not been scanned
  std::vector<Stretch<T>> _stretches;
  std::vector<std::size_t> _first_pieces;  // of each stretch, and one more
  bool _begins_bare = false;
};

}  // namespace dash::internal
