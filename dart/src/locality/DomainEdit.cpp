#include "locality/DomainEdit.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "base/Error.h"

namespace dash::dart {

namespace {

using DomainSet = std::unordered_set<const Domain*>;

void collect_scope(Domain& domain, dart_locality_scope_t scope, std::vector<Domain*>& found) {
  if (domain.scope == scope) found.push_back(&domain);
  for (int i = 0; i < domain.num_domains; ++i)
    collect_scope(*domain.children[i], scope, found);
}

Domain* search(Domain& domain, std::string_view tag) {
  if (tag == domain.domain_tag) return &domain;
  for (int i = 0; i < domain.num_domains; ++i) {
    if (Domain* const found = search(*domain.children[i], tag); found != nullptr) return found;
  }
  return nullptr;
}

std::vector<Domain*> find_domains(Domain& domain, std::span<const std::string_view> tags) {
  std::vector<Domain*> found;
  for (const std::string_view tag : tags)
    found.push_back(&find_domain(domain, tag));
  return found;
}

bool is_in(const Domain* domain, const Domain& ancestor) {
  for (; domain != nullptr; domain = domain->parent) {
    if (domain == &ancestor) return true;
  }
  return false;
}

bool is_in_one_of(const Domain* domain, const DomainSet& ancestors) {
  while (domain != nullptr && !ancestors.contains(domain))
    domain = domain->parent;
  return domain != nullptr;
}

template <class Keep>
void keep_children(Domain& domain, Keep&& keep) {
  for (int i = domain.num_domains - 1; i >= 0; --i) {
    if (!keep(*domain.children[i])) release_child(domain, i);
  }
}

/// Removes all domains except the selected ones, those below them and those above them.
/// \returns whether the domain remains
bool keep_selected(Domain& domain, const DomainSet& selected) {
  if (selected.contains(&domain)) return true;
  keep_children(domain, [&](Domain& child) { return keep_selected(child, selected); });
  if (domain.num_domains > 0) sum_up(domain);
  return domain.num_domains > 0;
}

/// Removes the excluded domains, and domains that become empty.
/// \returns whether the domain remains
bool drop_excluded(Domain& domain, const DomainSet& excluded) {
  if (excluded.contains(&domain)) return false;
  if (domain.num_domains == 0) return true;
  keep_children(domain, [&](Domain& child) { return drop_excluded(child, excluded); });
  sum_up(domain);
  return domain.num_domains > 0;
}

/// Removes a domain, and each domain above it and below `top` that becomes empty.
DomainPtr detach(Domain& domain, const Domain& top) {
  Domain* parent = domain.parent;
  DomainPtr detached = release_child(*parent, position_of(domain));
  while (parent != &top && parent->num_domains == 0) {
    Domain* const empty = parent;
    parent = empty->parent;
    release_child(*parent, position_of(*empty));
  }
  for (Domain* each = parent; each != &top; each = each->parent)
    sum_up(*each);
  return detached;
}

/// Removes the units and subdomains of a domain; it keeps its tag and its position.
void remove_units(Domain& domain) {
  keep_children(domain, [](const Domain&) { return false; });
  set_units(domain, {});
  domain.num_cores = 0;
  domain.num_nodes = 0;
  domain.is_symmetric = 1;
}

int next_relative_index(const Domain& parent) {
  return parent.num_domains == 0 ? 0 : parent.children[parent.num_domains - 1]->relative_index + 1;
}

/// Effect of an insertion at an index: the relative indices of the siblings in positions [first, last), which
/// follow each other without a gap, increase by one.
struct Insertion {
  int index = 0;
  int first = 0;
  int last = 0;
};

/// \param ignored  a child of the parent that will be removed before the insertion, or nullptr
Insertion plan_insertion(const Domain& parent, int relative_index, const Domain* ignored) {
  std::vector<int> taken;
  for (int i = 0; i < parent.num_domains; ++i) {
    if (parent.children[i] != ignored) taken.push_back(parent.children[i]->relative_index);
  }
  const int end_index = taken.empty() ? 0 : taken.back() + 1;
  if (relative_index < -1 || relative_index > end_index) {
    throw_error(DART_ERR_INVAL,
                "relative index {} in domain {}; expected 0 to {}, or -1 for the end",
                relative_index, parent.domain_tag, end_index);
  }
  Insertion plan;
  plan.index = relative_index < 0 ? end_index : relative_index;
  plan.first =
      static_cast<int>(std::lower_bound(taken.begin(), taken.end(), plan.index) - taken.begin());
  plan.last = plan.first;
  while (plan.last < static_cast<int>(taken.size()) &&
         taken[static_cast<std::size_t>(plan.last)] == plan.index + plan.last - plan.first)
    ++plan.last;
  return plan;
}

void check_tag(const Domain& parent, int relative_index, const Domain& child) {
  const std::size_t length = child_tag_length(parent, relative_index) + longest_suffix(child);
  if (length >= DART_LOCALITY_DOMAIN_TAG_MAX_SIZE) {
    throw_error(DART_ERR_INVAL,
                "the hierarchy would be too deep: a tag in domain {} would have {} characters; "
                "the limit is {}",
                parent.domain_tag, length, DART_LOCALITY_DOMAIN_TAG_MAX_SIZE - 1);
  }
}

void check_insertion(const Domain& parent, const Domain& child, const Insertion& plan,
                     const Domain* ignored) {
  check_tag(parent, plan.index, child);
  int position = 0;
  for (const Domain* const sibling : children_of(parent)) {
    if (sibling == ignored) continue;
    if (position >= plan.first && position < plan.last) {
      check_tag(parent, sibling->relative_index + 1, *sibling);
    }
    ++position;
  }
}

/// \pre reserve_child() was called for the parent
Domain& insert(Domain& parent, DomainPtr child, const Insertion& plan) noexcept {
  for (int i = plan.first; i < plan.last; ++i) {
    ++parent.children[i]->relative_index;
    name_child(*parent.children[i]);
  }
  child->relative_index = plan.index;
  Domain& adopted = adopt_child(parent, std::move(child), plan.first);
  name_child(adopted);
  return adopted;
}

/// The nearest domain that contains all of the given ones.
Domain& common_parent(const std::vector<Domain*>& domains) {
  Domain* common = domains.front()->parent;
  for (const Domain* const domain : domains) {
    while (!is_in(domain->parent, *common))
      common = common->parent;
  }
  return *common;
}

void check_disjoint(const Domain& top, const std::vector<Domain*>& domains) {
  for (std::size_t i = 0; i < domains.size(); ++i) {
    if (domains[i] == &top) {
      throw_error(DART_ERR_INVAL, "domain {} cannot be a member of a group within itself",
                  top.domain_tag);
    }
    for (std::size_t j = 0; j < domains.size(); ++j) {
      if (i != j && is_in(domains[i], *domains[j])) {
        throw_error(DART_ERR_INVAL, "domain {} is part of {}; members of a group must be disjoint",
                    domains[i]->domain_tag, domains[j]->domain_tag);
      }
    }
  }
}

DomainPtr new_group(Domain& parent) {
  DomainPtr group = new_domain();
  group->scope = DART_LOCALITY_SCOPE_GROUP;
  group->team = parent.team;
  group->node_id = parent.node_id;
  group->shared_mem_bytes = parent.shared_mem_bytes;
  std::copy(std::begin(parent.host), std::end(parent.host), group->host);
  group->global_index = 0;
  for (const Domain* const other : domains_of_scope(root_of(parent), DART_LOCALITY_SCOPE_GROUP))
    group->global_index = std::max(group->global_index, other->global_index + 1);
  return group;
}

}  // namespace

std::string_view scope_name(dart_locality_scope_t scope) noexcept {
  switch (scope) {
    case DART_LOCALITY_SCOPE_UNDEFINED:
      return "UNDEFINED";
    case DART_LOCALITY_SCOPE_GLOBAL:
      return "GLOBAL";
    case DART_LOCALITY_SCOPE_GROUP:
      return "GROUP";
    case DART_LOCALITY_SCOPE_NETWORK:
      return "NETWORK";
    case DART_LOCALITY_SCOPE_NODE:
      return "NODE";
    case DART_LOCALITY_SCOPE_MODULE:
      return "MODULE";
    case DART_LOCALITY_SCOPE_NUMA:
      return "NUMA";
    case DART_LOCALITY_SCOPE_UNIT:
      return "UNIT";
    case DART_LOCALITY_SCOPE_PACKAGE:
      return "PACKAGE";
    case DART_LOCALITY_SCOPE_UNCORE:
      return "UNCORE";
    case DART_LOCALITY_SCOPE_CACHE:
      return "CACHE";
    case DART_LOCALITY_SCOPE_CORE:
      return "CORE";
    case DART_LOCALITY_SCOPE_CPU:
      return "CPU";
  }
  return "unknown";
}

Domain& find_domain(Domain& domain, std::string_view tag) {
  Domain* const found = search(domain, tag);
  if (found == nullptr) {
    throw_error(DART_ERR_NOTFOUND, "there is no domain '{}' in {}", tag, domain.domain_tag);
  }
  return *found;
}

std::vector<Domain*> domains_of_scope(Domain& domain, dart_locality_scope_t scope) {
  std::vector<Domain*> found;
  collect_scope(domain, scope, found);
  return found;
}

void select_domains(Domain& domain, std::span<const std::string_view> tags) {
  const std::vector<Domain*> found = find_domains(domain, tags);
  keep_selected(domain, DomainSet(found.begin(), found.end()));
  sum_up_to_root(domain);
}

void exclude_domains(Domain& domain, std::span<const std::string_view> tags) {
  const std::vector<Domain*> found = find_domains(domain, tags);
  if (std::find(found.begin(), found.end(), &domain) != found.end()) {
    throw_error(DART_ERR_INVAL, "domain {} cannot be excluded from itself", domain.domain_tag);
  }
  if (found.empty()) return;
  drop_excluded(domain, DomainSet(found.begin(), found.end()));
  sum_up_to_root(domain);
}

void add_subdomain(Domain& parent, DomainPtr& child, int relative_index) {
  const Insertion plan = plan_insertion(parent, relative_index, nullptr);
  check_insertion(parent, *child, plan, nullptr);
  reserve_child(parent);
  insert(parent, std::move(child), plan);
  sum_up_to_root(parent);
}

void move_subdomain(Domain& domain, Domain& new_parent, int relative_index) {
  if (domain.parent == nullptr) {
    throw_error(DART_ERR_INVAL, "domain {} is not a subdomain", domain.domain_tag);
  }
  if (is_in(&new_parent, domain)) {
    throw_error(DART_ERR_INVAL, "domain {} cannot be moved into {}, which is part of it",
                domain.domain_tag, new_parent.domain_tag);
  }
  const Insertion plan = plan_insertion(new_parent, relative_index, &domain);
  check_insertion(new_parent, domain, plan, &domain);
  reserve_child(new_parent);
  Domain& old_parent = *domain.parent;
  insert(new_parent, release_child(old_parent, position_of(domain)), plan);
  sum_up_to_root(old_parent);
  sum_up_to_root(new_parent);
}

DomainPtr remove_subdomain(Domain& domain) {
  if (domain.parent == nullptr) {
    throw_error(DART_ERR_INVAL, "domain {} is not a subdomain", domain.domain_tag);
  }
  Domain& parent = *domain.parent;
  DomainPtr removed = release_child(parent, position_of(domain));
  sum_up_to_root(parent);
  return removed;
}

Domain& group_domains(Domain& domain, std::span<const std::string_view> tags) {
  const std::vector<Domain*> members = find_domains(domain, tags);
  check_disjoint(domain, members);
  Domain& parent = common_parent(members);
  DomainPtr group = new_group(parent);
  const int index = next_relative_index(parent);
  for (std::size_t position = 0; position < members.size(); ++position) {
    const std::size_t length = child_tag_length(parent, index) +
                               fmt::formatted_size(".{}", position) +
                               longest_suffix(*members[position]);
    if (length >= DART_LOCALITY_DOMAIN_TAG_MAX_SIZE) {
      throw_error(DART_ERR_INVAL,
                  "the hierarchy is too deep for a group of {}: a tag would have {} "
                  "characters; the limit is {}",
                  members[position]->domain_tag, length, DART_LOCALITY_DOMAIN_TAG_MAX_SIZE - 1);
    }
  }
  reserve_child(parent);
  reserve_child(*group, static_cast<int>(members.size()));
  for (Domain* const member : members) {
    DomainPtr detached = detach(*member, parent);
    detached->relative_index = group->num_domains;
    adopt_child(*group, std::move(detached), group->num_domains);
  }
  group->relative_index = index;
  Domain& adopted = adopt_child(parent, std::move(group), parent.num_domains);
  name_child(adopted);
  sum_up_to_root(adopted);
  return adopted;
}

std::vector<DomainPtr> split_domain(const Domain& domain, dart_locality_scope_t scope, int nparts) {
  const auto outermost = [scope](Domain& copy) {
    std::vector<Domain*> found = domains_of_scope(copy, scope);
    const DomainSet all(found.begin(), found.end());  // a GROUP may contain another one
    std::erase_if(found, [&](const Domain* each) { return is_in_one_of(each->parent, all); });
    return found;
  };
  std::vector<DomainPtr> parts;
  for (int part = 0; part < nparts; ++part) {
    DomainPtr copy = copy_domain(domain);
    const std::vector<Domain*> all = outermost(*copy);
    if (all.empty()) {
      throw_error(DART_ERR_NOTFOUND, "there is no domain of scope {} in {}", scope_name(scope),
                  domain.domain_tag);
    }
    // The first `used` parts get domains; the first count % used of them get one more than the others.
    const auto count = static_cast<int>(all.size());
    const int used = std::min(nparts, count);
    const auto begin = [&](int p) { return p * (count / used) + std::min(p, count % used); };
    const DomainSet mine(all.begin() + (part < used ? begin(part) : count),
                         all.begin() + (part < used ? begin(part + 1) : count));
    if (mine.empty()) {
      remove_units(*copy);
    } else {
      keep_selected(*copy, mine);
    }
    parts.push_back(std::move(copy));
  }
  return parts;
}

}  // namespace dash::dart
