#ifndef KFTRAIN_SRC_APISERVER_COMPLETION_HPP
#define KFTRAIN_SRC_APISERVER_COMPLETION_HPP

#include <kftrain/kube/transport.hpp>

#include <boost/asio/any_completion_executor.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/prefer.hpp>

#include <utility>

namespace kftrain::apiserver {

namespace asio = boost::asio;

/// A handler that will be called later: keeps its executor at work, and calls it there, never inline.
template <class... Args> class pending {
public:
    using handler_type = kube::any_handler<void(error_code, Args...)>;

    pending(handler_type handler, asio::any_io_executor server)
        : handler_(std::move(handler)),
          server_(std::move(server)),
          work_(asio::prefer(asio::get_associated_executor(handler_, server_),
                             asio::execution::outstanding_work.tracked)) {}

    handler_type const& handler() const noexcept { return handler_; }

    void complete(error_code ec, Args... args) && {
        auto call = [h = std::move(handler_), ec, ... values = std::move(args)]() mutable {
            std::move(h)(ec, std::move(values)...);
        };
        asio::post(server_, asio::bind_executor(work_, std::move(call)));
    }

private:
    handler_type handler_;
    asio::any_io_executor server_;
    asio::any_completion_executor work_;
};

} // namespace kftrain::apiserver

#endif
