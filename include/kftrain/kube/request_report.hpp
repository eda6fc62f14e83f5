#ifndef KFTRAIN_KUBE_REQUEST_REPORT_HPP
#define KFTRAIN_KUBE_REQUEST_REPORT_HPP

#include <kftrain/base/error.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace kftrain::kube {

/// What a request is about, as an API server sees it. What it does not have is empty.
struct request_subject {
    request_subject() = default;

    /// `get`, `list`, `watch`, `create`, `update`, `patch`, `delete` or `deletecollection`; of what is no object the method in
    /// lower case.
    std::string verb;
    std::string group;       ///< empty for the core API
    std::string version;     ///< e.g. `v1`
    std::string namespace_;  ///< of an object within one; of a namespace itself its name
    std::string resource;    ///< e.g. `pods`
    std::string subresource; ///< e.g. `status`
    std::string name;
    /// The path with `{namespace}` and `{name}` in their places, without the query: few enough for a label of a metric.
    std::string path_template;

    /// Whether the request may change something.
    bool mutates() const noexcept;
};

/** The subject of a request with this method and target.
    @par Upstream apiserver `pkg/endpoints/request/requestinfo.go`, `NewRequestInfo` */
request_subject subject_of(std::string_view method, std::string_view target);

/// What became of a request: of one attempt, or of a call with all its attempts. Without credentials.
struct request_report {
    request_report() = default;

    request_subject subject;
    std::string method;     ///< of HTTP
    std::string target;     ///< path and query
    std::string user_agent; ///< who asked
    unsigned attempts = 0;  ///< which attempt it is; of a call how many there were, 0 if nothing was sent
    unsigned status = 0;    ///< of the last answer; 0: there was none
    error_code error;       ///< how it ended
    std::string message;    ///< of a failure: what the server or the transport said
    std::string audit_id;   ///< of a refusal: by which the server's audit log names it
    /// Until the answer was read; of a stream until its body began, which is then not in `bytes_received`.
    std::chrono::nanoseconds duration{0};
    std::size_t bytes_sent = 0; ///< of bodies
    std::size_t bytes_received = 0;
};

} // namespace kftrain::kube

#endif
