#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/StridedLayout.h"
#include "base/Types.h"
#include "dash/core/Spin.h"
#include "dash/dart/if/dart_types.h"

namespace dash::dart {

/// A derived type, in elements of its base type. Immutable.
struct DataType {
  enum class Kind { custom, strided, indexed };

  Kind kind = Kind::custom;
  dart_datatype_t base = DART_TYPE_UNDEFINED;  // must agree in a transfer; custom: the type itself
  std::size_t base_size = 0;                   // bytes

  std::size_t stride = 0;  // strided, in elements
  std::size_t blocklen = 0;

  std::vector<StridedLayout::Block> blocks{};  // indexed, in bytes
  std::size_t instance_elements = 0;           // in all blocks
  std::size_t instance_extent = 0;             // bytes from one instance to the next
  std::size_t instance_end = 0;  // bytes from the address to the end of the last block
};

/// One side of a transfer.
struct TransferSide {
  dart_datatype_t base = DART_TYPE_UNDEFINED;  // type of the elements transferred
  StridedLayout layout;
};

/// Sizes of live custom types, for lookup without a lock. A type whose entry is occupied by another
/// one is not here.
class CustomSizes {
 public:
  void add(dart_datatype_t handle, std::size_t nbytes) noexcept {
    Entry& entry = entry_of(handle);
    if (entry.handle.load(std::memory_order_relaxed) != DART_TYPE_UNDEFINED) return;
    entry.nbytes.store(nbytes, std::memory_order_relaxed);
    entry.handle.store(handle, std::memory_order_release);
  }
  void remove(dart_datatype_t handle) noexcept {
    Entry& entry = entry_of(handle);
    if (entry.handle.load(std::memory_order_relaxed) != handle) return;
    entry.handle.store(DART_TYPE_UNDEFINED, std::memory_order_release);
  }
  /// \returns false if the type is not here; it may be live nevertheless
  bool find(dart_datatype_t handle, std::size_t& nbytes) const noexcept {
    const Entry& entry = _entries[static_cast<std::size_t>(handle) % _entries.size()];
    if (entry.handle.load(std::memory_order_acquire) != handle) return false;
    nbytes = entry.nbytes.load(std::memory_order_relaxed);
    return true;
  }

 private:
  // The lock of DataTypes orders the stores. add() stores the handle with release after the size;
  // find() loads the handle with acquire before the size. An entry changes only after its type has
  // been removed, and then no thread passes the handle to find().
  struct Entry {
    std::atomic<dart_datatype_t> handle{DART_TYPE_UNDEFINED};
    std::atomic<std::size_t> nbytes{0};
  };
  Entry& entry_of(dart_datatype_t handle) noexcept {
    return _entries[static_cast<std::size_t>(handle) % _entries.size()];
  }

  std::array<Entry, 256> _entries;
};

/// The derived types of this unit, by handle. Handles are never reused, so that the handle of a
/// destroyed type is recognized as invalid.
/// \threads thread-safe
class DataTypes {
 public:
  dart_datatype_t add(DataType type);
  /// \throws exception::RuntimeError unless it is the handle of a derived type
  void remove(dart_datatype_t handle);
  /// \throws exception::RuntimeError unless it is the handle of a derived type
  std::shared_ptr<const DataType> find(dart_datatype_t handle) const;

  /// Bytes of an element of a contiguous type.
  /// \throws exception::RuntimeError if the type is unknown or not contiguous
  std::size_t element_bytes(dart_datatype_t type) const;

  /// The layout in memory of `nelem` elements of the base type.
  /// \throws exception::RuntimeError if the type is unknown or does not divide them
  TransferSide side(std::size_t nelem, dart_datatype_t type) const;

  /// Bytes of an element of a basic type, or of a custom type that CustomSizes has.
  /// \returns false for all other types
  bool find_element_bytes(dart_datatype_t type, std::size_t& nbytes) const noexcept {
    if (!is_basic_type(type)) return type > DART_TYPE_LAST && _custom_sizes.find(type, nbytes);
    nbytes = basic_type_sizes[type];
    return true;
  }

 private:
  mutable core::SpinLock _lock;  // guards the map, and changes of the custom sizes
  std::unordered_map<dart_datatype_t, std::shared_ptr<const DataType>> _types;
  CustomSizes _custom_sizes;
};

}  // namespace dash::dart
