#pragma once

/// The argument as a string literal, not expanded.
#define dash__tostr(s) #s
/// The argument as a string literal, after macro expansion.
#define dash__toxstr(s) dash__tostr(s)
/// Suppresses the warning about an unused name.
#define dash__unused(x) ((void)(x))
