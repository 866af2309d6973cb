#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "dash/core/CpuSet.h"
#include "dash/dart/if/dart_locality_types.h"

namespace dash::dart {

/// A domain of the hierarchy is the plain C structure that applications see. The functions below maintain its
/// invariants: children point to their parent, their relative indices ascend, the tag of a child is that of
/// its parent followed by its relative index, levels increase by one, unit ids ascend, and the units, nodes
/// and cores of a domain above UNIT are those of its children. Arrays are allocated by malloc, since
/// applications may free some of them by free().
using Domain = dart_domain_locality_t;

struct DestroyDomain {
  void operator()(Domain* domain) const noexcept;
};
using DomainPtr = std::unique_ptr<Domain, DestroyDomain>;

/// Creates an empty domain of undefined scope.
DomainPtr new_domain();

/// Frees the content of a domain, which becomes an empty domain of undefined scope.
void clear_domain(Domain& domain) noexcept;

/// Makes a deep copy, which has no parent.
DomainPtr copy_domain(const Domain& domain);

/// Frees the content of `target` and moves the content of `source` to it.
void replace_content(Domain& target, DomainPtr source) noexcept;

/// Sets the units of a domain, from ids in ascending order.
void set_units(Domain& domain, const std::vector<dart_unit_t>& units);

/// Reserves capacity for more children, so that adopt_child() cannot fail.
void reserve_child(Domain& domain, int more = 1);

/// Inserts a child before the one at `position`. Does not change tags.
/// \pre reserve_child() was called
Domain& adopt_child(Domain& parent, DomainPtr child, int position) noexcept;

/// Removes the child at `position`; the other children keep their tags.
DomainPtr release_child(Domain& parent, int position) noexcept;

/// Position of a domain among the children of its parent.
int position_of(const Domain& child) noexcept;

/// Sets tag and level of a child, according to its relative index, and of all domains below it.
void name_child(Domain& child) noexcept;

/// Number of characters by which the longest tag below a domain exceeds the tag of the domain.
std::size_t longest_suffix(const Domain& domain) noexcept;

/// Length of the tag of a child with this relative index.
std::size_t child_tag_length(const Domain& parent, int relative_index) noexcept;

/// Recomputes the totals of a domain from its children; a domain of scope UNIT or finer keeps its units.
void sum_up(Domain& domain);

/// Recomputes the totals of a domain and of all domains above it.
void sum_up_to_root(Domain& domain);

/// The root of the hierarchy that contains a domain.
Domain& root_of(Domain& domain) noexcept;

inline std::vector<Domain*> children_of(const Domain& domain) {
  return {domain.children, domain.children + domain.num_domains};
}

}  // namespace dash::dart
