#include "base/ascii.hpp"
#include "base/joined.hpp"
#include "job/contract/field_error.hpp"
#include "job/v1/built_job.hpp"
#include "job/v1/labels.hpp"
#include "job/v1/replica_job.hpp"
#include "job/v1/replica_outcome.hpp"
#include "job/v1/replica_plan.hpp"
#include "job/v1/replica_rules.hpp"
#include "model/json/go_text.hpp"
#include "model/rules/name_syntax.hpp"

#include <kftrain/kinds/mx_job.hpp>
#include <kftrain/kinds/mx_job_builder.hpp>

#include <algorithm>
#include <array>
#include <map>

namespace kftrain::embedded {
extern std::string_view const mx_job_schema; // schema.json
}

namespace kftrain::kubeflow_v1 {
namespace {

namespace mxnet {

constexpr std::string_view scheduler = "Scheduler";
constexpr std::string_view server = "Server";
constexpr std::string_view worker = "Worker";
constexpr std::string_view tuner_tracker = "TunerTracker";
constexpr std::string_view tuner_server = "TunerServer";
constexpr std::string_view tuner = "Tuner";
constexpr std::array<std::string_view, 6> types{scheduler, server, worker, tuner_tracker, tuner_server, tuner};
/// Keys of these are put right when their case is wrong.
constexpr std::array<std::string_view, 3> spelled_types{scheduler, server, worker};

} // namespace mxnet

/// Whether upstream reports such a fault.
bool is_upstream(issue const& i) {
    return i.level == issue::severity::error && !i.rule.starts_with("kftrain.") && i.rule != "job.namespace";
}

/// The first fault with the message of upstream; faults that only kftrain finds have its own messages.
std::string first_fault(std::string const& name, issues const& found) {
    auto const of_name = joined(dns_1035_label_faults(name), " ");
    if (!of_name.empty()) return "MXJob name is invalid: [" + of_name + "]";
    return std::ranges::any_of(found, is_upstream) ? "MXJobSpec is not valid" : join_errors(found, ", ");
}

/// The annotation of a template that contains the key of the tuners' server.
constexpr std::string_view tuner_server_key = "tuner-server-key";

/// `{"a":<value of a>,"b":<value of b>}`
template <class Types, class Value> std::string object_of(Types const& types, Value value) {
    return "{" + joined(types, ",", [&](auto const& t) { return go_text::json(t.first) + ":" + value(t.second); }) +
           "}";
}

using enum issue::severity;

constexpr lint_rule never_ends{"lint.mxnet.never-ends", warning,
                               "The job ends with its Scheduler, or, if it has one Worker and neither Scheduler nor "
                               "Server, with the first of its types. Any other job runs forever."};
constexpr lint_rule schedulers{
    "lint.mxnet.schedulers", warning,
    "All replicas receive the address of the first Scheduler. A further Scheduler waits for nodes that never come."};
constexpr lint_rule exit_code{"lint.mxnet.exit-code", warning,
                              "With ExitCode, a replica that ends with a code below 128 is not created again and does "
                              "not fail the job. The job continues without it."};
constexpr lint_rule replica_type{
    "lint.mxnet.replica-type", warning,
    "Replicas of other types get pods and are listed in MX_CONFIG, but neither MXNet nor the tuner uses them."};
constexpr lint_rule job_mode{"lint.mxnet.job-mode", info,
                             "The operator ignores the mode (MXTrain, MXTune). The replica types decide."};

constexpr std::array all{never_ends, schedulers, exit_code, replica_type, job_mode};

/// MXJobs as a kind of the family: see replica_rules_of.
class mx_kind final : public replica_job {
public:
    using object = mx_job;
    using options = no_operator_options;
    static constexpr replica_constants constants = {.controller = "mxjob-controller",
                                                    .container = "mxnet",
                                                    .port_name = "mxjob-port",
                                                    .port = 9091,
                                                    .default_restart_policy = "Never",
                                                    .specs_field = "mxReplicaSpecs",
                                                    .types = mxnet::types,
                                                    .manager = manager_rule::ignored,
                                                    .any_type = true,
                                                    .ends_by_any_pod = true,
                                                    .release = operator_release::v1_7_0,
                                                    .max_replicas = 10'000};

    mx_kind(mx_job const& job, no_operator_options const&)
        : replica_job(job, job.spec.mx_replica_specs, constants), job_(job) {}

    /// Upstream: training-operator v1.7.0 `pkg/apis/kubeflow.org/v1/mxnet_defaults.go`.
    static void set_defaults(mx_job& job) {
        set_replica_defaults(job.spec.run_policy, job.spec.mx_replica_specs, constants, mxnet::spelled_types);
    }

    static std::string_view schema() noexcept { return embedded::mx_job_schema; }

    static std::span<lint_rule const> lint_rules() noexcept { return all; }

    /// Upstream: training-operator v1.7.0 `pkg/apis/kubeflow.org/v1/mxnet_validation.go`, and `mxjob_controller.go` for
    /// the reason, which has the name of another kind.
    rules::plan plan_of_invalid(issues const& found) const override {
        return invalid_plan("MPIJobFailedValidation", resource.kind, first_fault(metadata.name, found));
    }

    void lint(issues& found) const override {
        auto const count = count_of(mxnet::scheduler);
        if (!specs.empty() && count == 0 && !is_single_worker())
            report(found, never_ends, "spec.mxReplicaSpecs", "the job has no Scheduler, expected one");
        if (count > 1)
            report(found, schedulers, path_of(mxnet::scheduler) + ".replicas", std::to_string(count) + ", expected 1");
        for (auto type : types()) {
            if (std::ranges::find(mxnet::types, type) == mxnet::types.end())
                report(found, replica_type, path_of(type),
                       in_quotes(type) + ", expected one of " + joined(mxnet::types, ", "));
            if (spec_of(type)->restart_policy == "ExitCode")
                report(found, exit_code, path_of(type) + ".restartPolicy",
                       "\"ExitCode\" ignores exit codes below 128, expected Never if they must fail the job");
        }
        auto const& mode = job_.spec.job_mode;
        if (mode != "MXTrain" && mode != "MXTune")
            report(found, job_mode, "spec.jobMode", in_quotes(mode) + ", expected MXTrain or MXTune");
    }

    std::int64_t names_in_environments() const noexcept override { return most_containers() * members() * members(); }
    std::int64_t characters_around_name() const noexcept override {
        return static_cast<std::int64_t>(std::string_view(R"({"url":"","port":1},)").size());
    }
    void assign_ranks(membership& layout) const override {
        if (count_of(mxnet::worker) == 0) {
            layout.rank_note = "only workers have ranks, and the job has no workers";
            return;
        }
        for (auto& r : layout.members)
            if (r.role == mxnet::worker) r.rank = r.index;
        layout.processes_per_member = 1;
        layout.world_size = count_of(mxnet::worker);
        layout.rank_env.rank = "DMLC_WORKER_ID";
        layout.rank_env.world_size = "DMLC_NUM_WORKER";
        if (count_of(mxnet::scheduler) > 0) {
            layout.rank_env.address = "DMLC_PS_ROOT_URI";
            layout.rank_env.port = "DMLC_PS_ROOT_PORT";
        }
        layout.rank_note = "the ranks are the values of DMLC_WORKER_ID, which BytePS uses; MXNet assigns its own ranks "
                           "when the workers connect";
    }

    bool is_master(member const& r) const override { return r.role == mxnet::server; }
    /// In upstream's order.
    std::vector<core::env_var> environment(membership const&, member const& r, core::container const&) const override {
        if (cluster_.empty()) cluster_ = cluster();
        auto const role = to_lower(r.role);
        auto const index = std::to_string(r.index);
        bool const has_root = count_of(mxnet::scheduler) > 0;
        auto const root_port = has_root ? port_of(mxnet::scheduler).value_or(constants.port) : 0;
        std::vector<core::env_var> env;
        env.emplace_back("MX_CONFIG",
                         cluster_ + ",\"task\":{\"type\":" + go_text::json(role) + ",\"index\":" + index + "}}");
        env.emplace_back("DMLC_PS_ROOT_PORT", std::to_string(root_port));
        env.emplace_back("DMLC_PS_ROOT_URI",
                         has_root ? replica_name(metadata.name, mxnet::scheduler, 0) : std::string());
        env.emplace_back("DMLC_NUM_SERVER", std::to_string(count_of(mxnet::server)));
        env.emplace_back("DMLC_NUM_WORKER", std::to_string(count_of(mxnet::worker)));
        env.emplace_back("DMLC_ROLE", role);
        env.emplace_back("DMLC_USE_KUBERNETES", "1");
        if (r.role == mxnet::worker) env.emplace_back("DMLC_WORKER_ID", index);
        return env;
    }

    /** Upstream: training-operator v1.7.0 `pkg/controller.v1/mxnet/mxjob_controller.go`, `UpdateJobStatus`, where
        the order of the types is random. Here the scheduler comes first while a replica is being restarted, so that
        the job has the condition Restarting. Otherwise it comes last: a job that runs on after the failure of a
        replica has Running. */
    void judge(status_editor& e) const override {
        bool const single = is_single_worker();
        auto order = types();
        auto const scheduler = std::ranges::find(order, mxnet::scheduler);
        if (scheduler != order.end() && !is_true(e.status(), "Restarting"))
            std::rotate(scheduler, scheduler + 1, order.end());
        for (auto type : order) {
            auto const& spec = *spec_of(type);
            replica_status const counts = e.status().replica_statuses[std::string(type)];
            bool const done = spec.replicas.value_or(1) == counts.succeeded;
            if ((type == mxnet::scheduler || single) && judge_leader(e, counts, done)) return;
            judge_any_failure(e, "mxjob " + e.job_name(), type, spec, counts);
        }
    }

    /// Whether the job has one worker, and neither scheduler nor server, so that the worker alone decides.
    bool is_single_worker() const noexcept {
        return count_of(mxnet::worker) == 1 && count_of(mxnet::scheduler) == 0 && count_of(mxnet::server) == 0;
    }

private:
    std::int32_t count_of(std::string_view type) const noexcept {
        auto const* const spec = spec_of(type);
        return spec == nullptr ? 0 : std::max(spec->replicas.value_or(1), 0);
    }

    std::string cluster() const {
        std::map<std::string, std::string_view> sorted; // by their names within the text
        for (auto type : types()) sorted.emplace(to_lower(type), type);
        auto const addresses = object_of(sorted, [&](std::string_view type) {
            auto const port = ",\"port\":" + std::to_string(port_of(type).value_or(constants.port)) + "}";
            std::string list;
            for (std::int32_t i = 0; i < count_of(type); ++i)
                list.append(i == 0 ? "" : ",")
                    .append("{\"url\":")
                    .append(go_text::json(replica_name(metadata.name, type, i)))
                    .append(port);
            return "[" + list + "]";
        });
        auto const keys = object_of(sorted, [&](std::string_view type) {
            auto const& annotations = spec_of(type)->template_.metadata.annotations;
            auto const key = annotations.find(std::string(tuner_server_key));
            return go_text::json(key == annotations.end() ? std::string_view() : std::string_view(key->second));
        });
        return "{\"cluster\":" + addresses + ",\"labels\":" + keys;
    }

    mx_job const& job_;
    /// The cluster in `MX_CONFIG`, the same for all members. It is long in a large job, so it is made only once.
    mutable std::string cluster_;
};

} // namespace

rules::job_rules const& kftrain_job_rules(type_tag<mx_job>) noexcept {
    static replica_rules_of<mx_kind> const instance;
    return instance;
}

result<mx_job> mx_job_choices::build(job_choices const& chosen, pod_choices const& pod) const {
    mx_job made;
    made.spec.job_mode = "MXTrain";
    for (auto const& [type, chosen_replicas] : replicas) {
        kftrain::detail::add_replicas<mx_kind>(made.spec.mx_replica_specs, type, pod, chosen_replicas);
        if (type == mxnet::tuner_tracker || type == mxnet::tuner_server || type == mxnet::tuner)
            made.spec.job_mode = "MXTune";
    }
    return kftrain::detail::checked<mx_kind>(std::move(made), chosen, *this);
}

} // namespace kftrain::kubeflow_v1
