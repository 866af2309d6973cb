// expect: a DistObject cannot be an argument of each call

#include "dash/Aggregator.h"
#include "dash/DistObject.h"

using Object = dash::DistObject<int>;

void use(Object& object) {
#ifdef DASH_CORRECT
  dash::Aggregator<void(int)> add([](Object& own, int n) { *own += n; }, object);
  add(0, 1);
#else
  dash::Aggregator<void(Object)> add([](Object& own) { ++*own; });
  add(0, object);
#endif
}
