#include "MappedFile.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "Timeline.h"

namespace dash::trace {

namespace {

[[noreturn]] void fail(const std::string& path, int file) {
  const int error = errno;
  if (file >= 0) close(file);
  throw Error(fmt::format("{} cannot be read: {}", path, std::strerror(error)));
}

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (file < 0 || fstat(file, &status) != 0) fail(path, file);
  if (!S_ISREG(status.st_mode)) {
    close(file);
    throw Error(path + " is not a file");
  }
  _size = static_cast<std::size_t>(status.st_size);
  if (_size != 0) {
    _data = mmap(nullptr, _size, PROT_READ, MAP_PRIVATE, file, 0);
    if (_data == MAP_FAILED) fail(path, file);
    madvise(_data, _size, MADV_SEQUENTIAL);
  }
  close(file);
}

MappedFile::~MappedFile() {
  if (_size != 0) munmap(_data, _size);
}

}  // namespace dash::trace
