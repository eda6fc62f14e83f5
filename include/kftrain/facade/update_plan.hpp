#ifndef KFTRAIN_FACADE_UPDATE_PLAN_HPP
#define KFTRAIN_FACADE_UPDATE_PLAN_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/job/any_job.hpp>
#include <kftrain/model/raw_json.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain {

/// The effect of a changed field on an existing job.
enum class change_effect : std::uint8_t {
    none,       ///< nothing that runs: labels of the job, fields that no component reads again
    in_place,   ///< the job continues; members are added, removed or notified
    later,      ///< applies to pods created from then on, e.g. after a restart
    recreation, ///< rejected, or without effect on the existing job: delete and resubmit it
};

/// Returns `none`, `in place`, `later` or `recreation`.
std::string_view to_string(change_effect) noexcept;

/// One field that differs.
struct field_change {
    field_change() = default;

    std::string path; ///< e.g. `spec.pytorchReplicaSpecs.Worker.replicas`
    raw_json before;
    raw_json after;
    change_effect effect = change_effect::none;
    std::string why; ///< the reason for the effect, in one clause
};

/// The planned action for one object of the job.
struct object_change_plan {
    object_change_plan() = default;

    std::string kind;
    std::string name;
    std::string verb; ///< `create`, `delete` or `replace`
};

/// The changes to the stored objects if the job were submitted as it is written now.
struct update_plan {
    update_plan() = default;

    bool exists = false;              ///< the job exists; otherwise everything is created
    std::vector<field_change> fields; ///< in the order of the kind
    /// The objects that the operator would create, replace and delete, without recreation.
    std::vector<object_change_plan> objects;
    issues refusals; ///< violated rules of the kind, for which the server would reject the update
    /// The objects to which the job refers and that could not be read, with the reason: `objects` may be incomplete.
    std::vector<std::string> missing;
    change_effect effect = change_effect::none; ///< the most severe effect of the fields

    bool empty() const noexcept { return exists && fields.empty(); }
    /// Returns several lines, as tools print them.
    std::string to_string() const;
    /// Returns a compact JSON object in the format of job_state::to_json().
    std::string to_json() const;
};

} // namespace kftrain

#endif
