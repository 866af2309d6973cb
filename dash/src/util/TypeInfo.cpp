#include "dash/meta/TypeInfo.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace dash::internal {

std::string demangle(const char* name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free);
  return status == 0 ? text.get() : name;
}

}  // namespace dash::internal
