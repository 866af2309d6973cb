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
#include "dash/algorithm/internal/reduce/Search.h"
#include "dash/algorithm/internal/scan/OrderedFold.h"
#include "dash/algorithm/internal/scan/ScanExchange.h"
#include "dash/algorithm/internal/scan/ScanKernel.h"
#include "dash/async/Executor.h"
#include "dash/internal/transfer/LocalBlocks.h"
#include "dash/internal/transfer/RangeTransfer.h"

namespace dash::internal {

/// The input of a scan for the caller's part of the output, in native memory. Input that is not
/// local is fetched as a whole, because it is read twice and the output may overwrite it.
template <class InputIt, class OutputIt>
class ScanInput {
 public:
  using Value = std::remove_cv_t<std::iter_value_t<InputIt>>;
  using Output = std::remove_pointer_t<typename OutputIt::local_type>;

  ScanInput(const InputIt& in_first, const OutputIt& out_first)
      : _in(in_first), _out(out_first), _is_aligned(internal::is_aligned(in_first, out_first)) {}

  /// Fetches the input. Must be called once, before at().
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
      for_each_contiguous_block(output, [&](auto length, auto position) {
        start_get(transfer, _in + position, _in + position + length, to);
        to += length;
      });
      transfer.wait();
    } else {
      for_each_contiguous_block(output, [&](auto length, auto position) {
        for (decltype(length) i = 0; i < length; ++i) {
          const Value value = _in[position + i];
          std::memcpy(static_cast<void*>(to++), &value, sizeof(Value));
        }
      });
    }
  }

  /// The input of an output element. The inputs of the following elements of the contiguous block
  /// follow it.
  const Value* at(const Output* element, default_index_t ordinal) const {
    return _base + (_is_aligned ? element - _out_base : ordinal);
  }

 private:
  struct alignas(Value) Bytes {
    unsigned char of_value[sizeof(Value)];
  };

  template <class Fn>
  void for_each_contiguous_block(const Chunks<Output>& output, Fn fn) const {
    output.for_each_part(0, output.size(), [&](const LocalBlock<Output>& part) {
      for_each_position_block(_out, part,
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

/// A unit's part of a scan: reduces the blocks of its elements, and scans them as soon as their
/// prefixes are known. A block has at most the length of a chunk, so that results do not depend on
/// the number of workers.
template <class InputIt, GlobalIterator OutputIt, class T, class BinaryOperation>
class ScanPart {
 public:
  using Index = typename OutputIt::index_type;
  using Output = std::remove_pointer_t<typename OutputIt::local_type>;

  /// \param is_sequential  whether to use one thread only
  ScanPart(ScanKind kind, bool is_sequential, const InputIt& in_first, const OutputIt& out_first,
           const OutputIt& out_last, BinaryOperation operation)
      : _kind(kind),
        _is_sequential(is_sequential),
        _out(out_first),
        _size(out_last - out_first),
        _op(std::move(operation)),
        _input(in_first, out_first) {}

  /// Fetches the input. Must be called before all other functions except size() and op().
  void fetch() {
    _chunks = local_chunks(_out, _out + _size);
    _input.fetch(_chunks);
  }

  Index size() const { return _size; }
  BinaryOperation& op() { return _op; }
  const std::vector<ScanSegment<T>>& segments() const { return _segments; }

  /// Position of the caller's first element that is not reduced yet.
  Index next_position() const {
    Index position = _size;
    _chunks.for_each_part(_next, _next + 1, [&](const LocalBlock<Output>& element) {
      position =
          static_cast<Index>(position_of_local(_out, static_cast<Index>(element.local_index)));
    });
    return position;
  }

  /// Performs the whole scan if the caller owns all elements. Some workers scan a batch of chunks,
  /// which is still in the cache from its reduction, while others reduce the next batch, so that
  /// memory is read and written at the same time.
  void scan_single_unit(std::optional<T> prefix) {
    const auto whole = [](const LocalBlock<Output>& part, const auto& add) {
      add(part.data, part.length, static_cast<Index>(part.ordinal));
    };
    do {
      prefix = replace_sums_by_prefixes(0, _blocks.size(), std::move(prefix));
      run_tasks(_blocks.size(), next_batch(), whole);
    } while (!_blocks.empty());
  }

  /// Reduces the caller's next elements until the limit of blocks per round or the end of its part
  /// is reached.
  void sum() {
    while (_next < _chunks.size() &&
           (_blocks.size() < max_blocks || !is_memory_ordered<OutputIt>)) {
      run_tasks(0, next_batch(), [this](const LocalBlock<Output>& part, const auto& add) {
        for_each_position_block(_out, part, add);
      });
    }
    if (!is_memory_ordered<OutputIt>) {
      std::sort(_blocks.begin(), _blocks.end(),
                [](const Block& a, const Block& b) { return a.position < b.position; });
    }
    find_segments();
  }

  /// Scans the first segments.
  /// \param prefix  prefix(i) is the prefix of segment i; it has no value only at the beginning of
  ///          the range
  template <class Prefix>
  void scan(std::size_t nsegments, const Prefix& prefix) {
    for (std::size_t i = 0; i < nsegments; ++i)
      replace_sums_by_prefixes(_first_blocks[i], _first_blocks[i + 1], prefix(i));
    run_tasks(_first_blocks[nsegments], _next, [](const auto&, const auto&) {});
    _first_blocks.clear();
    _segments.clear();
  }

 private:
  /// Elements that are consecutive in the range and in memory.
  struct Block {
    Output* data;
    default_index_t length;
    default_index_t ordinal;
    Index position;
    T sum;  ///< replaced by the prefix of the block
  };

  static constexpr std::size_t max_blocks = std::size_t{1} << 17;
  /// Number of chunks per worker that stay in its cache between the two passes.
  static constexpr default_index_t chunks_of_worker = 8;

  /// The end of the batch of elements that is reduced next.
  default_index_t next_batch() const {
    const auto most = Chunks<Output>::length * chunks_of_worker * exec::executor_workers();
    return std::min(_next + most, _chunks.size());
  }

  /// Scans and removes the first `nscanned` blocks, and at the same time reduces the elements up to
  /// `end`, which become new blocks.
  /// \param split  split(part, add) calls add(data, length, position) for each block of a part
  template <class Split>
  void run_tasks(std::size_t nscanned, default_index_t end, const Split& split) {
    constexpr auto length = Chunks<Output>::length;
    if (nscanned == 0 && end - _next <= length) {
      _chunks.for_each_part(
          _next, end, [&](const LocalBlock<Output>& part) { sum_part(part, split, _blocks); });
      _next = end;
      return;
    }
    const auto scans = scan_tasks(nscanned);
    std::vector<std::vector<Block>> sums(
        static_cast<std::size_t>((end - _next + length - 1) / length));
    const auto scan = [&](std::size_t task) {
      BinaryOperation own_op = _op;
      for (std::size_t i = scans[task]; i < scans[task + 1]; ++i)
        scan_block(_blocks[i], _has_no_prefix && i == 0, own_op);
    };
    const auto sum = [&](std::size_t chunk) {
      const auto begin = _next + static_cast<default_index_t>(chunk) * length;
      _chunks.for_each_part(
          begin, std::min(begin + length, end),
          [&](const LocalBlock<Output>& part) { sum_part(part, split, sums[chunk]); });
    };
    run_interleaved(scans.size() - 1, scan, sums.size(), sum);
    if (nscanned > 0) _has_no_prefix = false;
    _blocks.erase(_blocks.begin(), _blocks.begin() + static_cast<std::ptrdiff_t>(nscanned));
    for (const auto& blocks : sums)
      _blocks.insert(_blocks.end(), blocks.begin(), blocks.end());
    _next = end;
  }

  /// Runs the tasks of both kinds, alternating between them.
  template <class Scan, class Sum>
  void run_interleaved(std::size_t nscans, const Scan& scan, std::size_t nsums,
                       const Sum& sum) const {
    const std::size_t kinds = nscans > 0 && nsums > 0 ? 2 : 1;
    const std::size_t ntasks = kinds * std::max(nscans, nsums);
    const auto run = [&](std::size_t task) {
      const std::size_t number = task / kinds;
      const bool is_scan = kinds == 2 ? task % 2 == 0 : nscans > 0;
      if (is_scan && number < nscans) scan(number);
      if (!is_scan && number < nsums) sum(number);
    };
    if (_is_sequential) {
      for (std::size_t task = 0; task < ntasks; ++task)
        run(task);
    } else {
      exec::run_chunks(ntasks, run);
    }
  }

  template <class Split>
  void sum_part(const LocalBlock<Output>& part, const Split& split,
                std::vector<Block>& blocks) const {
    BinaryOperation own_op = _op;
    split(part, [&](Output* data, auto length, Index position) {
      const auto ordinal = part.ordinal + (data - part.data);
      const auto* const in = _input.at(data, ordinal);
      const auto n = static_cast<default_index_t>(length);
      blocks.push_back({data, n, ordinal, position,
                        fold_ordered<T>(n, own_op, [in](default_index_t i) { return in[i]; })});
    });
  }

  void find_segments() {
    _segments.clear();
    _first_blocks.clear();
    Index end = -1;
    for (std::size_t i = 0; i < _blocks.size(); ++i) {
      const Block& block = _blocks[i];
      if (block.position == end) {
        _segments.back().sum = static_cast<T>(_op(_segments.back().sum, block.sum));
      } else {
        _segments.push_back({block.position, block.sum});
        _first_blocks.push_back(i);
      }
      end = block.position + static_cast<Index>(block.length);
    }
    _first_blocks.push_back(_blocks.size());
  }

  /// Replaces the sums of consecutive blocks by the prefixes of the blocks.
  /// \returns the prefix of the block after the last one
  std::optional<T> replace_sums_by_prefixes(std::size_t begin, std::size_t end,
                                            std::optional<T> prefix) {
    for (std::size_t i = begin; i < end; ++i) {
      const T sum = _blocks[i].sum;
      if (prefix) {
        _blocks[i].sum = *prefix;
      } else {
        _has_no_prefix = true;
      }
      fold_into(prefix, sum, _op);
    }
    return prefix;
  }

  /// Groups the first blocks into scan tasks of about one chunk each.
  /// \returns the index of the first block of each task, and the end
  std::vector<std::size_t> scan_tasks(std::size_t nblocks) const {
    std::vector<std::size_t> tasks;
    default_index_t left = 0;
    for (std::size_t i = 0; i < nblocks; ++i) {
      if (left <= 0) {
        tasks.push_back(i);
        left = Chunks<Output>::length;
      }
      left -= _blocks[i].length;
    }
    tasks.push_back(nblocks);
    return tasks;
  }

  /// \param has_no_prefix  whether no element precedes the block; then its first element is the
  ///          first result
  void scan_block(const Block& block, bool has_no_prefix, BinaryOperation& op) const {
    scan_with_prefix(_kind, has_no_prefix ? nullptr : &block.sum,
                     _input.at(block.data, block.ordinal), block.data, block.length, op);
  }

  ScanKind _kind;
  bool _is_sequential;
  OutputIt _out;
  Index _size;
  BinaryOperation _op;
  Chunks<Output> _chunks;  // of the output
  ScanInput<InputIt, OutputIt> _input;
  default_index_t _next = 0;   // number of elements reduced so far
  std::vector<Block> _blocks;  // reduced, but not scanned yet
  std::vector<ScanSegment<T>> _segments;
  std::vector<std::size_t> _first_blocks;  // index of the first block of each segment, and the end
  bool _has_no_prefix = false;
};

}  // namespace dash::internal
