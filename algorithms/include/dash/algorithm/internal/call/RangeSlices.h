#pragma once

#include <cstddef>
#include <vector>

#include "dash/Team.h"
#include "dash/Types.h"
#include "dash/core/Export.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/memory/GlobalSegment.h"

namespace dash::internal {

/// Elements that units have at positions of a range, for those who take care of slices of positions:
/// each unit offers its own elements, and gets and changes those of all units in its slice.
///
/// An element is bytes that begin with its position, a default_index_t.
/// \cost for each unit, memory and communication in proportion to its elements and those of its slice
class DASH_API RangeSlices {
 public:
  /// \param capacity  elements that a unit offers at most
  RangeSlices(Team& team, std::size_t element_size, std::size_t capacity) noexcept;
  RangeSlices(const RangeSlices&) = delete;
  RangeSlices& operator=(const RangeSlices&) = delete;
  /// \collective
  ~RangeSlices();

  /// Cuts the positions begin ... end - 1 into as many slices as there are units.
  /// \param own  the caller's elements there, in order
  /// \collective  \blocks until all units have offered theirs
  void offer(default_index_t begin, default_index_t end, const void* own, std::size_t number);

  /// Gets the elements of the caller's slice. \blocks until they are there
  void get();
  /// The places of these elements in the order of their positions.
  const std::vector<std::size_t>& order() const { return _order; }
  void* at(std::size_t place) { return _slice.data() + place * _element_size; }
  /// Writes them back to their owners. \completion with the next barrier
  void put();

  /// The caller's own element number i, after the others' put() and a barrier.
  const void* own(std::size_t i) const { return list() + i * _element_size; }

 private:
  std::size_t list_offset() const;
  unsigned char* list() const;
  void find_order();
  template <class Fn>
  void for_each_list(Fn fn);

  const Team* _team;
  std::size_t _element_size;
  std::size_t _capacity;
  GlobalSegment _memory;  // of each unit: where its elements of each slice begin, and its elements
  std::vector<unsigned char> _slice;  // elements of the units, one unit after the other
  std::vector<std::size_t> _begins;   // in them, of each unit's, and the end
  std::vector<std::size_t> _offsets;  // of the begin of each unit's, in its memory
  std::vector<std::size_t> _order;
};

}  // namespace dash::internal
