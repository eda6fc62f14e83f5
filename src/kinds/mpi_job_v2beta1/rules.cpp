#include "job/contract/gang_settings.hpp"
#include "kinds/mpi_job_v2beta1/kind.hpp"
#include "kinds/mpi_job_v2beta1/lint/lint_rules.hpp"

#include <kftrain/job/job_patch.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/observed_types.hpp>
#include <kftrain/objects/scheduling/priority_class.hpp>

#include <algorithm>
#include <array>
#include <set>

namespace kftrain::embedded {
extern std::string_view const mpi_job_v2beta1_schema; // schema.json
}

namespace kftrain::kubeflow_v2beta1 {
namespace {

template <std::string mpi_operator_options::* Member>
result<void> read_text(operator_options& options, std::string_view value) {
    auto own = options.get<mpi_operator_options>();
    own.*Member = value;
    options.set(std::move(own));
    return {};
}

/// Upstream: mpi-operator v0.8.0 `cmd/mpi-operator/app/options/options.go`; the other flags do not affect the rules.
constexpr std::array<operator_flag, 2> known_flags{
    {{"gang-scheduling", &read_text<&mpi_operator_options::gang_scheduling>},
     {"cluster-domain", &read_text<&mpi_operator_options::cluster_domain>}}};

/// The rules of MPIJobs, for rules::job_rules_of.
class mpi_rules {
public:
    using object = mpi_job;
    static constexpr std::string_view name = "mpi-job-controller";

    explicit mpi_rules(operator_options const& options)
        : options_(options.get<mpi_operator_options>()), rows_(watched_rows(options_)) {}

    std::span<rules::watched const> watches() const noexcept { return rows_; }
    rules::plan make_plan(rules::job_look<mpi_job> const& look) const {
        return kubeflow_v2beta1::make_plan(look.job, gather(look.world), look.now, options_);
    }

    static std::span<operator_flag const> flags() noexcept { return known_flags; }
    static rules::resource_form const& form() noexcept {
        static constexpr rules::resource_form served; // the CRD names no columns, and there is no webhook
        return served;
    }
    static rules::kind_facts const& facts() noexcept {
        static constexpr std::array<std::string_view, 1> refusals{"ErrResourceExists"};
        static constexpr auto of_kind = [] {
            rules::kind_facts f;
            f.launcher = launcher_type;
            f.training_container = ""; // the operator prepares the first one for mpirun
            f.manager = own_manager;
            f.refusal_reasons = refusals;
            return f;
        }();
        return of_kind;
    }
    static resource_schema const& schema() {
        static resource_schema const compiled = resource_schema::parse(embedded::mpi_job_v2beta1_schema).value();
        return compiled;
    }

    static void set_defaults(mpi_job& job) { kubeflow_v2beta1::set_defaults(job); }
    static void validate(mpi_job const& job, mpi_job const*, issues& found) {
        mpi_job complete = job;
        set_defaults(complete);
        for (auto& i : kubeflow_v2beta1::validate(complete)) found.push_back(std::move(i));
    }
    void lint(mpi_job const&, mpi_job const& complete, issues& found) const {
        kubeflow_v2beta1::lint(complete, options_, found);
    }
    static std::span<lint_rule const> lint_rules() noexcept { return kubeflow_v2beta1::lint_rules(); }

    /// The launcher, then the workers by index. The names of the launcher's pods are unknown; it has a rank if it is a
    /// host. A rank is that of a host, in the order of the hostfile.
    membership lay_out(mpi_job const&) const;
    std::vector<any_object> render(mpi_job const& job) const {
        std::vector<any_object> all;
        for (auto& made : kubeflow_v2beta1::render(job, {}, options_)) all.push_back(std::move(made.object));
        return all;
    }
    core::pod render_pod(mpi_job const& job, membership const&, member const& m) const {
        if (m.role == worker_type) return render_worker(job, m.index, options_);
        auto made = render_launcher_template(job, options_);
        core::pod pod;
        pod.metadata = std::move(made.metadata);
        pod.metadata.namespace_ = job.metadata.namespace_;
        pod.metadata.generate_name = launcher_name(job) + "-";
        pod.spec = std::move(made.spec);
        return pod;
    }
    /// Workers, while the job is not finished: the launcher is not started again, and the workers of the highest
    /// indices are deleted first.
    static rules::scaling scaling(mpi_job const&);
    static result<rules::job_write> scaled(mpi_job const&, std::string_view role, std::int32_t members);
    static rules::suspending suspending(mpi_job const& job) {
        return rules::suspending_of(is_suspended(job), is_finished(job.status));
    }
    static result<rules::job_write> suspended(mpi_job const& job, bool on) {
        return rules::patch_of_suspend(suspending(job), mpi_job::resource, job.metadata, {"runPolicy", "suspend"}, on);
    }

