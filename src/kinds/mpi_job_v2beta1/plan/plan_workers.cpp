#include "base/whole_number.hpp"
#include "kinds/mpi_job_v2beta1/plan/pass.hpp"
#include "kinds/mpi_job_v2beta1/render/render.hpp"
#include "model/rules/label_of.hpp"

#include <algorithm>
#include <map>

namespace kftrain::kubeflow_v2beta1 {
namespace {

constexpr rules::event_messages worker_created("", "", "MPIJobFailed", "worker pod created failed: {}");

rules::remove removal_of(core::pod const& p) { return rules::remove(rules::target(core::pod::resource, p.metadata)); }

/** Whether nothing of a pod is left when its removal is answered: no kubelet has it, or it has nothing to end any more.
    @par Upstream kubernetes `pkg/registry/core/pod/strategy.go`, `CheckGracefulDelete`, v1.31 */
bool leaves_at_once(core::pod const& p) {
    if (p.metadata.deletion_timestamp) return false;
    return p.spec.node_name.empty() || p.status.phase == "Succeeded" || p.status.phase == "Failed";
}

} // namespace

/// The workers before this pass, whether ready, terminating, or of another owner.
std::vector<std::string> pass::running_workers() const {
    std::vector<std::string> names;
    for (auto const& p : world_.workers)
        if (p->status.phase == "Running" && is_labelled_worker(job_, p->metadata)) names.push_back(p->metadata.name);
    return names;
}

/// Removes the workers of the highest indices as long as there are too many, those that are going already once more.
void pass::shrink() {
    if (spec_of(job_, worker_type) == nullptr) return;
    std::int32_t const wanted = worker_count(job_);
    std::vector<std::pair<std::int32_t, core::pod const*>> surplus;
    std::int64_t present = 0;
    for (auto const& p : world_.workers) {
        if (!is_labelled_worker(job_, p->metadata) || !is_own(job_, p->metadata)) continue;
        ++present;
        if (auto const index = index_of(*p); index && *index >= wanted) surplus.emplace_back(*index, p.get());
    }
    if (present <= wanted) return;
    std::ranges::sort(surplus, {}, [](auto const& s) { return std::pair(s.first, s.second->metadata.name); });
    for (auto const& [index, p] : surplus) {
        todo_.remove(removal_of(*p));
        if (leaves_at_once(*p)) gone_.insert(p->metadata.name);
    }
}

std::optional<std::int32_t> pass::index_of(core::pod const& p) const {
    if (!options_.shifted_scale_down) return worker_index(job_, p.metadata.name);
    return read_whole_number<std::int32_t>(label_of(p.metadata, label::replica_index));
}

/** Creates the missing workers in order, up to one whose name another owner has taken. Upstream reads its informer for
    each one, which may already include removals of this pass. */
bool pass::sync_workers(std::vector<core::pod const*>& workers) {
    std::map<std::string_view, core::pod const*> by_name;
    for (auto const& p : world_.workers) by_name.emplace(p->metadata.name, p.get());
    for (std::int32_t i = 0; i < worker_count(job_); ++i) {
        auto const found = by_name.find(worker_name(job_, i));
        bool const missing = found == by_name.end() || gone_.contains(found->first);
        workers.push_back(missing ? nullptr : found->second);
        if (missing)
            todo_.create(rules::create(render_worker(job_, i, options_), worker_created));
        else if (!is_mine(found->second->metadata, ""))
            return false;
    }
    return true;
}

/// Cleans up the workers of a finished or suspended job; of a suspended one even with the policy None. False: an object
/// is in the way.
bool pass::clean_up() {
    bool const keeps_ended = job_.spec.run_policy.clean_pod_policy == "Running";
    std::map<std::int32_t, core::pod const*> present;
    for (auto const& p : world_.workers)
        if (auto const i = worker_index(job_, p->metadata.name); i && *i < worker_count(job_))
            present.emplace(*i, p.get());
    for (auto const& [index, p] : present) {
        if (!is_mine(p->metadata)) return false;
        bool const goes_on = p->status.phase == "Running" || p->status.phase == "Pending";
        if (goes_on || !keeps_ended) todo_.remove(removal_of(*p));
    }
    status().replica_statuses[std::string(worker_type)] = {};
    auto const& group = world_.pod_group;
    if (!has_gang(options_) || group.empty()) return true;
    if (!is_mine(group.metadata(), "PodGroup")) return false;
    todo_.add(rules::remove(rules::target(group.resource(), group.metadata())));
    return true;
}

} // namespace kftrain::kubeflow_v2beta1
