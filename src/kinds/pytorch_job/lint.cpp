#include "job/contract/devices.hpp"
#include "job/contract/field_error.hpp"
#include "job/contract/started_programs.hpp"
#include "kinds/pytorch_job/kind.hpp"
#include "kinds/pytorch_job/lint_commands.hpp"
#include "kinds/pytorch_job/processes.hpp"

#include <algorithm>
#include <array>

namespace kftrain::kubeflow_v1 {
namespace {

using enum issue::severity;

constexpr lint_rule nproc_per_node{"lint.pytorch.nproc-per-node", error,
                                   "torchrun accepts auto, cpu, gpu or a positive number, and exits on anything else. "
                                   "It also accepts a number with blanks around it or _ within it, but the operator "
                                   "then counts one process and sets a WORLD_SIZE that is too small."};
constexpr lint_rule devices{
    "lint.pytorch.devices", warning,
    "Each process of torchrun needs its own device. With fewer devices processes collide, with more some stay idle."};
constexpr lint_rule shared_memory{"lint.pytorch.shared-memory", info,
                                  "Worker processes of a data loader use /dev/shm. On a cluster a container has only "
                                  "64 MiB of it, unless a memory volume is mounted there."};
constexpr lint_rule elastic_bounds{"lint.pytorch.elastic-bounds", error,
                                   "torchrun rejects a range of nodes that is empty or starts below 1."};
constexpr lint_rule elastic_workers{
    "lint.pytorch.elastic-workers", warning,
    "The rendezvous does not admit workers beyond maxReplicas, and training does not begin below minReplicas."};
constexpr lint_rule elastic_metrics{
    "lint.pytorch.elastic-metrics", warning,
    "The autoscaler divides what pods use by what they request. Without a request it never scales."};
constexpr lint_rule rendezvous{
    "lint.pytorch.rendezvous", warning,
    "Without rdzvHost, workers meet at the first worker. Only the backend c10d listens there."};

constexpr std::array own_rules{nproc_per_node,  devices,         shared_memory, elastic_bounds,
                               elastic_workers, elastic_metrics, rendezvous};

constexpr std::string_view nproc_path = "spec.nprocPerNode";

using pytorch::standalone;
using pytorch::training;

/// Whether an option of torchrun replaces the number of the job.
bool states_processes(core::container const& c) {
    auto const states = [](started_program const& p) { return is_torchrun(p) && torchrun_option(p, "nproc-per-node"); };
    return std::ranges::any_of(started_programs(c), states);
}

void lint_processes(replica_job const& job, std::string const& stated, issues& found) {
    auto const n = pytorch::process_count(stated);
    if (n ? *n < 1 : stated != "auto" && stated != "cpu" && stated != "gpu")
        return report(found, nproc_per_node, std::string(nproc_path),
                      in_quotes(stated) + ", expected auto, cpu, gpu or a positive number");
    for (auto type : job.types()) {
        auto const* const c = training(job, type);
        if (c == nullptr || states_processes(*c)) continue;
        std::int64_t const gpus = gpus_of(*c);
        if (n && gpus > 0 && gpus != *n)
            report(found, devices, std::string(nproc_path),
                   in_quotes(stated) + " processes for the " + std::to_string(gpus) + " GPUs of a " +
                       std::string(type) + ", expected one process for each GPU");
        if (stated == "gpu" && gpus == 0)
            report(found, devices, std::string(nproc_path),
                   "\"gpu\" without a GPU in the limits of a " + std::string(type) + ", expected at least one");
    }
}

void lint_memory(replica_job const& job, issues& found) {
    for (auto type : job.types()) {
        auto const* const c = training(job, type);
        if (c == nullptr || gpus_of(*c) == 0) continue;
        auto const& mounts = c->volume_mounts;
        auto const is_shared = [](core::volume_mount const& m) {
            return m.mount_path == "/dev/shm" || m.mount_path == "/dev/shm/";
        };
        if (std::none_of(mounts.begin(), mounts.end(), is_shared))
            report(found, shared_memory, job.path_of(type) + ".template.spec.volumes",
                   "nothing is mounted at /dev/shm, expected an emptyDir with medium Memory on a cluster");
    }
}

bool requests(core::container const& c, std::string const& resource) {
    return c.resources.requests.contains(resource) || c.resources.limits.contains(resource);
}

void lint_metric(replica_job const& job, autoscaling::metric_spec const& m, std::string const& path, issues& found) {
    std::string const* resource = nullptr;
    std::string_view only;
    if (m.resource && m.resource->target.average_utilization) resource = &m.resource->name;
    if (m.container_resource && m.container_resource->target.average_utilization) {
        resource = &m.container_resource->name;
        only = m.container_resource->container;
    }
    if (resource == nullptr || job.spec_of(pytorch::worker) == nullptr) return;
    for (auto const& c : job.spec_of(pytorch::worker)->template_.spec.containers)
        if ((only.empty() || c.name == only) && !requests(c, *resource))
            report(found, elastic_metrics, path,
                   "container " + in_quotes(c.name) + " of the workers does not request " + *resource +
                       ", expected a request");
}

void lint_elastic(replica_job const& job, elastic_policy const& policy, issues& found) {
    std::string const path = "spec.elasticPolicy.";
    std::int32_t const min = policy.min_replicas.value_or(1);
    std::int32_t const max = policy.max_replicas.value_or(min);
    bool const empty = min < 1 || min > max;
    if (empty)
        report(found, elastic_bounds, path + "minReplicas",
               std::to_string(min) + " to maxReplicas " + std::to_string(max) +
                   ", expected 1 <= minReplicas <= maxReplicas");
    auto const* const workers = job.spec_of(pytorch::worker);
    std::int32_t const count = workers == nullptr ? 0 : workers->replicas.value_or(1);
    if (!empty && workers != nullptr && (count < min || count > max))
        report(found, elastic_workers, job.path_of(pytorch::worker) + ".replicas",
               std::to_string(count) + ", expected minReplicas " + std::to_string(min) + " to maxReplicas " +
                   std::to_string(max));
    for (std::size_t i = 0; policy.metrics && i < policy.metrics->size(); ++i)
        lint_metric(job, (*policy.metrics)[i], path + "metrics[" + std::to_string(i) + "]", found);
    if (policy.standalone.value_or(false) && std::max<std::int64_t>(job.total_replicas(), max) > 1)
        report(found, standalone, path + "standalone",
               "true for a job of up to " + std::to_string(std::max<std::int64_t>(job.total_replicas(), max)) +
                   " pods, expected false");
    std::string const backend = policy.rdzv_backend.value_or("c10d");
    if (backend != "c10d" && !policy.rdzv_host)
        report(found, rendezvous, path + "rdzvBackend",
               in_quotes(backend) + " without rdzvHost, expected c10d or a value of rdzvHost");
}

} // namespace

std::span<lint_rule const> pytorch_kind::lint_rules() noexcept {
    static auto const all = [] {
        std::array<lint_rule, own_rules.size() + pytorch::command_rules.size()> both;
        auto const end = std::ranges::copy(own_rules, both.begin()).out;
        std::ranges::copy(pytorch::command_rules, end);
        return both;
    }();
    return all;
}

void pytorch_kind::lint(issues& found) const {
    if (job_.spec.nproc_per_node) lint_processes(*this, *job_.spec.nproc_per_node, found);
    lint_memory(*this, found);
    pytorch::lint_commands(*this, job_, found);
    if (job_.spec.elastic_policy) lint_elastic(*this, *job_.spec.elastic_policy, found);
}

} // namespace kftrain::kubeflow_v1
