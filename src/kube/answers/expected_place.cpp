#include "kube/answers/expected_place.hpp"

#include "base/in_quotes.hpp"

#include <utility>

namespace kftrain::kube::detail {
namespace {

/// The value that a field selector requires of a field; empty if it requires none.
std::string_view required_value(std::string_view selector, std::string_view field) {
    while (!selector.empty()) {
        auto const end = selector.find(',');
        auto term = selector.substr(0, end);
        selector.remove_prefix(end == selector.npos ? selector.size() : end + 1);
        if (!term.starts_with(field)) continue;
        term.remove_prefix(field.size());
        if (term.starts_with("==")) return term.substr(2);
        if (term.starts_with('=')) return term.substr(1);
    }
    return {};
}

} // namespace

expected_place::expected_place(std::string ns, std::string_view field_selector)
    : namespace_(std::move(ns)), name_(required_value(field_selector, "metadata.name")) {}

result<void> expected_place::check(std::string_view ns, std::string_view name) const {
    if (name.empty()) return protocol_failure("metadata.name", "expected an object with a name, got none");
    if (namespace_.empty() || ns.empty() || ns == namespace_) return {};
    return protocol_failure("metadata.namespace", "expected objects in " + in_quotes(namespace_) + ", got " +
                                                      in_quotes(name) + " in " + in_quotes(ns));
}

result<void> expected_place::check_listed(std::string_view ns, std::string_view name) const {
    if (auto fits = check(ns, name); !fits) return fits;
    if (selects(name)) return {};
    return protocol_failure("metadata.name",
                            "expected " + in_quotes(name_) + ", which was requested, got " + in_quotes(name));
}

} // namespace kftrain::kube::detail
