#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "locality/Domain.h"

namespace dash::dart {

/// Operations on hierarchies that the caller may change. They validate their arguments before they change
/// anything; after that, only a lack of memory can make them fail.
///
/// \throws Error (DART_ERR_NOTFOUND) for a tag that does not occur, exception::InvalidArgument as documented in
///         dart_locality.h

/// Finds the domain of a tag: `domain` itself or a domain below it.
Domain& find_domain(Domain& domain, std::string_view tag);

/// All domains of a scope, in order; empty if there are none.
std::vector<Domain*> domains_of_scope(Domain& domain, dart_locality_scope_t scope);

void select_domains(Domain& domain, std::span<const std::string_view> tags);
void exclude_domains(Domain& domain, std::span<const std::string_view> tags);

/// \param child  moved from only on success
void add_subdomain(Domain& parent, DomainPtr& child, int relative_index);
void move_subdomain(Domain& domain, Domain& new_parent, int relative_index);
DomainPtr remove_subdomain(Domain& domain);

/// \returns the group
Domain& group_domains(Domain& domain, std::span<const std::string_view> tags);

/// Splits a domain into `nparts` copies, each with a contiguous part of its domains of a scope.
std::vector<DomainPtr> split_domain(const Domain& domain, dart_locality_scope_t scope, int nparts);

/// Name of a scope for messages, e.g. "NUMA".
std::string_view scope_name(dart_locality_scope_t scope) noexcept;

}  // namespace dash::dart
