// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,poll

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "RangeModel.h"
#include "dash/Algorithm.h"
#include "dash/Exception.h"
#include "support/Catch.h"
#include "support/Workers.h"

namespace {

/// Number of elements of each unit: several chunks, and enough for each worker to sort a part.
constexpr long each = 20000;

/// An element with its position in the range and a payload.
struct Element {
  long position;
  long rest[7];
};

/// The functions of the calls below are called for every element, and throw for this one.
long bad = 0;

long look(const Element& element) {
  if (element.position == bad)
    throw std::runtime_error("no good, says unit " + std::to_string(dash::myid().id));
  return element.position;
}
struct Less {
  bool operator()(const Element& a, const Element& b) const { return look(a) < look(b); }
};
bool is_one(const Element& element) {
  return look(element) >= 0;
}
bool is_none(const Element& element) {
  return look(element) < 0;
}
bool are_ones(const Element& a, const Element& b) {
  look(a);
  look(b);
  return true;
}
bool are_none(const Element& a, const Element& b) {
  return !are_ones(a, b);
}
Element later(const Element& a, const Element& b) {
  return Less()(a, b) ? b : a;
}

using Elements = dash::Array<Element>;

void number(Elements& array) {
  array.barrier();
  for (index_t i = 0; i < static_cast<index_t>(array.lsize()); ++i)
    array.lbegin()[i] = {each * dash::myid().id + i, {}};
  array.barrier();
}

/// A call of an algorithm that fails on the unit that processes the bad element.
struct Case {
  const char* algorithm;
  std::function<void(Elements& in, Elements& out)> call;
};

template <class Policy>
std::vector<Case> calls_that_change(const Policy& policy) {
  return {
      {"for_each", [=](Elements& in, Elements&) { dash::for_each(policy, in, is_one); }},
      {"for_each_with_index",
       [=](Elements& in, Elements&) {
         dash::for_each_with_index(policy, in, [](Element& element, index_t) { look(element); });
       }},
      {"replace_if",
       [=](Elements& in, Elements&) { dash::replace_if(policy, in, is_none, Element{}); }},
      {"transform",
       [=](Elements& in, Elements& out) {
         dash::transform(policy, in, out.begin(), [](const Element& element) {
           return Element{look(element), {}};
         });
       }},
      {"transform",
       [=](Elements& in, Elements& out) {
         dash::transform(policy, in, in.begin(), out.begin(), later);
       }},
      {"copy_if",
       [=](Elements& in, Elements& out) { dash::copy_if(policy, in, out.begin(), is_one); }},
      {"inclusive_scan",
       [=](Elements& in, Elements& out) { dash::inclusive_scan(policy, in, out, later); }},
      {"exclusive_scan",
       [=](Elements& in, Elements& out) {
         dash::exclusive_scan(policy, in, out, Element{}, later);
       }},
      {"adjacent_difference",
       [=](Elements& in, Elements& out) { dash::adjacent_difference(policy, in, out, later); }},
      {"partition", [=](Elements& in, Elements&) { dash::partition(policy, in, is_one); }},
      {"stable_partition",
       [=](Elements& in, Elements&) { dash::stable_partition(policy, in, is_one); }},
      {"unique", [=](Elements& in, Elements&) { dash::unique(policy, in, are_none); }},
  };
}

/// Algorithms for which par_node is equivalent to par. The samples of a unit are also compared on
/// other units.
std::vector<Case> calls_that_order() {
  return {
      {"sort", [](Elements& in, Elements&) { dash::sort(dash::par, in, Less()); }},
      {"sort",
       [](Elements& in, Elements&) {
         dash::sort(dash::par, in, [](const Element& element) { return look(element); });
       }},
      {"stable_sort", [](Elements& in, Elements&) { dash::stable_sort(dash::par, in, Less()); }},
      {"stable_sort", [](Elements& in, Elements&) { dash::stable_sort_async(in, Less()).get(); }},
      {"nth_element",
       [](Elements& in, Elements&) { dash::nth_element(dash::par, in, in.begin() + 10, Less()); }},
  };
}

template <class Policy>
std::vector<Case> calls_that_look(const Policy& policy) {
  return {
      {"find_if", [=](Elements& in, Elements&) { dash::find_if(policy, in, is_none); }},
      {"find_if_not", [=](Elements& in, Elements&) { dash::find_if_not(policy, in, is_one); }},
      {"all_of", [=](Elements& in, Elements&) { dash::all_of(policy, in, is_one); }},
      {"any_of", [=](Elements& in, Elements&) { dash::any_of(policy, in, is_none); }},
      {"none_of", [=](Elements& in, Elements&) { dash::none_of(policy, in, is_none); }},
      {"count_if", [=](Elements& in, Elements&) { dash::count_if(policy, in, is_one); }},
      {"equal", [=](Elements& in, Elements& out) { dash::equal(policy, in, out, are_ones); }},
      {"mismatch", [=](Elements& in, Elements& out) { dash::mismatch(policy, in, out, are_ones); }},
      {"lexicographical_compare",
       [=](Elements& in, Elements& out) {
         dash::lexicographical_compare(policy, in, out, are_none);
       }},
      {"reduce", [=](Elements& in, Elements&) { dash::reduce(policy, in, Element{}, later); }},
      {"transform_reduce",
       [=](Elements& in, Elements&) {
         dash::transform_reduce(policy, in, 0L, std::plus<>(),
                                [](const Element& element) { return look(element); });
       }},
      {"transform_reduce",
       [=](Elements& in, Elements& out) {
         dash::transform_reduce(policy, in, out, 0L, std::plus<>(), Less());
       }},
      {"min_element", [=](Elements& in, Elements&) { dash::min_element(policy, in, Less()); }},
      {"max_element", [=](Elements& in, Elements&) { dash::max_element(policy, in, Less()); }},
      {"minmax_element",
       [=](Elements& in, Elements&) { dash::minmax_element(policy, in, Less()); }},
      {"is_sorted", [=](Elements& in, Elements&) { dash::is_sorted(policy, in, Less()); }},
      {"histogram",
       [=](Elements& in, Elements&) {
         dash::histogram(policy, in, 5, [](const Element& element) { return look(element); });
       }},
  };
}

/// Algorithms that are collective only with par_node.
std::vector<Case> calls_that_generate() {
  return {
      {"generate",
       [](Elements& in, Elements&) {
         dash::generate(dash::par_node, in, [] { return Element{look(Element{bad, {}}), {}}; });
       }},
      {"generate_with_index",
       [](Elements& in, Elements&) {
         dash::generate_with_index(dash::par_node, in, [](index_t index) {
           return Element{look(Element{index, {}}), {}};
         });
       }},
  };
}

/// Calls with two iterators, as tasks, and with the other policies.
std::vector<Case> calls_in_other_forms() {
  const auto look_at = [](Element& element, index_t) { look(element); };
  return {
      {"max_element",
       [](Elements& in, Elements&) { dash::max_element(in.begin(), in.end(), Less()); }},
      {"find_if_not",
       [](Elements& in, Elements&) { dash::find_if_not(in.begin(), in.end(), is_one); }},
      {"transform",
       [](Elements& in, Elements& out) {
         dash::transform(in.begin(), in.end(), in.begin(), out.begin(), later);
       }},
      {"for_each_with_index",
       [=](Elements& in, Elements&) { dash::for_each_with_index(dash::par_unseq, in, look_at); }},
      {"transform_reduce",
       [](Elements& in, Elements&) {
         dash::transform_reduce(dash::par_unseq, in, 0L, std::plus<>(), is_one);
       }},
      {"all_of", [](Elements& in, Elements&) { dash::all_of_async(in, is_one).get(); }},
      {"replace_if",
       [](Elements& in, Elements&) {
         dash::replace_if_async(dash::seq, in, is_none, Element{}).get();
       }},
      {"exclusive_scan",
       [](Elements& in, Elements& out) {
         dash::exclusive_scan_async(in, out, Element{}, later).get();
       }},
  };
}

std::string text_of(const Case& each_case, Elements& in, Elements& out) {
  try {
    each_case.call(in, out);
  } catch (const dash::exception::RuntimeError& error) {
    return error.what();
  }
  return "no exception";
}

/// The end of the message. The unit is named by the library and by the function that threw.
std::string expected_of(const std::string& algorithm, const std::string& unit) {
  return "dash::" + algorithm + " failed on unit " + unit + ": no good, says unit " + unit;
}

/// \param by_owners  whether an element is first processed by its owner
void check_calls(const std::vector<Case>& cases, bool by_owners) {
  const Workers two(2);
  Elements in(each * dash::size());
  Elements out(each * dash::size());
  for (const Case& each_case : cases) {
    number(in);
    number(out);
    const long owner = random_up_to(static_cast<long>(dash::size()) - 1);
    // Neither the first nor the last element of a unit, because these are also compared on other
    // units.
    bad = owner * each + 1 + random_up_to(each - 3);
    const std::string text = text_of(each_case, in, out);
    bad = -1;
    INFO(each_case.algorithm << " of bad element of unit " << owner << ": " << text);
    const std::string unit = by_owners ? std::to_string(owner) : text.substr(text.rfind(' ') + 1);
    CHECK_THAT(text, Catch::Matchers::EndsWith(expected_of(each_case.algorithm, unit)));
    // The result is the same on all units, and no unit is still in the call.
    const auto hash = static_cast<long>(std::hash<std::string>()(text) % 1'000'003);
    dash::Array<long> hashes(dash::size());
    hashes.local[0] = hash;
    hashes.barrier();
    CHECK(dash::count(hashes, hash) == static_cast<long>(dash::size()));
    hashes.barrier();
  }
}

}  // namespace

TEST_CASE("a function that throws in a call with par gives the same error on all units") {
  check_calls(calls_that_change(dash::par), true);
  check_calls(calls_that_order(), false);
  check_calls(calls_that_look(dash::par), true);
}

TEST_CASE(
    "a function that throws in a call of another overload gives the same error on all units") {
  check_calls(calls_in_other_forms(), true);
}

TEST_CASE("a function that throws in a call with par_node gives the same error on all units") {
  check_calls(calls_that_change(dash::par_node), false);
  check_calls(calls_that_look(dash::par_node), false);
  check_calls(calls_that_generate(), false);
}
