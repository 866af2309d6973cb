#include <algorithm>
#include <climits>

#include "api/Boundary.h"
#include "base/DataType.h"
#include "dash/dart/if/dart_types.h"

namespace dart = dash::dart;

namespace {

void check_int(size_t value, const char* name) {
  if (value > INT_MAX) dart::throw_error(DART_ERR_INVAL, "{} {} exceeds {}", name, value, INT_MAX);
}

/// Runs the body of a function that creates a type: make(types) returns it.
template <class Make>
dart_ret_t make_type(const char* function, dart_datatype_t* newtype, Make make) noexcept {
  return dart::with_output(function, newtype, "newtype", DART_TYPE_UNDEFINED,
                           [&](dart::Runtime& runtime) {
                             dart::DataTypes& types = runtime.types();
                             *newtype = types.add(make(types));
                           });
}

}  // namespace

extern "C" {

dart_ret_t dart_type_create_strided(dart_datatype_t basetype, size_t stride, size_t blocklen,
                                    dart_datatype_t* newtype) noexcept {
  return make_type("dart_type_create_strided", newtype, [&](const dart::DataTypes& types) {
    check_int(stride, "stride");
    check_int(blocklen, "block length");
    dart::DataType type{dart::DataType::Kind::strided, basetype, types.element_bytes(basetype)};
    type.stride = stride;
    type.blocklen = blocklen;
    return type;
  });
}

dart_ret_t dart_type_create_indexed(dart_datatype_t basetype, size_t count, const size_t blocklen[],
                                    const size_t offset[], dart_datatype_t* newtype) noexcept {
  return make_type("dart_type_create_indexed", newtype, [&](const dart::DataTypes& types) {
    check_int(count, "number of blocks");
    if (count != 0 && (blocklen == nullptr || offset == nullptr)) {
      dart::throw_error(DART_ERR_INVAL, "{} blocks, but their lengths or offsets are NULL", count);
    }
    const std::size_t size = types.element_bytes(basetype);
    dart::DataType type{dart::DataType::Kind::indexed, basetype, size};
    std::size_t first = SIZE_MAX;
    std::size_t end = 0;
    for (size_t i = 0; i < count; ++i) {
      check_int(blocklen[i], "block length");
      check_int(offset[i], "offset");
      // The products fit: the factors are below 2^31.
      type.blocks.push_back({offset[i] * size, blocklen[i] * size, type.instance_elements * size});
      type.instance_elements += blocklen[i];
      first = std::min(first, offset[i] * size);
      const std::size_t block_end = (offset[i] + blocklen[i]) * size;
      end = std::max(end, block_end);
      if (blocklen[i] != 0) type.instance_end = std::max(type.instance_end, block_end);
    }
    if (count != 0) type.instance_extent = end - first;
    return type;
  });
}

dart_ret_t dart_type_create_custom(size_t num_bytes, dart_datatype_t* newtype) noexcept {
  return make_type("dart_type_create_custom", newtype, [&](const dart::DataTypes&) {
    check_int(num_bytes, "number of bytes");
    return dart::DataType{dart::DataType::Kind::custom, DART_TYPE_UNDEFINED, num_bytes};
  });
}

dart_ret_t dart_type_destroy(dart_datatype_t* type) noexcept {
  return dart::with_runtime("dart_type_destroy", [&](dart::Runtime& runtime) {
    if (type == nullptr) dart::throw_error(DART_ERR_INVAL, "type is NULL");
    if (dart::is_basic_type(*type)) {
      dart::throw_error(DART_ERR_INVAL, "data type {} is basic and cannot be destroyed", *type);
    }
    runtime.types().remove(*type);
    *type = DART_TYPE_UNDEFINED;
  });
}

}  // extern "C"
