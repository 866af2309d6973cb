#include "base/DataType.h"

#include <mutex>
#include <utility>

#include "base/Error.h"

namespace dash::dart {

namespace {

std::size_t checked_product(std::size_t a, std::size_t b) {
  std::size_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) {
    throw_error(DART_ERR_INVAL, "{} times {} bytes exceed the address space", a, b);
  }
  return product;
}

std::size_t checked_sum(std::size_t a, std::size_t b) {
  std::size_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) {
    throw_error(DART_ERR_INVAL, "{} and {} bytes exceed the address space", a, b);
  }
  return sum;
}

/// nelem / part, which must have no remainder. \param part_name  describes `part` in the error
std::size_t checked_quotient(std::size_t nelem, std::size_t part, const char* part_name) {
  if (nelem == 0) return 0;
  if (part == 0 || nelem % part != 0) {
    throw_error(DART_ERR_INVAL, "{} elements are not a multiple of the {} elements of {}", nelem,
                part, part_name);
  }
  return nelem / part;
}

StridedLayout strided_layout(std::size_t nelem, const DataType& type) {
  const std::size_t nblocks = checked_quotient(nelem, type.blocklen, "a block of the strided type");
  const std::size_t nbytes = checked_product(nelem, type.base_size);
  if (nblocks <= 1 || type.stride == type.blocklen) return StridedLayout::of_bytes(nbytes);
  StridedLayout layout;
  layout.nbytes = nbytes;
  layout.block_nbytes = type.blocklen * type.base_size;
  layout.stride = checked_product(type.stride, type.base_size);
  layout.nblocks = nblocks;
  layout.span = checked_sum(checked_product(nblocks - 1, layout.stride), layout.block_nbytes);
  return layout;
}

StridedLayout indexed_layout(std::size_t nelem, std::shared_ptr<const DataType> type) {
  const std::size_t repetitions =
      checked_quotient(nelem, type->instance_elements, "an instance of the indexed type");
  if (repetitions == 0) return StridedLayout::of_bytes(0);
  StridedLayout layout;
  layout.nbytes = checked_product(nelem, type->base_size);
  layout.blocks = type->blocks;
  layout.extent = type->instance_extent;
  layout.repetitions = repetitions;
  layout.span = checked_sum(checked_product(repetitions - 1, layout.extent), type->instance_end);
  layout.owner = std::move(type);
  return layout;
}

}  // namespace

dart_datatype_t DataTypes::add(DataType type) {
  // Relaxed: the handles only have to be different.
  static std::atomic<dart_datatype_t> next{DART_TYPE_LAST + 1};
  const dart_datatype_t handle = next.fetch_add(1, std::memory_order_relaxed);
  if (type.kind == DataType::Kind::custom) type.base = handle;
  auto shared = std::make_shared<const DataType>(std::move(type));
  std::lock_guard lock(_lock);
  if (shared->kind == DataType::Kind::custom) _custom_sizes.add(handle, shared->base_size);
  _types.emplace(handle, std::move(shared));
  return handle;
}

void DataTypes::remove(dart_datatype_t handle) {
  const auto kept = find(handle);  // destroyed after the lock is released
  std::lock_guard lock(_lock);
  _custom_sizes.remove(handle);
  _types.erase(handle);
}

std::shared_ptr<const DataType> DataTypes::find(dart_datatype_t handle) const {
  std::lock_guard lock(_lock);
  const auto found = _types.find(handle);
  if (found == _types.end()) {
    throw_error(DART_ERR_INVAL,
                "data type {} is neither a basic type ({} to {}) nor a live derived one", handle,
                DART_TYPE_BYTE, DART_TYPE_LONG_DOUBLE);
  }
  return found->second;
}

std::size_t DataTypes::element_bytes(dart_datatype_t type) const {
  if (is_basic_type(type)) return basic_type_sizes[type];
  const auto derived = find(type);
  if (derived->kind != DataType::Kind::custom) {
    throw_error(DART_ERR_INVAL, "data type {} is {}, a contiguous one is expected", type,
                derived->kind == DataType::Kind::strided ? "strided" : "indexed");
  }
  return derived->base_size;
}

TransferSide DataTypes::side(std::size_t nelem, dart_datatype_t type) const {
  if (is_basic_type(type)) return {type, StridedLayout::of_bytes(size_in_bytes(nelem, type))};
  auto derived = find(type);
  const dart_datatype_t base = derived->base;
  switch (derived->kind) {
    case DataType::Kind::strided:
      return {base, strided_layout(nelem, *derived)};
    case DataType::Kind::indexed:
      return {base, indexed_layout(nelem, std::move(derived))};
    default:
      return {base, StridedLayout::of_bytes(checked_product(nelem, derived->base_size))};
  }
}

}  // namespace dash::dart
