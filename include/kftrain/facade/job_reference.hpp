#ifndef KFTRAIN_FACADE_JOB_REFERENCE_HPP
#define KFTRAIN_FACADE_JOB_REFERENCE_HPP

#include <kftrain/job/any_job.hpp>

#include <string>
#include <utility>

namespace kftrain {

/** Which job is meant: its kind, namespace and name, and the uid if exactly this one is meant. A job converts to its reference.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
struct job_reference {
    job_reference() = default;
    job_reference(rules::job_rules const& of_kind, std::string ns, std::string job_name, std::string job_uid = {})
        : kind(&of_kind), namespace_(std::move(ns)), name(std::move(job_name)), uid(std::move(job_uid)) {}
    /// Of a job that is not empty.
    job_reference(any_job const& job) // NOLINT(google-explicit-constructor): a job says which job is meant
        : job_reference(job.rules(), job.metadata().namespace_, job.metadata().name, job.metadata().uid) {}
    /// Of a job of a kind known at compile time.
    template <training_job K>
    job_reference(K const& job) // NOLINT(google-explicit-constructor)
        : job_reference(job_rules_for<K>(), job.metadata.namespace_, job.metadata.name, job.metadata.uid) {}

    /// The kind `K` by its type: `job_reference::to<pytorch_job>("team-a", "digits")`.
    template <training_job K> static job_reference to(std::string ns, std::string job_name) {
        return {job_rules_for<K>(), std::move(ns), std::move(job_name)};
    }

    bool empty() const noexcept { return kind == nullptr; }
    /// `PyTorchJob team-a/digits`; without the namespace where it names none.
    std::string to_string() const;

    rules::job_rules const* kind = nullptr; ///< lives as long as the program; null: no job
    std::string namespace_;                 ///< empty: that of the client
    std::string name;
    std::string uid; ///< empty: whichever job has the name

    friend bool operator==(job_reference const&, job_reference const&) = default;
};

} // namespace kftrain

#endif
