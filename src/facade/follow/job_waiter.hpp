#ifndef KFTRAIN_SRC_FACADE_JOB_WAITER_HPP
#define KFTRAIN_SRC_FACADE_JOB_WAITER_HPP

#include "facade/follow/job_board.hpp"

#include <kftrain/facade/wait_condition.hpp>
#include <kftrain/kube/wait.hpp>

#include <boost/asio/steady_timer.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace kftrain {

/** One wait: the last report of the feed, and what that means. A feed may be behind: nothing is concluded from what is older than the job was when the
    wait began, which it asks for itself. */
class job_waiter final : public job_listener, public std::enable_shared_from_this<job_waiter> {
public:
    job_waiter(std::shared_ptr<detail::job_board> b, job_reference j, wait_condition c);
    ~job_waiter() override;

    kube::client const& client() const noexcept { return board_->client; }
    job_reference const& job() const noexcept { return job_; }
    wait_condition const& condition() const noexcept { return condition_; }

    /// Before the job is asked for: notes what others know of it, which a later answer may contradict.
    void note_known();
    /// The answer: the job, or null if there is none.
    void take_answer(erased_object const& job);
    /// No answer, and why; most failures are those of the feed, too, which repairs them.
    void take_no_answer(error_code ec, diagnostics const& why);
    /// Listens to the feed from now on.
    void follow();
    /// Listens to a feed that was behind again, after the job was read again.
    void ask_again();
    /// Whether the feed was behind what is known, so that nothing was concluded from it. It may have nothing more to report.
    bool is_behind() const noexcept { return behind_; }
    /// What a wait of its own, without a feed, sees.
    bool see(erased_object const& job);
    void give_up(error_code ec, diagnostics why);

    bool is_over() const noexcept { return over_; }
    /// The jobs may not be listed, but perhaps this one alone.
    bool is_denied() const noexcept { return denied_; }
    /// Expires never; cancelled when it is over.
    boost::asio::steady_timer& wake() noexcept { return wake_; }

    error_code outcome() const noexcept { return outcome_; }
    diagnostics const& why() const noexcept { return why_; }
    erased_object result() const noexcept { return result_; }
    /// `; seen last: Running, Worker 1/2 ready`
    std::string seen_last() const;

    void take(job_feed const& from, job_news const& news) override;
    void synced(job_feed const& from) override;
    void unserved(job_feed const& from, diagnostics const& why) override;
    void disturbed(job_feed const& from, error_code ec, diagnostics const& why, bool pods) override;
    void unreadable(job_feed const& from, kube::detail::misfit const& object, bool pods) override;
    void failed(job_feed const& from, error_code ec, diagnostics const& why, bool pods) override;

private:
    void be_behind();
    bool is_stale(job_feed const& from, object_meta const* job) const;
    void look(erased_object const& job, job_state const* state, bool whole);
    std::optional<failure> fault_of_roles(erased_object const& job, job_state const& state) const;
    void finish(erased_object job);
    void end();

    std::shared_ptr<detail::job_board> board_;
    job_reference job_;
    wait_condition condition_;
    std::string key_;
    std::shared_ptr<job_feed> feed_;
    boost::asio::steady_timer wake_;
    std::optional<job_state> last_;
    std::string last_failure_;         ///< of reading the job
    std::string version_;              ///< that the job had in the answer
    std::uint64_t restorations_ = 0;   ///< of the server, by then
    std::string known_uid_, dead_uid_; ///< of a job that others knew, and that was gone by then
    error_code outcome_;
    diagnostics why_;
    erased_object result_;
    bool has_report_ = false; ///< the feed has reported a job
    bool seen_ = false;       ///< the job was there
    bool read_ = false;       ///< and the server has handed it out
    bool absent_ = false;     ///< as the server answered
    bool doubted_ = false;    ///< that the kind is not served
    bool behind_ = false;
    bool over_ = false;
    bool denied_ = false;
};

} // namespace kftrain

#endif
