#ifndef KFTRAIN_KUBE_REQUEST_HPP
#define KFTRAIN_KUBE_REQUEST_HPP

/** @file Requests to a Kubernetes API server as values. Pure: nothing here uses a connection.
    @par Upstream apimachinery `pkg/apis/meta/v1/types.go` (options), client-go `rest/request.go` (paths) */

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/kube/call_options.hpp>
#include <kftrain/kube/message.hpp>
#include <kftrain/model/patch.hpp>
#include <kftrain/model/resource.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kftrain::kube {

/// Query and call options of a list. Empty members and 0 are not sent.
struct list_options : detail::call_options_of<list_options> {
    list_options() = default;

    std::string label_selector;
    std::string field_selector;
    std::uint32_t limit = 0; ///< items per page
    std::string continue_;   ///< token of the previous page
    std::string resource_version;
    std::string resource_version_match;

    list_options& with_label_selector(std::string s) { return label_selector = std::move(s), *this; }
    list_options& with_field_selector(std::string s) { return field_selector = std::move(s), *this; }
    list_options& with_limit(std::uint32_t n) { return limit = n, *this; }
    list_options& with_continue(std::string token) { return continue_ = std::move(token), *this; }
    list_options& with_resource_version(std::string v) { return resource_version = std::move(v), *this; }
};

/// Query and call options of a watch. Empty members and 0 are not sent.
struct watch_options : detail::call_options_of<watch_options> {
    watch_options() = default;

    std::string label_selector;
    std::string field_selector;
    std::string resource_version;
    std::uint32_t timeout_seconds = 0;
    bool allow_bookmarks = true;
    /// sendInitialEvents: the server first sends the existing objects, then a bookmark marks their end. Requires an
    /// empty version or one that need not be exact. Servers before Kubernetes 1.34, except 1.32, reject or
    /// ignore it unless it is enabled there (feature gate WatchList).
    bool initial_events = false;

    watch_options& with_label_selector(std::string s) { return label_selector = std::move(s), *this; }
    watch_options& with_field_selector(std::string s) { return field_selector = std::move(s), *this; }
    watch_options& with_resource_version(std::string v) { return resource_version = std::move(v), *this; }
    watch_options& with_timeout_seconds(std::uint32_t n) { return timeout_seconds = n, *this; }
    watch_options& with_initial_events(bool on = true) { return initial_events = on, *this; }
};

using field_validation = meta::field_validation;

/// Query and call options of a write. Empty members are not sent.
struct write_options : detail::call_options_of<write_options> {
    write_options() = default;
    write_options(call_options const& how) { static_cast<call_options&>(*this) = how; }

    bool dry_run = false;      ///< the server checks and answers as usual, but stores nothing
    std::string field_manager; ///< owner of the written fields; the server uses the name of the program by default
    std::optional<field_validation> validation; ///< absent: the default of the server, which is to warn

    write_options& with_dry_run(bool on = true) { return dry_run = on, *this; }
    write_options& with_field_manager(std::string s) { return field_manager = std::move(s), *this; }
    write_options& with_validation(field_validation v) { return validation = v, *this; }
};

using propagation = meta::deletion_propagation;

/// Body and call options of a deletion. Absent members are left to the server.
struct delete_options : detail::call_options_of<delete_options> {
    delete_options() = default;

    std::optional<std::int64_t> grace_period_seconds;
    std::optional<propagation> propagation_policy;
    std::string precondition_uid;
    std::string precondition_resource_version;
    bool dry_run = false;          ///< the server checks and answers as usual, but deletes nothing
    bool whole_collection = false; ///< for a collection without a selector: delete all its objects

    delete_options& with_whole_collection(bool on = true) { return whole_collection = on, *this; }
    delete_options& with_dry_run(bool on = true) { return dry_run = on, *this; }
    delete_options& with_grace_period_seconds(std::int64_t n) { return grace_period_seconds = n, *this; }
    delete_options& with_propagation_policy(propagation p) { return propagation_policy = p, *this; }
    delete_options& with_precondition_uid(std::string uid) { return precondition_uid = std::move(uid), *this; }
    delete_options& with_precondition_resource_version(std::string v) {
        return precondition_resource_version = std::move(v), *this;
    }
};

/// Query and call options of a server-side apply.
struct apply_options : detail::call_options_of<apply_options> {
    apply_options() = default;

    std::string field_manager;                  ///< future owner of the fields
    bool force = false;                         ///< take over fields of other managers; otherwise they are a conflict
    bool dry_run = false;                       ///< as write_options::dry_run
    std::optional<field_validation> validation; ///< as write_options::validation

    apply_options& with_dry_run(bool on = true) { return dry_run = on, *this; }
    apply_options& with_validation(field_validation v) { return validation = v, *this; }
    apply_options& with_field_manager(std::string m) { return field_manager = std::move(m), *this; }
    apply_options& with_force(bool on = true) { return force = on, *this; }
};

/// The output channel of a container.
enum class log_channel { all, standard_output, standard_error };

/// Query and call options of the log of a pod; `timeout` covers the time until the log begins. Absent members are not
/// sent.
struct log_options : detail::call_options_of<log_options> {
    log_options() = default;

