#include "locality/Domain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <set>
#include <string_view>

namespace dash::dart {

namespace {

template <class T>
T* allocate(int count) {
  if (count == 0) return nullptr;
  auto* const result = static_cast<T*>(std::malloc(static_cast<std::size_t>(count) * sizeof(T)));
  if (result == nullptr) throw std::bad_alloc();
  return result;
}

void set_empty(Domain& domain) noexcept {
  domain = Domain();
  domain.domain_tag[0] = '.';
  domain.scope = DART_LOCALITY_SCOPE_UNDEFINED;
  domain.global_index = -1;
  domain.is_symmetric = 1;
  domain.team = DART_TEAM_NULL;
  domain.node_id = -1;
}

/// Length of the prefix that the tags of children have from this domain. The tag of the root, ".", is not
/// part of the tags below it.
std::size_t prefix_length(const Domain& domain) noexcept {
  const std::size_t length = std::strlen(domain.domain_tag);
  return length == 1 ? 0 : length;
}

bool has_same_shape(const Domain& a, const Domain& b) noexcept {
  return a.scope == b.scope && a.num_domains == b.num_domains && a.num_units == b.num_units &&
         a.num_cores == b.num_cores && a.is_symmetric != 0 && b.is_symmetric != 0;
}

/// Counts cores and nodes, each once even if several subdomains share it.
struct DistinctCounts {
  std::set<int> cores;
  std::set<int> nodes;
  int unnumbered_cores = 0;
  int unnumbered_nodes = 0;

