#include "cli/manifests/schema_check.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/model/scalars.hpp>
#include <kftrain/model/schema.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

namespace kftrain::cli {
namespace {

constexpr std::string_view unchecked = "some validation rules were not checked";

bool contains(issue const& i, std::string_view text) { return i.message.find(text) != std::string::npos; }

bool is_choice(issue const& i) { return contains(i, "must validate at least one schema (anyOf)"); }
bool is_half_choice(issue const& i) { return contains(i, "in body must be of type integer,string: \"number\""); }

/// The number at a path in the spelling of schemas.
boost::json::value const* find_value(boost::json::value const& whole, std::string_view path) {
    auto const* at = &whole;
    std::string const steps = one_spelling(path);
    std::string_view rest = steps;
    while (!rest.empty()) {
        if (auto const* list = at->if_array()) {
            auto const end = std::min(rest.find('.'), rest.size());
            std::size_t index = 0;
            for (char const c : rest.substr(0, end)) index = index * 10 + static_cast<std::size_t>(c - '0');
            if (index >= list->size()) return nullptr;
            at = &(*list)[index];
            rest.remove_prefix(std::min(end + 1, rest.size()));
            continue;
        }
        auto const* object = at->if_object();
        if (object == nullptr) return nullptr;
        // Keys may have dots: the longest match counts.
        boost::json::value const* member = nullptr;
        std::size_t length = 0;
        for (auto const& [key, value] : *object) {
            std::string_view const name = key;
            bool const fits = rest.starts_with(name) && (rest.size() == name.size() || rest[name.size()] == '.');
            if (!fits || (member != nullptr && name.size() <= length)) continue;
            member = &value;
            length = name.size();
        }
        if (member == nullptr) return nullptr;
        at = member;
        rest.remove_prefix(std::min(length + 1, rest.size()));
    }
    return at;
}

/// The number without an exponent.
std::string spelled(boost::json::value const& number) {
    if (!number.is_double()) return boost::json::serialize(number);
    std::array<char, 512> text{};
    auto const end =
        std::to_chars(text.data(), text.data() + text.size(), number.get_double(), std::chars_format::fixed);
    return std::string(text.data(), end.ptr);
}

std::string advice(boost::json::value const* number) {
    if (number == nullptr) return "is a number, expected an integer or a string";
    std::string const text = spelled(*number);
    std::string message = text + " is a number, expected an integer or a string: write ";
    auto const amount = quantity::parse(text);
    if (amount && amount->canonical() != text) message += "\"" + amount->canonical() + "\" or ";
    return message + "\"" + text + "\"";
}

} // namespace

boost::json::value parse_json(std::string_view json) {
    boost::json::parse_options deep;
    deep.max_depth = 512; // deeper than any Kubernetes object
    error_code failed;
    return boost::json::parse(json, failed, {}, deep);
}

issues schema_faults(rules::job_rules const& kind, std::string_view json) {
    auto const by_schema = schema_issues(kind.schema(), json);
    auto found = by_schema ? *by_schema : issues();
    boost::json::value const whole = std::ranges::any_of(found, is_half_choice) ? parse_json(json) : nullptr;
    std::set<std::string> halves;
    for (auto& i : found) {
        if (!is_half_choice(i)) continue;
        halves.insert(one_spelling(i.path));
        i.message = i.path + ": " + advice(find_value(whole, i.path));
    }
    if (halves.empty()) return found;
    std::erase_if(found, [&](issue const& i) {
        if (is_choice(i) || contains(i, unchecked)) return true;
        return contains(i, "in body must be of type integer: \"number\"") && halves.contains(one_spelling(i.path));
    });
    return found;
}

issues hidden_faults(rules::job_rules const& kind, std::string_view json) {
    auto found = schema_faults(kind, json);
    std::erase_if(found, [](issue const& i) { return i.rule != "schema.type"; });
    return found;
}

} // namespace kftrain::cli
