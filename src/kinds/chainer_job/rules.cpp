#include "job/contract/conditions.hpp"
#include "kinds/chainer_job/kind.hpp"

#include <kftrain/job/job_patch.hpp>
#include <kftrain/job/job_rules.hpp>

#include <algorithm>
#include <array>

namespace kftrain::embedded {
extern std::string_view const chainer_job_schema; // schema.json
}

namespace kftrain::kubeflow_v1alpha1 {
namespace {

using namespace chainer;

/// The rules of ChainerJobs, for rules::job_rules_of.
class chainer_rules {
public:
    using object = chainer_job;
    static constexpr std::string_view name = "chainer-job-controller";
    static constexpr rules::status_form status = rules::status_form::whole_object; // there is no subresource

    explicit chainer_rules(operator_options const&) : rows_(watched_rows()) {}

    std::span<rules::watched const> watches() const noexcept { return rows_; }
    static rules::plan make_plan(rules::job_look<chainer_job> const& look) {
        return chainer::make_plan(look.job, gather(look.world));
    }

    static std::span<operator_flag const> flags() noexcept { return {}; }
    static rules::resource_form const& form() noexcept {
        static constexpr std::array<std::string_view, 4> short_names{"chj", "chjs", "chjob", "chjobs"};
        static constexpr std::array<std::string_view, 1> categories{"all"};
        static constexpr auto served = [] {
            rules::resource_form f; // the CRD names no columns, and there is no webhook
            f.short_names = short_names;
            f.categories = categories;
            f.has_status = false;
            return f;
        }();
        return served;
    }
    static rules::kind_facts const& facts() noexcept {
        static constexpr std::array<std::string_view, 1> refusals{"ErrResourceExists"};
        static constexpr auto of_kind = [] {
            rules::kind_facts f;
            f.training_container = main_container;
            f.refusal_reasons = refusals;
            return f;
        }();
        return of_kind;
    }
    static resource_schema const& schema() {
        static resource_schema const compiled = resource_schema::parse(embedded::chainer_job_schema).value();
        return compiled;
    }

    static void set_defaults(chainer_job& job) { kubeflow_v1alpha1::set_defaults(job); }
    static void validate(chainer_job const& job, chainer_job const*, issues& found) {
        chainer_job complete = job;
        kubeflow_v1alpha1::set_defaults(complete);
        for (auto& i : kubeflow_v1alpha1::validate(complete)) found.push_back(std::move(i));
    }
    static void lint(chainer_job const& written, chainer_job const& complete, issues& found) {
        kubeflow_v1alpha1::lint(written, complete, found);
    }
    static std::span<lint_rule const> lint_rules() noexcept { return chainer_lint_rules(); }

    static membership lay_out(chainer_job const& job) { return chainer::lay_out(job); }
    static std::vector<any_object> render(chainer_job const& job) { return chainer::render(job); }
    static core::pod render_pod(chainer_job const& job, membership const&, member const& m) {
        return chainer::render_pod(job, m);
    }
    /// The hostfile of the master of a distributed job, as gen_hostfile.sh writes it once all workers run; the name of
    /// its own pod ends in `-*`.
    static std::vector<injected_file> written_files(chainer_job const&, membership const&, member const&);
    /// The sets, while the job has not ended.
    static rules::scaling scaling(chainer_job const&);
    static result<rules::job_write> scaled(chainer_job const&, std::string_view role, std::int32_t members);
    static rules::suspending suspending(chainer_job const&) {
        rules::suspending s;
        s.refused = "jobs of this API cannot be suspended";
        return s;
    }
    static result<rules::job_write> suspended(chainer_job const& job, bool) {
        return rules::cannot("spec", suspending(job).refused);
    }

