// expect: the pattern does not have the required mapping properties

#include "dash/Pattern.h"

#ifdef DASH_CORRECT
using Mapping = dash::pattern_mapping_properties<>;
#else
using Mapping = dash::pattern_mapping_properties<dash::pattern_mapping_tag::shifted>;
#endif

bool use(const dash::Pattern<2>& pattern) {
  return dash::check_pattern_constraints<dash::pattern_partitioning_properties<>, Mapping,
                                         dash::pattern_layout_properties<>>(pattern);
}
