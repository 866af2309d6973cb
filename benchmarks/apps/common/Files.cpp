#include "common/Files.h"

#include <fmt/core.h>

#include <cstdio>
#include <fstream>

#include "common/Error.h"

namespace apps {

void check_writable(const std::string& path) {
  if (path.empty()) return;
  const bool existed = std::ifstream(path).good();
  const bool opened = std::ofstream(path, std::ios::binary | std::ios::app).good();
  if (!opened)
    throw UserError(fmt::format("cannot write to '{}': no such folder, or not permitted", path));
  if (!existed) std::remove(path.c_str());
}

}  // namespace apps
