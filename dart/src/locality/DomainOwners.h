#pragma once

#include "locality/Domain.h"

namespace dash::dart {

/// Who owns the hierarchies that there are, by their roots. Hierarchies of the caller's own may be
/// older than dart_init and outlive dart_exit, so this is the process's and not the runtime's.
/// \threads any

/// Hands a hierarchy to the caller, who destroys it.
Domain* give_to_caller(DomainPtr domain);
/// Fills an element of the caller's array, who destroys it and keeps the array.
void give_in_place(DomainPtr domain, Domain* element);
/// The domain becomes part of another hierarchy.
/// \throws Error (DART_ERR_INVAL) unless give_to_caller handed it out
DomainPtr take_from_caller(Domain* domain);

/// Frees a hierarchy of the caller's.
/// \throws Error (DART_ERR_INVAL) unless it is one
void destroy_of_caller(Domain* domain);

/// The runtime's own: nobody else may change or free it.
void mark_as_runtimes(const Domain* root);
void forget_owner(const Domain* root) noexcept;

/// \throws Error (DART_ERR_INVAL) unless the domain is in a hierarchy of the caller's
void check_changeable(Domain& domain);
/// \throws Error (DART_ERR_INVAL) unless the domain is the root of a hierarchy of the caller's
void check_root_of_caller(Domain& domain);

}  // namespace dash::dart
