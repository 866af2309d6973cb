#pragma once

/// \file
/// View expressions: lazy selections of the elements of containers, ranges, and other views.
///
///    sub(first, last, x)    range of a dimension      local(x)       the caller's elements
///    strided(step, x)       every step-th element     remote(u, x)   the elements of a unit
///    blocks(x)              its blocks                global(x)      global view of a local one
///    block(n, x)            its n-th block            index(x)       indices of the elements
///    intersect(x, y)        common elements           domain(x)      the operand of an expression
///    set_union({x, y})      concatenation             origin(x)      the innermost operand
///
/// Without x they are chained: array | sub(2, 8) | local() | index().

#include "dash/HView.h"
#include "dash/Range.h"
#include "dash/view/Apply.h"
#include "dash/view/Blocks.h"
#include "dash/view/CartView.h"
#include "dash/view/Closure.h"
#include "dash/view/Domain.h"
#include "dash/view/Global.h"
#include "dash/view/IndexSet.h"
#include "dash/view/Local.h"
#include "dash/view/Origin.h"
#include "dash/view/SetIntersect.h"
#include "dash/view/SetUnion.h"
#include "dash/view/Sub.h"
#include "dash/view/ViewIterator.h"
#include "dash/view/ViewMod.h"
#include "dash/view/ViewTraits.h"