    static std::optional<rules::gang_settings> gang(mpi_job const& job) {
        return rules::gang_settings_of(job.spec.run_policy.scheduling_policy);
    }
    static std::vector<meta::condition> conditions(mpi_job const& job) { return as_conditions(job.status.conditions); }
    static job_phase phase(mpi_job const& job) noexcept { return phase_of(job); }

private:
    mpi_operator_options options_;
    std::vector<rules::watched> rows_;
};

membership mpi_rules::lay_out(mpi_job const& job) const {
    membership all;
    std::int32_t hosts = 0;
    auto const add = [&](std::string_view type, std::int32_t index, std::string pod, std::string host, bool works) {
        auto& m = all.members.emplace_back();
        m.role = type;
        m.index = index;
        m.pod_name = std::move(pod);
        if (host != m.pod_name) m.host = std::move(host);
        if (works) m.rank = hosts++;
    };
    auto& launcher = all.roles.emplace_back();
    launcher.name = launcher_type;
    launcher.labels = role_labels(job, launcher_role);
    add(launcher_type, 0, {}, launcher_name(job), launcher_works(job));
    if (worker_count(job) > 0) {
        auto& workers = all.roles.emplace_back();
        workers.name = worker_type;
        workers.labels = role_labels(job, worker_role);
        workers.index_label = label::replica_index;
        workers.first_label = first_index_label(job, options_);
    }
    for (std::int32_t i = 0; i < worker_count(job); ++i)
        add(worker_type, i, worker_name(job, i), worker_name(job, i), true);
    std::string const address = address_of(job, {}, options_);
    all.domain = address.substr(1); // behind the host's name
    if (hosts == 0) {
        all.rank_note = "the hostfile lists no host, so the launcher starts its processes in its own pod";
        return all;
    }
    all.world_size = hosts;
    if (slots_of(job) >= 1) all.processes_per_member = slots_of(job);
    all.rank_note = "mpirun assigns ranks when it starts, host by host in the order of the hostfile unless its options "
                    "set another order";
    return all;
}

rules::scaling mpi_rules::scaling(mpi_job const& job) {
    rules::scaling s;
    if (is_finished(job.status)) {
        s.refused = "the job is finished";
    } else if (spec_of(job, worker_type) == nullptr) {
        s.refused = "the job has no workers";
    } else {
        auto& p = s.places.emplace_back();
        p.role = worker_type;
        p.path = path_of(worker_type) + ".replicas";
        p.now = worker_count(job);
        p.least = 1; // without workers, the operator ignores a running job and rejects a stored one
        p.most = most_workers;
        p.effect = "The launcher keeps running and sees the change in discover_hosts.sh. Elastic programs use the new "
                   "hosts, which get new ranks. Other programs do not notice the change, or fail if a host is removed.";
    }
    return s;
}

result<rules::job_write> mpi_rules::scaled(mpi_job const& job, std::string_view type, std::int32_t workers) {
    std::string const path = path_of(type) + ".replicas";
    auto const place = rules::checked_place(scaling(job), type, workers, path);
    if (!place) return place.error();
    mpi_job next = job;
    next.spec.mpi_replica_specs[std::string(type)].replicas = workers;
    issues found;
    validate(next, nullptr, found);
    if (has_errors(found)) return rules::cannot(path, join_errors(found, "; "));
    return rules::patch_of_job(mpi_job::resource, job.metadata, {"mpiReplicaSpecs", type, "replicas"},
                               std::to_string(workers));
}

constexpr std::string_view launcher_row = "launcher";
constexpr std::string_view launcher_pods_row = "launcher pods";
constexpr std::string_view workers_row = "workers";
constexpr std::string_view service_row = "service";
constexpr std::string_view config_map_row = "config map";
constexpr std::string_view secret_row = "secret";
constexpr std::string_view pod_group_row = "pod group";
constexpr std::string_view priorities_row = "priority classes";

using names = std::vector<rules::object_name>;

names workers_of(mpi_job const& job) {
    names all;
    // The job may be stored and invalid: there is no webhook.
    for (std::int32_t i = 0; i < std::min(worker_count(job), most_workers); ++i)
        all.emplace_back("", worker_name(job, i));
    return all;
}

names priorities_of(mpi_job const& job) {
    names all;
    for (auto const& [type, spec] : job.spec.mpi_replica_specs)
        if (auto const& name = spec.template_.spec.priority_class_name; !name.empty()) all.emplace_back("", name);
    return all;
}

template <resource K> std::shared_ptr<K const> first(rules::world const& world, std::string_view row) {
    for (auto const& object : world.all(row))
        if (auto found = object.share<K>()) return found;
    return nullptr;
}

} // namespace

/// Upstream: mpi-operator v0.8.0 `pkg/apis/kubeflow/v2beta1/default.go`. Entries that are missing stay so.
void set_defaults(mpi_job& job) {
    auto& spec = job.spec;
    auto const fill = [](std::string& field, std::string_view value) {
        if (field.empty()) field = value;
    };
    if (!spec.run_policy.clean_pod_policy) spec.run_policy.clean_pod_policy = "None";
    if (!spec.slots_per_worker) spec.slots_per_worker = 1;
    fill(spec.ssh_auth_mount_path, root_ssh_path);
    fill(spec.mpi_implementation, open_mpi);
    fill(spec.launcher_creation_policy, at_startup);
    auto const fill_replicas = [&](std::string_view type, std::string_view restart_policy, std::int32_t count) {
        auto const entry = spec.mpi_replica_specs.find(type);
        if (entry == spec.mpi_replica_specs.end()) return;
        fill(entry->second.restart_policy, restart_policy);
        if (!entry->second.replicas) entry->second.replicas = count;
    };
    fill_replicas(launcher_type, "OnFailure", 1);
    fill_replicas(worker_type, "Never", 0);
}

/// Objects with the names that a job needs, of any owner: those of other owners are conflicts.
std::vector<rules::watched> watched_rows(mpi_operator_options const& options) {
    using rules::named_by;
    std::vector<rules::watched> rows;
    auto const& pods = observed_pod_type();
    rows.emplace_back(launcher_row, object_type_of<batch::job>, named_by<mpi_job, &launcher_name>());
    rows.emplace_back(launcher_pods_row, pods, rules::by_controller_of(launcher_row));
    rows.emplace_back(workers_row, pods, rules::by_labels(label::job_name));
    rows.emplace_back(workers_row, pods, named_by<mpi_job, &workers_of>());
    rows.emplace_back(service_row, object_type_of<core::service>, rules::by_name_of_primary());
    rows.emplace_back(config_map_row, object_type_of<core::config_map>, named_by<mpi_job, &config_map_name>());
    rows.emplace_back(secret_row, observed_secret_type(), named_by<mpi_job, &secret_name>());
    if (!has_gang(options)) return rows;
    rows.emplace_back(pod_group_row, pod_group_type(options), rules::by_name_of_primary());
    rows.emplace_back(priorities_row, object_type_of<scheduling::priority_class>, named_by<mpi_job, &priorities_of>(),
                      rules::reach::cluster);
    return rows;
}

mpi_world gather(rules::world const& related) {
    mpi_world world;
    world.launcher = first<batch::job>(related, launcher_row);
    world.service = first<core::service>(related, service_row);
    world.config_map = first<core::config_map>(related, config_map_row);
    world.secret = first<core::secret>(related, secret_row);
    if (auto const groups = related.all(pod_group_row); !groups.empty()) world.pod_group = groups.front();
    for (auto const& object : related.all(launcher_pods_row))
        if (auto pod = object.share<core::pod>()) world.launcher_pods.push_back(std::move(pod));
    std::set<std::string_view> known; // workers are there by their labels and by their names
    for (auto const& object : related.all(workers_row))
        if (auto pod = object.share<core::pod>(); pod && known.insert(pod->metadata.name).second)
            world.workers.push_back(std::move(pod));
    for (auto const& c : related.of<scheduling::priority_class>(priorities_row))
        world.priorities.emplace(c.metadata.name, c.value);
    return world;
}

rules::job_rules const& kftrain_job_rules(type_tag<mpi_job>) noexcept {
    static rules::job_rules_of<mpi_rules> const instance;
    return instance;
}

} // namespace kftrain::kubeflow_v2beta1
