#ifndef KFTRAIN_SRC_KUBE_CALL_REPORTS_HPP
#define KFTRAIN_SRC_KUBE_CALL_REPORTS_HPP

#include "kube/client_core.hpp"

#include <cstddef>
#include <memory>

namespace kftrain::kube::detail {

/// Calls the hooks of a client for one call and its attempts. Without hooks, the cost is a null pointer.
class call_reports {
public:
    call_reports(client::state const& s, http_request const& request);
    ~call_reports();
    call_reports(call_reports const&) = delete;
    call_reports& operator=(call_reports const&) = delete;

    /// An attempt is sent, after the hook has had a look at it.
    void sending(client::state const& s, http_request& request);
    void received(std::size_t bytes) noexcept;
    void attempt_ended(client::state const& s, error_code ec, unsigned status, diagnostics const& why);
    /// The attempt that is under way, if one is, has ended so as well.
    void call_ended(client::state const& s, error_code ec, unsigned status, diagnostics const& why);

private:
    struct notes;

    std::unique_ptr<notes> notes_; // null without hooks
};

/// Calls the hook of a client for a failure from which it recovers.
void log_repair(client const& c, resource_info const& followed, error_code ec, diagnostics const& why);

} // namespace kftrain::kube::detail

#endif
