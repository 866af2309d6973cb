#pragma once

/// Exports a function or class from the shared library, which is built with hidden visibility. For a class,
/// this exports the vtable and the type information, too, so that an exception thrown inside the library
/// can be caught outside.
#define DASH_API __attribute__((visibility("default")))
