#include "model/schema/known_rules.hpp"
#include "base/ascii.hpp"

#include <algorithm>
#include <array>

namespace kftrain {
namespace {

namespace json = boost::json;

/// Null if there is no such member.
json::value const* member_of(json::value const* v, std::string_view name) noexcept {
    auto const* o = v != nullptr ? v->if_object() : nullptr;
    return o != nullptr ? o->if_contains(name) : nullptr;
}

bool has_member(json::value const& v, std::string_view name) noexcept { return member_of(&v, name) != nullptr; }

std::string_view text_of_member(json::value const* v, std::string_view name) noexcept {
    auto const* m = member_of(v, name);
    return m != nullptr && m->is_string() ? text_of(m->get_string()) : std::string_view();
}

template <class Predicate> bool any_item(json::value const* list, Predicate p) {
    return list != nullptr && list->is_array() && std::ranges::any_of(list->get_array(), p);
}

std::string_view name_of(json::value const& self) noexcept {
    return text_of_member(member_of(&self, "metadata"), "name");
}

bool is_lower_or_digit(char c) noexcept { return is_lower(c) || is_digit(c); }

bool has_label_name(json::value const& self) {
    auto const name = name_of(self);
    return !name.empty() && is_lower(name.front()) && is_lower_or_digit(name.back()) &&
           std::ranges::all_of(name, [](char c) { return is_lower_or_digit(c) || c == '-'; });
}

bool has_short_name(json::value const& self) {
    constexpr std::ptrdiff_t most = 63;
    return std::ranges::count_if(name_of(self),
                                 [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }) <= most;
}

bool is_empty_or_uri(json::value const& self) {
    auto const text = self.is_string() ? text_of(self.get_string()) : std::string_view();
    auto const colon = text.find(':');
    if (text.empty()) return true;
    auto const scheme = text.substr(0, colon);
    auto const within = [](char c) { return is_alnum(c) || c == '+' || c == '.' || c == '-'; };
    return colon != text.npos && !scheme.empty() && is_letter(scheme.front()) && std::ranges::all_of(scheme, within) &&
           text.substr(colon).starts_with("://") && text.size() > colon + 3 && text[colon + 3] != '\n';
}

bool is_known_manager(json::value const& self) {
    auto const text = self.is_string() ? text_of(self.get_string()) : std::string_view();
    return text == "trainer.kubeflow.org/trainjob-controller" || text == "kueue.x-k8s.io/multikueue";
}

bool has_update_time(json::value const& self) { return has_member(self, "lastUpdatedTime"); }

bool has_one_policy(json::value const& self) {
    constexpr std::array<std::string_view, 5> policies{"torch", "mpi", "jax", "xgboost", "flux"};
    return std::ranges::count_if(policies, [&](std::string_view p) { return has_member(self, p); }) <= 1;
}

bool is_at_least_one(json::value const& self) { return !self.is_number() || self.to_number<double>() >= 1; }

bool names_no_node(json::value const& self) {
    return !any_item(&self, [](json::value const& c) { return c.is_string() && text_of(c.get_string()) == "node"; });
}

bool starts_by_one_policy(json::value const& self) {
    return text_of_member(member_of(&self, "startupPolicy"), "startupPolicyOrder") != "InOrder" ||
           !any_item(member_of(&self, "replicatedJobs"),
                     [](json::value const& j) { return has_member(j, "dependsOn"); });
}

bool has_claims_without_namespace(json::value const& self) {
    return !any_item(member_of(&self, "templates"), [](json::value const& t) {
        return !text_of_member(member_of(&t, "metadata"), "namespace").empty();
    });
}

constexpr std::array<known_rule, 11> table_of_rules{
    {{"self == oldSelf", nullptr},
     {"self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')", has_label_name},
     {"size(self.metadata.name) <= 63", has_short_name},
     {"self == '' || self.matches('^[A-Za-z][A-Za-z0-9+.-]*://.+$')", is_empty_or_uri},
     {"self in ['trainer.kubeflow.org/trainjob-controller', 'kueue.x-k8s.io/multikueue']", is_known_manager},
     {"has(self.lastUpdatedTime)", has_update_time},
     {"[has(self.torch), has(self.mpi), has(self.jax), "
      "has(self.xgboost),has(self.flux)].filter(x, x).size() <= 1",
      has_one_policy},
     {"self >= 1", is_at_least_one},
     {"!self.exists(c, c == 'node')", names_no_node},
     {"!(has(self.startupPolicy) && self.startupPolicy.startupPolicyOrder == 'InOrder' && "
      "self.replicatedJobs.exists(x, has(x.dependsOn)))",
      starts_by_one_policy},
     {"self.templates.all(t, !has(t.metadata.namespace) || size(t.metadata.namespace) == 0)",
      has_claims_without_namespace}}};

/* One matcher for each pattern instead of a regex engine, see docs/design/decisions/0011-patterns.md. Each matches a
   whole text, as all of these patterns do. */

bool holds(std::string_view all, char c) noexcept { return all.find(c) != std::string_view::npos; }

void skip_sign(std::string_view& s) noexcept {
    if (s.starts_with('+') || s.starts_with('-')) s.remove_prefix(1);
}

std::size_t skip_digits(std::string_view& s) noexcept {
    auto const end = std::ranges::find_if_not(s, is_digit);
    auto const count = static_cast<std::size_t>(end - s.begin());
    s.remove_prefix(count);
    return count;
}

/// Takes `12`, `12.`, `12.5` or `.5` off the front; false if none of them is there.
bool skip_number(std::string_view& s) noexcept {
    auto digits = skip_digits(s);
    if (s.starts_with('.')) {
        s.remove_prefix(1);
        digits += skip_digits(s);
    }
    return digits != 0;
}

bool is_quantity(std::string_view s) noexcept {
    skip_sign(s);
    if (!skip_number(s)) return false;
    if (s.empty() || (s.size() == 1 && holds("numkMGTPE", s[0]))) return true;
    if (s.size() == 2 && s[1] == 'i') return holds("KMGTPE", s[0]);
    if (s[0] != 'e' && s[0] != 'E') return false;
    s.remove_prefix(1);
    skip_sign(s);
    return skip_number(s) && s.empty();
}

bool is_condition_reason(std::string_view s) noexcept {
    auto const within = [](char c) { return is_alnum(c) || holds("_,:", c); };
    return !s.empty() && is_letter(s.front()) && (is_alnum(s.back()) || s.back() == '_') &&
           std::ranges::all_of(s, within);
}

/// Letters and digits at both ends, by `is_end`, also some of `between`.
bool is_word(std::string_view s, bool (*is_end)(char) noexcept, std::string_view between) noexcept {
    auto const within = [&](char c) { return is_end(c) || holds(between, c); };
    return !s.empty() && is_end(s.front()) && is_end(s.back()) && std::ranges::all_of(s, within);
}

bool is_qualified_name(std::string_view s) noexcept {
    if (auto const slash = s.find('/'); slash != std::string_view::npos) {
        for (auto domain = s.substr(0, slash);;) {
            auto const dot = domain.find('.');
            if (!is_word(domain.substr(0, dot), is_lower_or_digit, "-")) return false;
            if (dot == std::string_view::npos) break;
            domain.remove_prefix(dot + 1);
        }
        s.remove_prefix(slash + 1);
    }
    return is_word(s, is_alnum, "-_.");
}

constexpr std::array<known_pattern, 3> table_of_patterns{
    {{R"(^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+)))"
      R"((([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$)",
      is_quantity},
     {R"(^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$)", is_condition_reason},
     {R"(^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?)"
      R"((([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$)",
      is_qualified_name}}};

} // namespace

known_rule const* find_known_rule(std::string_view text) noexcept {
    auto const at = std::ranges::find(table_of_rules, text, &known_rule::text);
    return at == table_of_rules.end() ? nullptr : &*at;
}

std::span<known_pattern const> known_patterns() noexcept { return table_of_patterns; }

text_predicate matcher_of(std::string_view pattern, pattern_judge const& judge) {
    auto const known = std::ranges::find(table_of_patterns, pattern, [](auto const& p) { return p.text; });
    if (known != table_of_patterns.end()) return known->matches;
    return judge ? judge(pattern) : text_predicate();
}

} // namespace kftrain
