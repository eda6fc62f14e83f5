#include "cli/cluster/job_words.hpp"

#include "base/whole_number.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>

#include <algorithm>

namespace kftrain::cli {
namespace {

failure misnamed(std::string_view word, std::string_view expected) {
    failure f;
    f.code = errc::invalid_argument;
    f.detail.message = std::string("expected ").append(expected).append(", got \"").append(word).append("\"");
    return f;
}

constexpr std::string_view forms = "KIND/NAME or KIND NAME";

} // namespace

result<std::vector<job_word>> read_job_words(std::span<std::string const> words) {
    std::vector<job_word> jobs;
    if (words.empty()) return jobs;
    bool const joined = words.front().find('/') != std::string::npos;
    if (!joined && words.size() == 1) return misnamed(words.front(), forms);
    if (!joined && words.front().empty()) return misnamed("", forms);
    for (auto const& word : joined ? words : words.subspan(1)) {
        auto const slash = word.find('/');
        if (!joined && slash != word.npos) return misnamed(word, "a name after the kind \"" + words.front() + "\"");
        if (word.empty() || (joined && (slash == word.npos || slash == 0 || slash + 1 == word.size() ||
                                        word.find('/', slash + 1) != word.npos)))
            return misnamed(word, joined ? "KIND/NAME" : forms);
        if (joined)
            jobs.emplace_back(word.substr(0, slash), word.substr(slash + 1));
        else
            jobs.emplace_back(words.front(), word);
    }
    return jobs;
}

result<wanted_members> read_wanted_members(std::string_view text) {
    auto const sign = text.find('=');
    wanted_members wanted;
    auto const number = sign == text.npos ? std::nullopt : read_whole_number<std::int32_t>(text.substr(sign + 1));
    if (!number || *number < 0 || sign == 0) return misnamed(text, "ROLE=N, for example Worker=3");
    wanted.role = text.substr(0, sign);
    wanted.members = *number;
    return wanted;
}

std::string kind_word(rules::job_rules const& kind) {
    auto const& info = *kind.primary().info;
    auto const known = known_job_rules();
    auto const first = std::ranges::find_if(known, [&](rules::job_rules const* k) {
        return k->primary().info->kind == info.kind && k->primary().info->group == info.group;
    });
    return first != known.end() && *first == &kind ? std::string(info.kind) : job_kind_name(kind);
}

std::string word_of(rules::job_rules const& kind, std::string const& name) { return kind_word(kind) + "/" + name; }

} // namespace kftrain::cli
