
#include "base/code_points.hpp"
#include "base/joined.hpp"
#include "cli/commands.hpp"
#include "cli/manifests/job_parts.hpp"
#include "facade/timeline/drawing.hpp"

#include <algorithm>
#include <span>
#include <string_view>

namespace kftrain::cli {
namespace {

// Places in pixels. A box has as many columns of its font as fit between its margins.
constexpr int left_x = 6, left_width = 214, left_columns = 27;
constexpr int pods_x = 250, pods_width = 348, pods_columns = 45;
constexpr int services_x = 634, services_width = 214, services_columns = 27;
constexpr int picture_width = services_x + services_width + 6;
constexpr int line_height = 17, rule_height = 7, gap = 22, margin = 10;
constexpr std::size_t most_variables = 14, most_parts = 8, most_names = 6, most_described = 1000;

/// on_one_line() writes control characters as escapes.
std::string escaped(std::string_view text) { return xml_text(on_one_line(text)); }

/// Lines of at most this length, the later ones indented. Breaks after a separator in the second half, if any.
std::vector<std::string> wrapped_lines(std::string_view text, std::size_t columns, std::size_t most_lines) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        std::string_view const indent = lines.empty() ? "" : "  ";
        auto const room = columns - indent.size();
        auto end = first_characters(text, room).size();
        if (end < text.size()) {
            if (lines.size() + 1 == most_lines) {
                lines.push_back(std::string(indent) + std::string(first_characters(text, room - 1)) + "…");
                return lines;
            }
            auto const separator = text.substr(0, end).find_last_of(",-/= ");
            if (separator != std::string_view::npos && separator > end / 2) end = separator + 1;
        }
        lines.push_back(std::string(indent) + std::string(text.substr(0, end)));
        text.remove_prefix(end);
    }
    return lines;
}

/// A drawing that grows downwards.
class drawing {
public:
    void box(int x, int y, int width, int height, std::string_view kind) {
        boxes_ += "<rect class=\"" + std::string(kind) + "\" x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) +
                  "\" width=\"" + std::to_string(width) + "\" height=\"" + std::to_string(height) + "\" rx=\"5\"/>\n";
    }
    void text(int x, int y, std::string_view content, std::string_view style_class) {
        std::string shown = escaped(content);
        for (std::size_t at = 0; (at = shown.find("  ", at)) != std::string::npos;)
            shown.replace(at, 2, "\xC2\xA0\xC2\xA0"); // programs join spaces
        boxes_ += "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" class=\"" +
                  std::string(style_class) + "\">" + shown + "</text>\n";
    }
    void rule(int x, int y, int width) {
        boxes_ += "<path d=\"M" + std::to_string(x) + ' ' + std::to_string(y) + 'h' + std::to_string(width) + "\"/>\n";
    }
    /// A line from (x, y) by `middle` to another place.
    void edge(int x, int y, int middle, int to_y, int to_x) {
        edges_ += "<path d=\"M" + std::to_string(x) + ' ' + std::to_string(y) + 'H' + std::to_string(middle) + 'V' +
                  std::to_string(to_y) + 'H' + std::to_string(to_x) + "\"/>\n";
    }
    std::string take() const { return edges_ + boxes_; }

private:
    std::string edges_, boxes_; // boxes cover the ends of edges
};

struct styled_line {
    std::string content;
    char style = 'm'; ///< monospace, bold or dim; `s`: a rule
};

void add_lines(std::vector<styled_line>& to, std::vector<std::string> content, char style_class = 'm') {
    for (auto& w : content) to.push_back({std::move(w), style_class});
}

/// All names, or the first and the last ones.
void add_names(std::vector<styled_line>& to, std::vector<std::string> const& names, std::size_t columns) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names.size() > most_names && i + 1 == most_names - 1) {
            to.push_back({"… " + std::to_string(names.size() - most_names + 1) + " more", 'd'});
            i = names.size() - 1;
        }
        add_lines(to, wrapped_lines(names[i], columns, most_parts));
    }
}

/// A box with these lines; returns its height.
int draw_box(drawing& out, int x, int y, int width, std::string_view kind, std::vector<styled_line> const& lines) {
    int height = 2 * margin - 3;
    for (auto const& line : lines) height += line.style == 's' ? rule_height : line_height;
    out.box(x, y, width, height, kind);
    int at = y + margin + 11;
    for (auto const& line : lines) {
        if (line.style == 's') {
            out.rule(x, at - 9, width);
            at += rule_height;
            continue;
        }
        bool const continues = line.content.starts_with("  ");
        out.text(x + margin + (continues ? 14 : 0), at, std::string_view(line.content).substr(continues ? 2 : 0),
                 std::string_view(&line.style, 1));
        at += line_height;
    }
    return height;
}

