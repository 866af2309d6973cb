#include "dash/util/Locality.h"
#include "dash/dart/Placement.h"
#include "dash/dart/if/dart.h"

namespace dash::util {

std::size_t Locality::NumNodes() {
  return dart_initialized() ? static_cast<std::size_t>(dart::placement().nodes) : 0;
}

const char* scope_name(Locality::Scope scope) noexcept {
  switch (scope) {
    case Locality::Undefined:
      return "Undefined";
    case Locality::Global:
      return "Global";
    case Locality::Group:
      return "Group";
    case Locality::Network:
      return "Network";
    case Locality::Node:
      return "Node";
    case Locality::Module:
      return "Module";
    case Locality::NUMA:
      return "NUMA";
    case Locality::Unit:
      return "Unit";
    case Locality::Package:
      return "Package";
    case Locality::Uncore:
      return "Uncore";
    case Locality::Cache:
      return "Cache";
    case Locality::Core:
      return "Core";
    case Locality::CPU:
      return "CPU";
  }
  return "Undefined";
}

}  // namespace dash::util

dart_domain_locality_t& dash::internal::enclosing_domain(dart_domain_locality_t& domain,
                                                         util::Locality::Scope scope) noexcept {
  dart_domain_locality_t* found = &domain;
  while (found->parent != nullptr && found->scope != static_cast<dart_locality_scope_t>(scope))
    found = found->parent;
  return *found;
}
