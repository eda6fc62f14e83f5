#include "cli/cluster/output/job_names.hpp"

#include "base/whole_number.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>

#include <algorithm>

namespace kftrain::cli {
namespace {

failure misnamed(std::string_view text, std::string_view expected) {
    failure f;
    f.code = errc::invalid_argument;
    f.detail.message = std::string("expected ").append(expected).append(", got \"").append(text).append("\"");
    return f;
}

constexpr std::string_view forms = "KIND/NAME or KIND NAME";

} // namespace

result<std::vector<job_name>> parse_job_names(std::span<std::string const> texts) {
    std::vector<job_name> jobs;
    if (texts.empty()) return jobs;
    bool const joined = texts.front().find('/') != std::string::npos;
    if (!joined && texts.size() == 1) return misnamed(texts.front(), forms);
    if (!joined && texts.front().empty()) return misnamed("", forms);
    for (auto const& text : joined ? texts : texts.subspan(1)) {
        auto const slash = text.find('/');
        if (!joined && slash != text.npos) return misnamed(text, "a name after the kind \"" + texts.front() + "\"");
        if (text.empty() || (joined && (slash == text.npos || slash == 0 || slash + 1 == text.size() ||
                                        text.find('/', slash + 1) != text.npos)))
            return misnamed(text, joined ? "KIND/NAME" : forms);
        if (joined)
            jobs.emplace_back(text.substr(0, slash), text.substr(slash + 1));
        else
            jobs.emplace_back(texts.front(), text);
    }
    return jobs;
}

result<wanted_members> read_wanted_members(std::string_view text) {
    auto const sign = text.find('=');
    wanted_members wanted;
    auto const number = sign == text.npos ? std::nullopt : read_whole_number<std::int32_t>(text.substr(sign + 1));
    if (!number || *number < 0 || sign == 0)
        return misnamed(text, "ROLE=N with N from 0 to 2147483647, for example Worker=3");
    wanted.role = text.substr(0, sign);
    wanted.members = *number;
    return wanted;
}

std::string display_kind(rules::job_rules const& kind) {
    auto const& info = *kind.primary().info;
    auto const known = known_job_rules();
    auto const first = std::ranges::find_if(known, [&](rules::job_rules const* k) {
        return k->primary().info->kind == info.kind && k->primary().info->group == info.group;
    });
    bool const is_first = first != known.end() && (*first)->primary().info->version == info.version;
    return is_first ? std::string(info.kind) : job_kind_name(kind);
}

std::string qualified_name(rules::job_rules const& kind, std::string const& name) {
    return display_kind(kind) + "/" + name;
}

} // namespace kftrain::cli
