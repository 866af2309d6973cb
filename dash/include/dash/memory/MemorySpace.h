#pragma once

namespace dash {

/// Tag of memory that processors reach by load and store: the kind that containers use by default.
class HostSpace;

template <class LMemSpace>
class GlobStaticMem;

template <class T, class GlobMemT>
class GlobPtr;

template <class T>
class GlobRef;

template <class T>
class GlobAsyncRef;

}  // namespace dash
