#ifndef KFTRAIN_SRC_APISERVER_SERVER_CORE_HPP
#define KFTRAIN_SRC_APISERVER_SERVER_CORE_HPP

#include <kftrain/apiserver/api_server.hpp>

#include "handler.hpp"

#include <list>
#include <memory>

namespace kftrain::apiserver {

class watch_state;

/** What a server, its transports, listeners and watches share. Everything runs on one executor. */
class server_core : public std::enable_shared_from_this<server_core> {
public:
    server_core(asio::any_io_executor executor, api_server_options options);

    asio::any_io_executor const& executor() const noexcept { return executor_; }
    api_server_options const& options() const noexcept { return options_; }
    object_store& store() noexcept { return store_; }
    handler& requests() noexcept { return handler_; }
    time_point now() const;

    /// Carries a request out; the stream of the reply is set for watches and logs.
    reply serve(kube::http_request const&);
    /// Deletes what has expired. Requests and watches that wait ask for it, so that no timer of its own keeps a context alive.
    void expire();
    /// Ends all watches; later requests are not served. The first reason counts.
    void close(error_code why);
    bool closed() const noexcept { return closed_.failed(); }
    error_code why_closed() const noexcept { return closed_; }

    /// The watches that live, told after each turn in which their kind was written.
    std::list<watch_state*>& watches() noexcept { return watches_; }

private:
    void after_write();
    void settle();
    void give_back_memory();

    asio::any_io_executor executor_;
    api_server_options options_;
    object_store store_;
    handler handler_;
    std::list<watch_state*> watches_;
    std::uint64_t told_ = 0;     ///< the version that watches know
    std::size_t most_bytes_ = 0; ///< that the store held since memory was given back
    bool settling_ = false;
    error_code closed_;
};

/// A body that is known already, as a stream.
std::unique_ptr<kube::body_stream> make_text_body(asio::any_io_executor, std::string text);
/// A watch as a stream.
std::unique_ptr<kube::body_stream> make_watch_body(std::shared_ptr<server_core>, watch_request);

} // namespace kftrain::apiserver

#endif
