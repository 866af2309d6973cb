#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dash::trace {

/// A whole file, mapped for reading.
class MappedFile {
 public:
  /// \throws Error if it cannot be read
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view text() const noexcept { return {static_cast<const char*>(_data), _size}; }

 private:
  void* _data = nullptr;
  std::size_t _size = 0;
};

}  // namespace dash::trace
