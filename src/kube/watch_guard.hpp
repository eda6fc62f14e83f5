#ifndef KFTRAIN_SRC_KUBE_WATCH_GUARD_HPP
#define KFTRAIN_SRC_KUBE_WATCH_GUARD_HPP

#include "kube/client_core.hpp"
#include "kube/followed_collection.hpp"
#include "kube/operation.hpp"

#include <chrono>
#include <memory>
#include <string>

namespace kftrain::kube::detail {

/** Looks after one watch, from the moment it is asked for. When nothing came for a while it asks the server for one object
    of the collection: any answer is a sign of life, and a list without a version is of the latest state, so that its
    version shows whether the server went back to an older one. What it finds ends what waits for the watch.

    Nothing on the watch itself can show these two: a stopped server keeps its connections, and a restored one waits
    until its versions reach the one that was asked for. They may do so soon for one watch and late for another, so that
    a watch that finds a server restored informs all watches of the client. */
class watch_guard : public std::enable_shared_from_this<watch_guard> {
public:
    enum class finding { none, dead, went_back };

    /// `version` is the one watched from.
    watch_guard(client c, followed_collection what, std::string version, std::chrono::milliseconds silence);
    watch_guard(watch_guard const&) = delete;
    watch_guard& operator=(watch_guard const&) = delete;
    ~watch_guard();

    /// Begins. A doubtful server, one whose last watch ended before its time, is asked soon, whether anything comes or not.
    void start(bool doubtful);
    /// Ends the asking; what it found stays. On the client's executor.
    void stop();
    /// The same from a destructor, where nothing may be begun: ends at the next occasion.
    void abandon() noexcept { stopped_ = true; }

    /// Who waits for the watch to stand, and is to be ended.
    void protect(std::weak_ptr<operation> waiting) noexcept { waiting_ = std::move(waiting); }
    /// The watch stands: something has to come within `limit`, whatever the server says elsewhere. Again: from now on another.
    void opened(std::chrono::milliseconds limit);
    /// The list that the watch began with is of this version.
    void reached(std::string version) { version_ = std::move(version); }
    /// Reads a piece of it, which ends with `operation_aborted` by what is found, too. `*this` must live until then.
    void read(body_stream& body, any_handler<void(error_code, std::string)> handler);
    /// Something came.
    void heard() noexcept { last_ = clock::now(); }

    finding found() const noexcept { return found_; }
    /// Of what was found.
    call_report const& why() const noexcept { return why_; }

private:
    using clock = std::chrono::steady_clock;

    static asio::awaitable<void> look(std::shared_ptr<watch_guard> self);
    asio::awaitable<void> ask();
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
    asio::steady_timer idle_;
    std::chrono::milliseconds limit_{0}; ///< of silence
    bool stopped_ = false;
    finding found_ = finding::none;
    call_report why_;
};

} // namespace kftrain::kube::detail

#endif
