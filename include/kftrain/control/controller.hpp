#ifndef KFTRAIN_CONTROL_CONTROLLER_HPP
#define KFTRAIN_CONTROL_CONTROLLER_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/control/controller_metrics.hpp>
#include <kftrain/control/controller_options.hpp>
#include <kftrain/kube/initiate.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace kftrain::control {

namespace asio = boost::asio;
using kube::any_handler;

/// The result of a reconcile function, in addition to its error code.
struct reconcile_result {
    reconcile_result() = default;

    std::optional<std::chrono::milliseconds> requeue_after; ///< delay before the next call, after success
    /// After a failure: the attempted action, its object and the response, for the log.
    diagnostics why;
};

/** Moves the actual state towards the desired state of the object with this key. The function receives a key, not a
    change: it must read the current state itself. After an error the controller retries later. */
using reconcile_function = std::function<void(std::string key, any_handler<void(error_code, reconcile_result)>)>;

/** Calls a reconcile function for every enqueued key, never concurrently for the same key.
    @par Object lifetimes Destroying it ends async_run() with `operation_aborted`; it does not wait for a running
    reconcile, whose handler may be called or destroyed later. Destroy it before its io_context, which need not run
    in between.
    @par Thread safety Unsafe; use it on its executor.
    @par Upstream controller-runtime `pkg/internal/controller/controller.go` */
class controller {
public:
    controller(asio::any_io_executor executor, reconcile_function reconcile, controller_options options = {});
    controller(controller&&) noexcept = default;
    controller& operator=(controller&&) = delete;
    ~controller();

    asio::any_io_executor get_executor() const noexcept;
    /// Reconciles the key as soon as a worker is free; once, even if it is enqueued several times before that.
    void enqueue(std::string const& key);
    /// The same after this delay; if a key has several delays, the earliest counts.
    void enqueue_after(std::string const& key, std::chrono::milliseconds delay);

    /// Returns the counts of all its runs and the current queue depth.
    controller_metrics metrics() const;

    /** Works until cancelled. After a cancellation it takes no new key and completes when the running reconciles are
        done.
        @par Handler signature `void(error_code)`: `operation_aborted`, or `errc::already_running`.
        @par Cancellation total */
    template <kube::detail::completion_token Token = kube::default_token> auto async_run(Token&& token = Token()) {
        return kube::detail::initiate<void(error_code)>(get_executor(), std::forward<Token>(token),
                                                        kube::detail::while_alive(get_executor(), state_, run));
    }

    struct state;

private:
    static void run(std::shared_ptr<state> const&, any_handler<void(error_code)>);

    std::shared_ptr<state> state_;
};

} // namespace kftrain::control

#endif
