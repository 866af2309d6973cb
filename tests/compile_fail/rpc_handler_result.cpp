// expect: cannot return a future or a coroutine

#include "dash/Rpc.h"

int answer();

int use() {
#ifdef DASH_CORRECT
  return dash::rpc(0, [] { return dash::rpc(0, answer); }).get();
#else
  return dash::am(0, [] { return dash::rpc(0, answer); }).get();
#endif
}
