#include "base/joined.hpp"
#include "facade/timeline/drawing.hpp"
#include "facade/timeline/timeline_rows.hpp"

#include <algorithm>
#include <cmath>

// A timeline as a picture.
namespace kftrain {
namespace {

// Places in pixels. Texts have the number of characters that fit in their column.
constexpr int picture_width = 960, margin = 16;
constexpr int plot_x = 192, plot_width = 536, end_x = plot_x + plot_width + 12;
constexpr std::size_t label_characters = 24, end_characters = 30, note_characters = 130;
constexpr int row_height = 22, bar_height = 12, chart_height = 56, lane_gap = 14;
constexpr std::size_t most_picture_rows = 40, most_notes = 10, most_points = 600;
constexpr std::int64_t most_ticks = 9;

constexpr std::string_view timeline_style = R"(<style>
.kft { --run: #1f883d; --start: #9cd1ab; --wait: #d1d9e0; --bad: #cf222e; --busy: #0969da; --warm: #bc4c00;
--grid: #d1d9e0 }
@media (prefers-color-scheme: dark) {
.kft { --run: #2ea043; --start: #1b5e33; --wait: #3d444d; --bad: #f85149; --busy: #4493f8; --warm: #f0883e;
--grid: #30363d }
}
.kft rect { stroke: none } .kft .run { fill: #1f883d; fill: var(--run) }
.kft .start { fill: #9cd1ab; fill: var(--start) } .kft .wait { fill: #d1d9e0; fill: var(--wait) }
.kft .bad { fill: #cf222e; fill: var(--bad) } .kft .busy { fill: #0969da; fill: var(--busy) }
.kft .warm { fill: #bc4c00; fill: var(--warm) } .kft path.grid { stroke: #d1d9e0; stroke: var(--grid); stroke-width: 1 }
.kft path.line { stroke: #0969da; stroke: var(--busy); stroke-width: 1.8 }
.kft path.loss { stroke: #bc4c00; stroke: var(--warm); stroke-width: 1.5; stroke-dasharray: 4 3 }
.kft path.cross { stroke: #cf222e; stroke: var(--bad); stroke-width: 2.2 }
.kft path.area { fill: #9cd1ab; fill: var(--start); stroke: #1f883d; stroke: var(--run) }
.kft text.s { font-size: 12px } .kft text.on { fill: #fff; font-size: 12px } .kft text.r { text-anchor: end }
.kft text.c { text-anchor: middle }
</style>
)";

std::string pixels(double n) {
    auto text = std::to_string(std::llround(n * 10));
    bool const negative = text.front() == '-';
    if (negative) text.erase(0, 1);
    if (text.size() < 2) text.insert(0, "0");
    auto const rest = text.substr(text.size() - 1);
    text.pop_back();
    if (rest != "0") text += "." + rest;
    return negative && text != "0" ? "-" + text : text;
}

std::string_view class_of(std::string_view condition) {
    if (condition == "Succeeded" || condition == "Complete" || condition == "Completed") return "run";
    if (condition == "Failed" || condition == "Aborted" || condition == "Terminated") return "bad";
    if (condition == "Restarting" || condition == "Aborting") return "warm";
    if (condition == "Running") return "busy";
    return "wait";
}

constexpr std::string_view class_of(pod_stage s) {
    switch (s) {
    case pod_stage::unscheduled: return "wait";
    case pod_stage::starting: return "start";
    case pod_stage::running: return "run";
    case pod_stage::restarting: return "warm";
    case pod_stage::unknown: return "wait";
    }
    return "wait";
}

std::string name_of(pod_stage s) {
    switch (s) {
    case pod_stage::unscheduled: return "not scheduled";
    case pod_stage::starting: return "starting";
    case pod_stage::running: return "running";
    case pod_stage::restarting: return "between two runs";
    case pod_stage::unknown: return "unknown";
    }
    return {};
}

class picture {
public:
    explicit picture(job_timeline const& t) : t_(t), first_(t.span().first), until_(t.span().second) {}

    std::string draw(bool heading) {
        if (heading) draw_heading();
        int const axis = y_;
        y_ += 26;
        draw_status();
        draw_sizes();
        draw_progress();
        draw_rows();
        auto const body = std::move(out_);
        out_.clear();
        draw_axis(axis, y_);
        auto const grid = std::move(out_);
        out_.clear();
        draw_legend();
        draw_notes();
        return wrapped(grid + body + out_);
    }

private:
    double x(time_point t) const {
        auto const all = static_cast<double>((until_ - first_).count());
        if (all == 0) return plot_x;
        return plot_x + plot_width * std::clamp(static_cast<double>((t - first_).count()) / all, 0.0, 1.0);
    }
    std::string offset(time_point t) const {
        return "+" + duration_text(std::max<std::int64_t>((t - first_).count(), 0));
    }

    void text(double at, double y, std::string_view content, std::string_view style, std::string_view tip = {}) {
        out_ += "<text x=\"" + pixels(at) + "\" y=\"" + pixels(y) + "\" class=\"" + std::string(style) + "\">";
        if (!tip.empty()) out_ += "<title>" + xml_text(tip) + "</title>";
        out_ += xml_text(content) + "</text>\n";
    }
    void box(double from, double to, double y, double height, std::string_view style, std::string_view tip) {
        out_ += "<rect class=\"" + std::string(style) + "\" x=\"" + pixels(from) + "\" y=\"" + pixels(y) +
                "\" width=\"" + pixels(std::max(to - from, 1.5)) + "\" height=\"" + pixels(height) + "\"";
        out_ += tip.empty() ? "/>\n" : "><title>" + xml_text(tip) + "</title></rect>\n";
    }
    void path(std::string_view style, std::string const& commands) {
        out_ += "<path class=\"" + std::string(style) + "\" d=\"" + commands + "\"/>\n";
    }
    void cross(double at, double y) { path("cross", "M" + pixels(at - 4) + " " + pixels(y - 4) + "l8 8m0 -8l-8 8"); }

    void draw_heading() {
        y_ += 8;
        text(margin, y_ += 14, shortened_to(title_of(t_), 100), "b");
        text(margin, y_ += 20, period_of(t_), "d");
        y_ += 14;
    }

    void draw_axis(int top, int bottom) {
        auto const all = (until_ - first_).count();
        auto const step = tick_step(all, most_ticks);
        for (std::int64_t at = 0; at <= all; at += step) {
            auto const place = x(first_ + std::chrono::seconds(at));
            path("grid", "M" + pixels(place) + " " + std::to_string(top + 18) + "V" + std::to_string(bottom));
            text(place, top + 13, duration_text(at), "d s c");
        }
    }

    void lane(std::string_view name) { text(margin, y_ + 14, name, "b"); }

    void draw_status() {
        auto const all = status_segments(t_);
        if (all.empty()) return;
        lane("Status");
        for (std::size_t i = 0; i < all.size(); ++i) {
            auto const& s = all[i];
            bool const point = s.to == s.from; // the last condition of a finished job
            auto const from = x(s.from), to = point ? from + 4 : x(s.to);
            auto const kind = class_of(s.type);
            box(from, to, y_, 20, kind, s.type + " " + offset(s.from));
            if (static_cast<int>(to - from) > 14 + 7 * static_cast<int>(s.type.size()))
                text(from + 6, y_ + 14, s.type, kind == "wait" ? "s" : "on");
        }
        text(end_x, y_ + 14, shortened_to(last_reason(), end_characters), "s", last_message());
        y_ += 20 + lane_gap;
    }
    std::string last_reason() const {
        for (auto c = t_.conditions.rbegin(); c != t_.conditions.rend(); ++c)
            if (c->status == "True") return c->reason;
        return {};
    }
    std::string last_message() const {
        for (auto c = t_.conditions.rbegin(); c != t_.conditions.rend(); ++c)
            if (c->status == "True") return shortened_to(c->message, 300);
        return {};
    }

    /// Of more points than pixels, the extremes of each part.
    void draw_sizes() {
        if (t_.sizes.empty()) return;
        lane("Running replicas");
        std::int32_t most = 1;
        for (auto const& s : t_.sizes) most = std::max(most, s.running);
        auto const base = y_ + chart_height;
        auto const height = [&](std::int32_t n) { return base - chart_height * static_cast<double>(n) / most; };
        std::string line = "M" + pixels(x(t_.sizes.front().time)) + " " + std::to_string(base);
        for (std::size_t i = 0; i < t_.sizes.size();) {
            auto const at = pixels(x(t_.sizes[i].time));
            std::int32_t peak = t_.sizes[i].running, last = peak;
            for (; i < t_.sizes.size() && pixels(x(t_.sizes[i].time)) == at; ++i) {
                last = t_.sizes[i].running;
                peak = std::max(peak, last);
            }
            line += "H" + at + "V" + pixels(height(peak));
            if (last != peak) line += "V" + pixels(height(last));
        }
        line += "H" + pixels(x(until_)) + "V" + std::to_string(base) + "Z";
        path("area", line);
        text(plot_x - 8, y_ + 10, std::to_string(most), "d s r");
        text(plot_x - 8, base, "0", "d s r");
        for (auto const& s :
             std::span(t_.scalings).last(std::min<std::size_t>(t_.scalings.size(), most_picture_rows))) {
            auto const tip =
                s.role + " from " + std::to_string(s.from) + " to " + std::to_string(s.to) + " " + offset(s.time);
            box(x(s.time) - 1, x(s.time) + 1, y_, chart_height, "busy", tip);
        }
        text(end_x, y_ + 14, "at most " + std::to_string(most), "s");
        if (!t_.scalings.empty()) {
            auto const& s = t_.scalings.back();
            text(end_x, y_ + 31,
                 shortened_to("last: " + s.role + " " + std::to_string(s.from) + " to " + std::to_string(s.to) + " " +
                                  offset(s.time),
                              end_characters),
                 "s");
        }
        y_ += chart_height + lane_gap;
    }

    template <class Value> void curve(std::string_view style, Value value) {
        std::string line;
        std::size_t points = 0;
        auto const every = t_.progress.size() / most_points + 1;
        for (std::size_t i = 0; i < t_.progress.size(); ++i) {
            if (i % every != 0 && i + 1 != t_.progress.size()) continue;
            auto const& p = t_.progress[i];
            std::optional<double> const part = value(p);
            if (!part || !p.time) continue;
            line += (line.empty() ? "M" : "L") + pixels(x(*p.time)) + " " +
                    pixels(y_ + chart_height - chart_height * std::clamp(*part, 0.0, 1.0));
            ++points;
        }
        if (points == 1) line += "h2";
        if (points != 0) path(style, line);
    }

    void draw_progress() {
        if (t_.progress.empty()) return;
        lane("Progress");
        std::int64_t most = 1;
        std::optional<double> low, high;
        for (auto const& p : t_.progress) {
            most = std::max({most, p.step.value_or(0), p.total.value_or(0)});
            if (!p.loss) continue;
            low = low ? std::min(*low, *p.loss) : *p.loss;
            high = high ? std::max(*high, *p.loss) : *p.loss;
        }
        auto const base = y_ + chart_height;
        path("grid", "M" + std::to_string(plot_x) + " " + std::to_string(y_) + "h" + std::to_string(plot_width) + "M" +
                         std::to_string(plot_x) + " " + std::to_string(base) + "h" + std::to_string(plot_width));
        curve("line", [&](job_progress const& p) -> std::optional<double> {
            return static_cast<double>(p.step.value_or(0)) / static_cast<double>(most);
        });
        if (low && *high > *low)
            curve("loss", [&](job_progress const& p) -> std::optional<double> {
                if (!p.loss) return std::nullopt;
                return (*p.loss - *low) / (*high - *low);
            });
        text(plot_x - 8, y_ + 10, "step " + std::to_string(most), "d s r");
        text(plot_x - 8, base, "0", "d s r");
        auto const content = t_.progress.back().to_string();
        int line = y_ + 14; // a line for each part
        for (std::size_t at = 0; at < content.size() && line < base + 10; line += 15) {
            auto const end = std::min(content.find(", ", at), content.size());
            text(end_x, line, shortened_to(std::string_view(content).substr(at, end - at), end_characters), "s");
            at = end + 2;
        }
        if (low && *high > *low) text(margin, y_ + 32, "dashed: loss", "d s");
        y_ += std::max(chart_height, line - y_ - 10) + lane_gap;
    }

    void draw_row(timeline_row const& row) {
        auto const top = y_ + (row_height - bar_height) / 2;
        auto const names = joined(row.pods, ", ", [](auto const* p) { return p->member.pod_name; });
        text(margin, y_ + 15, shortened_to(row.label, label_characters), "s", shortened_to(names, 300));
        for (auto const* p : row.pods) {
            auto const segments = segments_of(*p, until_);
            for (auto const& s : segments) {
                bool const known = s.stage != pod_stage::unknown;
                box(x(s.from), x(s.to), known ? top : top + bar_height / 2.0 - 1, known ? bar_height : 2,
                    class_of(s.stage),
                    p->member.pod_name + ": " + name_of(s.stage) + " " + offset(s.from) + " to " + offset(s.to));
            }
            for (auto const& s : segments)
                if (s.failed) cross(x(s.to), top + bar_height / 2.0);
        }
        auto const outcome = row.outcome();
        auto const shown = shortened_to(outcome, end_characters);
        text(end_x, y_ + 15, shown, "s", shown == outcome ? std::string() : outcome);
        y_ += row_height;
    }

    void draw_rows() {
        auto rows = rows_of(t_);
        auto const rest = split_off(rows, most_picture_rows);
        if (rows.empty()) return;
        lane("Replicas");
        y_ += row_height;
        for (auto const& r : rows) draw_row(r);
        if (rest.empty()) return;
        std::optional<time_point> from, to;
        for (auto const& r : rest)
            for (auto const* p : r.pods)
                for (auto const& s : segments_of(*p, until_)) {
                    from = from ? std::min(*from, s.from) : s.from;
                    to = to ? std::max(*to, s.to) : s.to;
                }
        auto const content = "and " + summary_of(rest), counts = content.substr(content.find(':') + 2);
        text(margin, y_ + 15, "and " + std::to_string(rest.size()) + " more", "s");
        text(end_x, y_ + 15, shortened_to(counts, end_characters), "s", counts);
        if (from) box(x(*from), x(*to), y_ + 5, bar_height, "start", content);
        y_ += row_height;
    }

    void draw_legend() {
        if (t_.pods.empty()) return;
        y_ += 22;
        double at = plot_x;
        for (auto const s : {pod_stage::unscheduled, pod_stage::starting, pod_stage::running, pod_stage::restarting}) {
            auto const content = name_of(s);
            box(at, at + 14, y_ - 10, bar_height, class_of(s), {});
            text(at + 20, y_, content, "d s");
            at += 38 + 6.6 * static_cast<double>(content.size());
        }
        cross(at + 5, y_ - 4);
        text(at + 16, y_, "run failed", "d s");
        y_ += 4;
    }

    void draw_notes() {
        if (t_.missing.empty()) return;
        y_ += 24;
        text(margin, y_, "Unknown", "b");
        for (std::size_t i = 0; i < std::min(t_.missing.size(), most_notes); ++i)
            text(margin, y_ += 18, shortened_to(t_.missing[i], note_characters), "s", t_.missing[i]);
        if (t_.missing.size() > most_notes)
            text(margin, y_ += 18, "and " + std::to_string(t_.missing.size() - most_notes) + " more", "d s");
    }

    std::string description() const {
        auto content = period_of(t_) + ". ";
        for (auto const& s : status_segments(t_)) content += s.type + " from " + offset(s.from) + ". ";
        auto const rows = rows_of(t_);
        if (!rows.empty()) content += summary_of(rows) + ". ";
        if (!t_.progress.empty()) content += "Progress: " + t_.progress.back().to_string() + ". ";
        for (std::size_t i = 0; i < std::min(t_.missing.size(), most_notes); ++i) content += t_.missing[i] + " ";
        return shortened_to(content, 4000);
    }

    std::string wrapped(std::string const& body) const {
        auto const width = std::to_string(picture_width), height = std::to_string(y_ + margin);
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"kf kft\" role=\"img\" viewBox=\"0 0 " + width + ' ' +
               height + "\" width=\"" + width + "\" height=\"" + height + "\">\n<title>" + xml_text(title_of(t_)) +
               "</title>\n<desc>" + xml_text(description()) + "</desc>\n" + std::string(svg_style) +
               std::string(timeline_style) + body + "</svg>\n";
    }

    job_timeline const& t_;
    time_point first_, until_;
    std::string out_;
    int y_ = 0;
};

} // namespace

std::string picture_of(job_timeline const& t, bool heading) { return picture(t).draw(heading); }

std::string job_timeline::to_svg() const { return picture_of(*this, true); }

} // namespace kftrain
