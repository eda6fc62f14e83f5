#include "kinds/train_job/kind.hpp"

#include <algorithm>
#include <iterator>

namespace kftrain::trainer {
namespace {

/// The Job that trains, with the number of pods of the job; null if there is none.
pod_set* sized_trainer(layout& l, train_job const& job) {
    auto* const set = l.find_step(trainer_step);
    if (set != nullptr && job.spec.trainer && job.spec.trainer->num_nodes) set->count = *job.spec.trainer->num_nodes;
    return set;
}

/// The container that trains; null without one, and for a job without a trainer, which gets no variables.
core::container* trained_container(pod_set* set, train_job const& job) {
    return set != nullptr && job.spec.trainer ? find_named(set->containers, node) : nullptr;
}

/// Processes of a node without GPUs: its CPUs, rounded up.
std::int32_t cpu_count(core::resource_requirements const& r) {
    auto const count = [](resource_list const& amounts) -> std::int64_t {
        auto const at = amounts.find("cpu");
        return at == amounts.end() ? 0 : at->second.value();
    };
    auto const requested = count(r.requests);
    return static_cast<std::int32_t>(
        std::clamp<std::int64_t>(requested != 0 ? requested : count(r.limits), 1, 0x7fffffff));
}

std::vector<std::string> torchtune_command(layout const& l, train_job const& job, std::int32_t nodes,
                                           std::optional<std::int32_t> processes, std::int64_t gpus) {
    auto const& own = *job.spec.trainer;
    auto command = own.command;
    if (nodes > 1 || (processes ? *processes > 1 : gpus > 1))
        command.push_back("--rdzv_endpoint=" + main_address(job) + ":" + std::to_string(port));
    auto const choice = choose_recipe(nodes, processes, gpus, own.args);
    command.emplace_back(choice.recipe);
    command.emplace_back("--config");
    command.push_back(model_of_runtime(job.spec.runtime_ref.name).append(choice.suffix));
    for (auto const& set : l.sets)
        if (set.ancestor == trainer_step)
            if (auto const* c = find_named(set.containers, node))
                std::ranges::copy_if(c->command, std::back_inserter(command), is_set_by_runtime);
    return command;
}

core::key_to_path file(std::string_view key, std::string_view path, std::int32_t mode) {
    core::key_to_path f;
    f.key = key;
    f.path = path;
    f.mode = mode;
    return f;
}

core::volume key_volume(train_job const& job) {
    constexpr std::int32_t owner_reads = 0400, group_reads = 0640, all_read = 0644;
    core::volume v;
    v.name = "mpi-ssh-auth";
    auto& source = v.secret.emplace();
    source.secret_name = ssh_secret_name(job);
    source.default_mode = owner_reads;
    source.items = {file(private_key, "id_rsa", group_reads), file(public_key, "id_rsa.pub", all_read),
                    file(public_key, "authorized_keys", all_read)};
    return v;
}

core::volume hostfile_volume(train_job const& job) {
    constexpr std::int32_t all_read = 0444;
    core::volume v;
    v.name = "mpi-hostfile";
    auto& source = v.config_map.emplace();
    source.name = hostfile_name(job);
    source.items = {file("hostfile", "hostfile", all_read)};
    return v;
}

void mount(core::container& c, std::string_view volume, std::string_view path) {
    core::volume_mount m;
    m.name = volume;
    m.mount_path = path;
    set_mount(c.volume_mounts, m);
}

} // namespace

void apply_torch(layout& l, train_job const& job, torch_policy const& policy) {
    auto* const set = sized_trainer(l, job);
    auto* const c = trained_container(set, job);
    auto const nodes = set != nullptr ? set->count : 1;
    std::optional<std::int32_t> processes;
    if (job.spec.trainer) processes = job.spec.trainer->num_proc_per_node;
    auto const resources = counted_resources(job, l);
    auto const gpus = gpu_count(resources);
    if (!processes && gpus == 0) processes = cpu_count(resources);

    std::vector<core::env_var> const ranks{
        {"PET_NNODES", std::to_string(nodes)},
        {"PET_NPROC_PER_NODE", processes ? std::to_string(*processes) : std::string("auto")},
        index_variable("PET_NODE_RANK")};
    std::vector<core::env_var> const rendezvous{{"PET_MASTER_ADDR", main_address(job)},
                                                {"PET_MASTER_PORT", std::to_string(port)}};
    if (c != nullptr) {
        set_env(c->env, copied_env(job.spec.trainer->env));
        set_env(c->env, ranks);
        if (runs_torchtune(*job.spec.trainer))
            l.command = torchtune_command(l, job, nodes, processes, gpus);
        else
            set_env(c->env, rendezvous);
        open_rendezvous_port(*c);
    }
    if (!policy.env_injection) return;
    for (auto const& target : policy.env_injection->targets)
        for (auto const& name : target.container_names)
            if (auto* const other = l.find_container(target.job_name, name)) {
                set_env(other->env, ranks);
                set_env(other->env, rendezvous);
            } else {
                l.fault = "envInjection target podSet \"" + target.job_name + "\" container \"" + name +
                          "\" not found in runtime template";
            }
}

void apply_mpi(layout& l, train_job const& job, mpi_policy const& policy) {
    bool const launcher_works = policy.run_launcher_as_node.value_or(false);
    auto const* const own = job.spec.trainer ? &*job.spec.trainer : nullptr;
    if (auto* const nodes = l.find(node); nodes != nullptr && own != nullptr && own->num_nodes)
        nodes->count = launcher_works ? std::max(*own->num_nodes - 1, 1) : *own->num_nodes;
    l.slots = policy.num_proc_per_node.value_or(1);
    if (own != nullptr && own->num_proc_per_node)
        l.slots = *own->num_proc_per_node;
    else if (auto const gpus = gpu_count(counted_resources(job, l)); l.slots == 1 && gpus > 1)
        l.slots = static_cast<std::int32_t>(gpus);
    if (auto const kind = policy.mpi_implementation.value_or("OpenMPI"); kind != "OpenMPI") {
        l.fault = "MPI implementation \"" + kind + "\" is not supported";
        l.fault_code = errc::not_supported;
        return;
    }
    for (auto& set : l.sets) {
        bool const launches = set.name == launcher;
        if (!launches && set.name != node) continue;
        set_volume(set.volumes, key_volume(job));
        if (launches) set_volume(set.volumes, hostfile_volume(job));
        auto* const c = find_named(set.containers, node);
        if (c == nullptr) continue;
        mount(*c, "mpi-ssh-auth", policy.ssh_auth_mount_path.value_or("/root/.ssh"));
        if (!launches) continue;
        mount(*c, "mpi-hostfile", "/etc/mpi");
        set_env(c->env, {{"OMPI_MCA_orte_default_hostfile", "/etc/mpi/hostfile"},
                         {"OMPI_MCA_orte_keep_fqdn_hostnames", "true"},
                         {"OMPI_MCA_orte_set_default_slots", std::to_string(l.slots)},
                         {"OMPI_MCA_plm_rsh_args", "-o ConnectionAttempts=10"}});
    }
}

void apply_jax(layout& l, train_job const& job) {
    auto* const set = sized_trainer(l, job);
    auto* const c = trained_container(set, job);
    if (c == nullptr) return;
    set_env(c->env, {{"JAX_NUM_PROCESSES", std::to_string(set->count)},
                     index_variable("JAX_PROCESS_ID"),
                     {"JAX_COORDINATOR_ADDRESS", main_address(job) + ":" + std::to_string(port)}});
    open_rendezvous_port(*c);
}

void apply_xgboost(layout& l, train_job const& job) {
    auto* const set = sized_trainer(l, job);
    auto* const c = trained_container(set, job);
    if (c == nullptr) return;
    auto const workers = set->count * std::max<std::int64_t>(gpu_count(counted_resources(job, l)), 1);
    set_env(c->env, copied_env(job.spec.trainer->env));
    set_env(c->env, {{"DMLC_TRACKER_URI", main_address(job)},
                     {"DMLC_TRACKER_PORT", std::to_string(port)},
                     index_variable("DMLC_TASK_ID"),
                     {"DMLC_NUM_WORKER", std::to_string(workers)}});
    open_rendezvous_port(*c);
}

void apply_plain(layout& l, train_job const& job) {
    if (auto* const c = trained_container(sized_trainer(l, job), job))
        set_env(c->env, copied_env(job.spec.trainer->env));
}

} // namespace kftrain::trainer
