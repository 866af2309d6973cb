#include "dash/rpc/FunctionId.h"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "dash/Exception.h"

namespace dash::internal {

namespace {

/// The addresses of the code of a loaded program or library.
struct LoadedObject {
  std::uint64_t build_id = 0;  // the first bytes; 0 if there is none
  std::uintptr_t base = 0;
  std::uintptr_t code_begin = 0;
  std::uintptr_t code_end = 0;
  std::string name;

  bool contains(std::uintptr_t address) const noexcept {
    return code_begin <= address && address < code_end;
  }
};

/// Searches a segment of notes, each of which is a header, a name and a description, padded to 4 bytes.
std::uint64_t build_id_in(const char* note, std::size_t nbytes) noexcept {
  const char* const end = note + nbytes;
  const auto padded = [](std::size_t length) { return (length + 3) / 4 * 4; };
  while (static_cast<std::size_t>(end - note) >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) header;
    std::memcpy(&header, note, sizeof header);
    const char* const name = note + sizeof header;
    const char* const description = name + padded(header.n_namesz);
    if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4 &&
        std::memcmp(name, "GNU", 4) == 0 && header.n_descsz >= sizeof(std::uint64_t)) {
      std::uint64_t id = 0;
      std::memcpy(&id, description, sizeof id);
      return id;
    }
    note = description + padded(header.n_descsz);
  }
  return 0;
}

LoadedObject describe(const dl_phdr_info& info) {
  LoadedObject object;
  object.base = info.dlpi_addr;
  object.name =
      info.dlpi_name != nullptr && *info.dlpi_name != '\0' ? info.dlpi_name : "the program";
  object.code_begin = ~std::uintptr_t{0};
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info.dlpi_phdr[i];
    const std::uintptr_t begin = info.dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_LOAD && (header.p_flags & PF_X) != 0) {
      object.code_begin = std::min(object.code_begin, begin);
      object.code_end = std::max(object.code_end, begin + header.p_memsz);
    } else if (header.p_type == PT_NOTE && object.build_id == 0) {
      object.build_id = build_id_in(reinterpret_cast<const char*>(begin), header.p_memsz);
    }
  }
  return object;
}

/// The loaded programs and libraries.
class LoadedObjects {
 public:
  static LoadedObjects& instance() {
    static auto* const objects = new LoadedObjects();
    return *objects;
  }

  /// Calls use(object) for the first object for which matches(object) is true.
  /// \returns whether there is one
  template <class Matches, class Use>
  bool find(const Matches& matches, const Use& use) {
    std::lock_guard lock(_mutex);
    // A library may have been loaded at the address of one that has been unloaded.
    const Changes now = changes();
    if (now != _seen) reload();
    _seen = now;
    const auto found = std::find_if(_objects.begin(), _objects.end(), matches);
    if (found == _objects.end()) return false;
    use(*found);
    return true;
  }

 private:
  /// The numbers of libraries that have been loaded and unloaded.
  using Changes = std::pair<unsigned long long, unsigned long long>;

  static Changes changes() {
    Changes numbers;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* result) {
          *static_cast<Changes*>(result) = {info->dlpi_adds, info->dlpi_subs};
          return 1;  // each object has the same numbers
        },
        &numbers);
    return numbers;
  }
  void reload() {
    _objects.clear();
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* objects) {
          static_cast<std::vector<LoadedObject>*>(objects)->push_back(describe(*info));
          return 0;
        },
        &_objects);
  }

  std::mutex _mutex;  // guards the members below
  std::vector<LoadedObject> _objects;
  Changes _seen;
};

}  // namespace

/// The program, which contains most functions, and is never unloaded. The system lists it first.
static const LoadedObject& program() {
  static const LoadedObject object = [] {
    LoadedObject first;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* result) {
          *static_cast<LoadedObject*>(result) = describe(*info);
          return 1;
        },
        &first);
    return first;
  }();
  return object;
}

FunctionId function_id(const void* function) {
  const auto address = reinterpret_cast<std::uintptr_t>(function);
  if (program().build_id != 0 && program().contains(address)) [[likely]]
    return {program().build_id, address - program().base};
  FunctionId id;
  std::string name;
  const bool is_found = LoadedObjects::instance().find(
      [&](const LoadedObject& object) { return object.contains(address); },
      [&](const LoadedObject& object) {
        id = {object.build_id, address - object.base};
        name = object.name;
      });
  if (!is_found) {
    throw exception::RuntimeError(fmt::format(
        "{} is not the address of a function of a loaded program or library", function));
  }
  if (id.object == 0) {
    throw exception::RuntimeError(
        fmt::format("{} has no build id, by which other units find its functions; link it with the "
                    "option -Wl,--build-id",
                    name));
  }
  return id;
}

void* find_function(const FunctionId& id) {
  if (program().build_id == id.object && id.object != 0 &&
      program().contains(program().base + id.offset)) [[likely]]
    return reinterpret_cast<void*>(program().base + id.offset);
  void* function = nullptr;
  std::string name;
  const bool is_found = LoadedObjects::instance().find(
      [&](const LoadedObject& object) { return object.build_id == id.object && id.object != 0; },
      [&](const LoadedObject& object) {
        const std::uintptr_t address = object.base + id.offset;
        if (object.contains(address)) function = reinterpret_cast<void*>(address);
        name = object.name;
      });
  if (!is_found) {
    // Build ids are printed in the order of their bytes.
    std::string hex;
    for (std::size_t i = 0; i < sizeof id.object; ++i)
      hex += fmt::format("{:02x}", reinterpret_cast<const unsigned char*>(&id.object)[i]);
    throw exception::RuntimeError(fmt::format(
        "this unit has not loaded the program or library whose build id begins with {}; "
        "load the same libraries on all units before they call functions in them",
        hex));
  }
  if (function == nullptr) {
    throw exception::RuntimeError(
        fmt::format("offset {:#x} is not in the code of {}", id.offset, name));
  }
  return function;
}

}  // namespace dash::internal
