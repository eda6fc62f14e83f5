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

/// What a reconcile function hands back beside its error code.
struct reconcile_result {
    reconcile_result() = default;

    std::optional<std::chrono::milliseconds> requeue_after; ///< asked for after success
    /// After a failure: what was being done to which object, and the answer; goes to the log.
    diagnostics why;
};

/** Brings the world closer to what the object of this key asks for. It gets a key, not a change: it has to look at the
    present state itself. An error means: again later. */
using reconcile_function = std::function<void(std::string key, any_handler<void(error_code, reconcile_result)>)>;

/** Calls a reconcile function for every key that is enqueued, never twice at once for the same key.
    @par Object lifetimes Destroying it ends async_run() with `operation_aborted`; a reconcile in work is not waited for, and
    its handler may be called or destroyed later. Destroy it before its io_context, which need not run in between.
    @par Thread safety Unsafe; use it on its executor.
    @par Upstream controller-runtime `pkg/internal/controller/controller.go` */
class controller {
public:
    controller(asio::any_io_executor executor, reconcile_function reconcile, controller_options options = {});
    controller(controller&&) noexcept = default;
    controller& operator=(controller&&) = delete;
    ~controller();

    asio::any_io_executor get_executor() const noexcept;
    /// Reconciles the key as soon as a worker is free; once, however often it is enqueued before that.
    void enqueue(std::string const& key);
    /// The same when this time has passed; of several times of one key the earliest counts.
    void enqueue_after(std::string const& key, std::chrono::milliseconds delay);

    /// What it has done so far, in all its runs, and what waits.
    controller_metrics metrics() const;

    /** Works until cancelled. After a cancellation no new key is taken; it completes when those in work are done.
        @par Handler signature `void(error_code)`: `operation_aborted`, or `errc::already_running`.
        @par Cancellation total */
    template <kube::detail::completion_token Token = kube::default_token> auto async_run(Token&& token = Token()) {
        auto const begin = [](auto const& s, any_handler<void(error_code)> h) { run(s, std::move(h)); };
        return kube::detail::initiate<void(error_code)>(get_executor(), std::forward<Token>(token),
                                                        kube::detail::while_alive(get_executor(), state_, begin));
    }

    struct state;

private:
    static void run(std::shared_ptr<state> const&, any_handler<void(error_code)>);

    std::shared_ptr<state> state_;
};

} // namespace kftrain::control

#endif
