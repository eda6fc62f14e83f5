#ifndef KFTRAIN_FACADE_PREFLIGHT_HPP
#define KFTRAIN_FACADE_PREFLIGHT_HPP

#include <kftrain/facade/job_reference.hpp>
#include <kftrain/kube/call_options.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain {

enum class verdict : std::uint8_t { passed, warned, failed, unknown };

/// Returns `passed`, `warned`, `failed` or `unknown`.
std::string_view to_string(verdict) noexcept;

/// The result of one check before a job is submitted.
struct preflight_check {
    preflight_check() = default;

    /** A stable name: `rules`, `lint`, `served`, `namespace`, `name`, `queue`, `priority-class`, `admission`,
        `may-create`, `may-read`, `may-watch`, `may-read-logs`, `may-read-events`, `may-change`, `may-delete`,
        `quota`. Several checks may have the same name, e.g. one for each quota. */
    std::string name;
    kftrain::verdict verdict = kftrain::verdict::unknown;
    std::string message; ///< one sentence; for a failure it includes the remedy
};

/// Whether the caller could submit and follow a job.
struct preflight_report {
    preflight_report() = default;

    bool passed = true; ///< no check failed; unknown results and warnings do not count
    std::vector<preflight_check> checks;
    std::vector<std::string> served_versions; ///< of the group and resource of the kind, e.g. `kubeflow.org/v1`
    /// YAML of an RBAC Role with the missing permissions, to be granted to the caller by a RoleBinding; empty if none
    /// is missing.
    std::string missing_rules;

    /// Returns several lines, as tools print them.
    std::string to_string() const;
    /// Returns a compact JSON object in the format of job_state::to_json().
    std::string to_json() const;
};

struct preflight_options : kube::detail::call_options_of<preflight_options> {
    preflight_options() = default;

    bool follow = true; ///< check the permissions to watch the job and to read its logs and events
    bool change = true; ///< check the permissions to scale, suspend and delete the job

    preflight_options& with_follow(bool on) { return follow = on, *this; }
    preflight_options& with_change(bool on) { return change = on, *this; }
};

} // namespace kftrain

#endif
