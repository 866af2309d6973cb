#pragma once

#include <cstddef>
#include <iosfwd>

#include "dash/core/Export.h"
#include "dash/dart/if/dart_locality_types.h"

namespace dash::util {

/// The scopes of the hardware hierarchy, and the number of nodes that the program uses.
class DASH_API Locality {
 public:
  /// Kinds of hardware domains, the coarsest first. The values are those of the C interface.
  enum Scope : int {
    Undefined = DART_LOCALITY_SCOPE_UNDEFINED,
    Global = DART_LOCALITY_SCOPE_GLOBAL,
    Group = DART_LOCALITY_SCOPE_GROUP,
    Network = DART_LOCALITY_SCOPE_NETWORK,
    Node = DART_LOCALITY_SCOPE_NODE,
    Module = DART_LOCALITY_SCOPE_MODULE,
    NUMA = DART_LOCALITY_SCOPE_NUMA,
    Unit = DART_LOCALITY_SCOPE_UNIT,
    Package = DART_LOCALITY_SCOPE_PACKAGE,
    Uncore = DART_LOCALITY_SCOPE_UNCORE,
    Cache = DART_LOCALITY_SCOPE_CACHE,
    Core = DART_LOCALITY_SCOPE_CORE,
    CPU = DART_LOCALITY_SCOPE_CPU
  };

  /// The number of nodes that the program's units run on; 0 when not initialised.
  /// \threads thread-safe
  static std::size_t NumNodes();
};

/// The name of a scope, for example "NUMA"; "Undefined" for other values.
DASH_API const char* scope_name(Locality::Scope scope) noexcept;

template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                             Locality::Scope scope) {
  return os << scope_name(scope);
}

}  // namespace dash::util

template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                             dart_locality_scope_t scope) {
  return os << dash::util::scope_name(static_cast<dash::util::Locality::Scope>(scope));
}
