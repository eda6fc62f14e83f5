#ifndef KFTRAIN_SRC_LOCAL_KUBELET_CONTAINERS_PROBE_RESULT_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_CONTAINERS_PROBE_RESULT_HPP

#include <kftrain/objects/core.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kftrain::local {

enum class probe_kind { startup, liveness, readiness };

/// `Startup`, `Liveness` or `Readiness`, as events begin.
std::string_view name_of(probe_kind) noexcept;

/// The outcome of one attempt.
struct probe_result {
    probe_result() = default;
    probe_result(bool good, std::string text) : success(good), output(std::move(text)) {}

    bool success = false;
    bool warns = false; ///< a success with a warning in `output`
    std::string output; ///< of a failure: why
};

/** Counts results in a row. Pure.
    @par Upstream kubernetes v1.31 `pkg/kubelet/prober/worker.go`, `doProbe` */
class probe_judge {
public:
    explicit probe_judge(core::probe const& p);

    /// The verdict when a threshold is reached, each time that it is; nothing while it is not.
    std::optional<bool> count(bool success) noexcept;

private:
    int successes_;
    int failures_;
    int in_a_row_ = 0;
    std::optional<bool> last_;
};

/// The times of a probe with the server's defaults. Period and timeout are at least one second.
std::chrono::seconds initial_delay(core::probe const& p) noexcept;
std::chrono::seconds period(core::probe const& p) noexcept;
std::chrono::seconds timeout(core::probe const& p) noexcept;

/** The number of a port, which may be the name of one of the container; 0 if there is no such port.
    @par Upstream kubernetes v1.31 `pkg/probe/util.go`, `ResolveContainerPort` */
std::uint16_t port_of(int_or_string const& port, core::container const& c) noexcept;

/// Where a request goes.
struct probe_url {
    probe_url() = default;

    bool tls = false;
    std::string host;
    std::uint16_t port = 0;
    std::string target = "/"; ///< path and query

    std::string text() const;
};

/// Returns where a probe sends its first request.
probe_url url_of(core::http_get_action const& get, std::string_view host, std::uint16_t port);

/** Returns why a header cannot be sent; empty if all can.
    @par Upstream Go 1.22 `net/http/transport.go`, `roundTrip` */
std::string header_fault(core::http_get_action const& get);
/** The text of the request that a probe sends. @pre header_fault() is empty
    @par Upstream kubernetes v1.31 `pkg/probe/http/request.go` */
std::string request_of(probe_url const& url, core::http_get_action const& get, std::string_view user_agent);

/// Returns the status of an HTTP response; absent if it has none.
std::optional<int> status_of(std::string_view answer);
/// Whether the head of the response is complete.
bool has_head(std::string_view answer);
/// Whether the response has a `Content-Length`; otherwise it ends with the connection.
bool has_length(std::string_view answer);
/// Whether the response has all the bytes that its `Content-Length` announces, or its last chunk.
bool is_whole(std::string_view answer);
/// Removes heads with a status below 200, which the real one follows.
void drop_informational(std::string& answer);
/// Returns where a response redirects to; absent if it does not.
std::optional<probe_url> redirect_of(std::string_view answer, probe_url const& from);

/** Judges the last answer: a status from 200 to 399 is a success, one from 300 on with a warning.
    @par Upstream kubernetes v1.31 `pkg/probe/http/http.go` */
probe_result judge_answer(std::string_view answer);

} // namespace kftrain::local

#endif
