#ifndef KFTRAIN_SRC_APISERVER_TABLES_TABLE_HPP
#define KFTRAIN_SRC_APISERVER_TABLES_TABLE_HPP

#include <kftrain/apiserver/object_store.hpp>

#include "apiserver/json/json_access.hpp"

#include <span>
#include <string>
#include <utility>

namespace kftrain::apiserver {

/// The object of a row, besides its cells.
enum class row_object { none, metadata, object };

struct table_options {
    table_options() = default;

    row_object rows = row_object::metadata;
    bool headers = true; ///< false: later events of a watch
    time_point now{};
};

/** The `Table` that `kubectl get` prints, without list metadata.
    @par Upstream kubernetes `pkg/printers/internalversion/printers.go`, apiextensions-apiserver
    `pkg/registry/customresource/tableconvertor`, v1.31 */
json::object make_table(resource_definition const&, std::span<object_ptr const> items, table_options const&);

/// `5m30s`, `3h`, `2d`: as kubectl shows ages.
std::string human_duration(std::chrono::seconds);

/// A column of a built-in kind.
struct builtin_column {
    char const* name;
    char const* type;
    int priority;
};
/// Columns and cells of a built-in kind, NAME included; empty columns if the definition's own are to be used.
std::span<builtin_column const> builtin_columns(resource_definition const&);
json::array builtin_cells(resource_definition const&, json::object const& object, time_point now);

json::array job_cells(json::object const& job, time_point now);
json::array endpoint_slice_cells(json::object const& slice, time_point now);
json::array volume_cells(json::object const& volume, time_point now);
json::array claim_cells(json::object const& claim, time_point now);
json::array autoscaler_cells(json::object const& autoscaler, time_point now);

/// The text at a path such as `metadata.name`; empty if there is none.
inline std::string text_at(json::object const& o, std::string_view path) {
    auto const* v = at_path(o, path);
    return v != nullptr && v->is_string() ? std::string(view(v->get_string())) : std::string();
}
/// The text, or `<unset>` if it is empty.
inline std::string or_unset(std::string text) { return text.empty() ? "<unset>" : std::move(text); }
/// Calls `f` with each object of a list.
template <class F> void each(json::object const& o, std::string_view name, F f) {
    if (auto const* list = array_in(o, name))
        for (auto const& item : *list)
            if (auto const* element = item.if_object()) f(*element);
}

/// The age of an object since the RFC 3339 time in `text`; `<unknown>` without one.
std::string age(std::string_view text, time_point now);

} // namespace kftrain::apiserver

#endif
