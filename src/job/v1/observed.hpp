#ifndef KFTRAIN_SRC_JOB_V1_OBSERVED_HPP
#define KFTRAIN_SRC_JOB_V1_OBSERVED_HPP

#include <kftrain/job/controller_rules.hpp>
#include <kftrain/objects/core.hpp>

#include <memory>
#include <vector>

namespace kftrain::kubeflow_v1 {

/// The existing objects of a job. Shared snapshots that never change.
struct observed {
    observed() = default;

    std::vector<std::shared_ptr<pod const>> pods;         ///< controlled by the job
    std::vector<std::shared_ptr<service const>> services; ///< controlled by the job
    /// Objects of the other watched types: those that the job controls, and those with its name.
    std::vector<any_object> others;

    /// Adds an object to the list of its type.
    void add(any_object);
    /// The object of this type and name among `others`, or null.
    template <resource K> K const* find(std::string_view name) const noexcept {
        for (auto const& o : others)
            if (auto const* k = o.get_if<K>(); k != nullptr && k->metadata.name == name) return k;
        return nullptr;
    }
};

/** The rows of a kind whose pods, and services if there are any, have this label selector. Rules get these objects in
    part only: without annotations, finalizers and managed fields. A pod's spec has node, host name and subdomain, its
    status has phase, message, reason, address, conditions, and name, state, readiness and restarts of containers. A
    service's spec has the selector. */
std::vector<rules::watched> rows_of(std::string_view selector, bool services = true);
/// Adds the row of objects with the names that a job needs. Objects with these names that the job does not control are
/// found among `others`, whatever their type.
void add_named(std::vector<rules::watched>&, object_type const&, rules::by_name_of_primary);
/// The same, and the row of those that it controls; by default there is one per job, of its name.
void add_rows(std::vector<rules::watched>&, object_type const&, rules::by_name_of_primary = {});
/// The objects of these rows for a job with this uid.
observed gather(rules::world const&, std::string_view uid);

} // namespace kftrain::kubeflow_v1

#endif
