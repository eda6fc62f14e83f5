#ifndef KFTRAIN_SRC_APISERVER_HTTP_SERVER_CORE_HPP
#define KFTRAIN_SRC_APISERVER_HTTP_SERVER_CORE_HPP

#include <kftrain/apiserver/api_server.hpp>

#include "apiserver/http/remote_session.hpp"
#include "apiserver/journal/journal.hpp"
#include "apiserver/rest/handler.hpp"

#include <boost/asio/any_completion_executor.hpp>

#include <list>
#include <memory>

namespace kftrain::apiserver {

/// An open watch. The server notifies it of writes.
class watcher {
public:
    virtual ~watcher() = default;

    virtual kind_id kind() const noexcept = 0;
    /// The store was written.
    virtual void poke() = 0;
    /// The same for a watch whose kind may not have changed; calls no handler.
    virtual void drop_if_passed() = 0;
    /// The server ends.
    virtual void stop(error_code ec) = 0;
    virtual std::weak_ptr<watcher> weak() = 0;
};

/// The state that a server shares with its transports, listeners and watches. Everything runs on one executor.
class server_core : public std::enable_shared_from_this<server_core> {
public:
    server_core(asio::any_io_executor executor, api_server_options options);

    asio::any_io_executor const& executor() const noexcept { return executor_; }
    /// The same, where handlers run that name no other.
    asio::any_completion_executor const& completion_executor() const noexcept { return completion_executor_; }
    api_server_options const& options() const noexcept { return options_; }
    object_store& store() noexcept { return store_; }
    handler& requests() noexcept { return handler_; }
    time_point now() const;

    /// Carries out a request of a user, or without one of a caller with all permissions. take_stream() of
    /// `watch_body.hpp` opens the stream of the reply.
    reply serve(kube::http_request const&, user_info const* user = nullptr);
    /// Deletes what has expired. Requests and waiting watches call it, so that no timer keeps a context alive.
    void expire();
    /// See api_server::keep_in().
    result<void> keep_in(std::string const& directory);
    /// Writes the changes to that directory. They are confirmed after this only.
    result<void> keep();
    /// Ends all watches; later requests are not served. The first reason counts.
    void close(error_code why);
    bool closed() const noexcept { return closed_.failed(); }
    error_code why_closed() const noexcept { return closed_; }

    /// Runs a session, which also ends with the server.
    static asio::awaitable<void> run_session(std::shared_ptr<server_core> self,
                                             std::shared_ptr<remote_session> session);

    /// The open watches. Each is notified after a turn that wrote its kind.
    std::list<watcher*>& watches() noexcept { return watches_; }

private:
    void after_write();
    void settle();
    void give_back_memory();

    asio::any_io_executor executor_;
    asio::any_completion_executor completion_executor_;
    api_server_options options_;
    std::unique_ptr<journal> journal_; ///< null: nothing is kept
    object_store store_;
    handler handler_;
    std::list<watcher*> watches_;
    std::list<std::weak_ptr<remote_session>> sessions_;
    std::uint64_t notified_ = 0; ///< store version of the last notification
    std::size_t most_bytes_ = 0; ///< that the store held since memory was given back
    bool settling_ = false;
    bool lost_ = false; ///< the directory could not be written
    error_code closed_;
};

} // namespace kftrain::apiserver

#endif
