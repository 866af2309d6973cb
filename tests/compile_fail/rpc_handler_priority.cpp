// expect: a function of dash::am has no priority

#include "dash/Rpc.h"
#include "dash/Tasks.h"

void use() {
#ifdef DASH_CORRECT
  dash::rpc_ff(0, dash::tasks::priority::high, [] {});
#else
  dash::am_ff(0, dash::tasks::priority::high, [] {});
#endif
}
