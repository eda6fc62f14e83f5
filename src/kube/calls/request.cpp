#include <kftrain/kube/request.hpp>

#include "base/failure_at.hpp"
#include "kube/calls/enum_names.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/url/encode.hpp>
#include <boost/url/rfc/unreserved_chars.hpp>

#include <algorithm>

namespace kftrain::meta {

std::string_view to_string(deletion_propagation p) noexcept {
    switch (p) {
    case deletion_propagation::orphan: return "Orphan";
    case deletion_propagation::background: return "Background";
    case deletion_propagation::foreground: return "Foreground";
    }
    return {};
}

std::string_view to_string(field_validation v) noexcept {
    switch (v) {
    case field_validation::ignore: return "Ignore";
    case field_validation::warn: return "Warn";
    case field_validation::strict: return "Strict";
    }
    return {};
}

} // namespace kftrain::meta

namespace kftrain::kube {

std::string_view to_string(log_channel c) noexcept {
    switch (c) {
    case log_channel::all: return "All";
    case log_channel::standard_output: return "Stdout";
    case log_channel::standard_error: return "Stderr";
    }
    return {};
}

namespace {

std::string encoded(std::string_view s) {
    if (std::ranges::all_of(s, boost::urls::unreserved_chars)) return std::string(s); // as nearly always; much cheaper
    return boost::urls::encode(s, boost::urls::unreserved_chars);
}

/// Refuses path segments that servers and proxies would interpret.
result<void> check_segment(std::string_view what, std::string_view value) {
    auto const quoted = [&] { return std::string(what) + " \"" + std::string(value) + "\""; };
    if (value.empty()) return failure_at(std::string(what), "expected a " + std::string(what) + ", got an empty one");
    if (value == "." || value == "..") return failure_at(std::string(what), quoted() + " cannot be \".\" or \"..\"");
    if (value.find_first_of("/%") != std::string_view::npos)
        return failure_at(std::string(what), quoted() + " cannot contain \"/\" or \"%\"");
    return {};
}

class query {
public:
    query& add(std::string_view key, std::string_view value) {
        if (value.empty()) return *this;
        text_ += text_.empty() ? '?' : '&';
        text_.append(key).append("=").append(encoded(value));
        return *this;
    }
    query& add(std::string_view key, bool value) { return value ? add(key, std::string_view("true")) : *this; }
    query& add(std::string_view key, std::optional<std::int64_t> value) {
        return value ? add(key, std::string_view(std::to_string(*value))) : *this;
    }
    query& add(std::string_view key, std::uint32_t value) {
        return value != 0 ? add(key, std::string_view(std::to_string(value))) : *this;
    }
    std::string const& text() const noexcept { return text_; }

private:
    std::string text_;
};

enum class everywhere { allowed, refused };

/// Path of the collection.
result<std::string> collection(resource_info const& kind, std::string_view ns, everywhere all) {
    std::string path;
    path.reserve(128);
    if (kind.group.empty())
        path.append("/api/");
    else
        path.append("/apis/").append(kind.group).append("/");
    path.append(kind.version);
    if (kind.where == resource_scope::namespaced && !(ns.empty() && all == everywhere::allowed)) {
        if (auto ok = check_segment("namespace", ns); !ok) return ok.error();
        path.append("/namespaces/").append(encoded(ns));
    }
    return path.append("/").append(kind.plural);
}

result<std::string> item(resource_info const& kind, std::string_view ns, std::string_view name) {
    auto path = collection(kind, ns, everywhere::refused);
    if (!path) return path;
    if (auto ok = check_segment("name", name); !ok) return ok.error();
    return path->append("/").append(encoded(name));
}

result<http_request> build(std::string_view method, result<std::string> target, std::string body = {},
                           std::string_view type = "application/json") {
    if (!target) return target.error();
    http_request r;
    r.method = method;
    r.target = std::move(*target);
    if (!body.empty()) r.fields.add("Content-Type", std::string(type));
    r.body = std::move(body);
    return r;
}

result<std::string> extended(result<std::string> path, std::string_view suffix) {
    if (path) path->append(suffix);
    return path;
}

result<http_request> build_patch(result<std::string> target, patch_body change) {
    if (target && change.text.empty()) return failure_at("patch", "expected a patch, got an empty one");
    return build("PATCH", std::move(target), std::move(change.text), content_type(change.type));
}

constexpr resource_info pods{"", "v1", "Pod", "pods"};

/// Empty for the default of the server.
std::string_view to_string(std::optional<field_validation> v) { return v ? meta::to_string(*v) : std::string_view(); }

result<void> check_manager(std::string_view name) {
    constexpr std::size_t longest = 128;
    if (name.size() <= longest) return {};
    return failure_at("field_manager", "field manager \"" + std::string(name) + "\" has " +
                                           std::to_string(name.size()) + " bytes, expected at most " +
                                           std::to_string(longest));
}

std::string_view all_if(bool dry_run) { return dry_run ? "All" : ""; }

boost::json::object delete_object(delete_options const& p) {
    boost::json::object body;
    if (p.dry_run) body["dryRun"] = boost::json::array{"All"};
    if (p.grace_period_seconds) body["gracePeriodSeconds"] = *p.grace_period_seconds;
    if (p.propagation_policy) body["propagationPolicy"] = to_string(*p.propagation_policy);
    boost::json::object preconditions;
    if (!p.precondition_uid.empty()) preconditions["uid"] = p.precondition_uid;
    if (!p.precondition_resource_version.empty()) preconditions["resourceVersion"] = p.precondition_resource_version;
    if (!preconditions.empty()) body["preconditions"] = std::move(preconditions);
    if (body.empty()) return body;
    body["kind"] = "DeleteOptions";
    body["apiVersion"] = "v1";
    return body;
}

std::string delete_body(delete_options const& p) {
    auto const body = delete_object(p);
    return body.empty() ? std::string() : boost::json::serialize(body);
}

} // namespace

namespace request {

result<http_request> create(resource_info const& kind, std::string_view ns, std::string body) {
    return build("POST", collection(kind, ns, everywhere::refused), std::move(body));
}

result<http_request> get(resource_info const& kind, std::string_view ns, std::string_view name) {
    return build("GET", item(kind, ns, name));
}

result<http_request> list(resource_info const& kind, std::string_view ns, list_options const& options) {
    if (!options.continue_.empty() && !options.resource_version.empty())
        return failure_at("resource_version",
                          "resource_version \"" + options.resource_version + "\" cannot be combined with continue_");
    if (!options.resource_version_match.empty() && options.resource_version.empty())
        return failure_at("resource_version_match",
                          "resource_version_match \"" + options.resource_version_match + "\" needs a resource_version");
    query q;
    q.add("labelSelector", options.label_selector)
        .add("fieldSelector", options.field_selector)
        .add("limit", options.limit)
        .add("continue", options.continue_)
        .add("resourceVersion", options.resource_version)
        .add("resourceVersionMatch", options.resource_version_match);
    return build("GET", extended(collection(kind, ns, everywhere::allowed), q.text()));
}

result<http_request> watch(resource_info const& kind, std::string_view ns, watch_options const& options) {
    query q;
    q.add("watch", true)
        .add("labelSelector", options.label_selector)
        .add("fieldSelector", options.field_selector)
        .add("resourceVersion", options.resource_version)
        .add("timeoutSeconds", options.timeout_seconds)
        .add("allowWatchBookmarks", options.allow_bookmarks || options.initial_events);
    if (options.initial_events)
        q.add("sendInitialEvents", true).add("resourceVersionMatch", std::string_view("NotOlderThan"));
    return build("GET", extended(collection(kind, ns, everywhere::allowed), q.text()));
}

result<http_request> replace(resource_info const& kind, std::string_view ns, std::string_view name, std::string body) {
    return build("PUT", item(kind, ns, name), std::move(body));
}

result<http_request> replace_status(resource_info const& kind, std::string_view ns, std::string_view name,
                                    std::string body) {
    return build("PUT", extended(item(kind, ns, name), "/status"), std::move(body));
}

result<http_request> patch(resource_info const& kind, std::string_view ns, std::string_view name, patch_body change) {
    return build_patch(item(kind, ns, name), std::move(change));
}

result<http_request> patch_status(resource_info const& kind, std::string_view ns, std::string_view name,
                                  patch_body change) {
    return build_patch(extended(item(kind, ns, name), "/status"), std::move(change));
}

result<http_request> patch_scale(resource_info const& kind, std::string_view ns, std::string_view name,
                                 patch_body change) {
    return build_patch(extended(item(kind, ns, name), "/scale"), std::move(change));
}

result<http_request> apply(resource_info const& kind, std::string_view ns, std::string_view name, std::string body,
                           apply_options const& options) {
    if (options.field_manager.empty()) return failure_at("field_manager", "expected a field manager, got an empty one");
    if (auto ok = check_manager(options.field_manager); !ok) return ok.error();
    query q;
    q.add("fieldManager", options.field_manager)
        .add("force", options.force)
        .add("dryRun", all_if(options.dry_run))
        .add("fieldValidation", to_string(options.validation));
    return build("PATCH", extended(item(kind, ns, name), q.text()), std::move(body), "application/apply-patch+yaml");
}

result<http_request> remove(resource_info const& kind, std::string_view ns, std::string_view name,
                            delete_options const& options) {
    return build("DELETE", item(kind, ns, name), delete_body(options));
}

result<http_request> get_scale(resource_info const& kind, std::string_view ns, std::string_view name) {
    return build("GET", extended(item(kind, ns, name), "/scale"));
}

result<http_request> remove_collection(resource_info const& kind, std::string_view ns, list_options const& which,
                                       delete_options const& options) {
    for (auto const& [field, value] :
         {std::pair("limit", which.limit == 0 ? "" : std::to_string(which.limit)),
          std::pair("continue_", which.continue_), std::pair("resource_version", which.resource_version),
          std::pair("resource_version_match", which.resource_version_match)})
        if (!value.empty())
            return failure_at(field, "expected no value for a deletion by selectors, got \"" + value + "\"");
    if (which.label_selector.empty() && which.field_selector.empty() && !options.whole_collection)
        return failure_at("label_selector",
                          "expected a selector, or delete_options::whole_collection to delete all objects");
    query q;
    q.add("labelSelector", which.label_selector).add("fieldSelector", which.field_selector);
    return build("DELETE", extended(collection(kind, ns, everywhere::refused), q.text()), delete_body(options));
}

result<http_request> evict(std::string_view ns, std::string_view pod, delete_options const& options) {
    boost::json::object body{
        {"apiVersion", "policy/v1"}, {"kind", "Eviction"}, {"metadata", {{"name", pod}, {"namespace", ns}}}};
    if (auto how = delete_object(options); !how.empty()) body["deleteOptions"] = std::move(how);
    return build("POST", extended(item(pods, ns, pod), "/eviction"), boost::json::serialize(body));
}

result<http_request> with(result<http_request> write, write_options const& options) {
    if (!write) return write;
    if (auto ok = check_manager(options.field_manager); !ok) return ok.error();
    query q;
    q.add("dryRun", all_if(options.dry_run))
        .add("fieldManager", options.field_manager)
        .add("fieldValidation", to_string(options.validation));
    write->target += q.text();
    return write;
}

result<http_request> metadata_only(result<http_request> read, metadata_form form) {
    std::string const kind = form == metadata_form::list ? "PartialObjectMetadataList" : "PartialObjectMetadata";
    if (read) read->fields.set("Accept", "application/json;as=" + kind + ";g=meta.k8s.io;v=v1");
    return read;
}

result<http_request> bind(std::string_view ns, std::string_view pod, std::string_view node) {
    boost::json::object const body{{"apiVersion", "v1"},
                                   {"kind", "Binding"},
                                   {"metadata", {{"name", pod}, {"namespace", ns}}},
                                   {"target", {{"apiVersion", "v1"}, {"kind", "Node"}, {"name", node}}}};
    return build("POST", extended(item(pods, ns, pod), "/binding"), boost::json::serialize(body));
}

result<http_request> pod_log(std::string_view ns, std::string_view pod, log_options const& options) {
    if (options.since_seconds && !options.since_time.empty())
        return failure_at("since_time", "since_time \"" + options.since_time +
                                            "\" cannot be combined with since_seconds " +
                                            std::to_string(*options.since_seconds));
    if (options.channel != log_channel::all && options.tail_lines)
        return failure_at("channel", "channel " + std::string(to_string(options.channel)) +
                                         " cannot be combined with tail_lines " + std::to_string(*options.tail_lines));
    query q;
    q.add("container", options.container)
        .add("follow", options.follow)
        .add("previous", options.previous)
        .add("sinceSeconds", options.since_seconds)
        .add("sinceTime", options.since_time)
        .add("timestamps", options.timestamps)
        .add("tailLines", options.tail_lines)
        .add("limitBytes", options.limit_bytes)
        .add("stream", options.channel == log_channel::all ? std::string_view() : to_string(options.channel))
        .add("insecureSkipTLSVerifyBackend", options.trust_any_kubelet);
    return build("GET", extended(item(pods, ns, pod), "/log" + q.text()));
}

} // namespace request

} // namespace kftrain::kube
