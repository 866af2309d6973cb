#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "dash/core/CpuSet.h"
#include "dash/dart/if/dart_locality_types.h"

namespace dash::dart {

/// A domain is the plain C structure that applications see; these functions keep it in order.
///
/// In order means: the parent of a child is its domain, relative indices of children ascend, tags
/// are those of the parent with the relative index behind them, levels grow by one, unit ids
/// ascend, and what a domain above UNIT says of its units, nodes and cores is what its children
/// say together. Arrays come from malloc, as an application may look after them with free().
using Domain = dart_domain_locality_t;

struct DestroyDomain {
  void operator()(Domain* domain) const noexcept;
};
using DomainPtr = std::unique_ptr<Domain, DestroyDomain>;

/// An empty domain of undefined scope.
DomainPtr new_domain();

/// Frees all that is in the domain, which then is an empty one of undefined scope.
void clear_domain(Domain& domain) noexcept;

/// A deep copy; it has no parent.
DomainPtr copy_domain(const Domain& domain);

/// Lets `target`, whose content is lost, have the content of `source`.
void replace_content(Domain& target, DomainPtr source) noexcept;

/// Sets the units of a domain, from ids in ascending order.
void set_units(Domain& domain, const std::vector<dart_unit_t>& units);

/// Makes room for more children, so that adopting them does not fail.
void reserve_child(Domain& domain, int more = 1);

/// Puts a child before the one at `place`, in room that was reserved. Names nothing.
Domain& adopt_child(Domain& parent, DomainPtr child, int place) noexcept;

/// Takes the child at `place` out; the others keep their names.
DomainPtr release_child(Domain& parent, int place) noexcept;

/// The place of a domain among the children of its parent.
int place_of(const Domain& child) noexcept;

/// Writes tag and level of a child, by its relative index, and of all that is in it.
void name_child(Domain& child) noexcept;

/// Characters that the longest tag in a domain has behind the domain's own.
std::size_t longest_suffix(const Domain& domain) noexcept;

/// Characters that the tag of a child of this relative index has.
std::size_t child_tag_length(const Domain& parent, int relative_index) noexcept;

/// Sums up the children of one domain again; a UNIT and what is finer keeps its units.
void sum_up(Domain& domain);

/// Sums up a domain and those that it is in.
void sum_up_to_root(Domain& domain);

/// The root of the hierarchy that a domain is in.
Domain& root_of(Domain& domain) noexcept;

inline std::vector<Domain*> children_of(const Domain& domain) {
  return {domain.children, domain.children + domain.num_domains};
}

}  // namespace dash::dart
