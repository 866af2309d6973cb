#pragma once

#include <cstddef>

/// Number of local elements that differ from `expected(global index)`. All units together check all
/// elements, without communication between nodes.
template <class Container, class Expected>
std::size_t count_wrong_local(Container& container, Expected expected) {
  using Index = typename Container::index_type;
  const auto& pattern = container.pattern();
  std::size_t wrong = 0;
  for (const auto* element = container.lbegin(); element != container.lend(); ++element) {
    const auto index = pattern.global(static_cast<Index>(element - container.lbegin()));
    wrong += *element == expected(index) ? 0 : 1;
  }
  return wrong;
}
