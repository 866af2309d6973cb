// expect: the elements of a range that is written to are const

#include "dash/Array.h"
#include "dash/algorithm/Partition.h"

#ifdef DASH_CORRECT
using Numbers = dash::Array<int>;
#else
using Numbers = const dash::Array<int>;
#endif

void use(Numbers& array) {
  dash::partition(array, [](int number) { return number > 0; });
}
