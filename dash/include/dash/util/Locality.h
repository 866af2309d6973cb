#pragma once

#include <cstddef>
#include <iosfwd>

#include "dash/core/Export.h"
#include "dash/dart/if/dart_locality_types.h"

namespace dash::util {

/// The scopes of the hardware hierarchy, and the number of nodes that the program uses.
/// \ingroup locality
class DASH_API Locality {
 public:
  /// Kinds of hardware domains, the coarsest first. The values are those of the C interface.
  /// Hierarchies consist of Global, Node, Module, NUMA, Unit and Core, and of Group if
  /// LocalityDomain::group() created one. The other scopes occur only in dart_hwinfo_t::scopes.
  enum Scope : int {
    Undefined = DART_LOCALITY_SCOPE_UNDEFINED,  ///< none of the scopes below
    Global = DART_LOCALITY_SCOPE_GLOBAL,        ///< all units of the team
    Group = DART_LOCALITY_SCOPE_GROUP,          ///< domains grouped by LocalityDomain::group()
    Network = DART_LOCALITY_SCOPE_NETWORK,      ///< not used
    Node = DART_LOCALITY_SCOPE_NODE,            ///< units that share memory, as MPI reports it
    Module = DART_LOCALITY_SCOPE_MODULE,        ///< a host: one running operating system
    NUMA = DART_LOCALITY_SCOPE_NUMA,            ///< processors with the same local main memory
    Unit = DART_LOCALITY_SCOPE_UNIT,            ///< a unit
    Package = DART_LOCALITY_SCOPE_PACKAGE,      ///< a processor package (socket)
    Uncore = DART_LOCALITY_SCOPE_UNCORE,        ///< not used
    Cache = DART_LOCALITY_SCOPE_CACHE,          ///< processors that share a cache
    Core = DART_LOCALITY_SCOPE_CORE,            ///< a core
    CPU = DART_LOCALITY_SCOPE_CPU               ///< a hardware thread
  };

  /// The number of nodes that the program's units run on; 0 when not initialized.
  /// \threads thread-safe
  static std::size_t NumNodes();
};

/// The name of a scope, for example "NUMA"; "Undefined" for other values.
/// \ingroup locality
DASH_API const char* scope_name(Locality::Scope scope) noexcept;

/// Writes the name of the scope.
/// \ingroup locality
template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                             Locality::Scope scope) {
  return os << scope_name(scope);
}

}  // namespace dash::util

namespace dash::internal {

/// The nearest domain of a scope that is or contains a domain; the root if there is none.
DASH_API dart_domain_locality_t& enclosing_domain(dart_domain_locality_t& domain,
                                                  util::Locality::Scope scope) noexcept;

}  // namespace dash::internal

/// Writes the name of the scope.
/// \ingroup locality
template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                             dart_locality_scope_t scope) {
  return os << dash::util::scope_name(static_cast<dash::util::Locality::Scope>(scope));
}
