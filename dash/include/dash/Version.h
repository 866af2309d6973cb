#pragma once

/// \file
/// The version of DASH whose interface this is; that of this library is its own, see CHANGELOG.md.

#define DASH_VERSION_MAJOR 0
#define DASH_VERSION_MINOR 4
#define DASH_VERSION_PATCH 0
#define DASH_VERSION_STRING "0.4.0"

// The commit, as a string, if whoever builds defines it.
#if defined(DASH_GIT_COMMIT)
#define DASH_HAVE_GIT_COMMIT
#endif
