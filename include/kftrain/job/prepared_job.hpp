#ifndef KFTRAIN_JOB_PREPARED_JOB_HPP
#define KFTRAIN_JOB_PREPARED_JOB_HPP

#include <kftrain/job/any_job.hpp>
#include <kftrain/job/injected_file.hpp>
#include <kftrain/job/job_policies.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace kftrain {

class member_lookup;
class operator_options;

/** A checked job: its faults, its defaults and its layout. Each is computed once, when it is first used, and copies
    share it. A job is laid out, rendered and scaled in this form only. A job with faults has no members, pods or
    objects, so an invalid job with two billion replicas costs no memory.

    If the job refers to other objects, supply them by any_job::resolve() before.
    @par Thread safety Safe: nothing changes after construction, as far as callers can see. */
class prepared_job {
public:
    /// An empty job: its fault is that there is none.
    prepared_job() : prepared_job(any_job(), nullptr, false) {}
    // Without moves, no object is ever without its parts.
    prepared_job(prepared_job const&) = default;
    prepared_job& operator=(prepared_job const&) = default;
    ~prepared_job() = default;

    /// A job as its author wrote it, which must obey all admission rules of its kind.
    static prepared_job admitted(any_job job) { return {std::move(job), nullptr, false}; }
    /// The same for an operator with these options.
    static prepared_job admitted(any_job job, operator_options const& options);
    /** A job as a server stores it. It may break those rules that hold for new jobs only, because its operator writes
        fields of the spec: rules::kind_facts::creation_rules. */
    static prepared_job stored(any_job job) { return {std::move(job), nullptr, true}; }
    /// The same without a copy of the object, which must be of the kind of the rules.
    static prepared_job stored(rules::job_rules const& kind, erased_object job);

    bool empty() const noexcept { return written().empty(); }
    /// Returns the job as it was given. All references are valid as long as this object or a copy of it.
    any_job const& written() const noexcept;
    any_job const& operator*() const noexcept { return written(); }
    any_job const* operator->() const noexcept { return &written(); }
    /// Returns the job with its defaults. If the server completes its name, the name has a stand-in for the rest.
    any_job const& complete() const;
    /// Returns the rules, with the options of the operator. The job must not be empty.
    rules::job_rules const& rules() const;

    /// Returns every admission rule that the job violates, errors and warnings, in the order of any_job::validate().
    issues const& faults() const;
    /// Returns whether no fault is an error.
    bool is_valid() const;
    /// Returns the issues of any_job::lint().
    issues lint() const;

    /// Returns the members; none if the job is invalid.
    membership const& layout() const;
    /// Returns every object that the operator creates, in creation order; none if the job is invalid.
    std::vector<any_object> render() const;
    /// Returns the pod of a member of layout(); without a name if the name is not known beforehand.
    core::pod pod_of(member const&) const;
    /// Returns the files that init containers of the operator write for a member; see job_rules::written_files().
    std::vector<injected_file> written_files(member const&) const;

    /// Returns how the job may currently be scaled. Also for invalid jobs, as are the next functions.
    rules::scaling scaling() const;
    /// Returns whether the job is suspended and whether that may be changed.
    rules::suspending suspending() const;
    /// Returns its gang settings; absent if it has none.
    std::optional<rules::gang_settings> gang() const;
    rules::job_policies policies() const;
    /** Returns the write that sets the number of members of a role of a stored job.
        @par Errors `errc::invalid_argument` if scaling() does not allow it; the path names the role */
    [[nodiscard]] result<rules::job_write> scaled(std::string_view role, std::int32_t members) const;
    /// Returns the write that suspends or resumes a stored job.
    /// @par Errors `errc::invalid_argument` if that is impossible
    [[nodiscard]] result<rules::job_write> suspended(bool on) const;

private:
    friend class any_job;
    friend class member_lookup;
    struct parts;

    /// Prepares a job that a server returned, which has a uid, as stored(), and other jobs as admitted().
    static prepared_job by_origin(any_job job, operator_options const* options = nullptr);
    prepared_job(any_job job, std::shared_ptr<rules::job_rules const> rules, bool is_stored);

    /// Returns the job as it is checked: if the server completes its name, the name has a stand-in for the rest.
    any_job const& named() const noexcept;

    std::shared_ptr<parts> parts_;
};

/// Whether the server generates the end of the name of a job.
bool has_generated_name(any_job const& job);

} // namespace kftrain

#endif
