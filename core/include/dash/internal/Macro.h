#pragma once

/// The argument as a string literal, not expanded.
#define dash__tostr(s) #s
/// The argument as a string literal, after macro expansion.
#define dash__toxstr(s) dash__tostr(s)
/// Marks a name as used on purpose, so that no compiler warns of it.
#define dash__unused(x) ((void)(x))
