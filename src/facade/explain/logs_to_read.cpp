#include "facade/explain/collect_evidence.hpp"

#include <algorithm>
#include <deque>

namespace kftrain::explaining {
namespace {

constexpr std::size_t most_ended = 4;
constexpr std::size_t most_running = 8;
constexpr std::size_t lines_of_running = 5;
constexpr std::size_t lines_of_others = 1000;
/// Init containers that run for longer may wait for something that never happens.
constexpr std::chrono::seconds init_patience{3};

} // namespace

std::vector<wanted_log> logs_to_read(findings const& f, explain_options const& options) {
    std::vector<wanted_log> all;
    if (options.log_lines == 0) return all;
    for (auto const& e : f.ended) {
        if (all.size() == most_ended) break;
        if (e.end->reason == "StartError" || e.end->reason == "ContainerCannotRun") continue; // it wrote nothing
        auto& w = all.emplace_back();
        w.pod = e.pod->metadata.name;
        w.container = e.container();
        // While a container waits, its log is that of the run that ended last.
        w.previous = e.status->state.running.has_value();
        w.lines = options.log_lines;
        // The others show whether they lost this one.
        if (all.size() > 1) w.read = std::max(options.log_lines, lines_of_others);
    }
    if (!f.wanted()) return all;
    for (std::size_t i = 0; i < f.pods.size() && all.size() < most_ended; ++i) {
        if (f.pods[i] == nullptr) continue;
        for (auto const& c : f.pods[i]->status.init_container_statuses) {
            if (!c.state.running || !c.state.running->started_at) continue;
            if (f.now - *c.state.running->started_at < init_patience) continue;
            auto& w = all.emplace_back();
            w.pod = f.pods[i]->metadata.name;
            w.container = c.name;
            w.lines = options.log_lines;
            w.read = w.lines;
        }
    }
    if (!all.empty()) return all;
    for (std::size_t i = 0; i < f.pods.size() && all.size() < most_running; ++i) {
        if (!f.runs(i)) continue;
        auto const& statuses = f.pods[i]->status.container_statuses;
        bool const training = std::ranges::any_of(
            statuses, [&](auto const& c) { return c.state.running.has_value() && f.trains(i, c.name); });
        for (auto const& c : statuses) {
            // What a helper writes shows neither progress nor a stall.
            if (!c.state.running || (training && !f.trains(i, c.name))) continue;
            auto& w = all.emplace_back();
            w.pod = f.pods[i]->metadata.name;
            w.container = c.name;
            w.lines = std::min(options.log_lines, lines_of_running);
            w.read = w.lines;
        }
    }
    return all;
}

log_tail tail_of(wanted_log const& wanted, std::string_view text) {
    log_tail tail;
    tail.pod = wanted.pod;
    tail.container = wanted.container;
    line_search search;
    std::deque<std::string_view> last;
    while (!text.empty()) {
        auto const end = text.find('\n');
        auto line = text.substr(0, end);
        text = end == text.npos ? std::string_view() : text.substr(end + 1);
        time_point at;
        if (auto const blank = line.find(' '); blank != line.npos && parse_scalar(line.substr(0, blank), at)) {
            tail.last = at;
            line.remove_prefix(blank + 1);
        }
        search.add(line);
        last.push_back(line);
        if (last.size() > wanted.lines) last.pop_front();
    }
    for (auto const line : last) tail.lines.push_back(clipped_line(line));
    tail.decisive = search.found();
    return tail;
}

} // namespace kftrain::explaining
