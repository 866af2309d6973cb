#include "locality/DomainOwners.h"

#include <mutex>
#include <unordered_map>
#include <utility>

#include "base/Error.h"

namespace dash::dart {

namespace {

enum class Owner { caller, callers_array, runtime };

struct Owners {
  std::mutex mutex;  // guards owner_of; not the hierarchies
  std::unordered_map<const Domain*, Owner> owner_of;

  static Owners& instance() {
    // Never destroyed with the process: the application's own destructors may come later.
    static auto* const owners = new Owners();
    return *owners;
  }

  void set(const Domain* root, Owner owner) {
    const std::lock_guard lock(mutex);
    owner_of.insert_or_assign(root, owner);
  }

  /// Looks at the address only, so that a freed domain is told as well.
  Owner of_callers(const Domain* root) {
    const std::lock_guard lock(mutex);
    const auto found = owner_of.find(root);
    if (found == owner_of.end()) {
      throw_error(
          DART_ERR_INVAL,
          "the domain at {} is not the root of a hierarchy that dart_domain_create, _clone, "
          "_split_scope or _remove_subdomain made, or was freed",
          static_cast<const void*>(root));
    }
    if (found->second == Owner::runtime) {
      throw_error(DART_ERR_INVAL, "domain '{}' of team {} belongs to the runtime; change a clone",
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

void give_in_place(DomainPtr domain, Domain* element) {
  Owners::instance().set(element, Owner::callers_array);
  // What is there is not initialised: emptied without a look at it.
  *element = Domain();
  replace_content(*element, std::move(domain));
}

DomainPtr take_from_caller(Domain* domain) {
  if (Owners::instance().of_callers(domain) != Owner::caller) {
    throw_error(DART_ERR_INVAL, "domain {} lies in an array of the caller's; use a clone of it",
                domain->domain_tag);
  }
  forget_owner(domain);
  return DomainPtr(domain);
}

void destroy_of_caller(Domain* domain) {
  const Owner owner = Owners::instance().of_callers(domain);
  forget_owner(domain);
  if (owner == Owner::caller) {
    DestroyDomain()(domain);
  } else {
    clear_domain(*domain);
  }
}

void mark_as_runtimes(const Domain* root) {
  Owners::instance().set(root, Owner::runtime);
}

void forget_owner(const Domain* root) noexcept {
  Owners& owners = Owners::instance();
  const std::lock_guard lock(owners.mutex);
  owners.owner_of.erase(root);
}

void check_changeable(Domain& domain) {
  Owners::instance().of_callers(&root_of(domain));
}

void check_root_of_caller(Domain& domain) {
  Owners::instance().of_callers(&domain);
}

}  // namespace dash::dart
