#include "kinds/pytorch_job/constants.hpp"

#include <charconv>

namespace kftrain {

using view = job_rules<pytorch_job>::view;

view::view(pytorch_job const& job) : replica_job(job, job.spec.pytorch_replica_specs, pytorch::constants), job_(job) {}

namespace {

/// Absent for the words auto, cpu and gpu, and for what no pod can start.
std::optional<std::int64_t> stated_processes(std::optional<std::string> const& field) {
    std::int32_t n = 0;
    if (!field) return std::nullopt;
    auto const [end, ec] = std::from_chars(field->data(), field->data() + field->size(), n);
    if (ec != std::errc{} || end != field->data() + field->size() || n < 1) return std::nullopt;
    return n;
}

} // namespace

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/pytorch/envvar.go`. Without a master torchrun assigns ranks.
void view::assign_ranks(topology& layout) const {
    layout.processes_per_replica = stated_processes(job_.spec.nproc_per_node);
    if (spec_of(pytorch::master) == nullptr) {
        layout.rank_note = "torchrun assigns ranks at the rendezvous, since the job has no Master";
        return;
    }
    for (auto& r : layout.replicas) r.rank = r.type == pytorch::master ? r.index : r.index + 1;
    layout.world_size = static_cast<std::int32_t>(layout.replicas.size());
}

bool view::is_master(replica const& r) const {
    return spec_of(pytorch::master) != nullptr ? r.type == pytorch::master : r.type == pytorch::worker && r.index == 0;
}

namespace {

/// Processes per node where the field is a number; the words auto, cpu and gpu count as one.
std::int64_t processes_per_node(std::optional<std::string> const& field) {
    std::int64_t n = 1;
    if (!field) return n;
    auto const [end, ec] = std::from_chars(field->data(), field->data() + field->size(), n);
    return ec == std::errc{} && end == field->data() + field->size() ? n : 1;
}

} // namespace

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/pytorch/{envvar,master}.go`, in upstream's order.
std::vector<env_var> view::environment(topology const&, replica const& r, container const&) const {
    std::vector<env_var> env;
    env.emplace_back("PYTHONUNBUFFERED", "1");
    std::int64_t const replicas = total_replicas();
    if (spec_of(pytorch::master) != nullptr) {
        auto const port = std::to_string(port_of(pytorch::master).value_or(pytorch::constants.port));
        auto const address = replica_name(metadata.name, pytorch::master, 0);
        env.emplace_back("MASTER_PORT", port);
        env.emplace_back("PET_MASTER_PORT", port);
        env.emplace_back("MASTER_ADDR", address);
        env.emplace_back("PET_MASTER_ADDR", address);
        // Go wraps around where a number is too large; signed arithmetic of C++ may not.
        auto const processes = static_cast<std::uint64_t>(replicas) *
                               static_cast<std::uint64_t>(processes_per_node(job_.spec.nproc_per_node));
        env.emplace_back("WORLD_SIZE", std::to_string(static_cast<std::int64_t>(processes)));
        auto const rank = std::to_string(r.rank.value());
        env.emplace_back("RANK", rank);
        env.emplace_back("PET_NODE_RANK", rank);
    }
    if (job_.spec.nproc_per_node) env.emplace_back("PET_NPROC_PER_NODE", *job_.spec.nproc_per_node);
    env.emplace_back("PET_NNODES", std::to_string(replicas));
    return env;
}

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/pytorch/initcontainer.go`. Workers wait for the master's name.
std::vector<container> view::init_containers(replica const& r, operator_options const& options) const {
    if (r.type != pytorch::worker || spec_of(pytorch::master) == nullptr) return {};
    auto const told = options.get<pytorch_operator_options>();
    container wait;
    wait.name = "init-pytorch";
    wait.image = told.init_container_image;
    wait.image_pull_policy = "IfNotPresent";
    wait.command = {"sh", "-c",
                    "err=1;for i in $(seq " + std::to_string(told.init_container_max_tries) + "); do if nslookup " +
                        replica_name(metadata.name, pytorch::master, 0) +
                        "; then err=0 && break; fi;echo waiting for master; sleep 2; done; exit $err"};
    wait.resources.limits.emplace("cpu", "100m");
    wait.resources.limits.emplace("memory", "20Mi");
    wait.resources.requests.emplace("cpu", "50m");
    wait.resources.requests.emplace("memory", "10Mi");
    return {wait};
}

} // namespace kftrain
