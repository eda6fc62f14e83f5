#ifndef KFTRAIN_KUBE_REQUEST_REPORT_HPP
#define KFTRAIN_KUBE_REQUEST_REPORT_HPP

#include <kftrain/base/error.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace kftrain::kube {

/// The subject of a request, as an API server sees it. Absent parts are empty.
struct request_subject {
    request_subject() = default;

    /// `get`, `list`, `watch`, `create`, `update`, `patch`, `delete` or `deletecollection`; for non-resource requests
    /// the method in lower case.
    std::string verb;
    std::string group;       ///< empty for the core API
    std::string version;     ///< e.g. `v1`
    std::string namespace_;  ///< namespace of a namespaced object; for a namespace its own name
    std::string resource;    ///< e.g. `pods`
    std::string subresource; ///< e.g. `status`
    std::string name;
    /// The path with `{namespace}` and `{name}` as placeholders, without the query: has few enough values for a metric
    /// label.
    std::string path_template;

    /// Returns whether the request may change something.
    bool mutates() const noexcept;
};

/** Returns the subject of a request with this method and target.
    @par Upstream apiserver `pkg/endpoints/request/requestinfo.go`, `NewRequestInfo` */
request_subject subject_of(std::string_view method, std::string_view target);

/// The outcome of one attempt, or of a call with all its attempts. Contains no credentials.
struct request_report {
    request_report() = default;

    request_subject subject;
    std::string method;     ///< HTTP method
    std::string target;     ///< path and query
    std::string user_agent; ///< User-Agent of the request
    unsigned attempts = 0;  ///< number of this attempt; for a call the number of attempts, 0 if nothing was sent
    unsigned status = 0;    ///< of the last response; 0: none
    error_code error;       ///< result
    std::string message;    ///< for a failure: message of the server or the transport
    std::string audit_id;   ///< for a rejected request: its identifier in the audit log of the server
    /// Until the response was read; for a stream until its body began, which `bytes_received` then does not include.
    std::chrono::nanoseconds duration{0};
    std::size_t bytes_sent = 0; ///< size of bodies
    std::size_t bytes_received = 0;
};

} // namespace kftrain::kube

#endif
