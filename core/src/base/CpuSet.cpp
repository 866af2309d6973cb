#include "dash/core/CpuSet.h"

namespace dash::core {

std::string CpuSet::to_string() const {
  std::string text;
  for (int cpu = first(); cpu >= 0;) {
    int last = cpu;
    while (test(last + 1)) {
      ++last;
    }
    text += (text.empty() ? "" : ",") + std::to_string(cpu);
    if (last > cpu) {
      text += "-" + std::to_string(last);
    }
    cpu = next(last);
  }
  return text;
}

}  // namespace dash::core
