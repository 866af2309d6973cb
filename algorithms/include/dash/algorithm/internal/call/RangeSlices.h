#pragma once

#include <cstddef>
#include <vector>

#include "dash/Team.h"
#include "dash/Types.h"
#include "dash/core/Export.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/memory/GlobalSegment.h"

namespace dash::internal {

/// Redistributes elements with positions so that each unit can process all elements of one slice of
/// the positions: each unit publishes its own elements, and reads and modifies the elements of all
/// units in its slice.
///
/// An element is a sequence of bytes that begins with its position, a default_index_t.
/// \cost for each unit, memory and communication in proportion to its elements and those of its slice
class DASH_API RangeSlices {
 public:
  /// \param capacity  maximum number of elements that a unit passes to publish()
  RangeSlices(Team& team, std::size_t element_size, std::size_t capacity) noexcept;
  RangeSlices(const RangeSlices&) = delete;
  RangeSlices& operator=(const RangeSlices&) = delete;
  /// \collective
  ~RangeSlices();

  /// Divides the positions begin ... end - 1 into one slice per unit, and publishes the caller's
  /// elements.
  /// \param own  the caller's elements at these positions, in ascending order
  /// \collective  \blocks until all units have published their elements
  void publish(default_index_t begin, default_index_t end, const void* own, std::size_t number);

  /// Reads the elements of the caller's slice.
  /// \blocks until they are in local memory
  void get();
  /// The indices of these elements for at(), in the order of their positions.
  const std::vector<std::size_t>& order() const { return _order; }
  void* at(std::size_t slot) { return _slice.data() + slot * _element_size; }
  /// Writes the elements of the slice back to their owners.
  /// \completion remote, with the next barrier
  void put();

  /// The caller's own element i; valid after put() on all units and a barrier.
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
  GlobalSegment
      _memory;  // of each unit: the index of its first element of each slice, then its elements
  std::vector<unsigned char> _slice;  // elements of the slice, grouped by unit
  std::vector<std::size_t> _begins;   // index of the first element of each unit, and the end
  std::vector<std::size_t> _offsets;  // byte offset of these elements in the memory of each unit
  std::vector<std::size_t> _order;
};

}  // namespace dash::internal
