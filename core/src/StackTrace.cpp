#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "dash/Exception.h"

void dash__print_stacktrace(std::FILE* out, unsigned max_frames) {
  constexpr unsigned limit = 256;
  std::array<void*, limit> frames{};
  // One more than asked for: the first is this function.
  const unsigned wanted = std::min(max_frames, limit - 1) + 1;
  const int count = backtrace(frames.data(), static_cast<int>(wanted));
  std::fprintf(out, "stack trace:\n");
  for (int i = 1; i < count; ++i) {
    void* const address = frames[static_cast<std::size_t>(i)];
    Dl_info info{};
    const bool known = dladdr(address, &info) != 0;
    const char* const file = known && info.dli_fname != nullptr ? info.dli_fname : "?";
    if (!known || info.dli_sname == nullptr) {
      std::fprintf(out, "  #%-2d %p in %s\n", i - 1, address, file);
      continue;
    }
    int status = 0;
    char* const plain = abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status);
    std::fprintf(out, "  #%-2d %p %s in %s\n", i - 1, address, status == 0 ? plain : info.dli_sname,
                 file);
    std::free(plain);
  }
}
