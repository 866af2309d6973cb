// expect: a function object without state, such as a lambda without captures

#include "dash/Rpc.h"

int use(int factor) {
#ifdef DASH_CORRECT
  auto result = dash::rpc(
      0, [](int a, int b) { return a * b; }, factor, 2);
  return result.get();
#else
  dash::rpc(
      0, [factor](int b) { return factor * b; }, 2);
  return factor;
#endif
}
