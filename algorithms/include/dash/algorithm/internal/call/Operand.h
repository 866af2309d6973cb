#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

#include "dash/algorithm/internal/call/Chunks.h"
#include "dash/async/Operation.h"
#include "dash/internal/transfer/LocalBlocks.h"
#include "dash/internal/transfer/RangeTransfer.h"
#include "dash/internal/transfer/Transfer.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash::internal {

/// Elements of an output of T that are computed at a time, if input has to be fetched for them: whole
/// chunks.
template <class T>
inline constexpr default_index_t slab_length =
    std::max<default_index_t>((default_index_t{1} << 16) / Chunks<T>::length, 1) *
    Chunks<T>::length;

/// Where two ranges are distributed alike, the owner of an output element has its input at the same
/// local index.
template <class InputIt, class OutputIt>
bool is_aligned(const InputIt&, const OutputIt&) {
  return false;
}
template <class T, class U, class Pattern, class Mem, class P1, class R1, class P2, class R2>
bool is_aligned(const GlobIter<T, Pattern, Mem, P1, R1>& in,
                const GlobIter<U, Pattern, Mem, P2, R2>& out) {
  return in.pos() == out.pos() && in.pattern() == out.pattern();
}
template <class T, class U, class Pattern, class Mem, class P1, class R1, class P2, class R2>
bool is_aligned(const GlobViewIter<T, Pattern, Mem, P1, R1>& in,
                const GlobViewIter<U, Pattern, Mem, P2, R2>& out) {
  return in.rpos() == out.rpos() && in.viewspec() == out.viewspec() &&
         in.pattern() == out.pattern();
}

/// An input of an element-wise operation, as seen by the owner of the output: native memory for
/// each slab of the output's local part, fetched ahead where it is not there already.
template <class InputIt, class OutputIt>
class Operand {
 public:
  using Value = std::remove_cv_t<typename std::iterator_traits<InputIt>::value_type>;

  Operand(const InputIt& in_first, const OutputIt& out_first)
      : _in(in_first),
        _out(out_first),
        _aligned(is_aligned(in_first, out_first)),
        _myid(out_first.team().myid()) {
    if constexpr (GlobalIterator<InputIt>) {
      if (_aligned) _base = static_cast<const Value*>(_in.globmem().local_begin());
    }
  }

  /// Whether nothing has to be fetched, so that the output need not be cut into slabs.
  bool is_direct() const { return _aligned; }

  /// Starts to get what a slab of the output needs, of which none is longer than the first.
  template <class T>
  void prefetch(const Chunks<T>& output, default_index_t begin, default_index_t end) {
    if (_aligned) return;
    auto& buffer = _buffers[_next];
    if (!buffer.memory) {
      buffer.memory =
          std::make_unique_for_overwrite<Bytes[]>(static_cast<std::size_t>(end - begin));
    }
    buffer.begin = begin;
    auto* to = reinterpret_cast<Value*>(buffer.memory.get());
    if constexpr (GlobalIterator<InputIt>) {
      Transfer transfer(_in.team().myid());
      output.for_each_part(begin, end, [&](const LocalBlock<T>& part) {
        for_each_position_run(_out, part, [&](T*, auto length, auto position) {
          start_get(transfer, _in + position, _in + position + length, to);
          to += length;
        });
      });
      buffer.pending = transfer.finish();
    } else {
      output.for_each_part(begin, end, [&](const LocalBlock<T>& part) {
        for_each_position_run(_out, part, [&](T*, auto length, auto position) {
          for (decltype(length) i = 0; i < length; ++i) {
            const Value value = _in[position + i];
            std::memcpy(static_cast<void*>(to++), &value, sizeof(Value));
          }
        });
      });
    }
    _next = 1 - _next;
  }

  /// Waits for the oldest slab that was prefetched and lets at() see it.
  void use() {
    if (_aligned) return;
    _current = 1 - _current;
    _buffers[_current].pending.wait();
  }

  /// The input of the first element of a part of the output; those of the others follow.
  template <class T>
  const Value* at(const LocalBlock<T>& part) const {
    if (_aligned) return base_of(part.unit) + part.local_index;
    const auto& buffer = _buffers[_current];
    return reinterpret_cast<const Value*>(buffer.memory.get()) + (part.ordinal - buffer.begin);
  }

 private:
  const Value* base_of(team_unit_t unit) const {
    if constexpr (GlobalIterator<InputIt>) {
      if (unit != _myid) return static_cast<const Value*>(_in.globmem().mapped_part(unit));
    }
    return _base;
  }

  struct alignas(Value) Bytes {
    unsigned char of_value[sizeof(Value)];
  };
  struct Buffer {
    std::unique_ptr<Bytes[]> memory;
    default_index_t begin = 0;
    exec::Operation pending;

    Buffer() = default;
    Buffer(Buffer&&) noexcept = default;
    // If the operation threw, what was prefetched may still be written.
    ~Buffer() { settle(pending); }
  };

  InputIt _in;
  OutputIt _out;
  bool _aligned;
  team_unit_t _myid;
  const Value* _base = nullptr;
  std::array<Buffer, 2> _buffers;
  std::size_t _next = 0;
  std::size_t _current = 1;
};

}  // namespace dash::internal
