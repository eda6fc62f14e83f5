#ifndef KFTRAIN_SRC_APISERVER_WATCH_BODY_HPP
#define KFTRAIN_SRC_APISERVER_WATCH_BODY_HPP

#include "completion.hpp"
#include "server_core.hpp"

#include <boost/asio/steady_timer.hpp>

namespace kftrain::apiserver {

/// The shell around a watch_feed: waits for events, bookmarks and the end. Shared with pending timers and slots.
class watch_state : public std::enable_shared_from_this<watch_state> {
public:
    using handler_type = kube::any_handler<void(error_code, std::string)>;

    watch_state(std::shared_ptr<server_core> core, watch_request request);
    ~watch_state();

    void read(handler_type handler);
    kind_id kind() const noexcept { return feed_.kind(); }
    /// The store was written.
    void poke();
    /// The same, for a watch whose kind may not have been: calls nobody.
    void drop_if_passed() { feed_.drop_if_passed(core_->store()); }
    /// The reader has gone, or the server ends.
    void stop(error_code ec);

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
    std::list<watch_state*>::iterator place_;
    std::optional<pending<std::string>> waiting_;
    error_code stopped_;
};

} // namespace kftrain::apiserver

#endif
