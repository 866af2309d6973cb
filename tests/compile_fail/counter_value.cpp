// expect: the value has to be of an arithmetic type

#include "dash/SharedCounter.h"

struct Value {
  int count;
};

#ifdef DASH_CORRECT
using Counted = int;
#else
using Counted = Value;
#endif

void use() {
  dash::SharedCounter<Counted> counter;
}
