#include "facade/explain/collect_evidence.hpp"

#include <algorithm>

namespace kftrain::explaining {
namespace {

constexpr std::size_t most_ended = 4;
constexpr std::size_t most_running = 8;
constexpr std::size_t lines_of_running = 5;
constexpr std::size_t longest_line = 500;

/// Without half a character at its end.
std::string clipped(std::string_view line) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.size() <= longest_line) return std::string(line);
    auto end = longest_line;
    while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80U) --end;
    return std::string(line.substr(0, end)) + "...";
}

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
    }
    if (!all.empty() || !f.wanted()) return all;
    for (std::size_t i = 0; i < f.pods.size() && all.size() < most_running; ++i) {
        if (!f.runs(i)) continue;
        for (auto const& c : f.pods[i]->status.container_statuses) {
            if (!c.state.running) continue;
            auto& w = all.emplace_back();
            w.pod = f.pods[i]->metadata.name;
            w.container = c.name;
            w.lines = std::min(options.log_lines, lines_of_running);
        }
    }
    return all;
}

log_tail tail_of(wanted_log const& asked, std::string_view text) {
    log_tail tail;
    tail.pod = asked.pod;
    tail.container = asked.container;
    while (!text.empty()) {
        auto const end = text.find('\n');
        auto line = text.substr(0, end);
        text = end == text.npos ? std::string_view() : text.substr(end + 1);
        time_point at;
        if (auto const blank = line.find(' '); blank != line.npos && parse_scalar(line.substr(0, blank), at)) {
            tail.last = at;
            line.remove_prefix(blank + 1);
        }
        tail.lines.push_back(clipped(line));
    }
    if (tail.lines.size() > asked.lines)
        tail.lines.erase(tail.lines.begin(), tail.lines.end() - static_cast<std::ptrdiff_t>(asked.lines));
    return tail;
}

} // namespace kftrain::explaining
