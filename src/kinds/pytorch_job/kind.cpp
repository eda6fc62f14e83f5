#include "kinds/pytorch_job/kind.hpp"

#include "base/joined.hpp"
#include "base/whole_number.hpp"
#include "job/contract/child_metadata.hpp"
#include "job/contract/field_error.hpp"
#include "job/v1/built_job.hpp"
#include "job/v1/replica_outcome.hpp"
#include "job/v1/replica_render.hpp"
#include "job/v1/replica_rules.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/training_job.hpp>
#include <kftrain/kinds/pytorch_job_builder.hpp>
#include <kftrain/objects/autoscaling/horizontal_pod_autoscaler.hpp>

#include <array>
#include <limits>

namespace kftrain::embedded {
extern std::string_view const pytorch_job_schema; // schema.json
}

namespace kftrain::kubeflow_v1::pytorch {

std::optional<std::int64_t> process_count(std::string_view text) noexcept {
    if (text.starts_with('+')) {
        text.remove_prefix(1);
        if (text.starts_with('-')) return std::nullopt;
    }
    return read_whole_number<std::int64_t>(text);
}

std::optional<std::int64_t> stated_processes(pytorch_job const& job) noexcept {
    return job.spec.nproc_per_node ? process_count(*job.spec.nproc_per_node) : std::nullopt;
}

} // namespace kftrain::kubeflow_v1::pytorch

