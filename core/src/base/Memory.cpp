#include "dash/core/Memory.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>

namespace dash::core {
namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

// The two versions of control groups, which may be in use at the same time. Their files differ only in name.
struct GroupVersion {
  std::string_view filesystem;  // in mountinfo
  std::string_view controller;  // in /proc/self/cgroup, and among the mount options; "" in v2
  const char* limit_file;
  const char* usage_file;
  std::string_view reclaimable;  // line of memory.stat: file pages that can be dropped
};

constexpr GroupVersion version_1{"cgroup", "memory", "memory.limit_in_bytes",
                                 "memory.usage_in_bytes", "total_inactive_file"};
constexpr GroupVersion version_2{"cgroup2", "", "memory.max", "memory.current", "inactive_file"};

struct Mount {
  std::string root;  // the group at the mount point
  std::string point;
};

// Empty if the file does not exist or contains no number ("max": no limit).
std::optional<std::size_t> read_number(const std::string& path) {
  std::ifstream file(path);
  std::size_t value = 0;
  return file >> value ? std::optional(value) : std::nullopt;
}

// The number after `key` in a line such as "MemAvailable:  1234 kB".
std::optional<std::size_t> read_keyed_number(const std::string& path, std::string_view key) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string word;
    std::size_t value = 0;
    if (words >> word >> value && word == key) {
      return value;
    }
  }
  return std::nullopt;
}

bool contains_word(std::string_view list, std::string_view word) {
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    if (list.substr(begin, end - begin) == word) {
      return true;
    }
    begin = end + 1;
  }
  return false;
}

// A line of mountinfo: id parent device root point options... - filesystem source superoptions
std::optional<Mount> find_mount(const std::string& root, const GroupVersion& version) {
  std::ifstream file(root + "proc/self/mountinfo");
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string skipped;
    Mount mount;
    words >> skipped >> skipped >> skipped >> mount.root >> mount.point;
    while (words >> skipped && skipped != "-") {
    }
    std::string filesystem;
    std::string options;
    words >> filesystem >> skipped >> options;
    if (filesystem == version.filesystem &&
        (version.controller.empty() || contains_word(options, version.controller))) {
      return mount;
    }
  }
  return std::nullopt;
}

// A line of /proc/self/cgroup: id:controllers:path
std::optional<std::string> find_group(const std::string& root, const GroupVersion& version) {
  std::ifstream file(root + "proc/self/cgroup");
  std::string line;
  while (std::getline(file, line)) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) {
      continue;
    }
    const std::string_view controllers =
        std::string_view(line).substr(first + 1, second - first - 1);
    if (version.controller.empty() ? controllers.empty()
                                   : contains_word(controllers, version.controller)) {
      return line.substr(second + 1);
    }
  }
  return std::nullopt;
}

// The remainder of the limit of a group: the limit minus the memory of its members that cannot be reclaimed.
std::size_t left_in_group(const std::string& folder, const GroupVersion& version) {
  const std::optional<std::size_t> limit = read_number(folder + "/" + version.limit_file);
  const std::optional<std::size_t> usage = read_number(folder + "/" + version.usage_file);
  if (!limit || !usage) {
    return unlimited;
  }
  const std::size_t reclaimable =
      read_keyed_number(folder + "/memory.stat", version.reclaimable).value_or(0);
  const std::size_t held = *usage - std::min(*usage, reclaimable);
  return *limit - std::min(*limit, held);
}

// The minimum remainder over the group of the process and its ancestors up to the mount point.
std::size_t left_in_groups(const std::string& root, const GroupVersion& version) {
  const std::optional<Mount> mount = find_mount(root, version);
  std::optional<std::string> group = find_group(root, version);
  if (!mount || !group) {
    return unlimited;
  }
  // In a container, the mount may begin at a group below the root: file paths are relative to it.
  if (mount->root != "/" && group->starts_with(mount->root)) {
    group->erase(0, mount->root.size());
  }
  const std::string top = root + mount->point.substr(std::min<std::size_t>(mount->point.size(), 1));
  std::size_t left = left_in_group(top, version);
  while (group->starts_with('/') && *group != "/") {
    left = std::min(left, left_in_group(top + *group, version));
    group->erase(group->rfind('/'));
  }
  return left;
}

std::size_t available_in_system(const std::string& root) {
  constexpr std::size_t kib = 1024;
  const std::string path = root + "proc/meminfo";
  // Kernels before 3.14 do not report MemAvailable.
  const std::optional<std::size_t> available = read_keyed_number(path, "MemAvailable:");
  return available ? *available * kib
                   : read_keyed_number(path, "MemFree:").value_or(unlimited / kib) * kib;
}

}  // namespace

std::size_t available_memory() {
  return available_memory("/");
}

std::size_t available_memory(const std::string& root) {
  const std::string base = root.ends_with('/') ? root : root + "/";
  return std::min({available_in_system(base), left_in_groups(base, version_2),
                   left_in_groups(base, version_1)});
}

std::size_t page_size() noexcept {
  static const auto nbytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return nbytes;
}

}  // namespace dash::core
