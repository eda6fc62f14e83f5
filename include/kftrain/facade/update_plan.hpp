#ifndef KFTRAIN_FACADE_UPDATE_PLAN_HPP
#define KFTRAIN_FACADE_UPDATE_PLAN_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/job/any_job.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain {

/// What becomes of a job whose field changes.
enum class change_effect : std::uint8_t {
    none,       ///< nothing that runs: labels of the job, fields that nobody reads again
    in_place,   ///< the job goes on; members are added, or taken away, or told
    later,      ///< counts for pods that are made from then on, e.g. after a restart
    recreation, ///< refused, or without effect on the job as it is: it has to be deleted and submitted again
};

/// `none`, `in place`, `later`, `recreation`
std::string_view to_string(change_effect) noexcept;

/// One field that differs.
struct field_change {
    field_change() = default;

    std::string path;   ///< `spec.pytorchReplicaSpecs.Worker.replicas`
    std::string before; ///< as compact JSON; empty: not there
    std::string after;  ///< the same
    change_effect effect = change_effect::none;
    std::string why; ///< one clause: who says so
};

/// What an object of the job becomes.
struct object_change_plan {
    object_change_plan() = default;

    std::string kind;
    std::string name;
    std::string verb; ///< `create`, `delete` or `replace`
};

/// What submitting a job as it is written now would change in what the server stores.
struct update_plan {
    update_plan() = default;

    bool exists = false;                        ///< else all of it is to be created
    std::vector<field_change> fields;           ///< in the order of the kind
    std::vector<object_change_plan> objects;    ///< what the operator would make and delete for it, without recreation
    issues refusals;                            ///< of the rules of the kind; the server would refuse the update
    change_effect effect = change_effect::none; ///< the gravest of the fields

    bool empty() const noexcept { return exists && fields.empty(); }
    /// Of some lines, as tools print it.
    std::string to_string() const;
    /// A compact JSON object, as job_state::to_json().
    std::string to_json() const;
};

} // namespace kftrain

#endif
