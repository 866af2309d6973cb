#pragma once

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>

namespace terrain::test {

/// A file with a unique name and the given contents. The destructor removes it.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& suffix, const std::string& contents) : _path(new_path(suffix)) {
    std::ofstream(_path, std::ios::binary) << contents;
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(_path, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  std::string path() const { return _path.string(); }

 private:
  static std::filesystem::path new_path(const std::string& suffix) {
    static std::atomic<int> count{0};
    return std::filesystem::temp_directory_path() /
           ("terrain_test_" + std::to_string(::getpid()) + "_" + std::to_string(count++) + suffix);
  }

  std::filesystem::path _path;
};

}  // namespace terrain::test
