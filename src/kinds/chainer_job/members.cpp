#include "kinds/chainer_job/members.hpp"

#include "kinds/chainer_job/render.hpp"
#include "model/rules/condition_of.hpp"

namespace kftrain::kubeflow_v1alpha1::chainer {

membership lay_out(chainer_job const& job) {
    membership all;
    auto& master = all.roles.emplace_back();
    master.name = master_role;
    master.labels = pod_labels(job);
    auto& first = all.members.emplace_back();
    first.role = master_role;
    first.host = master_name(job);
    first.rank = 0; // the hostfile names it last, but Open MPI begins with the machine of mpiexec
    std::int32_t rank = 1;
    std::optional<std::int64_t> slots = slots_of(job.spec.master.mpi_config);
    for (auto const& [name, set] : job.spec.worker_sets) {
        if (count_of(set) == 0) continue;
        if (slots != slots_of(set.mpi_config)) slots.reset();
        auto& role = all.roles.emplace_back();
        role.name = name;
        role.labels = pod_labels(job, name);
        role.index_label = label::pod_index;
        for (std::int32_t i = 0; i < count_of(set); ++i) {
            auto& m = all.members.emplace_back();
            m.role = name;
            m.index = i;
            m.rank = rank++;
            m.pod_name = worker_name(job, name, i);
        }
    }
    all.world_size = rank;
    if (is_distributed(job)) {
        if (slots && *slots >= 1) all.processes_per_member = slots;
        all.rank_note = "mpiexec assigns ranks when it starts, to the master first and then to the other hosts in the "
                        "order of the hostfile, unless its options set another order";
    }
    return all;
}

core::pod render_pod(chainer_job const& job, member const& m) {
    bool const master = m.role == master_role;
    auto made = master ? render_master_pod(job) : render_worker_pod(job, m.role);
    core::pod pod;
    pod.metadata.labels = std::move(made.metadata.labels);
    pod.metadata.annotations = std::move(made.metadata.annotations);
    pod.metadata.namespace_ = job.metadata.namespace_;
    pod.spec = std::move(made.spec);
    if (master) {
        pod.metadata.generate_name = master_name(job) + "-";
    } else {
        pod.metadata.name = m.pod_name;
        pod.metadata.labels[std::string(label::pod_index)] = std::to_string(m.index);
        pod.spec.hostname = m.pod_name;
        pod.spec.subdomain = set_name(job, m.role);
    }
    return pod;
}

std::vector<injected_file> written_files(chainer_job const& job, membership const& all, member const& m) {
    if (m.role != master_role || !is_distributed(job)) return {};
    std::string lines;
    auto const add = [&](std::string const& host, std::int32_t slots) {
        lines += host + " slots=" + std::to_string(slots) + "\n";
    };
    for (auto const& worker : all.members)
        if (auto const set = job.spec.worker_sets.find(worker.role); set != job.spec.worker_sets.end())
            add(worker.pod_name, slots_of(set->second.mpi_config));
    add(master_name(job) + "-*", slots_of(job.spec.master.mpi_config));
    std::vector<injected_file> files(1);
    files[0].path = std::string(generated_path) + "/hostfile";
    files[0].source = "init container " + std::string(hostfile_generator_name);
    files[0].text = std::move(lines);
    return files;
}

bool has_ended(batch::job_status const& status) noexcept {
    for (auto const& c : status.conditions)
        if ((c.type == "Complete" || c.type == "Failed") && c.status == "True") return true;
    return false;
}

job_phase phase_of(chainer_job const& job) noexcept {
    auto const holds = [&](std::string_view type) {
        auto const* const c = condition_of(job.status.conditions, type);
        return c != nullptr && c->status == "True";
    };
    if (holds("Failed")) return job_phase::failed;
    if (holds("Complete")) return job_phase::succeeded;
    return job.status.active >= 1 ? job_phase::running : job_phase::created;
}

} // namespace kftrain::kubeflow_v1alpha1::chainer
