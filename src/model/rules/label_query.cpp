#include <kftrain/model/selector.hpp>

#include "base/joined.hpp"
#include "base/whole_number.hpp"
#include "model/rules/label_parser.hpp"

#include <algorithm>

namespace kftrain {
namespace {

using relation = label_requirement::relation;

void sort_by_key(std::vector<label_requirement>& list) {
    std::vector<std::pair<std::string_view, std::size_t>> order; // the second keeps equal ones in their order
    for (auto const& one : list) order.emplace_back(one.key, order.size());
    std::sort(order.begin(), order.end());
    std::vector<label_requirement> sorted;
    sorted.reserve(list.size());
    for (auto const& [key, from] : order) sorted.push_back(std::move(list[from]));
    list = std::move(sorted);
}

std::string_view sign_of(relation r) noexcept {
    switch (r) {
    case relation::in: return " in ";
    case relation::not_in: return " notin ";
    case relation::equals: return "=";
    case relation::double_equals: return "==";
    case relation::not_equals: return "!=";
    case relation::greater: return ">";
    case relation::less: return "<";
    default: return "";
    }
}

failure refused(std::string message) {
    failure f(errc::invalid_argument, {});
    f.detail.message = std::move(message);
    return f;
}

} // namespace

bool label_requirement::holds(std::optional<std::string_view> value) const {
    auto const listed = [&] { return value && std::find(values.begin(), values.end(), *value) != values.end(); };
    switch (what) {
    case relation::exists: return value.has_value();
    case relation::absent: return !value.has_value();
    case relation::in:
    case relation::equals:
    case relation::double_equals: return listed();
    case relation::not_in:
    case relation::not_equals: return !listed();
    case relation::greater:
    case relation::less: break;
    }
    if (!value || values.size() != 1) return false;
    auto const have = read_whole_number<std::int64_t>(*value);
    auto const limit = read_whole_number<std::int64_t>(values.front());
    if (!have || !limit) return false;
    return what == relation::greater ? *have > *limit : *have < *limit;
}

std::string label_requirement::to_string() const {
    std::string out = what == relation::absent ? "!" : "";
    out.append(key).append(sign_of(what));
    if (what == relation::exists || what == relation::absent) return out;
    bool const set = what == relation::in || what == relation::not_in;
    auto sorted = values;
    std::sort(sorted.begin(), sorted.end());
    auto const list = joined(sorted, ",");
    return out + (set ? "(" + list + ")" : list);
}

result<label_query> label_query::parse(std::string_view text) {
    detail::label_parser parser(text);
    label_query out;
    if (!parser.run(out.requirements)) return refused(parser.why());
    sort_by_key(out.requirements);
    return out;
}

result<label_query> label_query::from(label_selector const& selector) {
    label_query out;
    for (auto const& [key, value] : selector.match_labels) {
        auto& r = out.requirements.emplace_back();
        r.key = key;
        r.what = relation::equals;
        r.values = {value};
    }
    for (auto const& e : selector.match_expressions) {
        auto& r = out.requirements.emplace_back();
        r.key = e.key;
        r.values = e.values;
        if (e.operator_ == "In")
            r.what = relation::in;
        else if (e.operator_ == "NotIn")
            r.what = relation::not_in;
        else if (e.operator_ == "Exists")
            r.what = relation::exists;
        else if (e.operator_ == "DoesNotExist")
            r.what = relation::absent;
        else
            return refused('"' + e.operator_ + "\" is not a valid label selector operator");
    }
    for (auto const& r : out.requirements)
        if (auto why = detail::requirement_fault(r); !why.empty()) return refused(std::move(why));
    for (auto& r : out.requirements) { // as parse() has them
        std::sort(r.values.begin(), r.values.end());
        r.values.erase(std::unique(r.values.begin(), r.values.end()), r.values.end());
    }
    sort_by_key(out.requirements);
    return out;
}

bool label_query::matches(string_map const& labels) const {
    return matches_labels([&](std::string_view key) -> std::optional<std::string_view> {
        auto const it = labels.find(key);
        if (it == labels.end()) return std::nullopt;
        return it->second;
    });
}

std::string label_query::to_string() const { return joined(requirements, ",", &label_requirement::to_string); }

} // namespace kftrain
