// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

#include "dash/Array.h"
#include "dash/Atomic.h"
#include "dash/Exception.h"
#include "dash/GlobAsyncRef.h"
#include "dash/GlobPtr.h"
#include "dash/GlobRef.h"
#include "dash/GlobSharedRef.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/Onesided.h"
#include "dash/memory/GlobLocalMemoryPool.h"
#include "support/Catch.h"

using index_t = dash::default_index_t;
using dash::GlobAsyncRef;
using dash::GlobPtr;
using dash::GlobRef;
using dash::GlobSharedRef;

namespace {

struct Inner {
  int a, b;
};
struct Element {
  int first;
  double second;
  Inner inner;
  friend bool operator==(const Element& a, const Element& b) { return a.second == b.second; }
};
struct Base {
  int x;
};
struct Derived : Base {};

template <class A, class B>
constexpr bool same = std::is_same_v<A, B>;
template <class R>
concept ComparesWithInt = requires(const R& ref) {
  ref == 3;
};
template <class R>
concept ComparesWithItself = requires(const R& a, const R& b) {
  a != b;
};

/// Index of the element of the unit after the caller; the caller reads its own element, which the
/// unit before it writes.
index_t next() {
  return static_cast<index_t>((dash::myid() + 1) % dash::size());
}
index_t mine() {
  return static_cast<index_t>(dash::myid());
}
int before() {
  return static_cast<int>((dash::myid() + dash::size() - 1) % dash::size());
}

}  // namespace

TEST_CASE("References and pointers: their types: as specified") {
  using Memory = dash::GlobStaticMem<dash::HostSpace>;
  using Pointer = GlobPtr<int, Memory>;
  STATIC_REQUIRE(same<GlobPtr<int>, Pointer>);
  STATIC_REQUIRE(same<Pointer::const_type, GlobPtr<const int, Memory>>);
  STATIC_REQUIRE(same<Pointer::rebind<double>, GlobPtr<double, Memory>>);
  STATIC_REQUIRE(same<Pointer::memory_type, Memory>);
  STATIC_REQUIRE(same<Pointer::local_type, int*> && same<Pointer::const_local_type, const int*>);
  STATIC_REQUIRE(same<decltype(*std::declval<Pointer&>()), GlobRef<int>>);
  STATIC_REQUIRE(same<decltype(*std::declval<const Pointer&>()), GlobRef<const int>>);
  STATIC_REQUIRE(same<decltype(std::declval<const Pointer&>()[1]), GlobRef<const int>>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<dart_gptr_t, Pointer>);
  STATIC_REQUIRE(std::is_convertible_v<GlobPtr<Derived>, GlobPtr<Base>>);

  using Ref = GlobRef<const int>;
  STATIC_REQUIRE(same<Ref::value_type, const int> && same<Ref::nonconst_value_type, int>);
  STATIC_REQUIRE(same<GlobRef<int>::const_value_type, const int>);
  STATIC_REQUIRE(same<GlobRef<int>::const_type, Ref>);
  STATIC_REQUIRE(std::is_convertible_v<GlobAsyncRef<int>, GlobRef<int>>);
  STATIC_REQUIRE(std::is_convertible_v<GlobRef<int>, GlobAsyncRef<const int>>);
  STATIC_REQUIRE_FALSE(std::is_constructible_v<GlobRef<int>, GlobAsyncRef<const int>>);
  STATIC_REQUIRE(std::is_convertible_v<GlobAsyncRef<Derived>, GlobAsyncRef<Base>>);

  using Async = GlobAsyncRef<int>;
  STATIC_REQUIRE(same<GlobAsyncRef<const int>::nonconst_value_type, int>);
  STATIC_REQUIRE(std::is_move_constructible_v<Async> && std::is_move_assignable_v<Async>);
  STATIC_REQUIRE_FALSE(std::is_copy_constructible_v<Async>);
  STATIC_REQUIRE_FALSE(std::is_copy_assignable_v<Async>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<Async, int>);
  STATIC_REQUIRE_FALSE(ComparesWithInt<Async> || ComparesWithItself<Async>);
  using AsyncAtomic = GlobAsyncRef<dash::Atomic<int>>;
  STATIC_REQUIRE_FALSE(ComparesWithInt<AsyncAtomic> || ComparesWithItself<AsyncAtomic>);
  STATIC_REQUIRE(std::is_convertible_v<AsyncAtomic, GlobRef<dash::Atomic<int>>>);
  STATIC_REQUIRE(same<decltype(std::declval<const Async&>() = 3), const Async&>);

  using Iter = dash::Array<int>::iterator;
  STATIC_REQUIRE(same<Iter::iterator_category, std::random_access_iterator_tag>);
  STATIC_REQUIRE(same<Iter::pointer, Pointer> && same<Iter::const_pointer, Pointer::const_type>);
  STATIC_REQUIRE(same<Iter::reference, GlobRef<int>> && same<Iter::const_reference, Ref>);
  STATIC_REQUIRE(same<Iter::value_type, int> && same<Iter::local_type, int*>);
  STATIC_REQUIRE(same<Iter::difference_type, index_t> && same<Iter::index_type, index_t>);
  STATIC_REQUIRE(same<Iter::pattern_type, dash::Pattern<1>>);
  STATIC_REQUIRE(same<dash::iterator_traits<Iter>::index_type, index_t>);
  STATIC_REQUIRE_FALSE(dash::iterator_traits<Pointer>::is_global_iterator::value);
  using ViewIter = decltype(std::declval<dash::Matrix<int, 2>&>().row(0).begin());
  STATIC_REQUIRE(dash::detail::is_global_iterator<ViewIter>::value && ViewIter::has_view::value);
}