    std::string container; ///< required if the pod has several
    bool follow = false;
    bool previous = false;   ///< log of the instance before the last restart
    bool timestamps = false; ///< each line starts with an RFC 3339 time and a space
    std::optional<std::int64_t> tail_lines;
    std::optional<std::int64_t> since_seconds; ///< excludes since_time
    std::string since_time;                    ///< RFC 3339
    std::optional<std::int64_t> limit_bytes;
    log_channel channel = log_channel::all; ///< a single channel excludes tail_lines and needs a newer server
    bool trust_any_kubelet = false;         ///< the server does not check the certificate of the node

    log_options& with_channel(log_channel c) { return channel = c, *this; }
    log_options& with_trust_any_kubelet(bool on = true) { return trust_any_kubelet = on, *this; }
    log_options& with_container(std::string name) { return container = std::move(name), *this; }
    log_options& with_follow(bool on = true) { return follow = on, *this; }
    log_options& with_previous(bool on = true) { return previous = on, *this; }
    log_options& with_timestamps(bool on = true) { return timestamps = on, *this; }
    log_options& with_tail_lines(std::int64_t n) { return tail_lines = n, *this; }
    log_options& with_since_seconds(std::int64_t n) { return since_seconds = n, *this; }
    log_options& with_since_time(std::string t) { return since_time = std::move(t), *this; }
    log_options& with_limit_bytes(std::int64_t n) { return limit_bytes = n, *this; }
};

/// A patch and its kind. `kftrain/model/patch.hpp` computes patches from two objects.
struct patch_body {
    patch_body() = default;
    patch_body(patch_type t, std::string json) : type(t), text(std::move(json)) {}

    patch_type type = patch_type::merge;
    std::string text; ///< JSON
};

/** Builders of requests. `ns` is ignored for cluster-scoped kinds. `body` is the object as JSON. The builders use
    only the options that belong to the request; the members of call_options are for the sender.
    @par Errors `errc::invalid_argument` if a name is empty, `.` or `..`, or contains `/` or `%`; if a namespaced
    verb has no namespace (list and watch then apply to all namespaces); if options exclude each other. */
namespace request {

[[nodiscard]] result<http_request> create(resource_info const& kind, std::string_view ns, std::string body);
[[nodiscard]] result<http_request> get(resource_info const& kind, std::string_view ns, std::string_view name);
[[nodiscard]] result<http_request> list(resource_info const& kind, std::string_view ns,
                                        list_options const& options = {});
[[nodiscard]] result<http_request> watch(resource_info const& kind, std::string_view ns,
                                         watch_options const& options = {});
/// PUT of the whole object.
[[nodiscard]] result<http_request> replace(resource_info const& kind, std::string_view ns, std::string_view name,
                                           std::string body);
/// PUT to the subresource `status`.
[[nodiscard]] result<http_request> replace_status(resource_info const& kind, std::string_view ns, std::string_view name,
                                                  std::string body);
/** PATCH of the object. A `metadata.resourceVersion` in the patch makes it conditional.
    @par Errors as all, and `errc::invalid_argument` for an empty patch. */
[[nodiscard]] result<http_request> patch(resource_info const& kind, std::string_view ns, std::string_view name,
                                         patch_body change);
/// PATCH of the subresource `status`.
[[nodiscard]] result<http_request> patch_status(resource_info const& kind, std::string_view ns, std::string_view name,
                                                patch_body change);
/// PATCH of the subresource `scale`.
[[nodiscard]] result<http_request> patch_scale(resource_info const& kind, std::string_view ns, std::string_view name,
                                               patch_body change);
/** Server-side apply: PATCH with the desired fields of the object.
    @par Errors as all, and `errc::invalid_argument` without a field manager. */
[[nodiscard]] result<http_request> apply(resource_info const& kind, std::string_view ns, std::string_view name,
                                         std::string body, apply_options const& options);
/// GET of the subresource `scale`.
[[nodiscard]] result<http_request> get_scale(resource_info const& kind, std::string_view ns, std::string_view name);
[[nodiscard]] result<http_request> remove(resource_info const& kind, std::string_view ns, std::string_view name,
                                          delete_options const& options = {});
/// DELETE of all objects in a namespace that match the selectors of `which`. `limit`, `continue_` and versions are
/// rejected, and so is `which` without a selector, unless `options` set delete_options::whole_collection.
[[nodiscard]] result<http_request> remove_collection(resource_info const& kind, std::string_view ns,
                                                     list_options const& which, delete_options const& options = {});
/// POST to the subresource `eviction`: requests the deletion of a pod, which a disruption budget may forbid.
[[nodiscard]] result<http_request> evict(std::string_view ns, std::string_view pod, delete_options const& options = {});
/// POST to the subresource `binding`: assigns the pod to a node.
[[nodiscard]] result<http_request> bind(std::string_view ns, std::string_view pod, std::string_view node);
/** Adds the query of `options` to the request of a write.
    @par Errors those of `write`; `errc::invalid_argument` for a field manager of more than 128 bytes. */
[[nodiscard]] result<http_request> with(result<http_request> write, write_options const& options);

/// The form of PartialObjectMetadata that a response has.
enum class metadata_form { object, list };
/// Changes a request so that its response, or each event of its watch, contains only the metadata of objects.
[[nodiscard]] result<http_request> metadata_only(result<http_request> read, metadata_form form);

[[nodiscard]] result<http_request> pod_log(std::string_view ns, std::string_view pod, log_options const& options = {});

} // namespace request

} // namespace kftrain::kube

#endif
