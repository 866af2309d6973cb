#include "NodeStack.h"

#include <algorithm>

namespace uts {

void NodeStack::take_oldest(std::size_t count, Node* out) {
  std::copy_n(_nodes.data() + _begin, count, out);
  _begin += count;
  // Each node moves at most once on average.
  if (_begin > size()) {
    _nodes.erase(_nodes.begin(), _nodes.begin() + static_cast<std::ptrdiff_t>(_begin));
    _begin = 0;
  }
}

}  // namespace uts
