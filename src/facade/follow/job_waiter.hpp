#ifndef KFTRAIN_SRC_FACADE_JOB_WAITER_HPP
#define KFTRAIN_SRC_FACADE_JOB_WAITER_HPP

#include "facade/follow/job_board.hpp"
#include "kube/async/timer.hpp"

#include <kftrain/facade/wait_condition.hpp>
#include <kftrain/kube/wait.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace kftrain {

/** One wait: the last report of the feed, and its outcome. A feed may be behind, so the wait reads the job itself when
    it begins, and ignores reports that are older. */
class job_waiter final : public job_listener, public std::enable_shared_from_this<job_waiter> {
public:
    job_waiter(std::shared_ptr<detail::job_board> b, job_reference j, wait_condition c);
    ~job_waiter() override;

    kube::client const& client() const noexcept { return board_->client; }
    job_reference const& job() const noexcept { return job_; }
    wait_condition const& condition() const noexcept { return condition_; }

    /// Call before the job is read: notes the state that the feed knows, which a later answer may contradict.
    void note_known();
    /// Takes the job that was read, or null if it does not exist.
    void take_answer(erased_object const& job);
    /// Takes the failure of the read; the feed has most of these failures, too, and recovers from them.
    void take_no_answer(error_code ec, diagnostics const& why);
    /// Listens to the feed from now on.
    void follow();
    /// Listens to a feed that was behind again, after the job was read again.
    void listen_again();
    /// Whether the feed was behind the known state, so that its report was ignored. It may have nothing more to report.
    bool is_behind() const noexcept { return behind_; }
    /// Takes a job that was read by a wait without a feed.
    bool see(erased_object const& job);
    void give_up(error_code ec, diagnostics why);

    bool is_over() const noexcept { return over_; }
    /// Whether listing jobs is forbidden. Reading this job may be allowed.
    bool is_denied() const noexcept { return denied_; }
    /// Expires never; cancelled when it is over.
    kube::detail::timer& wake() noexcept { return wake_; }

    error_code outcome() const noexcept { return outcome_; }
    diagnostics const& why() const noexcept { return why_; }
    erased_object result() const noexcept { return result_; }
    /// `; seen last: Running, Worker 1/2 ready`
    std::string last_state_text() const;

    void take(job_feed const& from, job_news const& news) override;
    void synced(job_feed const& from) override;
    void unserved(job_feed const& from, diagnostics const& why) override;
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
    kube::detail::timer wake_;
    std::optional<job_state> last_;
    std::string last_failure_;         ///< of reading the job
    std::string version_;              ///< that the job had in the answer
    std::uint64_t restorations_ = 0;   ///< of the server, by then
    std::string known_uid_, dead_uid_; ///< of a job that others knew, and that was gone by then
    error_code outcome_;
    diagnostics why_;
    erased_object result_;
    bool has_report_ = false; ///< the feed has reported a job
    bool existed_ = false;    ///< the job was there
    bool read_ = false;       ///< and the server has handed it out
    bool absent_ = false;     ///< as the server answered
    bool doubted_ = false;    ///< that the kind is not served
    bool behind_ = false;
    bool over_ = false;
    bool denied_ = false;
};

} // namespace kftrain

#endif