namespace kftrain::kubeflow_v1 {
namespace {

result<void> read_image(operator_options& options, std::string_view value) {
    auto own = options.get<pytorch_operator_options>();
    own.init_container_image = value;
    options.set(std::move(own));
    return {};
}

result<void> read_tries(operator_options& options, std::string_view value) {
    auto const tries = read_flag_number(value);
    if (!tries) return tries.error();
    auto own = options.get<pytorch_operator_options>();
    own.init_container_max_tries = *tries;
    options.set(std::move(own));
    return {};
}

constexpr std::array<operator_flag, 2> own_flags{
    {{"pytorch-init-container-image", &read_image}, {"pytorch-init-container-max-tries", &read_tries}}};

bool is_scaled(pytorch_job const& job) { return job.spec.elastic_policy && job.spec.elastic_policy->metrics; }

/** The autoscaler of the workers. Upstream: training-operator v1.9.0 `pkg/controller.v1/pytorch/hpa.go`. It stays after
    the end of the job, and if its metrics are removed. Unlike upstream, an autoscaler that the job does not control is
    left alone. */
autoscaling::horizontal_pod_autoscaler autoscaler_of(pytorch_job const& job, replica_job const& view) {
    auto const& elastic = *job.spec.elastic_policy;
    autoscaling::horizontal_pod_autoscaler hpa;
    hpa.metadata = child_metadata(view, job.metadata.name);
    hpa.spec.scale_target_ref.kind = pytorch_job::resource.kind;
    hpa.spec.scale_target_ref.name = job.metadata.name;
    hpa.spec.scale_target_ref.api_version = pytorch_job::resource.api_version();
    hpa.spec.min_replicas = elastic.min_replicas;
    hpa.spec.max_replicas = elastic.max_replicas.value_or(0);
    hpa.spec.metrics = *elastic.metrics;
    return hpa;
}

} // namespace

std::string_view pytorch_kind::schema() noexcept { return embedded::pytorch_job_schema; }

std::span<operator_flag const> pytorch_kind::flags() noexcept { return own_flags; }

/// Upstream: training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/pytorch_defaults.go`.
void pytorch_kind::set_defaults(pytorch_job& job) {
    auto& spec = job.spec;
    set_replica_defaults(spec.run_policy, spec.pytorch_replica_specs, pytorch_kind::constants);
    if (auto& elastic = spec.elastic_policy)
        set_elastic_bounds(elastic->min_replicas, elastic->max_replicas, spec.pytorch_replica_specs);
    bool const stated_in_policy = spec.elastic_policy && spec.elastic_policy->n_proc_per_node;
    if (!spec.nproc_per_node && !stated_in_policy) spec.nproc_per_node = "auto";
}

/// Upstream: training-operator v1.9.0 `pkg/webhooks/pytorch/pytorchjob_webhook.go`, `validateSpec`.
void pytorch_kind::validate_spec(issues& found) const {
    auto const& elastic = job_.spec.elastic_policy;
    if (!elastic) return;
    if (spec_of(pytorch::worker) == nullptr)
        found.push_back(required("pytorch.elastic.worker", path_of(pytorch::worker),
                                 "must be configured if elastic policy is used"));
    if (!elastic->n_proc_per_node) return;
    constexpr std::string_view path = "spec.elasticPolicy.nProcPerNode";
    issue deprecated;
    deprecated.level = issue::severity::warning;
    deprecated.rule = "pytorch.elastic.nproc.deprecated";
    deprecated.path = path;
    deprecated.message = std::string(path) + " is deprecated, use spec.nprocPerNode instead";
    found.push_back(std::move(deprecated));
    if (job_.spec.nproc_per_node)
        found.push_back(
            forbidden("pytorch.elastic.nproc.twice", std::string(path), "must not be used with spec.nprocPerNode"));
}

void pytorch_kind::validate_replica(std::string_view type, replica_spec const& spec, issues& found) const {
    // Looks at the job before defaults: an absent count is refused for the master although the default would be right.
    if (type == pytorch::master && spec.replicas.value_or(0) != 1)
        found.push_back(forbidden("pytorch.master.replicas", path_of(type) + ".replicas", "must be 1"));
    if (type != pytorch::master && spec.replicas && *spec.replicas < 1)
        found.push_back(forbidden("pytorch.worker.replicas", path_of(type) + ".replicas", "must be at least 1"));
}

pytorch_kind::pytorch_kind(pytorch_job const& job, pytorch_operator_options const& given)
    : replica_job(job, job.spec.pytorch_replica_specs, constants), job_(job), options_(given) {}

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/pytorch/envvar.go`. Without a master, torchrun assigns ranks
/// if it has an endpoint.
void pytorch_kind::assign_ranks(membership& layout) const {
    // Pods receive other numbers, but cannot start so many processes.
    auto const stated = pytorch::stated_processes(job_);
    if (stated && *stated >= 1 && *stated <= std::numeric_limits<std::int32_t>::max())
        layout.processes_per_member = stated;
    if (spec_of(pytorch::master) == nullptr) {
        layout.rank_note = job_.spec.elastic_policy
                               ? "torchrun assigns ranks at the rendezvous, because the job has no Master"
                               : "the operator sets no ranks and no address, because the job has neither a Master nor "
                                 "elasticPolicy";
        return;
    }
    for (auto& r : layout.members) r.rank = r.role == pytorch::master ? r.index : r.index + 1;
    layout.world_size = static_cast<std::int32_t>(layout.members.size());
    layout.rank_env.rank = "RANK";
    if (stated == layout.processes_per_member) layout.rank_env.world_size = "WORLD_SIZE";
    layout.rank_env.address = "MASTER_ADDR";
    layout.rank_env.port = "MASTER_PORT";
}

bool pytorch_kind::is_master(member const& r) const {
    return spec_of(pytorch::master) != nullptr ? r.role == pytorch::master : r.role == pytorch::worker && r.index == 0;
}

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/pytorch/{envvar,master}.go`, in upstream's order.
std::vector<core::env_var> pytorch_kind::environment(membership const&, member const& r, core::container const&) const {
    std::vector<core::env_var> env;
    env.emplace_back("PYTHONUNBUFFERED", "1");
    std::int64_t const replicas = total_replicas();
    if (spec_of(pytorch::master) != nullptr) {
        auto const port = std::to_string(port_of(pytorch::master).value_or(pytorch_kind::constants.port));
        auto const address = replica_name(metadata.name, pytorch::master, 0);
        env.emplace_back("MASTER_PORT", port);
        env.emplace_back("PET_MASTER_PORT", port);
        env.emplace_back("MASTER_ADDR", address);
        env.emplace_back("PET_MASTER_ADDR", address);
        // Go wraps around where a number is too large; signed arithmetic of C++ may not.
        auto const processes = static_cast<std::uint64_t>(replicas) *
                               static_cast<std::uint64_t>(pytorch::stated_processes(job_).value_or(1));
        env.emplace_back("WORLD_SIZE", std::to_string(static_cast<std::int64_t>(processes)));
        auto const rank = std::to_string(r.rank.value());
        env.emplace_back("RANK", rank);
        env.emplace_back("PET_NODE_RANK", rank);
    }
    if (job_.spec.nproc_per_node) env.emplace_back("PET_NPROC_PER_NODE", *job_.spec.nproc_per_node);
    if (job_.spec.elastic_policy)
        add_elastic_environment(env);
    else
        env.emplace_back("PET_NNODES", std::to_string(replicas));
    return env;
}

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/pytorch/elastic.go`, in upstream's order.
void pytorch_kind::add_elastic_environment(std::vector<core::env_var>& env) const {
    auto const& elastic = *job_.spec.elastic_policy;
    auto const number = [](std::int32_t n) { return std::to_string(n); };
    auto const host = elastic.rdzv_host.value_or(replica_name(metadata.name, pytorch::worker, 0));
    auto const port = elastic.rdzv_port ? elastic.rdzv_port : port_of(pytorch::worker);
    env.emplace_back("PET_RDZV_ENDPOINT", host + ":" + number(port.value_or(pytorch_kind::constants.port)));
    env.emplace_back("PET_RDZV_BACKEND", elastic.rdzv_backend.value_or("c10d"));
    env.emplace_back("PET_NNODES",
                     number(elastic.min_replicas.value_or(0)) + ":" + number(elastic.max_replicas.value_or(0)));
    if (elastic.max_restarts) env.emplace_back("PET_MAX_RESTARTS", number(*elastic.max_restarts));
    if (elastic.n_proc_per_node) env.emplace_back("PET_NPROC_PER_NODE", number(*elastic.n_proc_per_node));
    if (elastic.rdzv_id) env.emplace_back("PET_RDZV_ID", *elastic.rdzv_id);
    if (!elastic.rdzv_conf.empty())
        env.emplace_back("PET_RDZV_CONF",
                         joined(elastic.rdzv_conf, ",", [](auto const& c) { return c.key + "=" + c.value; }));
    if (elastic.standalone.value_or(false)) env.emplace_back("PET_STANDALONE", "");
}

std::vector<core::container> pytorch_kind::init_containers(member const& r) const {
    if (r.role != pytorch::worker || spec_of(pytorch::master) == nullptr) return {};
    if (!init_containers_)
        init_containers_ = pytorch::init_containers(options_, replica_name(metadata.name, pytorch::master, 0));
    return *init_containers_;
}

std::optional<rules::scale_place> pytorch_kind::elastic_place() const {
    auto const& elastic = job_.spec.elastic_policy;
    if (!elastic) return std::nullopt;
    rules::scale_place place;
    place.least = elastic->min_replicas;
    place.most = elastic->max_replicas;
    place.effect = "torchrun starts a new rendezvous. All workers continue from their last checkpoint with new ranks.";
    return place;
}

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/pytorch/pytorchjob_controller.go`, `UpdateJobStatus`.
void pytorch_kind::judge(status_editor& e) const {
    bool const has_master = spec_of(pytorch::master) != nullptr;
    for (auto type : types()) {
        auto const& spec = *spec_of(type);
        note_selector(e.status(), type);
        replica_status const counts = e.status().replica_statuses[std::string(type)];
        bool const done = spec.replicas.value_or(1) == counts.succeeded;

        if (has_master && type == pytorch::master) {
            if (judge_leader(e, counts, done)) return;
        } else if (!has_master && type == pytorch::worker) {
            // In an elastic job, any worker that succeeds has done the work of all.
            judge_whole(e, counts, done || (job_.spec.elastic_policy && counts.succeeded > 0));
        }
        judge_failures(e, type, spec, counts);
    }
}

void pytorch_kind::add_own_rows(std::vector<rules::watched>& rows) {
    add_rows(rows, object_type_of<autoscaling::horizontal_pod_autoscaler>);
}

std::vector<any_object> pytorch_kind::own_children() const {
    if (!is_scaled(job_)) return {};
    return {autoscaler_of(job_, *this)};
}

void pytorch_kind::reconcile_own(observed const& world, rules::plan_writer& todo) const {
    if (!is_scaled(job_)) return;
    bool const suspended = policy.suspend.value_or(false);
    auto wanted = autoscaler_of(job_, *this);
    auto const* found = world.find<autoscaling::horizontal_pod_autoscaler>(metadata.name);
    if (found == nullptr) {
        if (!suspended) todo.create(rules::create(std::move(wanted)));
    } else if (!is_controlled_by(found->metadata, *this)) {
        if (!suspended)
            todo.emit(name_is_taken(*this, autoscaling::horizontal_pod_autoscaler::resource.kind,
                                    ", and this job is not scaled by its metrics"));
    } else if (suspended) {
        if (!found->metadata.deletion_timestamp)
            todo.remove(
                rules::remove(rules::target(autoscaling::horizontal_pod_autoscaler::resource, found->metadata)));
    } else if (!(found->spec == wanted.spec)) {
        wanted.metadata.resource_version = found->metadata.resource_version;
        todo.add(rules::replace(std::move(wanted)));
    }
}

rules::job_rules const& kftrain_job_rules(type_tag<pytorch_job>) noexcept {
    static replica_rules_of<pytorch_kind> const instance;
    return instance;
}

std::string_view detail::to_wire(processes which) noexcept {
    switch (which) {
    case processes::automatic: return "auto";
    case processes::cpu: return "cpu";
    case processes::gpu: return "gpu";
    }
    return "";
}

result<pytorch_job> pytorch_job_choices::build(job_choices const& chosen, pod_choices const& pod) const {
    pytorch_job made;
    made.spec.nproc_per_node = nproc_per_node;
    made.spec.elastic_policy = elastic;
    kftrain::detail::add_replicas<pytorch_kind>(made.spec.pytorch_replica_specs, pytorch::master, pod, master);
    kftrain::detail::add_replicas<pytorch_kind>(made.spec.pytorch_replica_specs, pytorch::worker, pod, workers);
    return kftrain::detail::checked<pytorch_kind>(std::move(made), chosen, *this);
}

} // namespace kftrain::kubeflow_v1
