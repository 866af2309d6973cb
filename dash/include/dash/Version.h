#pragma once

/// \file
/// The version of DASH whose interface this is; that of this library is its own, see CHANGELOG.md.

#define DASH_VERSION_MAJOR 0
#define DASH_VERSION_MINOR 4
#define DASH_VERSION_PATCH 0
#define DASH_VERSION_STRING "0.4.0"