TEST_CASE("GlobAsyncRef: values written and read: complete after the flush") {
  dash::Array<int> array(dash::size(), dash::BLOCKED);
  {
    const GlobAsyncRef<int> ref(array[next()]);
    ref = 1 + dash::myid();
    ref.flush();
    CHECK(ref.get() == 1 + dash::myid());
    array.barrier();
    CHECK(array.local[0] == 1 + before());
    array.barrier();
    ref.set(100 + dash::myid());
    ref.set(200 + dash::myid());
    const int source = 300 + dash::myid();
    ref.flush();
    ref.set(&source);
    ref.flush();
    int got = 0;
    ref.get(&got);
    ref.flush();
    CHECK(got == source);
    got = 0;
    ref.get(got);
    ref.flush();
    CHECK(got == source);
    CHECK(ref.is_local() == (dash::size() == 1));
    CHECK(GlobPtr<int>(ref.dart_gptr()) == GlobPtr<int>(array.begin() + next()));
  }
  array.barrier();
  // A moved reference keeps the value until the put has read it.
  GlobAsyncRef<int> a(array[next()]);
  a = 400 + dash::myid();
  GlobAsyncRef<int> b(std::move(a));
  b = 500 + dash::myid();
  b.flush();
  array.barrier();
  CHECK(array.local[0] == 500 + before());
  // swap exchanges the references.
  GlobAsyncRef<int> own(array[mine()]);
  dash::swap(b, own);
  CHECK(b.is_local());
  CHECK(b.get() == 500 + before());
  const GlobRef<int> blocking = own;
  CHECK(blocking.get() == 500 + dash::myid());
  std::ostringstream text;
  text << own;
  CHECK(text.str().find("GlobAsyncRef(unit " + std::to_string(next())) != std::string::npos);
  array.barrier();
}

