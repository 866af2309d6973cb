#include "locality/DomainOwners.h"

#include <mutex>
#include <unordered_map>
#include <utility>

#include "base/Error.h"

namespace dash::dart {

namespace {

enum class Owner { caller, caller_array, runtime };

struct Owners {
  std::mutex mutex;  // guards owner_of; not the hierarchies
  std::unordered_map<const Domain*, Owner> owner_of;

  static Owners& instance() {
    // Never destroyed: destructors of static objects of the application may run later.
    static auto* const owners = new Owners();
    return *owners;
  }

  void set(const Domain* root, Owner owner) {
    const std::lock_guard lock(mutex);
    owner_of.insert_or_assign(root, owner);
  }

  /// The owner of a root that belongs to the caller. Uses only the address, so that a freed domain is
  /// detected.
  /// \throws exception::InvalidArgument unless the domain is a root that belongs to the caller
  Owner owner_of_callers_root(const Domain* root) {
    const std::lock_guard lock(mutex);
    const auto found = owner_of.find(root);
    if (found == owner_of.end()) {
      throw_error(DART_ERR_INVAL,
                  "the domain at {} was freed, or is not the root of a hierarchy made by "
                  "dart_domain_create, _clone, _split_scope or _remove_subdomain",
                  static_cast<const void*>(root));
    }
    if (found->second == Owner::runtime) {
      throw_error(DART_ERR_INVAL,
                  "domain '{}' of team {} belongs to the runtime; change a clone of it instead",
                  root->domain_tag, root->team);
    }
    return found->second;
  }
};

}  // namespace

Domain* give_to_caller(DomainPtr domain) {
  Owners::instance().set(domain.get(), Owner::caller);
  return domain.release();
}

void give_array_element_to_caller(DomainPtr domain, Domain* element) {
  Owners::instance().set(element, Owner::caller_array);
  // The element is uninitialized memory: it is overwritten without being freed.
  *element = Domain();
  replace_content(*element, std::move(domain));
}

DomainPtr take_from_caller(Domain* domain) {
  if (Owners::instance().owner_of_callers_root(domain) != Owner::caller) {
    throw_error(DART_ERR_INVAL,
                "domain {} is an element of an array of the caller; use a clone of it",
                domain->domain_tag);
  }
  forget_owner(domain);
  return DomainPtr(domain);
}

void destroy_callers_domain(Domain* domain) {
  const Owner owner = Owners::instance().owner_of_callers_root(domain);
  forget_owner(domain);
  if (owner == Owner::caller) {
    DestroyDomain()(domain);
  } else {
    clear_domain(*domain);
  }
}

void mark_as_runtime_owned(const Domain* root) {
  Owners::instance().set(root, Owner::runtime);
}

void forget_owner(const Domain* root) noexcept {
  Owners& owners = Owners::instance();
  const std::lock_guard lock(owners.mutex);
  owners.owner_of.erase(root);
}

void check_changeable(Domain& domain) {
  Owners::instance().owner_of_callers_root(&root_of(domain));
}

void check_root_of_caller(Domain& domain) {
  Owners::instance().owner_of_callers_root(&domain);
}

}  // namespace dash::dart
