#ifndef KFTRAIN_SRC_CONTROL_KEY_WORKER_HPP
#define KFTRAIN_SRC_CONTROL_KEY_WORKER_HPP

#include <kftrain/control/content_maker.hpp>
#include <kftrain/kube/transport.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>

#include <list>
#include <memory>
#include <optional>

namespace kftrain::control {

/** Makes keys on its own threads, so that an RSA key, which takes some tenths of a second, does not block anything
    else. The threads start with the first key and end with close(). Each caller waits for one key, so the queue is
    never longer than the number of objects that are worked on.
    @par Thread safety Unsafe; use it on the executor that it is given. Other threads must be allowed to post to it. */
class key_worker {
public:
    explicit key_worker(boost::asio::any_io_executor loop) : loop_(std::move(loop)) {}
    key_worker(key_worker const&) = delete;
    key_worker& operator=(key_worker const&) = delete;
    ~key_worker() { close(); }

    /** A new key. It keeps the io_context running.
        @par Errors those of the maker; `operation_aborted` after close() */
    boost::asio::awaitable<result<rules::key_texts>> make(rules::ssh_key wanted);

    /// Joins the threads: waits for keys that are being made. All callers that still wait get `operation_aborted`.
    void close();

private:
    struct pending;

    void begin(rules::ssh_key wanted, kube::any_handler<void(result<rules::key_texts>)> handler);

    boost::asio::any_io_executor loop_;
    std::shared_ptr<content_maker> maker_;
    std::optional<boost::asio::thread_pool> threads_;
    std::list<std::weak_ptr<pending>> waiting_;
    bool closed_ = false;
};

} // namespace kftrain::control

#endif
