// expect: the function cannot be called with these arguments as the target receives them

#include <string>

#include "dash/Rpc.h"

void use() {
#ifdef DASH_CORRECT
  dash::rpc_ff(
      0, [](const std::string&) {}, std::string("text"));
#else
  dash::rpc_ff(
      0, [](std::string&) {}, std::string("text"));
#endif
}
