#include "facade/explain/findings.hpp"

#include "base/ascii.hpp"

#include <algorithm>

namespace kftrain::explaining {
namespace {

constexpr std::size_t most_members = 16;
constexpr std::size_t most_evidence = 12;

} // namespace

found_cause& add_cause(std::vector<found_cause>& found, findings const& f, cause_kind kind,
                       std::vector<std::size_t> members) {
    auto& c = found.emplace_back();
    c.cause.kind = kind;
    c.cause.affected = static_cast<std::int64_t>(members.size());
    for (std::size_t i = 0; i < members.size() && i < most_members; ++i)
        c.cause.members.push_back(f.layout.members[members[i]]);
    c.members = std::move(members);
    return c;
}

void add_evidence(job_cause& cause, std::string line) {
    if (line.empty() || cause.evidence.size() >= most_evidence) return;
    if (std::ranges::find(cause.evidence, line) == cause.evidence.end()) cause.evidence.push_back(std::move(line));
}

void add_evidence(job_cause& cause, job_event const& e) { add_evidence(cause, "event: " + e.to_string()); }

void add_evidence(job_cause& cause, meta::condition const& c) {
    add_evidence(cause, "condition: " + c.type + "=" + c.status + (c.reason.empty() ? "" : " " + c.reason) +
                            (c.message.empty() ? "" : ": " + c.message));
}

bool contains_any(std::string_view text, std::initializer_list<std::string_view> texts) {
    auto const lower = to_lower(text);
    return std::ranges::any_of(texts, [&](std::string_view w) { return lower.find(to_lower(w)) != lower.npos; });
}

std::string counted(std::size_t n, std::string_view noun) {
    return std::to_string(n).append(" ").append(noun).append(n == 1 ? "" : "s");
}

std::string span_of(std::chrono::seconds t) {
    if (t.count() < 120) return std::to_string(t.count()) + " s";
    if (t.count() < 2 * 3600) return std::to_string(t.count() / 60) + " min";
    return std::to_string(t.count() / 3600) + " h";
}

} // namespace kftrain::explaining
