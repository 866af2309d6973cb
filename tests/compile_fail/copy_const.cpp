// expect: the elements of a range that is written to are const

#include "dash/Array.h"
#include "dash/algorithm/Copy.h"

#ifdef DASH_CORRECT
using Numbers = dash::Array<int>;
#else
using Numbers = const dash::Array<int>;
#endif

void use(const int* numbers, Numbers& array) {
  dash::copy(numbers, numbers + 10, array.begin());
}
