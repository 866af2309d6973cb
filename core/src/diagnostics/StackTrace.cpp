#include "dash/core/StackTrace.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "dash/Exception.h"

namespace dash::core {

namespace {

using Header = ElfW(Ehdr);
using Section = ElfW(Shdr);
using Symbol = ElfW(Sym);

/// A read-only mapping of a file; empty if the file cannot be mapped.
class MappedFile {
 public:
  explicit MappedFile(const char* path) noexcept {
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (file >= 0 && ::fstat(file, &status) == 0 && status.st_size > 0) {
      const auto nbytes = static_cast<std::size_t>(status.st_size);
      void* const memory = ::mmap(nullptr, nbytes, PROT_READ, MAP_PRIVATE, file, 0);
      if (memory != MAP_FAILED) _bytes = {static_cast<const char*>(memory), nbytes};
    }
    if (file >= 0) ::close(file);
  }
  ~MappedFile() {
    if (!_bytes.empty()) ::munmap(const_cast<char*>(_bytes.data()), _bytes.size());
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// `count` objects at an offset; empty if they are not within the file.
  template <class T>
  std::span<const T> at(std::size_t offset, std::size_t count) const noexcept {
    if (offset % alignof(T) != 0 || offset > _bytes.size() ||
        count > (_bytes.size() - offset) / sizeof(T)) {
      return {};
    }
    return {reinterpret_cast<const T*>(_bytes.data() + offset), count};
  }

 private:
  std::span<const char> _bytes;
};

/// Finds the function at an address in the symbol table of a file, which, unlike that of the dynamic linker,
/// contains functions that are not exported.
std::string function_at(const MappedFile& file, std::uintptr_t address) {
  const std::span<const Header> header = file.at<Header>(0, 1);
  if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0) return {};
  const auto sections = file.at<Section>(header[0].e_shoff, header[0].e_shnum);
  for (const Section& section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    const auto symbols = file.at<Symbol>(section.sh_offset, section.sh_size / sizeof(Symbol));
    const Section& names = sections[section.sh_link];
    const auto text = file.at<char>(names.sh_offset, names.sh_size);
    for (const Symbol& symbol : symbols) {
      if ((symbol.st_info & 0xf) != STT_FUNC || address - symbol.st_value >= symbol.st_size ||
          symbol.st_name >= text.size()) {
        continue;
      }
      const char* const name = text.data() + symbol.st_name;
      return std::string(name, ::strnlen(name, text.size() - symbol.st_name));
    }
  }
  return {};
}

/// Whether an address belongs to the executable. Its file name may be relative to a former working directory.
bool is_program(const Dl_info& info) noexcept {
  Dl_info program{};
  return ::dladdr(reinterpret_cast<void*>(::getauxval(AT_PHDR)), &program) != 0 &&
         program.dli_fbase == info.dli_fbase;
}

std::string demangled(const std::string& name) {
  int status = 0;
  char* const plain = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string result = status == 0 ? plain : name;
  std::free(plain);
  return result;
}

}  // namespace

[[gnu::noinline]] std::size_t capture_stack(std::span<void*> addresses) noexcept {
  std::array<void*, 64> all{};
  const std::size_t wanted = std::min(all.size(), addresses.size() + 1);
  const int count = ::backtrace(all.data(), static_cast<int>(wanted));
  if (count <= 1) return 0;
  std::copy(all.begin() + 1, all.begin() + count, addresses.begin());
  return static_cast<std::size_t>(count) - 1;
}

StackFrame describe_frame(void* return_address) {
  StackFrame frame;
  // The call instruction precedes the return address and may be the last one of its function.
  void* const call = static_cast<char*>(return_address) - 1;
  Dl_info info{};
  if (::dladdr(call, &info) == 0 || info.dli_fname == nullptr) return frame;
  frame.file = info.dli_fname;
  const MappedFile file(is_program(info) ? "/proc/self/exe" : info.dli_fname);
  const std::span<const Header> header = file.at<Header>(0, 1);
  const bool movable = header.empty() || header[0].e_type == ET_DYN;
  frame.offset = reinterpret_cast<std::uintptr_t>(call) -
                 (movable ? reinterpret_cast<std::uintptr_t>(info.dli_fbase) : 0);
  std::string name = function_at(file, frame.offset);
  if (name.empty() && info.dli_sname != nullptr) name = info.dli_sname;
  if (!name.empty()) frame.function = demangled(name);
  return frame;
}

}  // namespace dash::core

void dash__print_stacktrace(std::FILE* out, unsigned max_frames) {
  std::array<void*, 63> addresses{};
  // One more than requested: the first one is this function.
  const std::size_t wanted = std::min<std::size_t>(max_frames, addresses.size() - 1) + 1;
  const std::size_t count = dash::core::capture_stack(std::span(addresses).first(wanted));
  std::fprintf(out, "stack trace:\n");
  for (std::size_t i = 1; i < count; ++i) {
    const dash::core::StackFrame frame = dash::core::describe_frame(addresses[i]);
    std::fprintf(out, "  #%-2zu %p %s%sin %s\n", i - 1, addresses[i], frame.function.c_str(),
                 frame.function.empty() ? "" : " ", frame.file.empty() ? "?" : frame.file.c_str());
  }
}