std::vector<styled_line> lines_of(pod_group const& group) {
    std::vector<styled_line> lines;
    lines.push_back({group.title, 'b'});
    add_names(lines, group.names, pods_columns);
    for (auto const& name : group.init) add_lines(lines, wrapped_lines("init container " + name, pods_columns, 2), 'd');
    auto const& variables = group.environment;
    if (!variables.empty()) lines.push_back({"", 's'});
    std::size_t const shown = variables.size() > most_variables ? most_variables - 1 : variables.size();
    for (std::size_t i = 0; i < shown; ++i) add_lines(lines, wrapped_lines(variables[i], pods_columns, most_parts));
    if (shown < variables.size())
        lines.push_back({"and " + std::to_string(variables.size() - shown) + " more variables", 'd'});
    return lines;
}

std::vector<styled_line> lines_of(service_group const& group) {
    std::vector<styled_line> lines;
    std::string const plural = group.names.size() == 1 ? "Service" : std::to_string(group.names.size()) + " Services";
    lines.push_back({plural + (group.port.empty() ? "" : ", port " + group.port), 'b'});
    add_names(lines, group.names, services_columns);
    return lines;
}

/// Draws a job with its top at `top`; returns its bottom.
int draw_job(drawing& out, any_job const& job, job_parts const& parts, int top) {
    std::vector<styled_line> heading;
    heading.push_back({std::string(job.resource().kind), 'b'});
    add_lines(heading, wrapped_lines(job.metadata().name, left_columns, most_parts));
    int left = top + draw_box(out, left_x, top, left_width, "job", heading);
    if (!parts.others.empty()) {
        std::vector<styled_line> lines;
        for (auto const& o : parts.others) {
            lines.push_back({o.kind, 'b'});
            add_lines(lines, wrapped_lines(o.name, left_columns, most_parts));
        }
        int const x = left_x + left_width / 2;
        out.edge(x, left, x, left + gap, x);
        left += gap;
        left += draw_box(out, left_x, left, left_width, "other", lines);
    }

    int middle = top, right = top;
    std::vector<int> height_of_edge;
    for (std::size_t i = 0; i < parts.pods.size(); ++i) {
        int const y = std::max(middle, right), edge_y = y + 20;
        height_of_edge.push_back(edge_y);
        out.edge(left_x + left_width, top + 20, pods_x - 15, edge_y, pods_x);
        middle = y + draw_box(out, pods_x, y, pods_width, "pod", lines_of(parts.pods[i])) + gap;
        right = y;
        for (auto const& s : parts.services) {
            if (s.groups.back() != i) continue;
            for (auto const g : s.groups)
                out.edge(services_x, right + 20, services_x - 15, height_of_edge[g], pods_x + pods_width);
            right += draw_box(out, services_x, right, services_width, "other", lines_of(s)) + gap;
        }
    }
    return std::max({left, middle - gap, right - gap});
}

std::string list_of(std::vector<std::string> const& names) {
    auto out = joined(std::span(names).first(std::min(names.size(), most_described)), ", ");
    if (names.size() > most_described) out += " and " + std::to_string(names.size() - most_described) + " more";
    return out;
}

/// The picture as text: a line for each box.
std::string described(any_job const& job, job_parts const& parts) {
    std::string out = std::string(job.resource().kind) + ' ' + job.metadata().name + ".\n";
    for (auto const& g : parts.pods) out += g.title + ": " + list_of(g.names) + ".\n";
    for (auto const& s : parts.services)
        out += (s.names.size() == 1 ? "Service: " : "Services: ") + list_of(s.names) + ".\n";
    for (auto const& o : parts.others) out += o.kind + ' ' + o.name + ".\n";
    return out;
}

} // namespace

std::string job_picture(std::vector<prepared_job> const& jobs) {
    drawing out;
    std::string title, description;
    int bottom = margin - gap;
    for (auto const& job : jobs) {
        auto const parts = parts_of(job);
        title += (title.empty() ? "Objects of the " : ", the ") + std::string(job->resource().kind) + ' ' +
                 job->metadata().name;
        description += described(*job, parts);
        bottom = draw_job(out, *job, parts, bottom + gap);
    }
    auto const width = std::to_string(picture_width), height = std::to_string(bottom + margin);
    std::string text = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"kf\" role=\"img\" viewBox=\"0 0 " + width +
                       ' ' + height + "\" width=\"" + width + "\" height=\"" + height + "\">\n<title>" +
                       escaped(title) + "</title>\n<desc>";
    for (std::string_view rest = description; !rest.empty();) { // line by line: escaped() joins lines
        auto const end = rest.find('\n');
        text += escaped(rest.substr(0, end)) + '\n';
        rest.remove_prefix(end + 1);
    }
    text += "</desc>\n";
    text += svg_style;
    return text + out.take() + "</svg>\n";
}

} // namespace kftrain::cli
