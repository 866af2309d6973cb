#pragma once

#include <dash/dart/if/dart.h>

#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

namespace kernels {

/// \throws std::runtime_error with the library's message unless the code is DART_OK
inline void check(dart_ret_t code) {
  if (code != DART_OK) throw std::runtime_error(dart_last_error());
}

/// A type of blocks of elements, of which a transfer has as many as it needs.
class IndexedType {
 public:
  /// \param places  of the blocks, in elements
  IndexedType(dart_datatype_t base, const std::vector<std::size_t>& lengths,
              const std::vector<std::size_t>& places) {
    check(dart_type_create_indexed(base, lengths.size(), lengths.data(), places.data(), &_type));
  }
  IndexedType(IndexedType&& other) noexcept
      : _type(std::exchange(other._type, DART_TYPE_UNDEFINED)) {}
  IndexedType& operator=(IndexedType&&) = delete;
  ~IndexedType() {
    if (_type != DART_TYPE_UNDEFINED) dart_type_destroy(&_type);
  }

  dart_datatype_t get() const { return _type; }

 private:
  dart_datatype_t _type = DART_TYPE_UNDEFINED;
};

}  // namespace kernels
