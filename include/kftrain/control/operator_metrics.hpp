#ifndef KFTRAIN_CONTROL_OPERATOR_METRICS_HPP
#define KFTRAIN_CONTROL_OPERATOR_METRICS_HPP

#include <kftrain/control/controller_metrics.hpp>
#include <kftrain/kube/client.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::control {

/// The metrics of an operator: controller_operator::metrics().
struct operator_metrics {
    operator_metrics() = default;

    controller_metrics work;
    std::map<std::string, std::size_t> cached; ///< number of cached objects, by `plural.group` of their type
    std::size_t events_dropped = 0;
    bool synced = false;        ///< it has read all existing objects
    std::string lease;          ///< `namespace/name`; empty without an election
    bool leads = false;         ///< without leader election: whether it works
    std::int32_t elections = 0; ///< how often the holder of the lease has changed, as last seen
};

/// Counts of client requests.
struct request_metrics {
    request_metrics() = default;

    struct subject {
        subject() = default;

        auto operator<=>(subject const&) const = default;

        std::string verb;     ///< as kube::request_subject::verb
        std::string resource; ///< `plural.group`, with the subresource after a slash
        std::string code;     ///< HTTP status code; `<error>` without a response, as in client-go
        std::string method;   ///< HTTP method
    };

    std::map<subject, std::uint64_t> attempts;
    std::map<std::string, duration_histogram> durations; ///< of attempts, by verb
    /// Started watches, by resource: all but the first of each are restarts.
    std::map<std::string, std::uint64_t> watches;
};

/** Adds counting of client requests to `options`, in addition to its existing hook. Both share the counts, which
    live as long as one of them.
    @par Thread safety Unsafe; read them on the executor of the client. */
std::shared_ptr<request_metrics const> count_requests(kube::client_options& options);

/** Returns the metrics in the format of Prometheus, with the names of controller-runtime and client-go where they
    have one.
    @par Upstream Prometheus text exposition format 0.0.4; controller-runtime
    `pkg/internal/controller/metrics/metrics.go`, `pkg/metrics/{workqueue,client_go_adapter,leaderelection}.go` */
std::string prometheus_text(std::vector<operator_metrics> const& operators, request_metrics const* requests = nullptr);
/// The content type of that text.
inline constexpr std::string_view prometheus_content_type = "text/plain; version=0.0.4; charset=utf-8";

} // namespace kftrain::control

#endif
