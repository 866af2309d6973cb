// A program in the style of DASH 0.4: it relies on what libdash.h includes, and includes the header paths of DASH 0.4
// whose contents are in other headers here.

#include <dash/IO.h>
#include <dash/Memory.h>
#include <dash/algorithm/AnyOf.h>
#include <dash/algorithm/LocalRanges.h>
#include <dash/algorithm/None_of.h>
#include <dash/allocator/AllocationPolicy.h>
#include <dash/allocator/AllocatorBase.h>
#include <dash/atomic/GlobAtomicAsyncRef.h>
#include <dash/atomic/GlobAtomicRef.h>
#include <dash/atomic/Operation.h>
#include <dash/atomic/Type_traits.h>
#include <dash/bindings/LAPACK.h>
#include <dash/exception/AssertionFailed.h>
#include <dash/exception/InvalidArgument.h>
#include <dash/exception/NotImplemented.h>
#include <dash/exception/OutOfRange.h>
#include <dash/exception/RuntimeError.h>
#include <dash/exception/StackTrace.h>
#include <dash/halo/Halo.h>
#include <dash/halo/Stencil.h>
#include <dash/halo/iterator/StencilIterator.h>
#include <dash/internal/Annotation.h>
#include <dash/iterator/GlobAsyncIter.h>
#include <dash/list/ListRef.h>
#include <dash/map/HashPolicy.h>
#include <dash/matrix/MatrixRefView.h>
#include <dash/memory/GlobHeapLocalPtr.h>
#include <dash/pattern/BlockPattern1D.h>
#include <dash/pattern/DynamicPattern.h>
#include <dash/pattern/PatternIterator.h>
#include <dash/pattern/PatternTraits.h>
#include <dash/pattern/ShiftTilePattern1D.h>
#include <dash/pattern/TilePattern1D.h>
#include <dash/util/Timestamp.h>
#include <dash/view/Block.h>
#include <dash/view/Chunked.h>
#include <dash/view/IndexRange.h>
#include <dash/view/MultiView.h>
#include <dash/view/Remote.h>
#include <dash/view/StridedView.h>
#include <dash/view/ViewBlocksMod.h>
#include <dash/view/ViewMod1D.h>
#include <dash/view/ViewOrigin.h>
#include <libdash.h>

template <class PatternType>
void print_pattern_metrics(const PatternType& pattern) {
  std::ofstream("/dev/null") << std::setw(8) << pattern.size();
}

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  const dash::Pattern<1> pattern(100);
  print_pattern_metrics(pattern);  // not ambiguous
  std::list<int> values{1, 2};
  std::thread([&] { values.push_back(3); }).join();
  assert(values.size() == 3);
  using Point = dash::halo::StencilPoint<2>;
  [[maybe_unused]] const dash::halo::StencilSpec<Point, 2> stencil(Point(-1, 0), Point(1, 0));
  dash::GlobHeapMem<int> heap(10);
  DASH_LOG_DEBUG("dash04", heap.size());
  dart_domain_locality_t* root = nullptr;
  const bool found = dart_domain_team_locality(DART_TEAM_ALL, ".", &root) == DART_OK;
  dash::tools::PatternVisualizer<dash::Pattern<1>> visualizer(pattern);
  heap.barrier();
  dash::finalize();
  return found && values.size() == 3 ? 0 : 1;
}
