#include "facade/explain/server_texts.hpp"

#include "base/ascii.hpp"
#include "base/whole_number.hpp"

#include <array>

namespace kftrain::explaining {
namespace {

constexpr std::size_t most_reasons = 16;

std::string_view trimmed(std::string_view s) {
    while (!s.empty() && (s.front() == ' ' || s.front() == '\n')) s.remove_prefix(1);
    while (!s.empty() && (s.back() == ' ' || s.back() == '.' || s.back() == '\n')) s.remove_suffix(1);
    return s;
}

/// Up to a comma that separates reasons: not one within braces, as in those about taints.
std::size_t end_of_reason(std::string_view s) {
    int depth = 0;
    for (std::size_t i = 0; i < s.size(); ++i) {
        if (s[i] == '{') ++depth;
        if (s[i] == '}' && depth > 0) --depth;
        if (s[i] != ',' || depth != 0) continue;
        auto const rest = trimmed(s.substr(i + 1));
        if (!rest.empty() && is_digit(rest.front())) return i;
    }
    return s.size();
}

/// Returns the text after `key`, up to one of `ends` or to the end.
std::string_view behind(std::string_view text, std::string_view key, std::initializer_list<std::string_view> ends) {
    auto const at = text.find(key);
    if (at == text.npos) return {};
    text.remove_prefix(at + key.size());
    for (auto const end : ends) text = text.substr(0, text.find(end));
    return trimmed(text);
}

} // namespace

std::optional<placement_refusal> parse_placement(std::string_view message) {
    auto at = message.find(" nodes are available");
    std::string_view const ending = at == message.npos ? " nodes are unavailable" : " nodes are available";
    if (at == message.npos) at = message.find(ending);
    if (at == message.npos) return std::nullopt;
    auto const slash = message.substr(0, at).rfind('/');
    if (slash == message.npos) return std::nullopt;
    auto const nodes = read_whole_number<std::int64_t>(message.substr(slash + 1, at - slash - 1));
    if (!nodes) return std::nullopt;
    placement_refusal r;
    r.nodes = *nodes;
    auto rest = message.substr(at + ending.size());
    if (rest.starts_with(':')) rest.remove_prefix(1);
    // After the reasons the message describes in the same words what preemption could do.
    rest = trimmed(rest.substr(0, rest.find("preemption:")));
    while (!rest.empty() && r.reasons.size() < most_reasons) {
        auto const end = end_of_reason(rest);
        auto const one = trimmed(rest.substr(0, end));
        rest = end == rest.size() ? std::string_view() : trimmed(rest.substr(end + 1));
        auto const blank = one.find(' ');
        auto const count = read_whole_number<std::int64_t>(one.substr(0, blank));
        if (count && blank != one.npos)
            r.reasons.emplace_back(*count, std::string(trimmed(one.substr(blank))));
        else if (!one.empty())
            r.reasons.emplace_back(0, std::string(one));
    }
    return r;
}

std::string_view lacked_resource(std::string_view reason) {
    constexpr std::string_view word = "Insufficient ";
    if (reason == "Too many pods") return "pods";
    if (!reason.starts_with(word)) return {};
    reason.remove_prefix(word.size());
    return trimmed(reason.substr(0, reason.find_first_of(" ,")));
}

std::optional<quota_refusal> parse_quota(std::string_view message) {
    quota_refusal q;
    if (message.find("exceeded quota: ") != message.npos) {
        q.name = behind(message, "exceeded quota: ", {", requested: "});
        q.requested = behind(message, "requested: ", {", used: "});
        q.used = behind(message, "used: ", {", limited: "});
        q.limited = behind(message, "limited: ", {"\n", "; ", ", exceeded", "]"}); // operators may quote it in brackets
        return q;
    }
    if (message.find("failed quota: ") == message.npos) return std::nullopt;
    q.name = behind(message, "failed quota: ", {": must specify"});
    q.must_specify = behind(message, "must specify ", {"\n", "]"});
    return q;
}

std::optional<std::pair<std::string, std::string>> parse_missing_object(std::string_view message) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kinds{
        {{"configmap", "ConfigMap"},
         {"secret", "Secret"},
         {"persistentvolumeclaim", "PersistentVolumeClaim"},
         {"serviceaccount", "ServiceAccount"}}};
    auto const lower = to_lower(message);
    for (auto const& [word, kind] : kinds) {
        auto const quoted = std::string(word) + " \"";
        auto const at = lower.find(quoted);
        if (at == lower.npos) continue;
        auto const rest = message.substr(at + quoted.size());
        auto const end = rest.find('"');
        if (end == rest.npos || !trimmed(rest.substr(end + 1)).starts_with("not found")) continue;
        return std::pair(std::string(kind), std::string(rest.substr(0, end)));
    }
    return std::nullopt;
}

} // namespace kftrain::explaining
