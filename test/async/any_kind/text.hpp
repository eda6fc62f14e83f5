#ifndef KFTRAIN_TEST_ASYNC_ANY_KIND_TEXT_HPP
#define KFTRAIN_TEST_ASYNC_ANY_KIND_TEXT_HPP

#include <boost/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace any_kind {

/// Begins what operators make by chance; digits follow.
inline constexpr std::string_view chance_mark = "zz";
/// Begins a uid of the server; eight digits follow.
inline constexpr std::string_view uid_mark = "uid-";
/// An annotation of objects without an owner that have the name of a child.
inline constexpr std::string_view rival_mark = "kftrain.test/rival";

inline std::string uid_text(std::size_t number) {
    auto const digits = std::to_string(number);
    return std::string(uid_mark) + std::string(8 - std::min<std::size_t>(8, digits.size()), '0') + digits;
}

/// Puts what `make` gives of it in the place of each run of digits behind the mark.
inline std::string with_replaced_numbers(std::string_view text, std::string_view mark,
                                         std::function<std::string(std::string const&)> const& make) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        auto const found = std::min(text.find(mark, at), text.size());
        result += text.substr(at, found - at);
        auto end = std::min(found + mark.size(), text.size());
        auto const digits = end;
        while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
        std::string const whole(text.substr(found, end - found));
        result += end == digits ? whole : make(whole);
        at = end;
    }
    return result;
}

/// Whether a field contains a time or a version.
inline bool differs_by_run(std::string_view key) {
    static constexpr std::array<std::string_view, 10> names{
        "version", // of a job: how often it was looked at after its end
        "resourceVersion", "creationTimestamp", "generation",
        "managedFields",   "runningDuration",   "observedGeneration",
        "startedAt",       "finishedAt",        "lastHeartbeatTime"};
    return key.ends_with("Time") || std::ranges::find(names, key) != names.end();
}

/// The value with fields in order and without those that differ from run to run, or whose text is_excluded this.
inline boost::json::value in_order(boost::json::value const& v, std::string const& excluded_text) {
    auto const is_excluded = [&](boost::json::value const& value) {
        auto const* const text = excluded_text.empty() ? nullptr : value.if_string();
        return text != nullptr && text->find(excluded_text) != text->npos;
    };
    if (auto const* list = v.if_array()) {
        boost::json::array all;
        for (auto const& item : *list) all.push_back(in_order(item, excluded_text));
        return all;
    }
    auto const* const object = v.if_object();
    if (object == nullptr) return v;
    std::map<std::string, boost::json::value> fields;
    for (auto const& [key, value] : *object)
        if (!differs_by_run(key) && !is_excluded(value)) fields.emplace(key, in_order(value, excluded_text));
    boost::json::object all;
    for (auto& [key, value] : fields) all.emplace(key, std::move(value));
    return all;
}

} // namespace any_kind

#endif
