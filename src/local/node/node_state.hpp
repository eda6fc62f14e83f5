#ifndef KFTRAIN_SRC_LOCAL_NODE_NODE_STATE_HPP
#define KFTRAIN_SRC_LOCAL_NODE_NODE_STATE_HPP

#include "kube/async/waiting_caller.hpp"
#include "local/node/node.hpp"
#include "local/sandbox/channel.hpp"

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/json/object.hpp>

#include <deque>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <sys/types.h>
#include <variant>

namespace kftrain::local {

/// The parts of a node; outstanding operations keep it alive.
struct node::state : std::enable_shared_from_this<node::state> {
    enum class phase { fresh, starting, running, stopping, ended };
    using plain_handler = handler<void(error_code)>;
    using fd_handler = handler<void(error_code, int)>;
    using exit_handler = handler<void(error_code, exit_status)>;

    /// A request that was sent and not answered yet.
    struct pending {
        std::variant<plain_handler, fd_handler> handler;
        diagnostics* detail = nullptr;
        std::function<void()> on_success; ///< runs before the handler
    };
    struct waiter {
        std::uint64_t id = 0;
        exit_handler handler;
        diagnostics* detail = nullptr;
    };
    struct container_record {
        std::optional<exit_status> status;
        // in a vector, erasing would move-assign the handlers: see kube/async/waiting_caller.hpp
        std::list<waiter> waiters;
    };
    struct pod_record {
        bool gone = false; ///< ended unexpectedly
        std::map<std::string, container_record> containers;
    };
    struct outgoing {
        std::int64_t id = 0; ///< of the request
        std::string text;
        std::vector<sandbox::unique_fd> fds;
    };

    state(executor_type e, node_options o)
        : executor(e), options(std::move(o)), mode(options.mode), socket(e), stop_limit(e) {}

    /// Completes on the handler's own executor, never inline.
    template <class Handler, class... Values> void complete(Handler handler, error_code ec, Values... values) {
        kube::complete_later(executor, std::move(handler), ec, std::move(values)...);
    }
    /// The same with a descriptor, which is closed when the execution context is destroyed before that.
    void complete_with(fd_handler handler, error_code ec, sandbox::unique_fd fd) {
        auto const where = asio::get_associated_executor(handler, executor);
        auto run = [handler = std::move(handler), ec, fd = std::move(fd)]() mutable {
            if (auto slot = asio::get_associated_cancellation_slot(handler); slot.is_connected()) slot.clear();
            std::move(handler)(ec, fd.release());
        };
        asio::post(executor, asio::bind_executor(where, std::move(run)));
    }
    /// An empty sentence leaves `detail` alone, which may be gone already when the node is destroyed.
    static void explain(diagnostics* detail, std::string sentence) {
        if (detail != nullptr && !sentence.empty()) detail->message = std::move(sentence);
    }
    void finish(pending, error_code, std::string sentence, sandbox::unique_fd fd = sandbox::unique_fd());

    // requests to the helper
    void request(boost::json::object body, pending, std::vector<int> const& fds = {});
    void flush();
    void refused(error_code, std::string sentence); ///< the first of the queue cannot be sent, the next may
    void read();
    void dispatch(sandbox::datagram&);
    void answered(sandbox::datagram&);
    void exited(boost::json::object const&);
    void settle(container_record&, exit_status); ///< a container has ended: completes the waits for it
    void forget(std::string const& pod);

    // the process of the helper
    error_code launch(std::string& sentence);
    error_code prepare_directory(std::string& sentence);
    /// Removes what the node made, and releases the lock. Returns a sentence if something is left.
    std::string remove_run_directory();
    void ended();
    void reap();
    void abandon();
    void limit_stop(); ///< kills the helper if it does not end in time
    void kill_helper();
    void abort_all(error_code, std::string const& sentence);

    executor_type executor;
    node_options options;
    isolation mode;
    std::string fallback_reason;
    std::string limits_fallback_reason; ///< the first
    std::string failed;                 ///< the last message of the helper
    phase now = phase::fresh;
    asio::posix::stream_descriptor socket;
    asio::steady_timer stop_limit;
    pid_t helper = 0;
    pid_t owner = 0;           ///< the process that started the helper; a fork of it must leave the helper alone
    sandbox::unique_fd in_use; ///< lock on the run directory, until that is removed
    std::int64_t last_id = 0;
    std::uint64_t last_waiter = 0;
    bool writing = false;
    std::deque<outgoing> queue;
    std::map<std::int64_t, pending> requests;
    std::optional<pending> starting;
    std::vector<pending> stopping;
    std::map<std::string, pod_record> pods;
};

} // namespace kftrain::local

#endif
