// expect: elements of a container cannot be const

#include "dash/Array.h"

#ifdef DASH_CORRECT
using Element = int;
#else
using Element = const int;
#endif

void use() {
  dash::Array<Element> array(10);
}
