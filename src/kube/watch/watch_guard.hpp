#ifndef KFTRAIN_SRC_KUBE_WATCH_WATCH_GUARD_HPP
#define KFTRAIN_SRC_KUBE_WATCH_WATCH_GUARD_HPP

#include "kube/async/operation.hpp"
#include "kube/calls/client_state.hpp"
#include "kube/watch/followed_collection.hpp"

#include <chrono>
#include <memory>
#include <string>

namespace kftrain::kube::detail {

/** Monitors one watch from its request on. If nothing arrives for a while, it requests one object of the collection:
    any answer shows that the server is alive, and the version of a list shows whether the server was restored to an
    older state. Its findings end the operation that waits for the watch.

    The watch itself cannot show these two faults: a stopped server keeps its connections, and a restored one waits
    until its versions reach the requested one. That may happen soon for one watch and late for another, so a watch that
    detects a restored server informs all watches of the client. */
class watch_guard : public std::enable_shared_from_this<watch_guard> {
public:
    enum class finding { none, dead, went_back };

    /// `version` is the one watched from.
    watch_guard(client c, followed_collection what, std::string version, std::chrono::milliseconds silence);
    watch_guard(watch_guard const&) = delete;
    watch_guard& operator=(watch_guard const&) = delete;
    ~watch_guard();

    /// Starts. If the last watch ended too early (`doubtful`), the server is probed soon, whether events arrive or not.
    void start(bool doubtful);
    /// Ends the asking; what it found stays. On the client's executor.
    void stop();
    /// The same from a destructor, where nothing may be begun: ends at the next occasion.
    void abandon() noexcept { stopped_ = true; }

    /// The operation that waits for the watch, and that findings end.
    void protect(std::weak_ptr<operation> waiting) noexcept { waiting_ = std::move(waiting); }
    /// The watch is open: something must arrive within `limit`, whatever the server answers elsewhere. Call again for a
    /// new limit.
    void opened(std::chrono::milliseconds limit);
    /// The list that the watch began with is of this version.
    void reached(std::string version) { version_ = std::move(version); }
    /// Reads a piece of it, which ends with `operation_aborted` by what is found, too. `*this` must live until then.
    void read(body_stream& body, any_handler<void(error_code, std::string)> handler);
    /// Notes that bytes arrived.
    void note_activity() noexcept { last_ = now(); }

    finding found() const noexcept { return found_; }
    /// Returns the details of the finding.
    call_report const& why() const noexcept { return why_; }

private:
    using clock = std::chrono::steady_clock;

    clock::time_point now() const noexcept { return time_of(client_).now(); }
    static asio::awaitable<void> look(std::shared_ptr<watch_guard> self);
    asio::awaitable<void> query_version();
    void judge(error_code ec, std::string_view page, call_report report);
    void inform_others() const;
    void conclude(finding f, call_report why);
    void expect();

    client client_;
    followed_collection what_;
    std::string version_;
    std::chrono::milliseconds silence_;
    std::chrono::milliseconds patience_;
    clock::time_point last_;
    clock::time_point next_;
    bool doubtful_ = false;
    std::weak_ptr<operation> running_;
    std::weak_ptr<operation> waiting_;
    asio::cancellation_signal reading_;
    timer idle_;
    std::chrono::milliseconds limit_{0}; ///< of silence
    bool stopped_ = false;
    finding found_ = finding::none;
    call_report why_;
};

} // namespace kftrain::kube::detail

#endif
