#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "locality/Domain.h"

namespace dash::dart {

/// The operations on hierarchies, for domains that the caller may change. They check what they are
/// given before they change anything; once they do, only a lack of memory stops them.
///
/// \throws Error (DART_ERR_NOTFOUND) for a tag that does not occur, (DART_ERR_INVAL) as
///         dart_locality.h says

/// The domain of a tag, `domain` itself or one in it.
Domain& find_domain(Domain& domain, std::string_view tag);

/// The domains of a scope, from the first to the last; none, rather than an error.
std::vector<Domain*> domains_of_scope(Domain& domain, dart_locality_scope_t scope);

void select_domains(Domain& domain, std::span<const std::string_view> tags);
void exclude_domains(Domain& domain, std::span<const std::string_view> tags);

/// \param child  moved from only on success
void add_subdomain(Domain& parent, DomainPtr& child, int relative_index);
void move_subdomain(Domain& domain, Domain& new_parent, int relative_index);
DomainPtr remove_subdomain(Domain& domain);

/// \returns the group
Domain& group_domains(Domain& domain, std::span<const std::string_view> tags);

/// `nparts` copies of a domain, with contiguous parts of its domains of a scope.
std::vector<DomainPtr> split_domain(const Domain& domain, dart_locality_scope_t scope, int nparts);

/// "NUMA", for messages.
std::string_view scope_name(dart_locality_scope_t scope) noexcept;

}  // namespace dash::dart