TEST_CASE("References: to members: refer to the member only, with the constness of the object") {
  dash::Array<Element> array(dash::size());
  array[next()].member(&Element::second) = 1.5 + dash::myid();
  array[next()].member(&Element::inner).member(&Inner::b) = 7;
  array.async[next()].member(&Element::first) = 3;
  array.barrier();
  const Element element = array[mine()];
  CHECK(element.second == 1.5 + before());
  CHECK(element.inner.b == 7);
  CHECK(element.inner.a == 0);
  CHECK(element.first == 3);
  CHECK(array[mine()] == element);
  const GlobRef<const Element> constant(array[mine()]);
  const auto part = constant.member<double>(offsetof(Element, second));
  STATIC_REQUIRE(same<decltype(part), const GlobRef<const double>>);
  CHECK(part == element.second);
  STATIC_REQUIRE(same<decltype(constant.member(&Element::first)), GlobRef<const int>>);
  STATIC_REQUIRE(same<decltype(array.async[0].member(&Element::first)), dash::GlobAsyncRef<int>>);
  array.barrier();
}

TEST_CASE("dash::swap: of references: exchanges the elements") {
  dash::Array<int> array(4, dash::CYCLIC);
  dash::Array<dash::Atomic<int>> atomics(4, dash::CYCLIC);
  if (dash::myid() == 0) {
    for (int i = 0; i < 4; ++i) {
      array[i] = i;
      atomics[i].store(i);
    }
    dash::swap(array[0], array[3]);
    auto a = array[1];
    auto b = array[2];
    dash::swap(a, b);
    dash::swap(a, array[0]);
    CHECK(array[0] == 2);
    CHECK(array[1] == 3);
    CHECK(array[2] == 1);
    CHECK(array[3] == 0);
    using std::swap;
    auto c = atomics[1];
    auto d = atomics[2];
    swap(c, d);
    CHECK(atomics[1].load() == 2);
    CHECK(atomics[2].load() == 1);
    std::iter_swap(atomics.begin(), atomics.begin() + 3);
    CHECK(atomics[0].load() == 3);
    CHECK(atomics[3].load() == 0);
    const GlobAsyncRef<dash::Atomic<int>> async(atomics[3]);
    const GlobRef<dash::Atomic<int>> blocking(async);
    CHECK(blocking.exchange(9) == 0);
    CHECK(async.get() == 9);
  }
  array.barrier();
}

TEST_CASE("GlobSharedRef: reads and writes: like a value, locally and remotely") {
  dash::Array<int> array(2 * dash::size(), dash::BLOCKED);
  array.barrier();
  const auto check = [](const GlobSharedRef<int>& ref, const GlobSharedRef<int>& other) {
    ref = 5;
    ref += 2;
    ref *= 3;
    ref -= 1;
    ref /= 4;
    CHECK(ref == 5);
    ref ^= 1;
    CHECK(ref++ == 4);
    CHECK(++ref == 6);
    CHECK(ref-- == 6);
    CHECK(--ref == 4);
    const int value = ref;
    CHECK(value == ref.get());
    other.put(8);
    CHECK(ref != other);
    CHECK(other != 4);
    ref.swap(other);
    CHECK(ref == 8);
    auto a = ref;
    auto b = other;
    using std::swap;
    swap(a, b);
    CHECK(other == 8);
    a = b;
    CHECK(ref == 8);
  };
  int* const local = array.lbegin();
  const GlobSharedRef<int> own(array[2 * mine()].dart_gptr(), local);
  const GlobSharedRef<int> native(local + 1);
  CHECK(own.is_local());
  CHECK(own.local() == local);
  check(own, native);
  array.barrier();
  const auto at = array.begin() + 2 * next();
  const GlobSharedRef<int> remote(at.dart_gptr());
  CHECK_FALSE(remote.is_local());
  CHECK(remote.local() == nullptr);
  check(remote, GlobSharedRef<int>(GlobPtr<int>(at + 1)));
  CHECK(GlobPtr<int>(remote.dart_gptr()) == GlobPtr<int>(at));
  STATIC_REQUIRE(same<GlobSharedRef<int>::rebind<double>::other::value_type, double>);
  array.barrier();
}

