#ifndef KFTRAIN_SRC_FACADE_FOLLOW_JOB_WATCH_STATE_HPP
#define KFTRAIN_SRC_FACADE_FOLLOW_JOB_WATCH_STATE_HPP

#include "facade/follow/job_board.hpp"
#include "kube/async/next_call.hpp"

#include <kftrain/model/selector.hpp>

#include <deque>
#include <optional>
#include <unordered_map>

namespace kftrain {

/// The known states of a watch, and the changes that it has not reported yet.
struct job_watch::state final : job_listener, std::enable_shared_from_this<job_watch::state> {
    using change_handler = kube::any_handler<void(error_code, job_change)>;
    using change_sink = std::function<void(job_change const&)>;

    state(std::shared_ptr<detail::job_board> b, job_watch_options o);
    state(state const&) = delete;
    state& operator=(state const&) = delete;
    ~state() override { next_->close(); }

    void begin();
    /// Ends the watch; every call fails with `why`.
    void break_off(error_code why) { broken_ = why; }
    void next(change_handler handler, kube::next_options options);
    void push_to(change_sink sink);
    bool has_synced() const noexcept;
    /// The watch goes.
    void close();

    void take(job_feed const& from, job_news const& news) override;
    void synced(job_feed const& from) override;
    void disturbed(job_feed const& from, error_code ec, diagnostics const& why, bool pods) override;
    void undecodable(job_feed const& from, kube::detail::undecodable_object const& object, bool pods) override;
    void failed(job_feed const& from, error_code ec, diagnostics const& why, bool pods) override;

private:
    /// One kind.
    struct source {
        source() = default;

        std::shared_ptr<job_feed> feed; ///< null when it may not be watched
        bool synced = false;
    };
    /// One job, by its uid.
    struct record {
        record() = default;

        std::shared_ptr<job_change const> reported, now;
        job_feed const* from = nullptr; ///< that reported it last; one that has failed is only compared
        bool gone = false;
        bool queued = false;
        bool initial = false;
    };
    using record_map = std::unordered_map<std::string, record>;
    using caller = kube::next_call<job_change>;
    /// A change to report, or a failure. A change that all watches report alike is shared.
    struct outcome {
        outcome() = default;
        explicit outcome(failure f) : failed(std::move(f)) {}

        job_change const& change() const noexcept { return own ? *own : *shared; }
        /// The change for one caller; an empty one if there is a failure.
        job_change take() && {
            if (own) return *std::move(own);
            return shared ? *shared : job_change();
        }

        std::shared_ptr<job_change const> shared;
        std::optional<job_change> own; ///< of this watch: as added, or with the mark of initial jobs
        failure failed;                ///< without a code if there is a change
    };

    source* source_of(job_feed const& feed);
    void follow(source& s, rules::job_rules const& kind, bool pods);
    bool selects(job_feed const& from, job_news const& news) const;
    bool selects_labels(job_feed const& from, job_news const& news) const;
    void enqueue(std::string const& id, record& r);
    void drop(record_map::iterator it);
    void limit_strays();
    void add_failure(failure f);
    std::optional<outcome> pop();
    std::optional<outcome> pop_change();
    outcome report(change_kind kind, record& r);
    void wake();
    void pump();
    caller::source changes();

    boost::asio::any_io_executor executor_;
    std::shared_ptr<detail::job_board> board_;
    job_watch_options options_;
    label_query selector_;
    std::vector<source> sources_;
    record_map records_;
    std::deque<std::string> queue_;  ///< of those with something to report
    std::deque<std::string> strays_; ///< of those that went and were never reported
    std::deque<failure> failures_;   ///< at most `most_failures` of the board
    error_code broken_;              ///< for good
    std::size_t initial_left_ = 0;

    std::shared_ptr<caller> next_;
    std::shared_ptr<change_sink> sink_;
    bool pumping_ = false;
    bool closed_ = false;
};

} // namespace kftrain

#endif
