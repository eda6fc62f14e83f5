#ifndef KFTRAIN_SRC_FACADE_EXPLAIN_FINDINGS_HPP
#define KFTRAIN_SRC_FACADE_EXPLAIN_FINDINGS_HPP

#include "facade/explain/job_evidence.hpp"

#include <cstddef>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain::explaining {

/// A container that ended with a non-zero exit code, or could not be started.
struct ended_container {
    ended_container() = default;

    std::size_t member = 0; ///< index in membership::members
    core::pod const* pod = nullptr;
    core::container_status const* status = nullptr;
    core::container_state_terminated const* end = nullptr;
    cause_kind kind = cause_kind::exited; ///< one of out_of_memory to evicted, or deadline
    bool follows = false;                 ///< ended soon after another member

    std::string const& container() const { return status->name; }
};

/// Conclusions from the evidence, which most causes need and which are computed once.
struct findings {
    /// `evidence` must outlive the findings.
    findings(job_evidence const& evidence, time_point t);
    findings(findings const&) = delete;
    findings& operator=(findings const&) = delete;

    /// `Worker 2 (rank 3)`
    std::string name_of(std::size_t member) const;
    /// The names of the first few, and the number of the others.
    std::string names_of(std::vector<std::size_t> const& members) const;
    log_tail const* log_of(core::pod const& p, std::string_view container) const;
    /// The line of its log that explains how the container ended.
    std::optional<decisive_line> decisive_line_of(core::pod const& p, std::string_view container) const;
    /// The condition of this type that holds, or null.
    meta::condition const* holding(std::string_view type) const;
    /// The newest event of one of these reasons about this object.
    job_event const* newest(std::initializer_list<std::string_view> reasons, std::string_view kind,
                            std::string_view name) const;
    bool is_absent(std::size_t member) const { return pods[member] == nullptr; }
    bool runs(std::size_t member) const;
    bool succeeded(std::size_t member) const;
    /// The time since which a container of its pod runs.
    std::optional<time_point> runs_since(std::size_t member) const;
    /// Returns whether the member has no pod, or a pod that never began.
    bool has_not_begun(std::size_t member) const;
    /// The containers of its pod as the operator creates it, the one that trains first; empty: unknown.
    std::vector<std::string> const& containers_of(std::size_t member) const;
    /// Returns whether this container of its pod trains, rather than being a helper or an init container.
    bool trains(std::size_t member, std::string_view container) const;
    /// Returns whether its containers have run for so long that earlier failures no longer matter.
    bool is_sound(std::size_t member) const;
    /// Earlier pods of the member that still exist.
    std::vector<core::pod const*> replaced_pods(std::size_t member) const;

    job_evidence const& evidence;
    time_point now;
    issues broken;                      ///< rules that the stored job breaks
    membership layout;                  ///< empty if it breaks a rule
    std::vector<core::pod const*> pods; ///< by member; null: no pod
    std::vector<ended_container> ended; ///< the most important first
    std::vector<bool> has_ended;        ///< by member: whether `ended` has a container of it
    std::vector<meta::condition> conditions;
    job_phase phase = job_phase::created;
    bool suspended = false;
    bool touched = false; ///< whether an operator has ever changed it
    std::chrono::seconds age{0};

    bool finished() const { return is_finished(phase); }
    /// Returns whether the job shall run or runs.
    bool wanted() const { return !finished() && !suspended; }

private:
    void index_events();
    void place_pods();
    void look_at(std::size_t member);
    void look_at_replaced();
    void note_ends(std::size_t member, core::pod const& p);
    void note_end(std::size_t member, core::pod const& p, core::container_status const& c);
    void sort_ends();

    mutable std::map<std::string, std::vector<std::string>> containers_; ///< by role; see containers_of()
    /// Indexes in `evidence.events` by involved object, in order.
    std::map<std::pair<std::string_view, std::string_view>, std::vector<std::size_t>> events_of_;
    std::vector<std::pair<std::size_t, core::pod const*>> replaced_; ///< pods that no longer matter, with their members
};

/// A cause and the properties that determine its rank.
struct found_cause {
    found_cause() = default;

    job_cause cause;
    std::vector<std::size_t> members;
    std::optional<time_point> at;
    bool consequence = false; ///< of a cause that keeps other members from running
};

/// Members without duplicates, in the order in which they were added.
class member_list {
public:
    explicit member_list(findings const& f) : known_(f.pods.size(), false) {}

    void add(std::size_t member) {
        if (known_[member]) return;
        known_[member] = true;
        members_.push_back(member);
    }
    std::vector<std::size_t> const& get() const noexcept { return members_; }
    bool empty() const noexcept { return members_.empty(); }

private:
    std::vector<std::size_t> members_;
    std::vector<bool> known_;
};

/// Adds a cause about these members.
found_cause& add_cause(std::vector<found_cause>& found, findings const& f, cause_kind kind,
                       std::vector<std::size_t> members);
/// Adds a line of evidence, unless the cause has it already or has many lines.
void add_evidence(job_cause& cause, std::string line);
/// The same for an event or a condition.
void add_evidence(job_cause& cause, job_event const& e);
void add_evidence(job_cause& cause, meta::condition const& c);

/// Returns whether the text contains one of these, regardless of case.
bool contains_any(std::string_view text, std::initializer_list<std::string_view> texts);
/// `1 member`, `3 members`
std::string counted(std::size_t n, std::string_view noun);
/// `45 s`, `12 min`, `3 h`
std::string span_of(std::chrono::seconds t);

} // namespace kftrain::explaining

#endif
