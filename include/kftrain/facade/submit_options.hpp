#ifndef KFTRAIN_FACADE_SUBMIT_OPTIONS_HPP
#define KFTRAIN_FACADE_SUBMIT_OPTIONS_HPP

#include <kftrain/facade/job_reference.hpp>
#include <kftrain/kube/call_options.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace kftrain {

/// The annotation that stores the idempotency key and the hash of a submission, or the hash alone. A value that the
/// job already has before its submission is ignored.
inline constexpr std::string_view submission_annotation = "kftrain.io/submission";

/// Options for the submission of a job.
struct submit_options : kube::detail::call_options_of<submit_options> {
    submit_options() = default;
    submit_options(kube::call_options const& how) { static_cast<kube::call_options&>(*this) = how; }

    /** Idempotency key, such as the id of a request; at most 1 KiB. The caller passes the same key with each retry of a
        submission. An annotation of the job stores the key and a hash of the submitted job. If a job with the same
        kind, name, key and content exists, the submission returns it. If the content differs, the submission fails with
        `reason::already_exists` and lists the differences. */
    std::string idempotency_key;
    /// Makes the submission idempotent without a key: an annotation stores a hash of the submitted job. A job that
    /// has only a `generateName` fails with `errc::invalid_argument`, because it has no name to look up. (With a key,
    /// the library derives the same name from the key each time.)
    bool idempotent = false;
    bool dry_run = false; ///< the server checks the job and responds as usual, but stores nothing
    /// Whether the client checks the job before it sends it. Set false if prepared_job has checked this job already: a
    /// job with faults is then sent, and the server decides whether to reject it.
    bool validate = true;

    submit_options& with_idempotency_key(std::string key) { return idempotency_key = std::move(key), *this; }
    submit_options& with_idempotent(bool on = true) { return idempotent = on, *this; }
    submit_options& with_dry_run(bool on = true) { return dry_run = on, *this; }
    submit_options& with_validate(bool on) { return validate = on, *this; }
};

/// Selects the jobs to list.
struct job_list_options : kube::detail::call_options_of<job_list_options> {
    job_list_options() = default;

    std::string namespace_; ///< empty: the namespace of the client
    bool all_namespaces = false;
    std::vector<rules::job_rules const*>
        kinds; ///< must not contain null; empty: those of kftrain that the server serves
    std::string label_selector;
    std::uint32_t limit = 0; ///< page size; 0: all jobs at once
    std::string continue_;   ///< job_page::continue_ of the previous page; keep the other options unchanged

    job_list_options& with_namespace(std::string ns) { return namespace_ = std::move(ns), *this; }
    job_list_options& with_all_namespaces(bool on = true) { return all_namespaces = on, *this; }
    template <training_job K> job_list_options& with_kind() { return with_kind(job_rules_for<K>()); }
    job_list_options& with_kind(rules::job_rules const& kind);
    job_list_options& with_label_selector(std::string s) { return label_selector = std::move(s), *this; }
    job_list_options& with_limit(std::uint32_t n) { return limit = n, *this; }
    job_list_options& with_continue(std::string token) { return continue_ = std::move(token), *this; }
};

/// A page of jobs, ordered by kind, namespace and name.
struct job_page {
    job_page() = default;

    std::vector<any_job> items;
    std::string continue_; ///< token of the next page; empty: this is the last page
    /** The kinds and jobs that could not be read, with the reason: a kind as `Kind: message`, a stored job that does
        not fit the struct of its kind as `Kind namespace/name: path: message`. Kinds that the server does not serve are
        listed only if the caller requested them. */
    std::vector<std::string> unread;
    std::size_t unread_jobs = 0; ///< number of entries of `unread` that are jobs

    /// Returns a compact JSON object: `items` in the format of the server, also if empty, `continue`, `unread`,
    /// `unreadJobs`.
    std::string to_json() const;
};

/// Options for the deletion of a job.
struct job_delete_options : kube::detail::call_options_of<job_delete_options> {
    job_delete_options() = default;
    job_delete_options(kube::call_options const& how) { static_cast<kube::call_options&>(*this) = how; }

    bool wait = false;       ///< complete when the job no longer exists; the timeout includes this
    bool foreground = false; ///< delete the owned objects first, so that the job disappears after them

    job_delete_options& with_wait(bool on = true) { return wait = on, *this; }
    job_delete_options& with_foreground(bool on = true) { return foreground = on, *this; }
};

} // namespace kftrain

#endif
