#include "kinds/pytorch_job_v1alpha1/kind.hpp"
#include "model/rules/namespace_of.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/model/codec.hpp>

#include <algorithm>

namespace kftrain::embedded {
extern std::string_view const pytorch_job_v1alpha1_schema; // schema.json
}

namespace kftrain::kubeflow_v1alpha1 {
namespace {

using namespace pytorch;

/// The rules of these PyTorchJobs, for rules::job_rules_of.
class pytorch_rules {
public:
    using object = pytorch_job;
    static constexpr std::string_view name = "kubeflow-pytorch-operator";
    static constexpr rules::status_form status = rules::status_form::whole_object; // there is no subresource

    explicit pytorch_rules(operator_options const& options)
        : options_(options.get<pytorch_operator_options>()), rows_(watched_rows()) {}

    std::span<rules::watched const> watches() const noexcept { return rows_; }
    rules::plan make_plan(rules::job_look<pytorch_job> const& look) const {
        auto const* const remembered = dynamic_cast<first_observation const*>(look.remembered.get());
        return pytorch::make_plan(look.job, gather(look.world), remembered, options_);
    }

    /// Upstream's flag names a file, and read_controller_config() reads the text of that file.
    static std::span<operator_flag const> flags() noexcept { return {}; }
    static rules::resource_form const& form() noexcept {
        static constexpr auto served = [] {
            rules::resource_form f; // the CRD names no columns, and there is no webhook
            f.has_status = false;
            return f;
        }();
        return served;
    }
    static rules::kind_facts const& facts() noexcept {
        static constexpr auto of_kind = [] {
            rules::kind_facts f;
            f.training_container = main_container;
            return f;
        }();
        return of_kind;
    }
    static resource_schema const& schema() {
        static resource_schema const compiled = resource_schema::parse(embedded::pytorch_job_v1alpha1_schema).value();
        return compiled;
    }

    static void set_defaults(pytorch_job& job) { kubeflow_v1alpha1::set_defaults(job); }
    static void validate(pytorch_job const& job, pytorch_job const*, issues& found) {
        pytorch_job complete = job;
        kubeflow_v1alpha1::set_defaults(complete);
        for (auto& i : kubeflow_v1alpha1::validate(complete)) found.push_back(std::move(i));
    }
    static void lint(pytorch_job const& written, pytorch_job const& complete, issues& found) {
        kubeflow_v1alpha1::lint(written, complete, found);
    }
    static std::span<lint_rule const> lint_rules() noexcept { return pytorch_lint_rules(); }

    /** Masters, then workers, each with its rank. Pod names have unknown suffixes. The host of a member is the prefix
        of its pod's name, which is also its service. The services of workers are numbered by index and their pods by
        rank, so the last worker has no such service. */
    static membership lay_out(pytorch_job const&);
    std::vector<any_object> render(pytorch_job const& job) const { return pytorch::render(set_up(job)); }
    core::pod render_pod(pytorch_job const& given, membership const&, member const& m) const {
        auto const job = set_up(given);
        auto const& sets = job.spec.replica_specs;
        for (auto const& r : pytorch::replicas_of(sets))
            if (pytorch::type_of(*r.set) == m.role && r.index == m.index)
                return pytorch::pod_maker(job, sets).make(*r.set, *m.rank);
        return {};
    }
    static rules::scaling scaling(pytorch_job const&) {
        rules::scaling s;
        s.refused = "the operator applies a new number of replicas only after its own restart";
        return s;
    }
    static rules::suspending suspending(pytorch_job const&) {
        rules::suspending s;
        s.refused = "jobs of this API cannot be suspended";
        return s;
    }
    static result<rules::job_write> scaled(pytorch_job const& job, std::string_view, std::int32_t) {
        return rules::cannot("spec.replicaSpecs", scaling(job).refused);
    }
    static result<rules::job_write> suspended(pytorch_job const& job, bool) {
        return rules::cannot("spec", suspending(job).refused);
    }

    /// The phase as a condition: this API has none.
    static std::vector<meta::condition> conditions(pytorch_job const& job) {
        std::vector<meta::condition> conditions;
        if (job.status.phase.empty()) return conditions;
        auto& c = conditions.emplace_back();
        c.type = to_string(phase(job));
        c.status = "True";
        c.reason = job.status.phase;
        c.message = job.status.reason;
        return conditions;
    }
    static job_phase phase(pytorch_job const& job) noexcept {
        auto const& now = job.status;
        if (now.state == failed) return job_phase::failed;
        if (now.state == succeeded) return job_phase::succeeded;
        for (auto const& set : now.replica_statuses) // the state of the job is Running from the start
            if (set.replica_type == master_type && set.state == running) return job_phase::running;
        return job_phase::created;
    }

private:
    /// Adds the parts that the operator writes into the spec when it sets a job up, unless it has set the job up.
    pytorch_job set_up(pytorch_job job) const {
        if (job.status.phase.empty()) pytorch::add_accelerators(job.spec, options_);
        return job;
    }

    pytorch_operator_options options_;
    std::vector<rules::watched> rows_;
};

membership pytorch_rules::lay_out(pytorch_job const& job) {
    membership all;
    auto const& sets = job.spec.replica_specs;
    for (auto const type : {master_type, worker_type}) {
        std::int32_t count = 0; // sets of a type share the names of their replicas
        for (auto const& set : sets)
            if (type_of(set) == type) count = std::max(count, count_of(set));
        if (count == 0) continue;
        auto& role = all.roles.emplace_back();
        role.name = type;
        role.labels = type_labels(job, type);
        role.index_label = label::task_index;
        role.first_label = rank_of(type, 0);
        for (std::int32_t i = 0; i < count; ++i) {
            auto& m = all.members.emplace_back();
            m.role = type;
            m.index = i;
            m.rank = rank_of(type, i);
            m.host = child_name(job, type, *m.rank);
        }
    }
    all.domain = namespace_of(job.metadata) + ".svc";
    all.world_size = static_cast<std::int32_t>(all.members.size());
    all.rank_env.container = main_container;
    all.rank_env.rank = "RANK";
    if (world_size(sets) == *all.world_size) all.rank_env.world_size = "WORLD_SIZE";
    all.rank_env.address = "MASTER_ADDR";
    // Each set has its own port, which can differ from that of the master.
    bool const one_port =
        std::ranges::all_of(sets, [&](auto const& set) { return port_of(set) == port_of(sets.front()); });
    if (one_port) all.rank_env.port = "MASTER_PORT";
    return all;
}

} // namespace

/// Upstream: pytorch-operator v0.3.0 `pkg/apis/pytorch/v1alpha1/defaults.go`. An existing policy stays as it is, even
/// an empty one.
void set_defaults(pytorch_job& job) {
    auto& spec = job.spec;
    if (spec.pytorch_image.empty()) spec.pytorch_image = default_image;
    if (!spec.termination_policy) {
        auto& master = spec.termination_policy.emplace().master.emplace();
        master.replica_name = master_type;
    }
    for (auto& set : spec.replica_specs) {
        if (!set.replicas) set.replicas = 1;
        if (!set.master_port) set.master_port = default_port;
        if (set.replica_type.empty())
            set.replica_type = set.pytorch_replica_type.empty() ? master_type : set.pytorch_replica_type;
    }
}

result<pytorch_operator_options> read_controller_config(std::string_view yaml) {
    return from_yaml<pytorch_operator_options>(yaml);
}

rules::job_rules const& kftrain_job_rules(type_tag<pytorch_job>) noexcept {
    static rules::job_rules_of<pytorch_rules> const instance;
    return instance;
}

} // namespace kftrain::kubeflow_v1alpha1
