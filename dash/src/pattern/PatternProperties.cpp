#include "dash/pattern/PatternProperties.h"

#include <array>

namespace dash::internal {

const char* tag_name(pattern_partitioning_tag::type tag) noexcept {
  static constexpr std::array names = {"any",      "rectangular", "minimal",      "regular",
                                       "balanced", "unbalanced",  "ndimensional", "dynamic"};
  return names[static_cast<std::size_t>(tag)];
}

const char* tag_name(pattern_mapping_tag::type tag) noexcept {
  static constexpr std::array names = {"any",     "balanced", "unbalanced", "neighbor",
                                       "shifted", "diagonal", "multiple",   "cyclic"};
  return names[static_cast<std::size_t>(tag)];
}

const char* tag_name(pattern_layout_tag::type tag) noexcept {
  static constexpr std::array names = {"any",     "row_major", "col_major",
                                       "blocked", "canonical", "linear"};
  return names[static_cast<std::size_t>(tag)];
}

}  // namespace dash::internal
