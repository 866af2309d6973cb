// expect: a pointer cannot be sent to another unit

#include <string>

#include "dash/Rpc.h"

void use() {
#ifdef DASH_CORRECT
  const std::string text = "text";
#else
  const char* const text = "text";
#endif
  dash::rpc_ff(
      0, [](const std::string&) {}, text);
}
