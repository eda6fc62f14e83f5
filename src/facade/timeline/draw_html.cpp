#include "facade/timeline/drawing.hpp"
#include "facade/timeline/timeline_rows.hpp"

#include <algorithm>
#include <initializer_list>

// A timeline as a page.
namespace kftrain {
namespace {

constexpr std::size_t most_table_rows = 1000;

constexpr std::string_view page_style = R"(<style>
:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui, sans-serif; margin: 1rem auto; max-width: 62rem; padding: 0 1rem;
background: Canvas; color: CanvasText }
h1 { font-size: 1.3rem } .wide { overflow-x: auto } table { border-collapse: collapse }
th, td { border-bottom: 1px solid #8888; padding: .15em .8em .15em 0; text-align: left; vertical-align: top }
th { white-space: nowrap } summary { cursor: pointer; margin-top: 1rem; font-weight: 600 }
</style>
)";

std::string text_of(std::optional<time_point> const& t) {
    std::string text;
    if (t) print_scalar(*t, text);
    return text;
}

std::string row_of(std::string_view cell, std::initializer_list<std::string> const& texts) {
    std::string row = "<tr>";
    for (auto const& t : texts) row += "<" + std::string(cell) + ">" + xml_text(t) + "</" + std::string(cell) + ">";
    return row + "</tr>\n";
}

/// A table that can be opened; empty without items.
template <class Items, class Row>
std::string table_of(std::string_view title, std::initializer_list<std::string> const& head, Items const& items,
                     Row row) {
    if (items.empty()) return {};
    std::string text = "<details>\n<summary>" + std::string(title) + "</summary>\n<div class=\"wide\"><table>\n";
    text += row_of("th", head);
    for (std::size_t i = 0; i < std::min(items.size(), most_table_rows); ++i) text += row(items[i]);
    text += "</table></div>\n";
    if (items.size() > most_table_rows)
        text += "<p>and " + std::to_string(items.size() - most_table_rows) + " more</p>\n";
    return text + "</details>\n";
}

} // namespace

std::string job_timeline::to_html() const {
    auto const title = xml_text(title_of(*this));
    std::string page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
                       "content=\"width=device-width\">\n<title>" +
                       title + "</title>\n" + std::string(page_style) + "</head>\n<body>\n<h1>" + title + "</h1>\n<p>" +
                       xml_text(period_of(*this)) + "</p>\n<div class=\"wide\">\n" + picture_of(*this, false) +
                       "</div>\n";
    page += table_of("Conditions", {"since", "condition", "status", "reason", "message"}, conditions,
                     [](timeline_condition const& c) {
                         return row_of("td", {text_of(c.time), c.type, c.status, c.reason, c.message});
                     });
    page += table_of("Pods", {"replica", "pod", "node", "created", "scheduled", "ready", "ended", "deleted", "outcome"},
                     pods, [](timeline_pod const& p) {
                         timeline_row row;
                         row.pods.push_back(&p);
                         auto const& m = p.member;
                         auto const replica = m.role.empty() ? m.role : m.role + " " + std::to_string(m.index);
                         return row_of("td", {replica, m.pod_name, p.node, text_of(p.created), text_of(p.scheduled),
                                              text_of(p.ready), text_of(p.ended), text_of(p.deleted), row.outcome()});
                     });
    page += table_of("Progress", {"time", "report"}, progress,
                     [](job_progress const& p) { return row_of("td", {text_of(p.time), p.to_string()}); });
    page +=
        table_of("Unknown", {"what is unknown"}, missing, [](std::string const& why) { return row_of("td", {why}); });
    return page + "</body>\n</html>\n";
}

} // namespace kftrain
