#include "network/messages/DataSends.h"

#include <mutex>

namespace dash::dart {

DataSends::Send::Send(DataSends& all, const char* data, std::uint32_t nbytes) noexcept
    : Request(Parts{1}), _all(all), _begin(data), _end(data + nbytes) {
  release();  // the starter's reference
  const std::lock_guard lock(_all._lock);
  _next = _all._first;
  _link = &_all._first;
  if (_next != nullptr) _next->_link = &_next;
  _all._first = this;
}

void DataSends::Send::finish() noexcept {
  const std::lock_guard lock(_all._lock);
  *_link = _next;
  if (_next != nullptr) _next->_link = _link;
}

bool DataSends::overlap(const char* begin, std::uint64_t nbytes) const noexcept {
  const std::lock_guard lock(_lock);
  for (const Send* each = _first; each != nullptr; each = each->_next) {
    if (begin < each->_end && each->_begin < begin + nbytes) return true;
  }
  return false;
}

}  // namespace dash::dart
