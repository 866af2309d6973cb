#include "dash/Future.h"

#include <string>

namespace dash::exec {

void throw_invalid_future(const char* called) {
  throw exception::RuntimeError(std::string("Future::") + called +
                                ": this future is invalid (default constructed or moved from); it "
                                "has to be obtained from an operation, a promise or a value");
}

void throw_kept_promise(const char* called) {
  throw exception::RuntimeError(std::string("Promise::") + called +
                                ": this promise has been kept already, or was moved from; it is "
                                "kept once");
}

}  // namespace dash::exec
