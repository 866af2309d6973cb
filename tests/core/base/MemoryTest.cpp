// dash-test: serial
#include "dash/core/Memory.h"
#include "support/Catch.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

using dash::core::available_memory;

namespace {

constexpr std::size_t mib = std::size_t{1} << 20;

// A simulated /proc and /sys.
class FakeRoot {
 public:
  FakeRoot() {
    std::string name = (std::filesystem::temp_directory_path() / "dash-memory-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      std::abort();
    }
    _path = name;
  }
  FakeRoot(const FakeRoot&) = delete;
  FakeRoot& operator=(const FakeRoot&) = delete;
  ~FakeRoot() {
    std::error_code ignored;
    std::filesystem::remove_all(_path, ignored);
  }

  FakeRoot& file(const std::string& name, const std::string& content) {
    const std::filesystem::path path = _path / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << content;
    return *this;
  }

  FakeRoot& meminfo_mib(std::size_t available) {
    return file("proc/meminfo",
                "MemTotal:       99999999 kB\nMemFree:        12345 kB\n"
                "MemAvailable:   " +
                    std::to_string(available * 1024) + " kB\n");
  }

  FakeRoot& group(const std::string& folder, const std::string& limit, std::size_t usage_mib,
                  std::size_t inactive_file_mib = 0) {
    file(folder + "/memory.max", limit + "\n");
    file(folder + "/memory.current", std::to_string(usage_mib * mib) + "\n");
    return file(
        folder + "/memory.stat",
        "anon 5\ninactive_file " + std::to_string(inactive_file_mib * mib) + "\nactive_file 7\n");
  }

  FakeRoot& group_v1(const std::string& folder, std::size_t limit, std::size_t usage) {
    file(folder + "/memory.limit_in_bytes", std::to_string(limit) + "\n");
    return file(folder + "/memory.usage_in_bytes", std::to_string(usage) + "\n");
  }

  std::size_t available() const { return available_memory(_path.string()); }

 private:
  std::filesystem::path _path;
};

std::string in_mib(std::size_t n) {
  return std::to_string(n * mib);
}

const std::string mounts_v2 =
    "22 1 8:1 / / rw - ext4 /dev/a rw\n"
    "30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";

}  // namespace

TEST_CASE("Memory is available on this machine") {
  CHECK(available_memory() > mib);
  const std::size_t page = dash::core::page_size();
  CHECK(page == static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
}

TEST_CASE("Without control groups, the available memory of the system is used") {
  FakeRoot root;
  root.meminfo_mib(500);
  CHECK(root.available() == 500 * mib);
}

TEST_CASE("Without MemAvailable, the free memory is used") {
  FakeRoot root;
  root.file("proc/meminfo", "MemTotal: 2048 kB\nMemFree: 1024 kB\n");
  CHECK(root.available() == mib);
}

TEST_CASE("A control group of version 2 leaves its limit minus the memory in use") {
  FakeRoot root;
  root.meminfo_mib(500).file("proc/self/mountinfo", mounts_v2);
  root.file("proc/self/cgroup", "0::/job/step\n");
  root.group("sys/fs/cgroup/job/step", "max", 100);
  CHECK(root.available() == 500 * mib);
  root.group("sys/fs/cgroup/job/step", in_mib(300), 100);
  CHECK(root.available() == 200 * mib);
  root.group("sys/fs/cgroup/job/step", in_mib(300), 100, 40);
  CHECK(root.available() == 240 * mib);
  root.group("sys/fs/cgroup/job/step", in_mib(300), 100, 200);
  CHECK(root.available() == 300 * mib);
  root.group("sys/fs/cgroup/job/step", in_mib(300), 301);
  CHECK(root.available() == 0);
}

TEST_CASE("The control group with the least remainder is used") {
  FakeRoot root;
  root.meminfo_mib(500).file("proc/self/mountinfo", mounts_v2);
  root.file("proc/self/cgroup", "0::/job/step\n");
  root.group("sys/fs/cgroup/job/step", in_mib(400), 0);
  root.group("sys/fs/cgroup/job", in_mib(250), 50);
  root.group("sys/fs/cgroup/other", in_mib(1), 1);
  CHECK(root.available() == 200 * mib);
}

TEST_CASE("A container sees its own control group at the mount point") {
  FakeRoot root;
  root.meminfo_mib(500);
  root.file("proc/self/mountinfo", "30 22 0:26 /docker/ab /sys/fs/cgroup ro - cgroup2 cgroup rw\n");
  root.file("proc/self/cgroup", "0::/docker/ab\n");
  root.group("sys/fs/cgroup", in_mib(64), 4);
  CHECK(root.available() == 60 * mib);
  root.file("proc/self/cgroup", "0::/\n");
  CHECK(root.available() == 60 * mib);
  root.file("proc/self/cgroup", "0::/../elsewhere\n");
  CHECK(root.available() == 60 * mib);
}

TEST_CASE("Control groups of versions 1 and 2 can be in use at the same time") {
  FakeRoot root;
  root.meminfo_mib(500);
  root.file("proc/self/mountinfo",
            "30 22 0:26 / /sys/fs/cgroup/unified rw - cgroup2 cgroup rw\n"
            "31 22 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
            "32 22 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  root.file("proc/self/cgroup", "4:memory:/job\n3:cpu,cpuacct:/x\n0::/\n");
  root.group_v1("sys/fs/cgroup/memory", 9223372036854771712U, 400 * mib);
  root.group_v1("sys/fs/cgroup/memory/job", 9223372036854771712U, 100 * mib);
  CHECK(root.available() == 500 * mib);
  root.group_v1("sys/fs/cgroup/memory/job", 300 * mib, 100 * mib);
  CHECK(root.available() == 200 * mib);
  root.file("sys/fs/cgroup/memory/job/memory.stat",
            "inactive_file 5\ntotal_inactive_file " + in_mib(10) + "\n");
  CHECK(root.available() == 210 * mib);
}

TEST_CASE("Malformed files are ignored") {
  FakeRoot root;
  root.meminfo_mib(500);
  root.file("proc/self/mountinfo", "garbage\n\n1 2 3\n- - -\n" + mounts_v2);
  root.file("proc/self/cgroup", "nonsense\n:\n0::job\n");
  root.group("sys/fs/cgroup", "no number", 1);
  CHECK(root.available() == 500 * mib);
}
