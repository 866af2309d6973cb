#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

#include "support/World.h"

namespace dash::bench {

/// Sends a list of elements from each unit to each unit, by MPI_Isend and MPI_Irecv: what a program does instead of many
/// small operations, if it knows all of them in advance.
/// \tparam T  trivially copyable
template <class T>
class BulkExchange {
 public:
  /// \param max_elements  of a list
  BulkExchange(const World& world, std::size_t max_elements)
      : _unit(static_cast<std::size_t>(world.unit())),
        _units(static_cast<std::size_t>(world.units())),
        _out(_units),
        _in(_units),
        _num_received(_units),
        _requests(2 * _units) {
    for (auto& list : _out)
      list.reserve(max_elements);
    for (auto& list : _in)
      list.resize(max_elements);
  }

  /// The elements for a unit.
  std::vector<T>& to(std::size_t unit) { return _out[unit]; }
  /// Removes the elements for all units.
  void clear() {
    for (auto& list : _out)
      list.clear();
  }
  /// The elements of a unit, from the latest exchange.
  std::span<const T> from(std::size_t unit) const {
    if (unit == _unit) return _out[unit];
    return {_in[unit].data(), _num_received[unit]};
  }

  /// Exchanges the lists, and calls use(unit) for each one that has arrived, in any order.
  template <class Use>
  void exchange(const Use& use) {
    for (std::size_t unit = 0; unit < _units; ++unit) {
      _requests[unit] = _requests[_units + unit] = MPI_REQUEST_NULL;
      if (unit == _unit) continue;
      MPI_Irecv(_in[unit].data(), nbytes(_in[unit].size()), MPI_BYTE, static_cast<int>(unit), 0,
                MPI_COMM_WORLD, &_requests[unit]);
      MPI_Isend(_out[unit].data(), nbytes(_out[unit].size()), MPI_BYTE, static_cast<int>(unit), 0,
                MPI_COMM_WORLD, &_requests[_units + unit]);
    }
    use(_unit);
    while (true) {
      int index = 0;
      MPI_Status status;
      MPI_Waitany(static_cast<int>(_units), _requests.data(), &index, &status);
      if (index == MPI_UNDEFINED) break;
      int received = 0;
      MPI_Get_count(&status, MPI_BYTE, &received);
      const auto unit = static_cast<std::size_t>(index);
      _num_received[unit] = static_cast<std::size_t>(received) / sizeof(T);
      use(unit);
    }
    MPI_Waitall(static_cast<int>(_units), _requests.data() + _units, MPI_STATUSES_IGNORE);
  }

 private:
  static int nbytes(std::size_t nelem) { return static_cast<int>(nelem * sizeof(T)); }

  std::size_t _unit;
  std::size_t _units;
  std::vector<std::vector<T>> _out;
  std::vector<std::vector<T>> _in;
  std::vector<std::size_t> _num_received;
  std::vector<MPI_Request> _requests;
};

}  // namespace dash::bench
