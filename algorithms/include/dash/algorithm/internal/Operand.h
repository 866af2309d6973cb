#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include "dash/algorithm/internal/Chunks.h"
#include "dash/algorithm/internal/NodeChunks.h"
#include "dash/async/Operation.h"
#include "dash/internal/LocalRuns.h"
#include "dash/internal/RangeTransfer.h"
#include "dash/internal/Transfer.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash::internal {

/// Elements of the output that are computed at a time, if input has to be fetched for them.
inline constexpr default_index_t slab_length = default_index_t{1} << 16;

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

  /// Starts to get what a slab of the output needs.
  template <class T>
  void prefetch(const Chunks<T>& output, default_index_t begin, default_index_t end) {
    if (_aligned) return;
    auto& buffer = _buffers[_next];
    if (!buffer.memory) buffer.memory = std::make_unique<Bytes[]>(slab_length);
    buffer.begin = begin;
    auto* to = reinterpret_cast<Value*>(buffer.memory.get());
    if constexpr (GlobalIterator<InputIt>) {
      Transfer transfer(_in.team().myid());
      output.for_each_part(begin, end, [&](const LocalRun<T>& part) {
        for_each_position_run(_out, part, [&](T*, auto length, auto position) {
          start_get(transfer, _in + position, _in + position + length, to);
          to += length;
        });
      });
      buffer.pending = transfer.finish();
    } else {
      output.for_each_part(begin, end, [&](const LocalRun<T>& part) {
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
  const Value* at(const LocalRun<T>& part) const {
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

/// Computes the caller's part of an output range element by element from inputs at equal positions.
/// \param run  run(body) calls body(LocalRun) for all of the output, if nothing has to be fetched
template <ExecutionPolicy Policy, GlobalIterator OutputIt, class Run, class Function,
          class... InputIts>
void transform_by(const Policy& policy, const OutputIt& out_first, const OutputIt& out_last,
                  const Run& run, Function function, const InputIts&... in_firsts) {
  using T = std::remove_pointer_t<typename OutputIt::local_type>;
  if (!(out_first < out_last)) return;
  std::tuple<Operand<InputIts, OutputIt>...> operands(
      Operand<InputIts, OutputIt>(in_firsts, out_first)...);
  const auto compute = [&](const LocalRun<T>& part) {
    std::apply(
        [&](const auto&... in) {
          [&](const auto*... values) {
            T* const data = part.data;
            for_each_of(policy, part.length, [&](auto i) { data[i] = function(values[i]...); });
          }(in.at(part)...);
        },
        operands);
  };
  if (std::apply([](const auto&... in) { return (in.is_direct() && ...); }, operands)) {
    run(compute);
    return;
  }

  const auto output = local_chunks(out_first, out_last);
  if (output.size() == 0) return;
  const auto prefetch = [&](default_index_t begin) {
    const auto end = std::min(begin + slab_length, output.size());
    if (begin < end) {
      std::apply([&](auto&... in) { (in.prefetch(output, begin, end), ...); }, operands);
    }
  };
  prefetch(0);
  for (default_index_t begin = 0; begin < output.size(); begin += slab_length) {
    std::apply([](auto&... in) { (in.use(), ...); }, operands);
    prefetch(begin + slab_length);
    output.run_parts(policy, begin, std::min(begin + slab_length, output.size()), compute);
  }
}

/// The same; with par_node, where no input has to be fetched, the units of a node do so together.
template <ExecutionPolicy Policy, GlobalIterator OutputIt, class Function, class... InputIts>
void transform_local(Call& call, const Policy& policy, const OutputIt& out_first,
                     const OutputIt& out_last, Function function, const InputIts&... in_firsts) {
  transform_by(
      policy, out_first, out_last,
      [&](const auto& compute) { run_parts(call, policy, out_first, out_last, compute); },
      std::move(function), in_firsts...);
}
/// \overload  each unit its own, whatever the policy
template <ExecutionPolicy Policy, GlobalIterator OutputIt, class Function, class... InputIts>
void transform_local(const Policy& policy, const OutputIt& out_first, const OutputIt& out_last,
                     Function function, const InputIts&... in_firsts) {
  transform_by(
      policy, out_first, out_last,
      [&](const auto& compute) { local_chunks(out_first, out_last).run_parts(policy, compute); },
      std::move(function), in_firsts...);
}

}  // namespace dash::internal