TEST_CASE("GlobViewIter: positions: in the box and in the range") {
  dash::Matrix<int, 2> matrix(6, 4, dash::BLOCKED, dash::NONE);
  matrix.barrier();
  auto box = matrix.sub<0>(1, 3).sub<1>(1, 2);
  auto it = box.begin() + 3;
  CHECK(it.rpos() == 3);
  CHECK(it.is_relative());
  CHECK(it.viewspec() == dash::ViewSpec<2>({1, 1}, {3, 2}));
  CHECK(it.gpos() == matrix.pattern().global_at({{2, 2}}));
  CHECK(it.global().pos() == it.gpos());
  CHECK(it.lpos() == matrix.pattern().local_index({{2, 2}}));
  CHECK(dash::index(it) == it.gpos());
  CHECK(dash::distance(box.begin(), box.end()) == 6);
  CHECK(GlobPtr<int>(it) == GlobPtr<int>(it.global()));
  CHECK(&it.team() == &dash::Team::All());
  CHECK(&it.pattern() == &matrix.pattern());
  matrix.barrier();
}

TEST_CASE("Transfers of several elements: with and without handles") {
  dash::Array<int> array(3 * dash::size(), dash::BLOCKED);
  const dart_gptr_t right = (array.begin() + 3 * next()).dart_gptr();
  const int source[] = {mine() == 0 ? 7 : 8, 2, 3};
  dart_handle_t handle = DART_HANDLE_NULL;
  dash::internal::put_handle(right, source, 3, &handle);
  CHECK(dart_wait(&handle) == DART_OK);
  int got[3] = {};
  dash::internal::get_handle(right, got, 3, &handle);
  CHECK(dart_wait(&handle) == DART_OK);
  CHECK(std::equal(got, got + 3, source));
  array.barrier();
  CHECK(array.local[0] == (before() == 0 ? 7 : 8));
  array.barrier();
  dash::internal::put(right, source + 1, 2);
  dash::fence<int>(GlobPtr<int>(right));
  dash::internal::get(right, got, 2);
  dash::fence_local<int>(GlobPtr<int>(right));
  CHECK(got[0] == 2);
  CHECK(got[1] == 3);
  array.barrier();
}

TEST_CASE("Access through a pointer to a freed array is an error after its id was reused") {
  dash::GlobPtr<int> stale;
  {
    const dash::Array<int> freed(4 * dash::size());
    stale = dash::GlobPtr<int>((freed.begin() + 4 * next()).dart_gptr());
  }
  dash::barrier();
  dash::Array<int> array(4 * dash::size());
  dash::GlobPtr<int> valid((array.begin() + 4 * next()).dart_gptr());
  REQUIRE(valid.dart_gptr().segid == stale.dart_gptr().segid);
  *valid = 5;
  CHECK(static_cast<int>(*valid) == 5);
  CHECK_THROWS_AS(static_cast<int>(*stale), dash::exception::InvalidArgument);
  CHECK_THROWS_AS(*stale = 6, dash::exception::InvalidArgument);
  dash::GlobRef<dash::Atomic<int>> counter(stale.dart_gptr());
  CHECK_THROWS_AS(counter.fetch_add(1), dash::exception::InvalidArgument);
  CHECK(stale.on_node_address() == nullptr);
  array.barrier();
  CHECK(array.local[0] == 5);
}

namespace {

struct First {
  long first = 0;
};
struct Second {
  int second = 0;
};
struct Both : First, Second {
  int both = 0;
  double values[3] = {};
};

}  // namespace

TEST_CASE("Members of derived classes, and elements of members that are arrays") {
  auto derived = dash::memalloc<Both>(1);
  auto* const own = static_cast<Both*>(derived.local());
  (*derived).member(&Both::second) = 1;
  (*derived).member(&Both::both) = 2;
  (*derived).member<double>(&Both::values) = 3.5;
  CHECK(own->second == 1);
  CHECK(own->both == 2);
  CHECK(own->values[0] == 3.5);
  // A reference to the base, which does not begin where the object begins.
  auto base = (*derived).member<Second>(sizeof(First));
  base.member(&Second::second) = 4;
  base.member(&Both::both) = 5;
  CHECK(own->second == 4);
  CHECK(own->both == 5);
  dash::memfree(derived, 1);
}
