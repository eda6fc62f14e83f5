#include "apiserver/rest/watch_feed.hpp"

#include <algorithm>
#include <utility>

namespace kftrain::apiserver {
namespace {

constexpr std::size_t piece_size = 64 * 1024;
constexpr std::size_t batch = 256;

void line(std::string& out, std::string_view type, std::string_view object) {
    constexpr std::size_t around = 48; // what is written beside them
    if (auto const size = out.size() + object.size() + around; size > out.capacity())
        out.reserve(std::max(size, 2 * out.capacity()));
    out.append("{\"type\":\"").append(type).append("\",\"object\":").append(object).append("}\n");
}

answer<std::vector<watch_event>> no_events() { return std::vector<watch_event>(); }

std::string_view name_of(change_kind k) {
    switch (k) {
    case change_kind::added: return "ADDED";
    case change_kind::modified: return "MODIFIED";
    case change_kind::deleted: break;
    }
    return "DELETED";
}

} // namespace

void watch_feed::append(std::string& out, resource_definition const& d, change_kind kind, object_ptr const& object,
                        time_point now) {
    if (!request_.table) return line(out, name_of(kind), object->text());
    table_options options;
    options.rows = *request_.table;
    options.headers = !std::exchange(headers_sent_, true);
    options.now = now;
    auto table = make_table(d, std::span(&object, 1), options);
    table["metadata"].get_object()["resourceVersion"] = std::to_string(object->version());
    line(out, name_of(kind), json::serialize(table));
}

void watch_feed::append(std::string& out, resource_definition const& d, watch_event const& e, time_point now) {
    bool const before = e.previous && request_.wanted.matches(*e.previous);
    bool const after = e.kind != change_kind::deleted && request_.wanted.matches(*e.object);
    if (!before && !after) return;
    if (after) return append(out, d, before ? change_kind::modified : change_kind::added, e.object, now);
    if (e.kind == change_kind::deleted) return append(out, d, change_kind::deleted, e.object, now);
    // It left the selection: the last state that matched, under the version at which it left.
    auto last = e.previous->parsed();
    metadata_of(last)["resourceVersion"] = std::to_string(e.version);
    append(out, d, change_kind::deleted, std::make_shared<stored_object const>(last, e.version), now);
}

void watch_feed::end_with_kind(object_store const& store) {
    if (store.registration(request_.kind) == request_.registration) return;
    ended_ = true;
    request_.initial = {};
    request_.marks_initial = false;
}

std::string watch_feed::pull(object_store const& store, time_point now) {
    std::string out;
    end_with_kind(store);
    if (ended_) return out;
    auto const& d = store.definition(request_.kind);
    while (!request_.initial.empty() && out.size() < piece_size) {
        append(out, d, change_kind::added, request_.initial.front(), now);
        request_.initial.pop_front();
    }
    if (request_.initial.empty() && std::exchange(request_.marks_initial, false)) append_bookmark(out, d, true);
    while (!ended_ && request_.initial.empty() && out.size() < piece_size) {
        // Each watch comes here after each piece, mostly without news: the store is then not searched.
        auto const events = has_news(store) ? store.events(request_.kind, request_.since, batch) : no_events();
        if (!events) {
            line(out, "ERROR", events.error().to_json());
            ended_ = true;
            break;
        }
        if (events->empty()) { // nothing of this kind happened up to here
            ended_ = !store.serves(request_.kind);
            request_.since = std::max(request_.since, store.version());
            break;
        }
        for (auto const& e : *events) {
            if (out.size() >= piece_size) break;
            append(out, d, e, now);
            request_.since = e.version;
        }
    }
    return out;
}

void watch_feed::drop_if_passed(object_store const& store) {
    end_with_kind(store);
    if (request_.initial.empty() || !has_news(store) || store.events(request_.kind, request_.since, 0)) return;
    request_.initial = {};
    request_.marks_initial = false; // not all were delivered
}

void watch_feed::append_bookmark(std::string& out, resource_definition const& d, bool ends_initial) const {
    json::object meta, object;
    meta["resourceVersion"] = std::to_string(request_.since);
    if (ends_initial) meta["annotations"] = json::object{{"k8s.io/initial-events-end", "true"}};
    object["kind"] = d.kind;
    object["apiVersion"] = d.api_version();
    object["metadata"] = std::move(meta);
    line(out, "BOOKMARK", json::serialize(object));
}

std::string watch_feed::bookmark(object_store const& store) const {
    std::string out;
    bool const is_same = store.registration(request_.kind) == request_.registration;
    if (request_.bookmarks && is_same && !ended_ && request_.initial.empty())
        append_bookmark(out, store.definition(request_.kind), false);
    return out;
}

} // namespace kftrain::apiserver
