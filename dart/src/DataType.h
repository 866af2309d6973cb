#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "RunLayout.h"
#include "Types.h"
#include "dash/core/Spin.h"
#include "dash/dart/if/dart_types.h"

namespace dash::dart {

/// What a derived type is made of, in elements of its base type. Never changes.
struct DataType {
  enum class Kind { custom, strided, indexed };

  Kind kind = Kind::custom;
  dart_datatype_t base = DART_TYPE_UNDEFINED;  // what transfers compare; a custom type is its own
  std::size_t base_size = 0;                   // bytes

  std::size_t stride = 0;  // strided, in elements
  std::size_t blocklen = 0;

  std::vector<RunLayout::Block> blocks{};  // indexed, in bytes
  std::size_t instance_elements = 0;       // of all blocks
  std::size_t instance_extent = 0;         // bytes from one instance to the next
};

/// The derived types of this unit, by handle. Handles are numbers that are never used again, so
/// that one of a type that is gone is known to be wrong.
/// \threads any
class DataTypes {
 public:
  dart_datatype_t add(DataType type);
  /// \throws Error unless it is the handle of a derived type
  void remove(dart_datatype_t handle);
  /// \throws Error unless it is the handle of a derived type
  std::shared_ptr<const DataType> find(dart_datatype_t handle) const;

  /// Bytes of an element of a contiguous type.
  /// \throws Error for types that are unknown or not contiguous
  std::size_t element_bytes(dart_datatype_t type) const;

  /// How `nelem` elements of the base type lie in memory.
  /// \throws Error if the type is unknown or does not divide them
  RunLayout layout(std::size_t nelem, dart_datatype_t type) const;
  /// The type whose elements a transfer moves.
  dart_datatype_t base_of(dart_datatype_t type) const;

 private:
  mutable core::SpinLock _lock;  // guards the map
  std::unordered_map<dart_datatype_t, std::shared_ptr<const DataType>> _types;
};

}  // namespace dash::dart
