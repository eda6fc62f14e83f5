#include "facade/timeline/drawing.hpp"
#include "facade/timeline/timeline_rows.hpp"

#include <kftrain/job/job_rules.hpp>

#include <algorithm>

// A timeline in characters.
namespace kftrain {
namespace {

constexpr std::size_t axis_columns = 48; ///< columns of the time axis
constexpr std::size_t widest_label = 28;
constexpr std::size_t most_text_rows = 100;
constexpr std::size_t most_section_lines = 20; ///< of conditions, sizes and reports

/// The columns of the time axis.
class text_axis {
public:
    explicit text_axis(job_timeline const& t) : first_(t.span().first), seconds_((t.span().second - first_).count()) {}

    std::size_t column(time_point t) const {
        auto const at = std::clamp<std::int64_t>((t - first_).count(), 0, seconds_);
        if (seconds_ == 0) return 0;
        return static_cast<std::size_t>(at * static_cast<std::int64_t>(axis_columns) / seconds_);
    }
    /// `+3m12s`
    std::string offset(std::optional<time_point> const& t) const {
        return t ? "+" + duration_text(std::max<std::int64_t>((*t - first_).count(), 0)) : std::string("?");
    }
    std::int64_t seconds() const noexcept { return seconds_; }
    time_point first() const noexcept { return first_; }

private:
    time_point first_;
    std::int64_t seconds_;
};

std::string padded_to(std::string text, std::size_t columns) {
    auto const used = characters_of(text);
    if (used < columns) text.append(columns - used, ' ');
    return text;
}

std::string bar_of(timeline_row const& row, text_axis const& a, time_point until) {
    constexpr std::string_view marks = ".-#~?"; // by pod_stage
    std::string bar(axis_columns, ' ');
    for (auto const* p : row.pods) {
        auto const segments = segments_of(*p, until);
        for (auto const& s : segments) {
            auto const from = std::min(a.column(s.from), axis_columns - 1), to = std::max(a.column(s.to), from + 1);
            std::fill(bar.begin() + static_cast<std::ptrdiff_t>(from), bar.begin() + static_cast<std::ptrdiff_t>(to),
                      marks[static_cast<std::size_t>(s.stage)]);
        }
        for (auto const& s : segments)
            if (s.failed) bar[std::min(a.column(s.to), axis_columns - 1)] = 'x';
    }
    return bar;
}

std::string ticks_of(text_axis const& a) {
    std::string line(axis_columns + 8, ' ');
    auto const step = tick_step(a.seconds(), 6);
    for (std::int64_t at = 0; at <= a.seconds(); at += step) {
        auto const column = a.column(a.first() + std::chrono::seconds(at));
        auto const label = duration_text(at);
        if (column != 0 && line[column - 1] != ' ') continue; // no room
        line.replace(column, label.size(), label);
        if (step == 0) break;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

void add_line(std::string& to, std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    to += line + '\n';
}

/// A heading with lines, of which the middle ones may be left out.
template <class Items, class Line>
void add_section(std::string& to, std::string_view heading, Items const& items, Line line_of) {
    if (items.empty()) return;
    to += '\n';
    add_line(to, std::string(heading));
    bool const all = items.size() <= most_section_lines;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (!all && i == most_section_lines / 2) {
            auto const next = items.size() - most_section_lines / 2;
            add_line(to, "  ... " + std::to_string(next - i) + " more");
            i = next;
        }
        add_line(to, "  " + line_of(items[i]));
    }
}

} // namespace

std::string job_timeline::to_text() const {
    text_axis const a(*this);
    std::string out = title_of(*this) + "\n" + period_of(*this) + "\n";
    auto const at = [&](std::optional<time_point> const& t) { return padded_to(a.offset(t), 9); };
    add_section(out, "Conditions", conditions, [&](timeline_condition const& c) {
        return plain_text(at(c.time) + padded_to(c.type + "=" + c.status, 18) + c.reason +
                          (c.message.empty() ? "" : "  " + shortened_to(c.message, 120)));
    });
    add_section(out, "Requested replicas", scalings, [&](timeline_scaling const& s) {
        return plain_text(at(s.time) + s.role + " from " + std::to_string(s.from) + " to " + std::to_string(s.to));
    });
    add_section(out, "Running replicas", sizes,
                [&](timeline_size const& s) { return at(s.time) + std::to_string(s.running); });
    add_section(out, "Progress", progress,
                [&](job_progress const& p) { return plain_text(at(p.time) + p.to_string()); });
    auto rows = rows_of(*this);
    auto const rest = split_off(rows, most_text_rows);
    std::size_t label = 0;
    for (auto const& r : rows) label = std::max(label, characters_of(r.label));
    label = std::min(label, widest_label);
    auto const until = span().second;
    if (!rows.empty()) add_line(out, "\n" + padded_to("Replicas", label + 2) + " " + ticks_of(a));
    for (auto const& r : rows)
        add_line(out, plain_text(padded_to(shortened_to(r.label, label), label + 2) + "|" + bar_of(r, a, until) + "| " +
                                 shortened_to(r.outcome(), 60)));
    if (!rest.empty()) add_line(out, "and " + summary_of(rest));
    if (!rows.empty())
        add_line(out, "(. not scheduled, - starting, # running, ~ between two runs, x failed, ? unknown)");
    add_section(out, "Unknown", missing, [](std::string const& why) { return plain_text(why); });
    return out;
}

} // namespace kftrain
