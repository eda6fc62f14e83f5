#ifndef KFTRAIN_KUBE_REQUEST_HPP
#define KFTRAIN_KUBE_REQUEST_HPP

/** @file
    Requests to a Kubernetes API server as values. Pure: nothing here knows a connection.
    @par Upstream apimachinery `pkg/apis/meta/v1/types.go` (options), client-go `rest/request.go` (paths) */

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/kube/message.hpp>
#include <kftrain/model/patch.hpp>
#include <kftrain/model/resource.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kftrain::kube {

/// Query of a list. What is empty or 0 is not sent.
struct list_params {
    list_params() = default;

    std::string label_selector;
    std::string field_selector;
    std::uint32_t limit = 0; ///< items per page
    std::string continue_;   ///< token of the page before
    std::string resource_version;
    std::string resource_version_match;

    list_params& with_label_selector(std::string s) { return label_selector = std::move(s), *this; }
    list_params& with_field_selector(std::string s) { return field_selector = std::move(s), *this; }
    list_params& with_limit(std::uint32_t n) { return limit = n, *this; }
    list_params& with_continue(std::string token) { return continue_ = std::move(token), *this; }
    list_params& with_resource_version(std::string v) { return resource_version = std::move(v), *this; }
};

/// Query of a watch. What is empty or 0 is not sent.
struct watch_params {
    watch_params() = default;

    std::string label_selector;
    std::string field_selector;
    std::string resource_version;
    std::uint32_t timeout_seconds = 0;
    bool allow_bookmarks = true;

    watch_params& with_label_selector(std::string s) { return label_selector = std::move(s), *this; }
    watch_params& with_field_selector(std::string s) { return field_selector = std::move(s), *this; }
    watch_params& with_resource_version(std::string v) { return resource_version = std::move(v), *this; }
    watch_params& with_timeout_seconds(std::uint32_t n) { return timeout_seconds = n, *this; }
};

/// What happens to the objects that the deleted one owns.
enum class propagation { orphan, background, foreground };

/// Body of a deletion. What is absent is left to the server.
struct delete_params {
    delete_params() = default;

    std::optional<std::int64_t> grace_period_seconds;
    std::optional<propagation> propagation_policy;
    std::string precondition_uid;
    std::string precondition_resource_version;

    delete_params& with_grace_period_seconds(std::int64_t n) { return grace_period_seconds = n, *this; }
    delete_params& with_propagation_policy(propagation p) { return propagation_policy = p, *this; }
    delete_params& with_precondition_uid(std::string uid) { return precondition_uid = std::move(uid), *this; }
    delete_params& with_precondition_resource_version(std::string v) {
        return precondition_resource_version = std::move(v), *this;
    }
};

/// Query of a pod's log. What is absent is not sent.
struct log_params {
    log_params() = default;

    std::string container; ///< needed when the pod has several
    bool follow = false;
    bool previous = false;   ///< of the instance before the last restart
    bool timestamps = false; ///< each line starts with an RFC 3339 time and a space
    std::optional<std::int64_t> tail_lines;
    std::optional<std::int64_t> since_seconds; ///< excludes since_time
    std::string since_time;                    ///< RFC 3339
    std::optional<std::int64_t> limit_bytes;

    log_params& with_container(std::string name) { return container = std::move(name), *this; }
    log_params& with_follow(bool on = true) { return follow = on, *this; }
    log_params& with_previous(bool on = true) { return previous = on, *this; }
    log_params& with_timestamps(bool on = true) { return timestamps = on, *this; }
    log_params& with_tail_lines(std::int64_t n) { return tail_lines = n, *this; }
    log_params& with_since_seconds(std::int64_t n) { return since_seconds = n, *this; }
    log_params& with_since_time(std::string t) { return since_time = std::move(t), *this; }
    log_params& with_limit_bytes(std::int64_t n) { return limit_bytes = n, *this; }
};

/// A patch and its kind. `kftrain/model/patch.hpp` makes them from two objects.
struct patch_body {
    patch_body() = default;
    patch_body(patch_type t, std::string json) : type(t), text(std::move(json)) {}

    patch_type type = patch_type::merge;
    std::string text; ///< JSON
};

/** Builders. `ns` is ignored for cluster-scoped kinds. `body` is the object as JSON.
    @par Errors `errc::invalid_argument` when a name is empty, `.` or `..`, or holds `/` or `%`; when a namespaced verb
    has no namespace (list and watch then mean all namespaces); when options exclude each other. */
namespace request {

result<http_request> create(resource_info const& kind, std::string_view ns, std::string body);
result<http_request> get(resource_info const& kind, std::string_view ns, std::string_view name);
result<http_request> list(resource_info const& kind, std::string_view ns, list_params const& params = {});
result<http_request> watch(resource_info const& kind, std::string_view ns, watch_params const& params = {});
/// PUT of the whole object.
result<http_request> replace(resource_info const& kind, std::string_view ns, std::string_view name, std::string body);
/// PUT to the subresource `status`.
result<http_request> replace_status(resource_info const& kind, std::string_view ns, std::string_view name,
                                    std::string body);
/** PATCH of the object. A `metadata.resourceVersion` in the patch makes it conditional.
    @par Errors as all, and `errc::invalid_argument` for an empty patch. */
result<http_request> patch(resource_info const& kind, std::string_view ns, std::string_view name, patch_body change);
/// PATCH of the subresource `status`.
result<http_request> patch_status(resource_info const& kind, std::string_view ns, std::string_view name,
                                  patch_body change);
result<http_request> remove(resource_info const& kind, std::string_view ns, std::string_view name,
                            delete_params const& params = {});
/// POST to the subresource `binding`: gives the pod to a node.
result<http_request> bind(std::string_view ns, std::string_view pod, std::string_view node);
result<http_request> pod_log(std::string_view ns, std::string_view pod, log_params const& params = {});

} // namespace request

} // namespace kftrain::kube

#endif
