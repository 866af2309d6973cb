#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "dash/Array.h"
#include "dash/Collectives.h"
#include "dash/DataCollectives.h"
#include "dash/Future.h"
#include "dash/ParallelFor.h"
#include "dash/Signal.h"
#include "dash/Team.h"
#include "dash/internal/transfer/RangeTransfer.h"

namespace dash::internal {

/// Copies elements of each unit, again and again, to the units that need them. A unit has its own elements and the others in
/// one buffer, in their global order. The owner packs the elements for a unit, puts them into the buffer of that unit, and
/// adds 1 to a signal there.
///
/// There are two buffers and signals, for even and odd rounds. A unit may start a round only when all units have started the
/// one before. They then have used the elements of the second last round, whose buffer the new round overwrites.
/// \threads externally synchronized
template <class T>
class NeededElements {
 public:
  /// \param num_own    the number of elements of this unit
  /// \param needed_of  for each unit the positions in its part of the elements that the caller needs, in ascending order
  /// \collective over the team
  NeededElements(std::size_t num_own, const std::vector<std::vector<std::size_t>>& needed_of,
                 Team& team)
      : _team(&team), _num_own(num_own), _sent_to(dash::alltoallv(needed_of, team)) {
    const auto me = static_cast<std::size_t>(team.myid().id);
    std::vector<std::size_t> begins;
    std::size_t size = 0;
    for (std::size_t unit = 0; unit < needed_of.size(); ++unit) {
      if (unit == me) {
        _own_begin = size;
        size += num_own;
      }
      begins.push_back(size);
      size += needed_of[unit].size();
      if (!needed_of[unit].empty()) ++_num_senders;
    }
    _begin_at = dash::alltoall(begins, team);
    const auto max = dash::max<std::size_t>();
    if (dash::allreduce_async(_num_senders, max, team).get() == 0) return;
    _capacity = dash::allreduce_async(size, max, team).get();
    _buffers.emplace(num_buffers * _capacity * team.size(), dash::BLOCKED, team);
    _arrived.emplace(num_buffers, team);
    std::size_t num_sent = 0;
    for (const auto& sent : _sent_to)
      num_sent += sent.size();
    _packed.resize(num_sent);
  }

  /// The position of this unit's elements in the buffer.
  std::size_t own_begin() const { return _own_begin; }

  /// Starts a round.
  /// \param own  the elements of this unit; may change after the call. nullptr: the other units receive no elements
  /// \returns the buffer, valid until the next call. The elements of other units arrive before finish() returns
  /// \pre all units have started the round before
  const T* start(const T* own) {
    if (_capacity == 0) return own;
    ++_round;
    T* packed = _packed.data();
    for (std::size_t distance = 1; distance < _team->size(); ++distance) {
      const std::size_t unit =
          (static_cast<std::size_t>(_team->myid().id) + distance) % _team->size();
      if (_sent_to[unit].empty()) continue;
      const GlobSignal signal = (*_arrived)(team_unit_t(static_cast<int>(unit)), buffer());
      if (own == nullptr) {
        signal.add();
      } else {
        send(unit, own, packed, signal);
        packed += _sent_to[unit].size();
      }
    }
    T* const elements = _buffers->lbegin() + buffer() * _capacity;
    if (own != nullptr) copy_own(own, elements + _own_begin);
    return elements;
  }

  /// Waits for the elements of the round, and until those of this unit have been sent.
  void finish() {
    if (_capacity == 0) return;
    const std::size_t num_rounds = (_round + buffer()) / num_buffers;  // that have used this buffer
    (*_arrived)[buffer()].wait_until(static_cast<signal_t>(num_rounds * _num_senders));
    for (auto& put : std::exchange(_puts, {}))
      put.get();
  }

 private:
  static constexpr std::size_t num_buffers = 2;

  /// The buffer that the round uses.
  std::size_t buffer() const { return _round % num_buffers; }

  void copy_own(const T* own, T* out) const {
    constexpr std::size_t chunk_size = 32'768;
    dash::parallel_for((_num_own + chunk_size - 1) / chunk_size, [&](std::size_t chunk) {
      const std::size_t begin = chunk * chunk_size;
      std::copy(own + begin, own + std::min(_num_own, begin + chunk_size), out + begin);
    });
  }

  void send(std::size_t unit, const T* own, T* packed, const GlobSignal& signal) {
    const std::vector<std::size_t>& positions = _sent_to[unit];
    const auto pack = [&](T* out) {
      for (const std::size_t position : positions)
        *out++ = own[position];
    };
    const auto size = static_cast<std::ptrdiff_t>(positions.size());
    const auto out =
        _buffers->begin() +
        static_cast<std::ptrdiff_t>((unit * num_buffers + buffer()) * _capacity + _begin_at[unit]);
    if (void* const memory = node_block_at(out, size).address) {
      pack(static_cast<T*>(memory));
      signal.add();
    } else {
      pack(packed);
      _puts.push_back(put_signal_async(packed, packed + size, out, signal, 1, SignalOp::add));
    }
  }

  Team* _team;
  std::size_t _num_own;
  std::vector<std::vector<std::size_t>> _sent_to;  // by unit: positions of own elements
  std::vector<std::size_t> _begin_at;  // by unit: where the elements of this unit begin there
  std::size_t _num_senders = 0;
  std::size_t _own_begin = 0;
  std::size_t _capacity = 0;  // the size of a buffer; 0 if no unit needs elements of others
  std::optional<Array<T>> _buffers;
  std::optional<SignalArray> _arrived;
  std::vector<T> _packed;
  std::vector<Future<typename Array<T>::iterator>> _puts;
  std::size_t _round = 0;
};

}  // namespace dash::internal
