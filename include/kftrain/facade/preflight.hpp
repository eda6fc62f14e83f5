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

/// `passed`, `warned`, `failed`, `unknown`
std::string_view to_string(verdict) noexcept;

/// One thing that was looked at before a job is submitted.
struct preflight_check {
    preflight_check() = default;

    /** Stays the same: `rules`, `lint`, `served`, `namespace`, `name`, `queue`, `priority-class`, `admission`, `may-create`, `may-read`, `may-watch`,
        `may-read-logs`, `may-read-events`, `may-change`, `may-delete`, `quota`. There may be several of one name, e.g. for each quota. */
    std::string name;
    kftrain::verdict verdict = kftrain::verdict::unknown;
    std::string message; ///< one sentence; of a failure what to do about it
};

/// Whether a job could be submitted and followed.
struct preflight_report {
    preflight_report() = default;

    std::vector<preflight_check> checks;
    std::vector<std::string> served_versions; ///< of the kind's group and resource: `kubeflow.org/v1`
    /// YAML of a Role with the rules that are missing, for a RoleBinding to give to the caller; empty if none is missing.
    std::string missing_rules;

    /// Nothing failed; what is unknown or warned of does not count.
    bool passed() const noexcept;
    /// Of some lines, as tools print it.
    std::string to_string() const;
    /// A compact JSON object, as job_state::to_json().
    std::string to_json() const;
};

struct preflight_options : kube::detail::call_options_of<preflight_options> {
    preflight_options() = default;

    bool follow = true; ///< whether the caller will watch the job and read its logs and events
    bool change = true; ///< whether it will scale, suspend and delete it

    preflight_options& with_follow(bool on) { return follow = on, *this; }
    preflight_options& with_change(bool on) { return change = on, *this; }
};

} // namespace kftrain

#endif
