#ifndef KFTRAIN_FACADE_JOB_REFERENCE_HPP
#define KFTRAIN_FACADE_JOB_REFERENCE_HPP

#include <kftrain/job/any_job.hpp>

#include <string>
#include <utility>

namespace kftrain {

/** Identifies a job by kind, namespace and name, and optionally by uid. A job converts to its reference. Operations
    reject an empty reference, and one without a name, with `errc::invalid_argument`.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
struct job_reference {
    job_reference() = default;
    job_reference(rules::job_rules const& of_kind, std::string ns, std::string job_name, std::string job_uid = {})
        : kind(&of_kind), namespace_(std::move(ns)), name(std::move(job_name)), uid(std::move(job_uid)) {}
    /// An empty job gives an empty reference.
    job_reference(any_job const& job) // NOLINT(google-explicit-constructor): a job identifies itself
        : kind(job.empty() ? nullptr : &job.rules()),
          namespace_(job.metadata().namespace_),
          name(job.metadata().name),
          uid(job.metadata().uid) {}
    /// For a job of a kind known at compile time.
    template <training_job K>
    job_reference(K const& job) // NOLINT(google-explicit-constructor)
        : job_reference(job_rules_for<K>(), job.metadata.namespace_, job.metadata.name, job.metadata.uid) {}

    /// Names the kind `K` by its type: `job_reference::to<pytorch_job>("team-a", "digits")`.
    template <training_job K> static job_reference to(std::string ns, std::string job_name) {
        return {job_rules_for<K>(), std::move(ns), std::move(job_name)};
    }

    bool empty() const noexcept { return kind == nullptr; }
    /// Returns `PyTorchJob team-a/digits`, without the namespace if it is empty.
    std::string to_string() const;

    rules::job_rules const* kind = nullptr; ///< static storage duration; null: no job
    std::string namespace_;                 ///< empty: the namespace of the client
    std::string name;
    std::string uid; ///< empty: any job of this name

    friend bool operator==(job_reference const&, job_reference const&) = default;
};
KFTRAIN_DESCRIBE(job_reference, (kind, namespace_, name, uid))

} // namespace kftrain

#endif
