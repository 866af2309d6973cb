#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include "dash/algorithm/internal/call/Chunks.h"
#include "dash/async/Operation.h"
#include "dash/internal/transfer/LocalBlocks.h"
#include "dash/internal/transfer/RangeTransfer.h"
#include "dash/internal/transfer/Transfer.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash::internal {

/// Number of elements of an output of T that are computed per batch if their input has to be
/// fetched: a multiple of the chunk length.
template <class T>
inline constexpr default_index_t batch_length =
    std::max<default_index_t>((default_index_t{1} << 16) / Chunks<T>::length, 1) *
    Chunks<T>::length;

/// Whether two ranges are distributed alike, so that the owner of an output element has the
/// corresponding input at the same local index.
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

/// An input of an element-wise operation for the caller's part of the output: native memory for
/// each batch of output elements. Input that is not local is prefetched.
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

  /// Whether the input is local, so that the output need not be split into batches.
  bool is_direct() const { return _aligned; }

  /// Starts to fetch the input of a batch of output elements. No batch may be longer than the first
  /// one.
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
        for_each_position_block(_out, part, [&](T*, auto length, auto position) {
          start_get(transfer, _in + position, _in + position + length, to);
          to += length;
        });
      });
      buffer.pending = transfer.finish();
    } else {
      output.for_each_part(begin, end, [&](const LocalBlock<T>& part) {
        for_each_position_block(_out, part, [&](T*, auto length, auto position) {
          for (decltype(length) i = 0; i < length; ++i) {
            const Value value = _in[position + i];
            std::memcpy(static_cast<void*>(to++), &value, sizeof(Value));
          }
        });
      });
    }
    _next = 1 - _next;
  }

  /// Waits for the oldest prefetched batch and makes it the current one, which at() returns.
  void use() {
    if (_aligned) return;
    _current = 1 - _current;
    _buffers[_current].pending.wait();
  }

  /// The input of the first element of a part of the output; the inputs of the following elements
  /// follow it.
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
    // If the application's function has thrown, a prefetch may still write to the buffer.
    ~Buffer() { wait_ignoring_errors(pending); }
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

/// The inputs of an element-wise operation, any number of them; see Operand.
template <class OutputIt, class... InputIts>
class Operands {
 public:
  explicit Operands(const OutputIt& out_first, const InputIts&... in_firsts)
      : _operands(Operand<InputIts, OutputIt>(in_firsts, out_first)...) {}

  bool is_direct() const {
    return std::apply([](const auto&... in) { return (in.is_direct() && ...); }, _operands);
  }
  template <class T>
  void prefetch(const Chunks<T>& output, default_index_t begin, default_index_t end) {
    std::apply([&](auto&... in) { (in.prefetch(output, begin, end), ...); }, _operands);
  }
  void use() {
    std::apply([](auto&... in) { (in.use(), ...); }, _operands);
  }
  /// Calls f(in...) with the inputs of the first element of a part of the output, as pointers.
  template <class T, class F>
  decltype(auto) with_inputs_of(const LocalBlock<T>& part, const F& f) const {
    return std::apply([&](const auto&... in) -> decltype(auto) { return f(in.at(part)...); },
                      _operands);
  }

 private:
  std::tuple<Operand<InputIts, OutputIt>...> _operands;
};

}  // namespace dash::internal
