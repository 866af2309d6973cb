#include "dash/internal/container/ContainerStorage.h"

#include "dash/Exception.h"
#include "dash/matrix/internal/SubDimensions.h"

namespace dash::internal {

void throw_too_large(std::size_t nelem, std::size_t elem_size) {
  DASH_THROW(dash::exception::InvalidArgument, "a unit's part of "
                                                   << nelem << " elements of " << elem_size
                                                   << " bytes exceeds the address space");
}

void throw_index(const char* container, long long index, unsigned long long size) {
  DASH_THROW(dash::exception::OutOfRange,
             container << ": index " << index << " is out of range; the size is " << size);
}

void throw_initializer_size(std::size_t nvalues, std::size_t local_size) {
  DASH_THROW(dash::exception::InvalidArgument,
             "dash::Array: " << nvalues << " initial values for a unit that has " << local_size
                             << " elements; expected one for each");
}

void throw_empty(const char* container) {
  DASH_THROW(dash::exception::InvalidArgument,
             container << ": size 0; expected at least one element");
}

void throw_sub_range(dim_t dimension, long long offset, long long extent, long long available) {
  DASH_THROW(dash::exception::OutOfRange, "view of " << extent << " indices from " << offset
                                                     << " in dimension " << dimension
                                                     << ", which has " << available);
}

}  // namespace dash::internal
