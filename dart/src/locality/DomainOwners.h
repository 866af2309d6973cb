#pragma once

#include "locality/Domain.h"

namespace dash::dart {

/// Registers the owners of hierarchies, by their roots. Since hierarchies of the caller may be created before
/// dart_init and outlive dart_exit, the registry belongs to the process, not to the runtime.
/// \threads thread-safe

/// Transfers ownership of a hierarchy to the caller.
Domain* give_to_caller(DomainPtr domain);
/// Moves a hierarchy into an element of an array. The caller owns the hierarchy and the array.
void give_array_element_to_caller(DomainPtr domain, Domain* element);
/// Takes a hierarchy back from the caller, so that it can become part of another one.
/// \throws exception::InvalidArgument unless give_to_caller() returned it
DomainPtr take_from_caller(Domain* domain);

/// Frees a hierarchy that the caller owns.
/// \throws exception::InvalidArgument unless the caller owns it
void destroy_callers_domain(Domain* domain);

/// Registers a hierarchy of the runtime, which applications may not change or free.
void mark_as_runtime_owned(const Domain* root);
void forget_owner(const Domain* root) noexcept;

/// \throws exception::InvalidArgument unless the domain is in a hierarchy that the caller owns
void check_changeable(Domain& domain);
/// \throws exception::InvalidArgument unless the domain is the root of a hierarchy that the caller owns
void check_root_of_caller(Domain& domain);

}  // namespace dash::dart
