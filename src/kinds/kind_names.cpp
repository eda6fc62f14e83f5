#include "base/ascii.hpp"
#include "base/joined.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>

#include <algorithm>
#include <string>

namespace kftrain {
namespace {

// Names are in lower case here, as the user's is made.

bool is_called(rules::job_rules const& kind, std::string_view name) {
    auto const same = [name](std::string_view other) { return name == to_lower(other); };
    auto const& info = *kind.primary().info;
    return same(info.kind) || same(info.plural) || std::ranges::any_of(kind.form().short_names, same);
}

/// Whether what stands behind the first dot is the version, the group, or both.
bool is_of(resource_info const& info, std::string_view rest) {
    return rest == info.version || rest == info.group ||
           rest == std::string(info.version).append(".").append(info.group);
}

} // namespace

std::vector<rules::job_rules const*> find_job_kinds(std::string_view name, job_kinds kinds) {
    std::string const lower = to_lower(name);
    std::string_view const whole = lower;
    auto const dot = whole.find('.');
    std::vector<rules::job_rules const*> found;
    for (auto const* k : kinds)
        if (is_called(*k, whole.substr(0, dot)) &&
            (dot == whole.npos || is_of(*k->primary().info, whole.substr(dot + 1))))
            found.push_back(k);
    return found;
}

result<rules::job_rules const*> find_job_kind(std::string_view name, job_kinds kinds) {
    auto const found = find_job_kinds(name, kinds);
    if (found.size() == 1) return found.front();
    auto const called = [&](rules::job_rules const* k) { return job_kind_name(*k, kinds); };
    failure f;
    f.code = found.empty() ? errc::unknown_kind : errc::invalid_argument;
    f.detail.message = "kind \"" + std::string(name) + "\" " +
                       (found.empty() ? "is not a known job kind; known kinds are: " + joined(kinds, ", ", called)
                                      : "could be " + joined(found, " or ", called));
    return f;
}

std::string job_kind_name(rules::job_rules const& kind, job_kinds kinds) {
    auto const& info = *kind.primary().info;
    auto const alike =
        std::ranges::count_if(kinds, [&](rules::job_rules const* k) { return k->primary().info->kind == info.kind; });
    std::string text(info.kind);
    return alike <= 1 ? text : text.append(".").append(info.version);
}

} // namespace kftrain
