#include "base/ascii.hpp"
#include "base/whole_number.hpp"
#include "facade/explain/causes.hpp"

#include <algorithm>

namespace kftrain::explaining {
namespace {

/// The last count that a program reported, e.g. 120 of `step 120/1000`.
struct progress {
    progress() = default;

    std::string_view unit;
    std::int64_t epoch = 0; ///< of the same line, if counts start from 0 in each
    std::int64_t count = 0;

    auto key() const noexcept { return std::pair(epoch, count); }
    std::string text() const { return (epoch == 0 ? "" : std::to_string(epoch) + ", ") + std::to_string(count); }
};

/// How far a member got.
struct rank_progress {
    rank_progress(std::size_t m, time_point t, std::optional<progress> r) : member(m), last(t), reached(r) {}

    std::size_t member;
    time_point last; ///< when it wrote its last line
    std::optional<progress> reached;
};

std::optional<std::int64_t> number_behind(std::string_view lower, std::string_view unit) {
    auto const at = lower.rfind(unit);
    if (at == lower.npos || (at > 0 && is_letter(lower[at - 1]))) return std::nullopt;
    auto rest = lower.substr(at + unit.size());
    auto const begin = rest.find_first_not_of(" =:[#(\"'");
    if (begin == rest.npos || begin > 4 || !is_digit(rest[begin])) return std::nullopt;
    rest = rest.substr(begin);
    return read_whole_number<std::int64_t>(rest.substr(0, rest.find_first_not_of("0123456789")));
}

std::optional<progress> progress_in(std::vector<std::string> const& lines) {
    for (std::string_view const unit : {"step", "iteration", "iter", "batch", "epoch", "round"})
        for (auto line = lines.rbegin(); line != lines.rend(); ++line)
            if (auto const count = number_behind(to_lower(*line), unit)) {
                progress p;
                p.unit = unit;
                p.count = *count;
                if (unit != "epoch") p.epoch = number_behind(to_lower(*line), "epoch").value_or(0);
                return p;
            }
    return std::nullopt;
}

/// The member that is behind all others, and how this shows: by the counts that all report, or by the time of the last
/// output. Absent if there is no such member.
std::optional<std::pair<std::size_t, std::string>> rank_behind(std::vector<rank_progress> all, findings const& f) {
    constexpr std::chrono::seconds clearly{30};
    if (all.size() < 2) return std::nullopt;
    bool const counts = std::ranges::all_of(all, [&](rank_progress const& r) {
        return r.reached && all.front().reached && r.reached->unit == all.front().reached->unit;
    });
    if (counts) {
        std::ranges::sort(all, {}, [](rank_progress const& r) { return std::pair(r.reached->key(), r.member); });
        if (all[0].reached->key() < all[1].reached->key())
            return std::pair(all[0].member, f.name_of(all[0].member) + " is behind the others: its last " +
                                                std::string(all[0].reached->epoch == 0 ? "" : "epoch and ") +
                                                std::string(all[0].reached->unit) + " is " + all[0].reached->text() +
                                                ", theirs is " + all[1].reached->text());
    }
    std::ranges::sort(all, {}, [](rank_progress const& r) { return std::pair(r.last, r.member); });
    // Of two, either may simply write less.
    if (all.size() < 3 || all[1].last - all[0].last < clearly) return std::nullopt;
    return std::pair(all[0].member, f.name_of(all[0].member) + " became silent " + span_of(all[1].last - all[0].last) +
                                        " before the others");
}

} // namespace

void find_stalled(findings const& f, found_causes& found) {
    if (!f.wanted() || f.evidence.quiet.count() == 0 || f.pods.empty()) return;
    std::vector<std::size_t> looked_at;
    std::optional<time_point> last;
    std::vector<rank_progress> progress;
    for (std::size_t i = 0; i < f.pods.size(); ++i) {
        if (f.succeeded(i)) continue;
        if (!f.runs(i)) return;
        for (auto const& log : f.evidence.logs) {
            if (log.pod != f.pods[i]->metadata.name) continue;
            auto const at = log.last ? log.last : f.runs_since(i);
            if (!at) return;
            if (!last || *at > *last) last = at;
            if (looked_at.empty() || looked_at.back() != i) looked_at.push_back(i);
            progress.emplace_back(i, *at, progress_in(log.lines));
        }
    }
    if (looked_at.empty() || !last || f.now - *last < f.evidence.quiet) return;
    auto& c = add_cause(found, f, cause_kind::stalled, looked_at);
    c.cause.summary = "All replicas run, and " + f.names_of(looked_at) + (looked_at.size() == 1 ? " has" : " have") +
                      " written no output since ";
    print_scalar(*last, c.cause.summary);
    c.cause.summary += ": the job may hang, or work without output";
    add_evidence(c.cause, "no output for " + span_of(f.now - *last));
    add_evidence(c.cause, "logs of " + std::to_string(looked_at.size()) + " of " + counted(f.pods.size(), "replica") +
                              " were read");
    if (auto const behind = rank_behind(progress, f)) {
        c.cause.summary += "; " + behind->second;
        std::erase(looked_at, behind->first);
        looked_at.insert(looked_at.begin(), behind->first);
    }
    for (auto const& log : f.evidence.logs)
        if (f.pods[looked_at.front()]->metadata.name == log.pod && c.cause.log.empty()) {
            c.cause.container = log.container;
            c.cause.log = log.lines;
        }
    c.cause.advice = "Check whether processors and devices are busy. If not, get stack traces of all ranks, for "
                     "example with py-spy, and find the rank whose stack differs.";
}

} // namespace kftrain::explaining
