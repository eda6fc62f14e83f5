#ifndef KFTRAIN_SRC_APISERVER_HTTP_WATCH_BODY_HPP
#define KFTRAIN_SRC_APISERVER_HTTP_WATCH_BODY_HPP

#include "apiserver/http/server_core.hpp"
#include "kube/async/waiting_caller.hpp"

#include <boost/asio/steady_timer.hpp>

namespace kftrain::apiserver {

/// The shell around a watch_feed: waits for events, bookmarks and the end. Shared with pending timers and slots.
class watch_state : public watcher, public std::enable_shared_from_this<watch_state> {
public:
    using handler_type = kube::any_handler<void(error_code, std::string)>;

    watch_state(std::shared_ptr<server_core> core, watch_request request);
    ~watch_state() override;

    void read(handler_type handler);
    kind_id kind() const noexcept override { return feed_.kind(); }
    void poke() override;
    void drop_if_passed() override { feed_.drop_if_passed(core_->store()); }
    /// The reader has gone, or the server ends.
    void stop(error_code ec) override;
    std::weak_ptr<watcher> weak() override { return weak_from_this(); }

private:
    using clock = std::chrono::steady_clock;

    void finish(error_code ec, std::string piece);
    void arm();
    void tick();

    std::shared_ptr<server_core> core_;
    watch_feed feed_;
    asio::steady_timer timer_;
    clock::time_point deadline_, next_bookmark_;
    bool last_bookmark_sent_ = false;
    bool armed_ = false; ///< timer_ runs
    std::list<watcher*>::iterator place_;
    std::optional<kube::waiting_caller<std::string>> waiting_;
    error_code stopped_;
};

/// Takes the stream of a reply, a watch or a log, out of it; null for a reply without a stream.
std::unique_ptr<kube::body_stream> take_stream(std::shared_ptr<server_core> const&, reply&);
/// A body that is known already, as a stream.
std::unique_ptr<kube::body_stream> make_text_body(asio::any_io_executor, std::string text);

} // namespace kftrain::apiserver

#endif
