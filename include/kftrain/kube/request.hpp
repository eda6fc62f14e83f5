#ifndef KFTRAIN_KUBE_REQUEST_HPP
#define KFTRAIN_KUBE_REQUEST_HPP

/** @file
    Requests to a Kubernetes API server as values. Pure: nothing here knows a connection.
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

/// Query of a list, and how it is asked for. What is empty or 0 is not sent.
struct list_options : detail::call_options_of<list_options> {
    list_options() = default;

    std::string label_selector;
    std::string field_selector;
    std::uint32_t limit = 0; ///< items per page
    std::string continue_;   ///< token of the page before
    std::string resource_version;
    std::string resource_version_match;

    list_options& with_label_selector(std::string s) { return label_selector = std::move(s), *this; }
    list_options& with_field_selector(std::string s) { return field_selector = std::move(s), *this; }
    list_options& with_limit(std::uint32_t n) { return limit = n, *this; }
    list_options& with_continue(std::string token) { return continue_ = std::move(token), *this; }
    list_options& with_resource_version(std::string v) { return resource_version = std::move(v), *this; }
};

/// Query of a watch, and how it is asked for. What is empty or 0 is not sent.
struct watch_options : detail::call_options_of<watch_options> {
    watch_options() = default;

    std::string label_selector;
    std::string field_selector;
    std::string resource_version;
    std::uint32_t timeout_seconds = 0;
    bool allow_bookmarks = true;
    /// Without a version, or with one that need not be exact: tells first what is there, and says by a bookmark when that is
    /// told. Servers before Kubernetes 1.32 refuse it or know nothing of it, unless they are told to.
    bool initial_events = false;

    watch_options& with_label_selector(std::string s) { return label_selector = std::move(s), *this; }
    watch_options& with_field_selector(std::string s) { return field_selector = std::move(s), *this; }
    watch_options& with_resource_version(std::string v) { return resource_version = std::move(v), *this; }
    watch_options& with_timeout_seconds(std::uint32_t n) { return timeout_seconds = n, *this; }
    watch_options& with_initial_events(bool on = true) { return initial_events = on, *this; }
};

/// What a server does about fields that it does not know, or that are there twice.
enum class field_validation { as_usual, ignore, warn, strict };

/// Query of a write, and how it is asked for. What is empty is not sent.
struct write_options : detail::call_options_of<write_options> {
    write_options() = default;
    write_options(call_options const& how) { static_cast<call_options&>(*this) = how; }

    bool dry_run = false;      ///< checked and answered as ever, and not stored
    std::string field_manager; ///< whose fields these are; the server takes the name of the program otherwise
    field_validation validation = field_validation::as_usual; ///< the server's own is to warn

    write_options& with_dry_run(bool on = true) { return dry_run = on, *this; }
    write_options& with_field_manager(std::string s) { return field_manager = std::move(s), *this; }
    write_options& with_validation(field_validation v) { return validation = v, *this; }
};

using propagation = meta::deletion_propagation;

/// Body of a deletion, and how it is asked for. What is absent is left to the server.
struct remove_options : detail::call_options_of<remove_options> {
    remove_options() = default;

    std::optional<std::int64_t> grace_period_seconds;
    std::optional<propagation> propagation_policy;
    std::string precondition_uid;
    std::string precondition_resource_version;
    bool dry_run = false;          ///< checked and answered as ever, and not carried out
    bool whole_collection = false; ///< of a collection without a selector: all that there is goes

    remove_options& with_whole_collection(bool on = true) { return whole_collection = on, *this; }
    remove_options& with_dry_run(bool on = true) { return dry_run = on, *this; }
    remove_options& with_grace_period_seconds(std::int64_t n) { return grace_period_seconds = n, *this; }
    remove_options& with_propagation_policy(propagation p) { return propagation_policy = p, *this; }
    remove_options& with_precondition_uid(std::string uid) { return precondition_uid = std::move(uid), *this; }
    remove_options& with_precondition_resource_version(std::string v) {
        return precondition_resource_version = std::move(v), *this;
    }
};

/// Query of a server-side apply, and how it is asked for.
struct apply_options : detail::call_options_of<apply_options> {
    apply_options() = default;

    std::string field_manager; ///< whom the fields belong to then
    bool force = false;        ///< take over fields of other managers; else they are a conflict
    bool dry_run = false;      ///< as write_options::dry_run
    field_validation validation = field_validation::as_usual;

    apply_options& with_dry_run(bool on = true) { return dry_run = on, *this; }
    apply_options& with_validation(field_validation v) { return validation = v, *this; }
    apply_options& with_field_manager(std::string m) { return field_manager = std::move(m), *this; }
    apply_options& with_force(bool on = true) { return force = on, *this; }
};

/// What a container wrote.
enum class log_channel { all, standard_output, standard_error };

/// Query of a pod's log, and how it is asked for; `timeout` covers the time until the log begins. What is absent is not sent.
struct log_options : detail::call_options_of<log_options> {
    log_options() = default;

    std::string container; ///< needed when the pod has several
    bool follow = false;
    bool previous = false;   ///< of the instance before the last restart
    bool timestamps = false; ///< each line starts with an RFC 3339 time and a space
    std::optional<std::int64_t> tail_lines;
    std::optional<std::int64_t> since_seconds; ///< excludes since_time
    std::string since_time;                    ///< RFC 3339
    std::optional<std::int64_t> limit_bytes;
    log_channel channel = log_channel::all; ///< one alone: not with tail_lines, and of newer servers only
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

/// A patch and its kind. `kftrain/model/patch.hpp` makes them from two objects.
struct patch_body {
    patch_body() = default;
    patch_body(patch_type t, std::string json) : type(t), text(std::move(json)) {}

    patch_type type = patch_type::merge;
    std::string text; ///< JSON
};

/** Builders. `ns` is ignored for cluster-scoped kinds. `body` is the object as JSON. Of options they take what goes into the
    request; the members of call_options are for those who send it.
    @par Errors `errc::invalid_argument` when a name is empty, `.` or `..`, or holds `/` or `%`; when a namespaced verb
    has no namespace (list and watch then mean all namespaces); when options exclude each other. */