    static std::vector<meta::condition> conditions(chainer_job const& job) {
        return as_conditions(job.status.conditions);
    }
    static job_phase phase(chainer_job const&) noexcept;

private:
    std::vector<rules::watched> rows_;
};

std::vector<injected_file> chainer_rules::written_files(chainer_job const& job, membership const& all,
                                                        member const& m) {
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

job_phase chainer_rules::phase(chainer_job const& job) noexcept {
    if (is_true(job.status, "Failed")) return job_phase::failed;
    if (is_true(job.status, "Complete")) return job_phase::succeeded;
    return job.status.active >= 1 ? job_phase::running : job_phase::created;
}

rules::scaling chainer_rules::scaling(chainer_job const& job) {
    rules::scaling s;
    if (has_ended(job.status)) {
        s.refused = "the job is finished";
    } else if (!is_distributed(job)) {
        s.refused = "the job has no workers";
    } else {
        std::int64_t total = 0;
        for (auto const& [key, set] : job.spec.worker_sets) total += count_of(set);
        for (auto const& [key, set] : job.spec.worker_sets) {
            auto& p = s.places.emplace_back();
            p.role = key;
            p.path = "spec.workerSets[" + key + "].replicas";
            p.now = count_of(set);
            auto const room = std::max<std::int64_t>(0, most_workers - (total - p.now));
            p.most = std::max(p.now, static_cast<std::int32_t>(room)); // all sets together have so much
            p.effect = "A running program keeps its hostfile: it does not notice new workers, and fails if a worker is "
                       "removed. The Job of the master then starts a new pod with a new hostfile.";
        }
    }
    return s;
}

result<rules::job_write> chainer_rules::scaled(chainer_job const& job, std::string_view set, std::int32_t workers) {
    std::string const path = "spec.workerSets[" + std::string(set) + "].replicas";
    auto const place = rules::checked_place(scaling(job), set, workers, path);
    if (!place) return place.error();
    return rules::patch_of_job(chainer_job::resource, job.metadata, {"workerSets", set, "replicas"},
                               std::to_string(workers));
}

/// Names the only container of a pod; if there are several, all keep their names.
void name_container(core::pod_spec& pod) {
    if (pod.containers.size() == 1 && pod.containers.front().name.empty()) pod.containers.front().name = main_container;
}

/// The default is the number of GPUs in the limits of the container; its requests do not count.
void fill_slots(boxed<mpi_config>& config, core::pod_spec const& pod) {
    if (config && config->slots) return;
    std::int64_t slots = 1;
    auto const main = std::ranges::find(pod.containers, main_container, &core::container::name);
    if (main != pod.containers.end())
        if (auto const gpus = main->resources.limits.find("nvidia.com/gpu"); gpus != main->resources.limits.end())
            slots = gpus->second.value();
    config.emplace().slots = static_cast<std::int32_t>(std::clamp<std::int64_t>(slots, INT32_MIN, INT32_MAX));
}

} // namespace

/// Upstream: chainer-operator, its last state, `pkg/apis/chainer/v1alpha1/defaults.go`.
void set_defaults(chainer_job& job) {
    auto& spec = job.spec;
    name_container(spec.master.template_.spec);
    if (spec.master.template_.spec.restart_policy.empty()) spec.master.template_.spec.restart_policy = "Never";
    if (!is_distributed(job)) return;
    if (spec.backend.empty()) spec.backend = mpi;
    for (auto& [name, set] : spec.worker_sets) {
        if (!set.replicas) set.replicas = 1;
        name_container(set.template_.spec);
    }
    if (spec.backend != mpi) return;
    fill_slots(spec.master.mpi_config, spec.master.template_.spec);
    for (auto& [name, set] : spec.worker_sets) fill_slots(set.mpi_config, set.template_.spec);
}

issues validate(chainer_job const& job) {
    issues found;
    auto const add_fault = [&](std::string_view rule, std::string path, std::string message) {
        auto& i = found.emplace_back();
        i.rule = rule;
        i.path = std::move(path);
        i.message = std::move(message);
    };
    if (is_distributed(job) && job.spec.backend != mpi)
        add_fault("chainer.backend", "spec.backend", "backend:\"" + job.spec.backend + "\" not supported");
    std::int64_t total = 0;
    bool one_too_large = false;
    for (auto const& [name, set] : job.spec.worker_sets) {
        auto const count = set.replicas.value_or(1);
        std::string const path = "spec.workerSets[" + name + "].replicas";
        total += std::max(count, 0);
        one_too_large = one_too_large || count > most_workers;
        if (count < 0)
            add_fault("chainer.replicas", path, path + ": " + std::to_string(count) + " replicas, expected 0 or more");
        if (count > most_workers)
            add_fault("kftrain.replica-limit", path,
                      path + ": " + std::to_string(count) + " replicas exceed the limit of kftrain, " +
                          std::to_string(most_workers));
    }
    if (total > most_workers && !one_too_large)
        add_fault("kftrain.replica-limit", "spec.workerSets",
                  "spec.workerSets: " + std::to_string(total) + " replicas exceed the limit of kftrain, " +
                      std::to_string(most_workers));
    return found;
}

membership chainer::lay_out(chainer_job const& job) {
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

core::pod chainer::render_pod(chainer_job const& job, member const& m) {
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

bool chainer::has_ended(batch::job_status const& status) noexcept {
    return is_true(status, "Complete") || is_true(status, "Failed");
}

rules::job_rules const& kftrain_job_rules(type_tag<chainer_job>) noexcept {
    static rules::job_rules_of<chainer_rules> const instance;
    return instance;
}

} // namespace kftrain::kubeflow_v1alpha1
