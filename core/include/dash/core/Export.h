#pragma once

/// Marks what the shared library exports: it is built with hidden visibility. On a class, the
/// vtable and the type information are exported too, so that an exception thrown inside the library
/// is caught outside.
#define DASH_API __attribute__((visibility("default")))