namespace request {

result<http_request> create(resource_info const& kind, std::string_view ns, std::string body);
result<http_request> get(resource_info const& kind, std::string_view ns, std::string_view name);
result<http_request> list(resource_info const& kind, std::string_view ns, list_options const& options = {});
result<http_request> watch(resource_info const& kind, std::string_view ns, watch_options const& options = {});
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
/// PATCH of the subresource `scale`.
result<http_request> patch_scale(resource_info const& kind, std::string_view ns, std::string_view name,
                                 patch_body change);
/** Server-side apply: PATCH with the fields that the object is to have.
    @par Errors as all, and `errc::invalid_argument` without a field manager. */
result<http_request> apply(resource_info const& kind, std::string_view ns, std::string_view name, std::string body,
                           apply_options const& options);
/// GET of the subresource `scale`.
result<http_request> get_scale(resource_info const& kind, std::string_view ns, std::string_view name);
result<http_request> remove(resource_info const& kind, std::string_view ns, std::string_view name,
                            remove_options const& options = {});
/// DELETE of all objects in a namespace that `which` selects, by selectors alone: `limit`, `continue_` and versions are refused, and so is
/// to select nothing, unless `options` say remove_options::whole_collection.
result<http_request> remove_collection(resource_info const& kind, std::string_view ns, list_options const& which,
                                       remove_options const& options = {});
/// POST to the subresource `eviction`: asks for the deletion of a pod, which a disruption budget may forbid.
result<http_request> evict(std::string_view ns, std::string_view pod, remove_options const& options = {});
/// POST to the subresource `binding`: gives the pod to a node.
result<http_request> bind(std::string_view ns, std::string_view pod, std::string_view node);
/** A request for a write with the query that `options` ask for.
    @par Errors those of `write`; `errc::invalid_argument` for a field manager of more than 128 bytes. */
result<http_request> with(result<http_request> write, write_options const& options);

/// Which form of PartialObjectMetadata an answer is to have.
enum class metadata_form { object, list };
/// A request whose answer, or each event of whose watch, holds nothing of an object but its metadata.
result<http_request> metadata_only(result<http_request> read, metadata_form form);

result<http_request> pod_log(std::string_view ns, std::string_view pod, log_options const& options = {});

} // namespace request

} // namespace kftrain::kube

#endif
