#ifndef KFTRAIN_SRC_APISERVER_HTTP_EXEC_SESSION_HPP
#define KFTRAIN_SRC_APISERVER_HTTP_EXEC_SESSION_HPP

#include "apiserver/http/exec_link.hpp"
#include "apiserver/http/remote_session.hpp"
#include "kube/exec/exec_protocol.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <memory>
#include <string_view>

namespace kftrain::apiserver {

/** Carries the streams of a command to a client, and its input back. Ends with the command, the client or the server;
    when it ends before the command, the command is killed. */
class exec_session final : public remote_session {
public:
    exec_session(asio::any_io_executor executor, std::shared_ptr<exec_link> link,
                 std::shared_ptr<exec_process> process);

    asio::awaitable<void> run() override;
    void stop() noexcept override;

private:
    using channel = exec_process::channel;

    static asio::awaitable<void> carry_output(std::shared_ptr<exec_session> self, channel from,
                                              kube::detail::exec_byte to);
    static asio::awaitable<void> carry_input(std::shared_ptr<exec_session> self);
    static asio::awaitable<void> await_end(std::shared_ptr<exec_session> self);
    void spawn(asio::awaitable<void> part);
    void resize(std::string_view text);

    asio::any_io_executor executor_;
    std::shared_ptr<exec_link> link_;
    std::shared_ptr<exec_process> process_;
    asio::steady_timer changed_;
    kube::detail::exec_end end_;
    int outputs_ = 2;    ///< that have not ended
    bool ended_ = false; ///< the command
    bool stopped_ = false;
};

} // namespace kftrain::apiserver

#endif
