#include "apiserver/tables/table.hpp"

#include "apiserver/json/json_access.hpp"

namespace kftrain::apiserver {
namespace {

json::object header(std::string_view name, std::string_view type, std::string_view description, int priority) {
    json::object out;
    out["name"] = key(name);
    out["type"] = key(type);
    out["format"] = name == "Name" ? "name" : "";
    out["description"] = key(description);
    out["priority"] = priority;
    return out;
}

json::value cell(printer_column const& c, json::object const& object, time_point now) {
    auto const* v = find_path(object, c.path);
    if (v == nullptr || v->is_null()) return c.type == "date" ? json::value("<unknown>") : json::value(nullptr);
    if (c.type == "date") return json::value(age(v->is_string() ? view(v->get_string()) : std::string_view{}, now));
    if (c.type == "integer" || c.type == "number") return v->is_number() ? *v : json::value(nullptr);
    if (c.type == "boolean") return v->is_bool() ? *v : json::value(nullptr);
    return v->is_string() ? *v : json::value(json::serialize(*v));
}

json::object row(json::object&& o, json::array cells, row_object what) {
    json::object out;
    out["cells"] = std::move(cells);
    if (what == row_object::object) out["object"] = std::move(o);
    if (what == row_object::metadata) {
        json::object partial;
        partial["kind"] = "PartialObjectMetadata";
        partial["apiVersion"] = "meta.k8s.io/v1";
        partial["metadata"] = std::move(metadata_of(o));
        out["object"] = std::move(partial);
    }
    return out;
}

} // namespace

std::string human_duration(std::chrono::seconds d) {
    auto const s = d.count();
    auto const unit = [](auto n, char c) { return std::to_string(n) + c; };
    auto const two = [&](auto a, char ca, auto b, char cb) { return b == 0 ? unit(a, ca) : unit(a, ca) + unit(b, cb); };
    if (s < -1) return "<invalid>";
    if (s < 0) return "0s";
    if (s < 120) return unit(s, 's');
    auto const m = s / 60;
    if (m < 10) return two(m, 'm', s % 60, 's');
    if (m < 180) return unit(m, 'm');
    auto const h = s / 3600;
    if (h < 8) return two(h, 'h', m % 60, 'm');
    if (h < 48) return unit(h, 'h');
    if (h < 192) return two(h / 24, 'd', h % 24, 'h');
    if (h < 24 * 365 * 2) return unit(h / 24, 'd');
    if (h < 24 * 365 * 8) return two(h / 24 / 365, 'y', h / 24 % 365, 'd');
    return unit(h / 24 / 365, 'y');
}

std::string age(std::string_view text, time_point now) {
    time_point t{};
    if (text.empty() || !parse_scalar(text, t)) return "<unknown>";
    return human_duration(now - t);
}

json::object make_table(resource_definition const& d, std::span<object_ptr const> items, table_options const& options) {
    json::object out;
    out["kind"] = "Table";
    out["apiVersion"] = "meta.k8s.io/v1";
    out["metadata"] = json::object();
    auto const builtin = builtin_columns(d);
    std::vector<printer_column> columns = d.columns;
    if (columns.empty()) columns.emplace_back("Age", "date", ".metadata.creationTimestamp");

    json::array headers;
    if (options.headers) {
        for (auto const& c : builtin) headers.push_back(header(c.name, c.type, "", c.priority));
        if (builtin.empty()) {
            headers.push_back(header("Name", "string", "", 0));
            for (auto const& c : columns) headers.push_back(header(c.name, c.type, c.description, c.priority));
        }
    }
    out["columnDefinitions"] = options.headers ? json::value(std::move(headers)) : json::value(nullptr);

    json::array rows;
    rows.reserve(items.size());
    for (auto const& item : items) {
        json::array cells;
        json::monotonic_resource memory(request_memory);
        auto object = read_stored(item->text(), &memory);
        if (!builtin.empty()) {
            cells = builtin_cells(d, object, options.now);
        } else {
            cells.emplace_back(key(item->name()));
            for (auto const& c : columns) cells.push_back(cell(c, object, options.now));
        }
        rows.push_back(row(std::move(object), std::move(cells), options.rows));
    }
    out["rows"] = std::move(rows);
    return out;
}

} // namespace kftrain::apiserver
