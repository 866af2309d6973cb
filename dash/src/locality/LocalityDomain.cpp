#include "dash/util/LocalityDomain.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "dash/Exception.h"
#include "dash/dart/if/dart_locality.h"
#include "dash/internal/element/ElementAccess.h"

namespace dash::util {

namespace {

using dash::internal::check;

std::vector<const char*> c_strings(const std::vector<std::string>& texts) {
  std::vector<const char*> result;
  for (const std::string& text : texts)
    result.push_back(text.c_str());
  return result;
}

}  // namespace

void LocalityDomain::Deleter::operator()(dart_domain_locality_t* domain) const noexcept {
  dart_domain_destroy(domain);
}

LocalityDomain::Handle LocalityDomain::clone(const dart_domain_locality_t& domain) {
  dart_domain_locality_t* copy = nullptr;
  check(dart_domain_clone(&domain, &copy), "dash::util::LocalityDomain");
  return Handle(copy);
}

LocalityDomain::LocalityDomain(const dart_domain_locality_t& domain) : _domain(clone(domain)) {}
LocalityDomain::LocalityDomain(const LocalityDomain& other)
    : _domain(clone(*other._domain)), _parts(other._parts) {}
LocalityDomain& LocalityDomain::operator=(const LocalityDomain& other) {
  return *this = LocalityDomain(other);
}
LocalityDomain::LocalityDomain(LocalityDomain&& other) noexcept = default;
LocalityDomain& LocalityDomain::operator=(LocalityDomain&& other) noexcept = default;
LocalityDomain::~LocalityDomain() = default;

void LocalityDomain::changed() {
  _children.clear();
  _parts.clear();
}

LocalityDomain& LocalityDomain::select(const std::vector<std::string>& tags) {
  check(dart_domain_select(_domain.get(), static_cast<int>(tags.size()), c_strings(tags).data()),
        "dash::util::LocalityDomain::select");
  changed();
  return *this;
}

LocalityDomain& LocalityDomain::exclude(const std::vector<std::string>& tags) {
  check(dart_domain_exclude(_domain.get(), static_cast<int>(tags.size()), c_strings(tags).data()),
        "dash::util::LocalityDomain::exclude");
  changed();
  return *this;
}

LocalityDomain LocalityDomain::group(const std::vector<std::string>& tags) {
  std::array<char, DART_LOCALITY_DOMAIN_TAG_MAX_SIZE> tag{};
  check(dart_domain_group(_domain.get(), static_cast<int>(tags.size()), c_strings(tags).data(),
                          tag.data()),
        "dash::util::LocalityDomain::group");
  changed();
  return find(tag.data());
}

LocalityDomain& LocalityDomain::split(Locality::Scope scope, int num_parts) {
  // If the scope does not occur, ask for one part, so that the call below reports the error.
  if (num_parts == 0) num_parts = std::max(1, static_cast<int>(scope_domains(scope).size()));
  std::vector<dart_domain_locality_t> parts(static_cast<std::size_t>(std::max(1, num_parts)));
  check(dart_domain_split_scope(_domain.get(), static_cast<dart_locality_scope_t>(scope), num_parts,
                                parts.data()),
        "dash::util::LocalityDomain::split");
  _parts.clear();
  for (dart_domain_locality_t& part : parts) {
    _parts.emplace_back(part);
    dart_domain_destroy(&part);
  }
  return *this;
}

LocalityDomain& LocalityDomain::split_groups() {
  _parts = groups();
  return *this;
}

std::vector<LocalityDomain> LocalityDomain::scope_domains(Locality::Scope scope) const {
  int count = 0;
  dart_domain_locality_t** found = nullptr;
  const dart_ret_t ret = dart_domain_scope_domains(
      _domain.get(), static_cast<dart_locality_scope_t>(scope), &count, &found);
  if (ret == DART_ERR_NOTFOUND) return {};
  check(ret, "dash::util::LocalityDomain::scope_domains");
  const std::unique_ptr<dart_domain_locality_t*, decltype(&std::free)> array(found, &std::free);
  std::vector<LocalityDomain> domains;
  for (int i = 0; i < count; ++i)
    domains.emplace_back(*found[i]);
  return domains;
}

LocalityDomain LocalityDomain::find(const std::string& tag) const {
  dart_domain_locality_t* found = nullptr;
  check(dart_domain_find(_domain.get(), tag.c_str(), &found), "dash::util::LocalityDomain::find");
  return LocalityDomain(*found);
}

std::vector<LocalityDomain>& LocalityDomain::children() const {
  if (_children.empty()) {
    for (int i = 0; i < _domain->num_domains; ++i)
      _children.emplace_back(*_domain->children[i]);
  }
  return _children;
}

LocalityDomain& LocalityDomain::at(int relative_index) {
  return const_cast<LocalityDomain&>(std::as_const(*this).at(relative_index));
}

const LocalityDomain& LocalityDomain::at(int relative_index) const {
  if (relative_index < 0 || relative_index >= _domain->num_domains) {
    DASH_THROW(exception::OutOfRange, *this << ": subdomain " << relative_index
                                            << " is out of range; there are "
                                            << _domain->num_domains);
  }
  return children()[static_cast<std::size_t>(relative_index)];
}

std::vector<global_unit_t> LocalityDomain::units() const {
  return {_domain->unit_ids, _domain->unit_ids + _domain->num_units};
}

global_unit_t LocalityDomain::leader_unit() const {
  return _domain->num_units > 0 ? global_unit_t(_domain->unit_ids[0]) : UNDEFINED_GLOBAL_UNIT_ID;
}

}  // namespace dash::util
