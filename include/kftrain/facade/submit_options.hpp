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

/// The annotation that holds a token and the hash of what was submitted with it, or the hash alone; what a job bears of it before it is
/// submitted counts for nothing.
inline constexpr std::string_view submission_annotation = "kftrain.io/submission";

/// How a job is submitted.
struct submit_options : kube::detail::call_options_of<submit_options> {
    submit_options() = default;
    submit_options(kube::call_options const& how) { static_cast<kube::call_options&>(*this) = how; }

    /** A word that the caller gives the same submission whenever it is tried again, such as the id of a request; up to 1 KiB. It is kept in
        an annotation, with a hash of the job as it is written; a job of the same kind, name, token and content that is there already is the
        answer. Other content with the same token is `reason::already_exists`, with what differs. */
    std::string token;
    /// The same without a token: by a hash of the job as it is written. Costs nothing but the annotation. `errc::invalid_argument` for a job
    /// with `generateName` alone, which has no name to be found by; of a token one is made, the same each time.
    bool idempotent = false;
    bool dry_run = false; ///< checked and answered as ever, and not stored

    submit_options& with_token(std::string t) { return token = std::move(t), *this; }
    submit_options& with_idempotent(bool on = true) { return idempotent = on, *this; }
    submit_options& with_dry_run(bool on = true) { return dry_run = on, *this; }
};

/// Which jobs are listed.
struct job_list_options : kube::detail::call_options_of<job_list_options> {
    job_list_options() = default;

    std::string namespace_; ///< empty: that of the client
    bool all_namespaces = false;
    std::vector<rules::job_rules const*> kinds; ///< empty: all kinds that the server serves
    std::string label_selector;
    std::uint32_t limit = 0; ///< of a page; 0: all jobs
    std::string continue_;   ///< job_page::continue_ of the page before; the rest as then

    job_list_options& with_namespace(std::string ns) { return namespace_ = std::move(ns), *this; }
    job_list_options& with_all_namespaces(bool on = true) { return all_namespaces = on, *this; }
    template <training_job K> job_list_options& with_kind() { return with_kind(job_rules_for<K>()); }
    job_list_options& with_kind(rules::job_rules const& kind);
    job_list_options& with_label_selector(std::string s) { return label_selector = std::move(s), *this; }
    job_list_options& with_limit(std::uint32_t n) { return limit = n, *this; }
    job_list_options& with_continue(std::string token) { return continue_ = std::move(token), *this; }
};

/// A page of jobs, by kind, namespace and name.
struct job_page {
    job_page() = default;

    std::vector<any_job> items;
    std::string continue_; ///< of the next page; empty: there is none
    /// Kinds that were asked for and could not be read, and why, as `Kind: message`; those that are not served are not named unless they
    /// were asked for by name.
    std::vector<std::string> unread;

    /// A compact JSON object: `items` as a server has them, also where there are none, `continue`, `unread`.
    std::string to_json() const;
};

/// How a job is deleted.
struct job_remove_options : kube::detail::call_options_of<job_remove_options> {
    job_remove_options() = default;
    job_remove_options(kube::call_options const& how) { static_cast<kube::call_options&>(*this) = how; }

    bool wait = false;       ///< complete when the job is gone; the timeout covers this, too
    bool foreground = false; ///< what it owns goes first, so that its absence means theirs

    job_remove_options& with_wait(bool on = true) { return wait = on, *this; }
    job_remove_options& with_foreground(bool on = true) { return foreground = on, *this; }
};

} // namespace kftrain

#endif
