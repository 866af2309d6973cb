#pragma once

/// \file
/// The version of the DASH interface that this library implements. For the version of the library
/// itself see CHANGELOG.md.

/// Major version of the interface.
/// \ingroup utilities
#define DASH_VERSION_MAJOR 0
/// Minor version of the interface.
/// \ingroup utilities
#define DASH_VERSION_MINOR 4
/// Patch level of the interface.
/// \ingroup utilities
#define DASH_VERSION_PATCH 0
/// Version of the interface as a string.
/// \ingroup utilities
#define DASH_VERSION_STRING "0.4.0"

// The commit as a string, if the build defines it.
#if defined(DASH_GIT_COMMIT)
#define DASH_HAVE_GIT_COMMIT
#endif
