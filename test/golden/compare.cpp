#include "golden/compare.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace golden {
namespace {

bool is_zero(json::value const& v) {
    switch (v.kind()) {
    case json::kind::null: return true;
    case json::kind::bool_: return !v.get_bool();
    case json::kind::int64: return v.get_int64() == 0;
    case json::kind::uint64: return v.get_uint64() == 0;
    case json::kind::double_: return v.get_double() == 0;
    case json::kind::string: return v.get_string().empty();
    case json::kind::array: return v.get_array().empty();
    case json::kind::object: return v.get_object().empty();
    }
    return false;
}

/// The value of a resource amount, or nothing. Go writes amounts in a canonical spelling (`500m` for `0.5`), as an API
/// server does when it stores them, so spellings of the same value are equal.
std::optional<long double> amount(json::value const& v) {
    static std::map<std::string, long double, std::less<>> const units{
        {"n", 1e-9L}, {"u", 1e-6L}, {"m", 1e-3L},   {"", 1},           {"k", 1e3L},          {"M", 1e6L},
        {"G", 1e9L},  {"T", 1e12L}, {"Ki", 1024.L}, {"Mi", 1048576.L}, {"Gi", 1073741824.L}, {"Ti", 1099511627776.L}};
    std::string const s = v.is_string() ? std::string(v.get_string()) : json::serialize(v);
    auto const digits = s.find_first_not_of("0123456789.");
    auto const unit = units.find(digits == std::string::npos ? "" : s.substr(digits));
    if (s.empty() || digits == 0 || unit == units.end()) return std::nullopt;
    return std::stold(s.substr(0, digits)) * unit->second;
}

bool is_amount(std::string const& path) {
    return path.find(".resources.limits.") != std::string::npos ||
           path.find(".resources.requests.") != std::string::npos;
}

std::string reported(std::string const& path, json::value const* recorded, json::value const* ours) {
    auto const show = [](json::value const* v) { return v == nullptr ? "nothing" : json::serialize(*v); };
    return path + ": recorded " + show(recorded) + ", kftrain " + show(ours);
}

} // namespace

json::value pruned(json::value const& v) {
    if (v.is_array()) {
        json::array result;
        for (auto const& e : v.get_array()) result.push_back(pruned(e));
        return result;
    }
    if (!v.is_object()) return v;
    json::object result;
    for (auto const& [key, value] : v.get_object())
        if (auto kept = pruned(value); !is_zero(kept)) result[key] = std::move(kept);
    return result;
}

std::optional<std::string> first_difference(std::string const& path, json::value const& recorded,
                                            json::value const& ours) {
    if (recorded.is_string() && recorded.get_string() == "<t?>" && ours.is_string()) return std::nullopt;
    // Of scripts recordings keep the size: ours are our own.
    if (recorded.is_string() && recorded.get_string().starts_with("<shell script, ") && ours.is_string() &&
        ours.get_string().starts_with("#!/"))
        return std::nullopt;
    if (recorded.is_array() && ours.is_array()) {
        auto const &a = recorded.get_array(), &b = ours.get_array();
        for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
            auto const at = path + "[" + std::to_string(i) + "]";
            if (i >= a.size() || i >= b.size())
                return reported(at, i < a.size() ? &a[i] : nullptr, i < b.size() ? &b[i] : nullptr);
            if (auto d = first_difference(at, a[i], b[i])) return d;
        }
        return std::nullopt;
    }
    if (recorded.is_object() && ours.is_object()) {
        auto const &a = recorded.get_object(), &b = ours.get_object();
        for (auto const& [key, value] : a) {
            auto const at = path + "." + std::string(key);
            auto const* other = b.if_contains(key);
            if (other == nullptr) return reported(at, &value, nullptr);
            if (auto d = first_difference(at, value, *other)) return d;
        }
        for (auto const& [key, value] : b)
            if (!a.contains(key)) return reported(path + "." + std::string(key), nullptr, &value);
        return std::nullopt;
    }
    if (recorded == ours) return std::nullopt;
    if (is_amount(path))
        if (auto const a = amount(recorded), b = amount(ours); a && b && std::fabs(*a - *b) <= *a * 1e-15L)
            return std::nullopt;
    return reported(path, &recorded, &ours);
}

void merge(json::value& target, json::value const& patch) {
    if (!patch.is_object()) {
        target = patch;
        return;
    }
    if (!target.is_object()) target = json::object();
    auto& object = target.get_object();
    for (auto const& [key, value] : patch.get_object()) {
        if (value.is_null())
            object.erase(key);
        else
            merge(object[key], value);
    }
}

std::string text(json::object const& o, std::string_view key) {
    auto const* v = o.if_contains(key);
    return v != nullptr && v->is_string() ? std::string(v->get_string()) : std::string();
}

json::object const& child_of(json::object const& o, std::string_view key) {
    static json::object const none;
    auto const* v = o.if_contains(key);
    return v != nullptr && v->is_object() ? v->get_object() : none;
}

json::array const& list_of(json::object const& o, std::string_view key) {
    static json::array const none;
    auto const* v = o.if_contains(key);
    return v != nullptr && v->is_array() ? v->get_array() : none;
}

} // namespace golden
