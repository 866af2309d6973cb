#pragma once
// As in a build of DASH 0.4 without LAPACK, this header defines nothing: include <lapacke.h>, or declare the functions.
