#!/usr/bin/env bash
# Input filter of Doxygen (FILTER_PATTERNS in docs/Doxyfile): prints a header in which the base classes that public classes
# share are in the namespace dash::inherited. Other classes of dash::internal have no documentation, so Doxygen
# excludes that namespace, but the members that public classes inherit have to be listed.
#   filter.sh <header>
set -euo pipefail
bases='Container|ElementRef|ElementChanges|AsyncElements|AtomicReader|AtomicAsyncReader|DistributedPattern|RangesPattern|OwnersViewBase|LocalMatrixRefBase|ViewInterface|LocalIterBase'
case $1 in
  */internal/*) sed -E 's/^namespace dash::internal \{/namespace dash::inherited {/' "$1" ;;
  *) sed -E "s/\binternal::($bases)\b/inherited::\1/g" "$1" ;;
esac
