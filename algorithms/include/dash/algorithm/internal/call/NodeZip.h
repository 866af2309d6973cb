#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <tuple>
#include <type_traits>

#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/NodeChunks.h"
#include "dash/algorithm/internal/call/Operand.h"
#include "dash/internal/transfer/LocalBlocks.h"
#include "dash/internal/transfer/RangeTransfer.h"
#include "dash/internal/transfer/Transfer.h"
#include "dash/iterator/IteratorTraits.h"

/// \file
/// Element-wise work on several ranges that the units of a node share. Each unit locates the
/// counterparts of an element without communication.

namespace dash::internal {

/// Number of elements whose counterparts are copied into a buffer at a time, if they are not
/// contiguous in memory.
inline constexpr default_index_t zip_block = 2048;

/// Whether the caller can read all elements of a container, or of native memory, without
/// communication.
template <class It>
bool is_on_node(const It& first) {
  if constexpr (GlobalIterator<It>) {
    for (const int id : first.team()) {
      const team_unit_t unit(id);
      if (first.globmem().mapped_part(unit) == nullptr && first.pattern().local_size(unit) > 0)
        return false;
    }
  }
  return true;
}

/// The elements of one range at the positions of given elements of another range, which any unit of
/// the node may own.
/// \threads externally synchronized per object
template <class InputIt, GlobalIterator GlobIt>
class Counterparts {
 public:
  using Value = std::remove_cv_t<typename std::iterator_traits<InputIt>::value_type>;

  Counterparts(const InputIt& in_first, const GlobIt& first)
      : _in(in_first), _first(first), _is_aligned(is_aligned(in_first, first)) {}

  /// The counterparts of at most zip_block elements; valid until the next call.
  template <class T>
  const Value* of(const LocalBlock<T>& block) {
    if constexpr (GlobalIterator<InputIt>) {
      if (_is_aligned)
        return static_cast<const Value*>(_in.globmem().mapped_part(block.unit)) + block.local_index;
    }
    if (_size < block.length) {
      _size = block.length;
      _memory = std::make_unique_for_overwrite<Bytes[]>(static_cast<std::size_t>(_size));
    }
    auto* const begin = reinterpret_cast<Value*>(_memory.get());
    auto* to = begin;
    if constexpr (GlobalIterator<InputIt>) {
      Transfer transfer(_in.team().myid(), Transfer::Mode::blocking);
      for_each_position_block(_first, block, [&](T*, auto length, auto position) {
        start_get(transfer, _in + position, _in + position + length, to);
        to += length;
      });
      transfer.wait();
    } else {
      for_each_position_block(_first, block, [&](T*, auto length, auto position) {
        for (decltype(length) i = 0; i < length; ++i) {
          const Value value = _in[position + i];
          std::memcpy(static_cast<void*>(to++), &value, sizeof(Value));
        }
      });
    }
    return begin;
  }

 private:
  struct alignas(Value) Bytes {
    unsigned char of_value[sizeof(Value)];
  };

  InputIt _in;
  GlobIt _first;
  bool _is_aligned;
  default_index_t _size = 0;
  std::unique_ptr<Bytes[]> _memory;
};

/// Whether the caller can take part in shared element-wise work of its node on these ranges.
template <GlobalIterator GlobIt, class... OtherIts>
bool can_zip_on_node(Call& call, const GlobIt& first, const OtherIts&... other_firsts) {
  return call.node_work() != nullptr &&
         ((is_aligned(other_firsts, first) || is_on_node(other_firsts)) && ...);
}

/// Calls body(block, values...) for blocks of the elements of a range that the units of the node
/// own. `values` are the elements of the other ranges at the same positions, in native memory.
template <ExecutionPolicy Policy, GlobalIterator GlobIt, class Body, class... OtherIts>
void zip_on_node(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                 const Body& body, const OtherIts&... other_firsts) {
  run_parts(call, policy, first, last, [&](const auto& part) {
    std::tuple<Counterparts<OtherIts, GlobIt>...> others(
        Counterparts<OtherIts, GlobIt>(other_firsts, first)...);
    auto block = part;
    for (default_index_t begin = 0; begin < part.length; begin += zip_block) {
      block.data = part.data + begin;
      block.length = std::min(zip_block, part.length - begin);
      block.local_index = part.local_index + begin;
      block.ordinal = part.ordinal + begin;
      std::apply([&](auto&... other) { body(block, other.of(block)...); }, others);
    }
  });
}

}  // namespace dash::internal