  /// Counts the leaves of a domain.
  void count(const Domain& domain) {
    if (domain.num_domains == 0) {
      if (domain.scope == DART_LOCALITY_SCOPE_CORE && domain.global_index >= 0 &&
          domain.num_cores == 1) {
        cores.insert(domain.global_index);
      } else {
        unnumbered_cores += domain.num_cores;
      }
      if (domain.node_id >= 0) {
        nodes.insert(domain.node_id);
      } else {
        unnumbered_nodes = std::max(unnumbered_nodes, domain.num_nodes);
      }
      return;
    }
    for (int i = 0; i < domain.num_domains; ++i)
      count(*domain.children[i]);
  }
};

void sum_up_units(Domain& domain) {
  std::vector<dart_unit_t> units;
  for (int i = 0; i < domain.num_domains; ++i) {
    const Domain& child = *domain.children[i];
    for (int unit = 0; unit < child.num_units; ++unit)
      units.push_back(child.unit_ids[unit].id);
  }
  std::sort(units.begin(), units.end());
  units.erase(std::unique(units.begin(), units.end()), units.end());
  set_units(domain, units);
}

}  // namespace

void DestroyDomain::operator()(Domain* domain) const noexcept {
  clear_domain(*domain);
  std::free(domain);
}

DomainPtr new_domain() {
  auto* const domain = allocate<Domain>(1);
  set_empty(*domain);
  return DomainPtr(domain);
}

void clear_domain(Domain& domain) noexcept {
  for (int i = 0; i < domain.num_domains; ++i)
    DestroyDomain()(domain.children[i]);
  std::free(static_cast<void*>(domain.children));
  std::free(domain.unit_ids);
  std::free(static_cast<void*>(domain.aliases));
  set_empty(domain);
}

DomainPtr copy_domain(const Domain& domain) {
  DomainPtr copy = new_domain();
  // Copies all values; the pointers, which belong to the original, are replaced below.
  *copy = domain;
  copy->parent = nullptr;
  copy->aliases = nullptr;
  copy->num_aliases = 0;
  copy->unit_ids = nullptr;
  copy->children = nullptr;
  copy->num_domains = 0;
  copy->unit_ids = allocate<dart_global_unit_t>(domain.num_units);
  std::copy_n(domain.unit_ids, domain.num_units, copy->unit_ids);
  copy->children = allocate<Domain*>(domain.num_domains);
  for (int i = 0; i < domain.num_domains; ++i)
    adopt_child(*copy, copy_domain(*domain.children[i]), i);
  return copy;
}

void replace_content(Domain& target, DomainPtr source) noexcept {
  clear_domain(target);
  target = *source;
  target.parent = nullptr;
  for (int i = 0; i < target.num_domains; ++i)
    target.children[i]->parent = &target;
  set_empty(*source);
}

void set_units(Domain& domain, const std::vector<dart_unit_t>& units) {
  const auto count = static_cast<int>(units.size());
  auto* const ids = allocate<dart_global_unit_t>(count);
  std::transform(units.begin(), units.end(), ids,
                 [](dart_unit_t unit) { return dart_create_global_unit(unit); });
  std::free(domain.unit_ids);
  domain.unit_ids = ids;
  domain.num_units = count;
}

void reserve_child(Domain& domain, int more) {
  const std::size_t nbytes = static_cast<std::size_t>(domain.num_domains + more) * sizeof(Domain*);
  void* const grown = std::realloc(static_cast<void*>(domain.children), nbytes);
  if (grown == nullptr) throw std::bad_alloc();
  domain.children = static_cast<Domain**>(grown);
}

Domain& adopt_child(Domain& parent, DomainPtr child, int position) noexcept {
  Domain** const at = parent.children + position;
  std::copy_backward(at, parent.children + parent.num_domains,
                     parent.children + parent.num_domains + 1);
  *at = child.release();
  (*at)->parent = &parent;
  ++parent.num_domains;
  return **at;
}

DomainPtr release_child(Domain& parent, int position) noexcept {
  Domain** const at = parent.children + position;
  DomainPtr child(*at);
  std::copy(at + 1, parent.children + parent.num_domains, at);
  --parent.num_domains;
  child->parent = nullptr;
  return child;
}

int position_of(const Domain& child) noexcept {
  Domain** const begin = child.parent->children;
  return static_cast<int>(std::find(begin, begin + child.parent->num_domains, &child) - begin);
}

void name_child(Domain& child) noexcept {
  const Domain& parent = *child.parent;
  child.level = parent.level + 1;
  const std::string_view prefix(parent.domain_tag, prefix_length(parent));
  const auto end = fmt::format_to_n(child.domain_tag, sizeof child.domain_tag - 1, "{}.{}", prefix,
                                    child.relative_index);
  *end.out = '\0';
  for (int i = 0; i < child.num_domains; ++i)
    name_child(*child.children[i]);
}

std::size_t longest_suffix(const Domain& domain) noexcept {
  std::size_t longest = 0;
  for (int i = 0; i < domain.num_domains; ++i) {
    const Domain& child = *domain.children[i];
    longest =
        std::max(longest, fmt::formatted_size(".{}", child.relative_index) + longest_suffix(child));
  }
  return longest;
}

std::size_t child_tag_length(const Domain& parent, int relative_index) noexcept {
  return prefix_length(parent) + fmt::formatted_size(".{}", relative_index);
}

void sum_up(Domain& domain) {
  if (domain.scope < DART_LOCALITY_SCOPE_UNIT) sum_up_units(domain);
  DistinctCounts counts;
  if (domain.num_domains > 0) counts.count(domain);
  // A CORE domain counts as one core even after all of its subdomains have been removed.
  const bool core = domain.num_domains == 0 && domain.scope == DART_LOCALITY_SCOPE_CORE;
  domain.num_cores = core ? 1 : static_cast<int>(counts.cores.size()) + counts.unnumbered_cores;
  domain.num_nodes = static_cast<int>(counts.nodes.size()) + counts.unnumbered_nodes;
  if (domain.scope < DART_LOCALITY_SCOPE_NODE && domain.node_id < 0) {
    domain.shared_mem_bytes = 0;
    for (int i = 0; domain.num_nodes == 1 && i < domain.num_domains; ++i)
      domain.shared_mem_bytes =
          std::max(domain.shared_mem_bytes, domain.children[i]->shared_mem_bytes);
  }
  domain.is_symmetric = 1;
  for (int i = 1; i < domain.num_domains; ++i) {
    if (!has_same_shape(*domain.children[0], *domain.children[i])) domain.is_symmetric = 0;
  }
  if (domain.num_domains > 0 && domain.children[0]->is_symmetric == 0) domain.is_symmetric = 0;
}

void sum_up_to_root(Domain& domain) {
  for (Domain* each = &domain; each != nullptr; each = each->parent)
    sum_up(*each);
}

Domain& root_of(Domain& domain) noexcept {
  Domain* root = &domain;
  while (root->parent != nullptr)
    root = root->parent;
  return *root;
}

}  // namespace dash::dart
