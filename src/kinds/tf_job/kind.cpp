#include "base/ascii.hpp"
#include "job/contract/field_error.hpp"
#include "job/v1/built_job.hpp"
#include "job/v1/labels.hpp"
#include "job/v1/lint/lint_rules.hpp"
#include "job/v1/replica_job.hpp"
#include "job/v1/replica_outcome.hpp"
#include "job/v1/replica_rules.hpp"
#include "model/json/json_text.hpp"

#include <kftrain/job/lint.hpp>
#include <kftrain/kinds/tf_job.hpp>
#include <kftrain/kinds/tf_job_builder.hpp>

#include <algorithm>
#include <array>
#include <map>

namespace kftrain::embedded {
extern std::string_view const tf_job_schema; // schema.json
}

namespace kftrain::kubeflow_v1 {
namespace {

namespace tf {

constexpr std::string_view container = "tensorflow";
constexpr std::string_view chief = "Chief";
constexpr std::string_view evaluator = "Evaluator";
constexpr std::string_view master = "Master";
constexpr std::string_view parameter_server = "PS";
constexpr std::string_view worker = "Worker";
constexpr std::array<std::string_view, 5> types{chief, evaluator, master, parameter_server, worker};

/// The value of `successPolicy` that is not the default.
constexpr std::string_view all_workers = "AllWorkers";

/** The tasks of a job.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/tensorflow/tensorflow.go`, `genClusterSpec` */
struct cluster {
    cluster() = default;

    /// By task type, which is the replica type in lower case, and by index.
    std::map<std::string, std::vector<std::string>, std::less<>> addresses;
    std::string text; ///< the same as JSON
};

} // namespace tf

// Upstream: training-operator v1.9.0 `pkg/controller.v1/tensorflow/tensorflow.go`. The texts are those of Go's
// encoder: compact, the keys of maps sorted.

using kftrain::detail::raw_writer;

void write_addresses(raw_writer& out, std::vector<std::string> const& addresses) {
    out.begin('[');
    for (auto const& address : addresses) out.string(address);
    out.end(']');
}

void write_task(raw_writer& out, member const& r) {
    out.key("task");
    out.begin('{');
    out.key("type");
    out.string(to_lower(r.role));
    out.key("index");
    out.token(std::to_string(r.index));
    out.end('}');
}

std::vector<std::string> const* addresses_of(tf::cluster const& all, std::string_view type) {
    auto const found = all.addresses.find(to_lower(type));
    return found == all.addresses.end() ? nullptr : &found->second;
}

tf::cluster cluster_of(replica_job const& job, membership const& layout, tf_operator_options const& options) {
    std::string const domain =
        "." + layout.domain + (options.cluster_domain.empty() ? std::string() : "." + options.cluster_domain);
    tf::cluster all;
    for (auto type : job.types()) {
        auto& addresses = all.addresses[to_lower(type)];
        std::string const port = ":" + std::to_string(job.port_of(type).value_or(job.constants.port));
        for (auto const& m : layout.of_role(type)) addresses.push_back(m.pod_name + domain + port);
    }
    raw_writer out(all.text);
    out.begin('{');
    for (auto const& [type, addresses] : all.addresses) {
        out.key(type);
        write_addresses(out, addresses);
    }
    out.end('}');
    return all;
}

/// `TF_CONFIG` of a task, with the addresses of all tasks.
std::string dense_config(tf::cluster const& all, member const& r) {
    std::string text;
    raw_writer out(text);
    out.begin('{');
    out.key("cluster");
    out.token(all.text);
    write_task(out, r);
    out.key("environment");
    out.string("cloud");
    out.end('}');
    return text;
}

/** `TF_CONFIG` of a job with dynamic workers: a worker gets its own address and those of the parameter servers, a
    parameter server its own, tasks of other types none. */
std::string sparse_config(tf::cluster const& all, member const& r) {
    auto const* const servers = addresses_of(all, tf::parameter_server);
    std::string text;
    raw_writer out(text);
    auto const own = [&] { return addresses_of(all, r.role)->at(static_cast<std::size_t>(r.index)); };
    out.begin('{');
    out.key("cluster");
    out.begin('{');
    out.key("worker");
    out.begin('{');
    if (r.role == tf::worker) {
        out.key(std::to_string(r.index));
        out.string(own());
    }
    out.end('}');
    out.key("ps");
    if (r.role == tf::worker && servers == nullptr)
        out.token("null");
    else if (r.role == tf::worker)
        write_addresses(out, *servers);
    else
        write_addresses(out,
                        r.role == tf::parameter_server ? std::vector<std::string>{own()} : std::vector<std::string>());
    out.end('}');
    write_task(out, r);
    out.end('}');
    return text;
}

/// A job with a single task trains by itself and receives nothing. Only tasks of the known types count.
bool is_distributed(replica_job const& job) {
    std::int64_t tasks = 0;
    for (auto type : tf::types)
        if (auto const* const spec = job.spec_of(type)) tasks += spec->replicas.value_or(1);
    return tasks != 1;
}

/// Whether there is one pod of worker 0, and it ended well.
bool is_first_worker_done(observed const& observation) {
    pod const* first = nullptr;
    for (auto const& p : observation.pods) {
        if (label_of(p->metadata, label::replica_type) != to_lower(tf::worker) || index_of(p->metadata) != 0) continue;
        if (first != nullptr) return false;
        first = p.get();
    }
    return first != nullptr && first->status.phase == "Succeeded" && exit_code_of(*first, tf::container) == 0;
}

/// Whether a chief, by either name, decides about the job; else its workers do.
bool has_chief(replica_job const& job) noexcept {
    return job.spec_of(tf::chief) != nullptr || job.spec_of(tf::master) != nullptr;
}

using enum issue::severity;

constexpr lint_rule no_end{
    "lint.tf.no-end", error,
    "A chief or the workers decide when the job is done. Without any of them the job never succeeds."};
constexpr lint_rule success_policy{"lint.tf.success-policy", warning,
                                   "The operator does not check the value. With every value but AllWorkers the job "
                                   "succeeds with worker 0. If the job has a chief, only the chief decides."};
constexpr lint_rule replica_type{
    "lint.tf.replica-type", warning,
    "Replicas of other types get pods and are listed in TF_CONFIG, but their success or failure has no effect."};
constexpr lint_rule task_type{"lint.tf.task-type", warning,
                              "Distribution strategies of TensorFlow 2 support chief, worker, ps and evaluator. They "
                              "reject a cluster with several chiefs or several evaluators."};
constexpr lint_rule dynamic_task{"lint.tf.dynamic-task", warning,
                                 "With enableDynamicWorker, a task that is neither worker nor parameter server "
                                 "receives an empty cluster, which does not contain the task itself."};
constexpr lint_rule kept_servers{
    "lint.tf.kept-servers", info,
    "Parameter servers serve until they are deleted. With cleanPodPolicy None, the default, "
    "they keep running when the job has ended."};

constexpr std::array all{no_end, success_policy, replica_type, task_type, dynamic_task, kept_servers};

constexpr std::string_view success_path = "spec.successPolicy";

bool is_known(std::string_view type) { return std::ranges::find(tf::types, type) != tf::types.end(); }

void lint_success(replica_job const& job, std::string const& policy, issues& found) {
    if (!has_chief(job) && job.spec_of(tf::worker) == nullptr && !job.specs.empty())
        report(found, no_end, std::string("spec.").append(job.constants.specs_field),
               "has no replicas of type Chief or Worker, expected at least one of these types");
    if (policy.empty()) return;
    if (policy != tf::all_workers)
        report(found, success_policy, std::string(success_path),
               in_quotes(policy) + " acts like the default, expected AllWorkers or no value");
    else if (has_chief(job))
        report(found, success_policy, std::string(success_path),
               in_quotes(policy) + " has no effect because the job has a chief, expected no value");
}

void lint_tasks(replica_job const& job, issues& found) {
    for (auto type : job.types()) {
        std::int32_t const count = job.spec_of(type)->replicas.value_or(1);
        if (!is_known(type)) {
            report(found, replica_type, job.path_of(type),
                   "is not a task type of TensorFlow, expected Chief, Evaluator, PS or Worker");
        } else if (type == tf::master) {
            report(found, task_type, job.path_of(type), "is not a task type of TensorFlow 2, expected Chief");
        } else if ((type == tf::chief || type == tf::evaluator) && count > 1) {
            report(found, task_type, job.path_of(type) + ".replicas", std::to_string(count) + ", expected 1");
        }
    }
}

void lint_servers(replica_job const& job, issues& found) {
    auto const* const servers = job.spec_of(tf::parameter_server);
    if (servers != nullptr && servers->replicas.value_or(1) > 0 && job.policy.clean_pod_policy == "None" &&
        !requests_devices(servers->template_.spec))
        report(found, kept_servers, "spec.runPolicy.cleanPodPolicy",
               "None keeps the parameter servers running, expected Running or All");
}

void lint_dynamic(replica_job const& job, issues& found) {
    for (auto type : job.types())
        if (type != tf::worker && type != tf::parameter_server)
            report(found, dynamic_task, job.path_of(type),
                   "receives no address of another task, expected only PS and Worker with spec.enableDynamicWorker");
}

/// TFJobs as a kind of the family: see replica_rules_of.
class tf_kind final : public replica_job {
public:
    using object = tf_job;
    using options = tf_operator_options;
    static constexpr replica_constants constants = {.controller = "tfjob-controller",
                                                    .container = tf::container,
                                                    .port_name = "tfjob-port",
                                                    .port = 2222,
                                                    .default_restart_policy = "Never",
                                                    .specs_field = "tfReplicaSpecs",
                                                    .types = tf::types,
                                                    .admission_name = "validator.tfjob.training-operator.kubeflow.org",
                                                    .manager = manager_rule::immutable,
                                                    .deleted_reason = "SuccessfulDeleteJob",
                                                    .any_type = true,
                                                    .dates_all_ends = true};

    tf_kind(tf_job const& job, tf_operator_options const& given)
        : replica_job(job, job.spec.tf_replica_specs, constants), job_(job), options_(given) {}

    /// Upstream: training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/tensorflow_defaults.go`.
    static void set_defaults(tf_job& job) {
        if (!job.spec.success_policy) job.spec.success_policy.emplace();
        set_replica_defaults(job.spec.run_policy, job.spec.tf_replica_specs, constants);
    }

    static std::string_view schema() noexcept { return embedded::tf_job_schema; }
    static std::span<lint_rule const> lint_rules() noexcept { return all; }

    /// Upstream: training-operator v1.9.0 `pkg/webhooks/tensorflow/tfjob_webhook.go`. It counts entries, not replicas.
    void validate_map(issues& found) const override {
        if (spec_of(tf::chief) != nullptr && spec_of(tf::master) != nullptr)
            found.push_back(forbidden("tf.chief-and-master", std::string("spec.").append(constants.specs_field),
                                      "must not have more than 1 Chief or Master role"));
    }

    void lint(issues& found) const override {
        lint_success(*this, job_.spec.success_policy.value_or(""), found);
        lint_tasks(*this, found);
        lint_servers(*this, found);
        if (job_.spec.enable_dynamic_worker) lint_dynamic(*this, found);
    }

    /// A worker of a dynamic job gets the names of all parameter servers, and no other replica gets names of others.
    std::int64_t names_in_environments() const noexcept override {
        auto const count = [this](std::string_view type) {
            auto const* const spec = spec_of(type);
            return spec == nullptr ? std::int64_t{0} : std::max<std::int64_t>(spec->replicas.value_or(1), 0);
        };
        return job_.spec.enable_dynamic_worker ? count(tf::worker) * count(tf::parameter_server)
                                               : members() * members();
    }

    std::int64_t characters_around_name() const noexcept override {
        constexpr std::string_view others = R"("..svc:1",)";
        return static_cast<std::int64_t>(others.size() + job_.metadata.namespace_.size() +
                                         options_.cluster_domain.size());
    }

    bool is_elastic() const noexcept override { return job_.spec.enable_dynamic_worker; }
    std::optional<rules::scale_place> elastic_place() const override {
        if (!job_.spec.enable_dynamic_worker) return std::nullopt;
        rules::scale_place place;
        place.least = 1;
        place.most = static_cast<std::int32_t>(constants.max_replicas);
        place.effect =
            "Workers are added and removed without notice to the others: each worker knows only itself and the "
            "parameter servers.";
        return place;
    }

    void assign_ranks(membership& layout) const override {
        layout.rank_note = "TensorFlow identifies tasks by type and index, and has no ranks across all tasks";
    }

    bool is_master(member const& r) const override {
        if (has_chief(*this)) return r.role == tf::chief || r.role == tf::master;
        return r.role == tf::worker && r.index == 0;
    }

    /// Upstream: training-operator v1.9.0 `pkg/controller.v1/tensorflow/tfjob_controller.go`, `SetClusterSpec`.
    std::vector<core::env_var> environment(membership const& layout, member const& r,
                                           core::container const& c) const override {
        if (c.name != constants.container || !is_distributed(*this)) return {};
        if (!cluster_) cluster_ = cluster_of(*this, layout, options_);
        std::vector<core::env_var> env;
        env.emplace_back("TF_CONFIG",
                         job_.spec.enable_dynamic_worker ? sparse_config(*cluster_, r) : dense_config(*cluster_, r));
        return env;
    }

    /// Upstream: training-operator v1.9.0 `pkg/controller.v1/tensorflow/tfjob_controller.go`, `UpdateJobStatus`.
    /// Failures of a pass are also reported if the job succeeds in it. Replicas of unknown types are counted, but have
    /// no effect on the conditions.
    void judge(status_editor& e) const override {
        std::string const who = std::string(e.kind()) + " " + e.job_namespace() + "/" + e.job_name();
        // Running replaces Restarting, which must return if replicas have failed.
        std::optional<std::string> restarting;
        if (auto const* c = find_condition(e.status(), "Restarting")) restarting = c->message;

        for (auto type : tf::types) {
            auto const* const spec = spec_of(type);
            if (spec == nullptr) continue;
            replica_status const counts = e.status().replica_statuses[std::string(type)];
            bool done = spec->replicas.value_or(1) == counts.succeeded;
            bool const leads = has_chief(*this) ? type == tf::chief || type == tf::master : type == tf::worker;
            if (leads) {
                if (!has_chief(*this))
                    done =
                        done || (job_.spec.success_policy != tf::all_workers && is_first_worker_done(e.observation()));
                // Workers that have succeeded set no Running.
                if (counts.active > 0 && (has_chief(*this) || !done)) e.set("Running", who + " is running.");
                if (done) e.finish("Succeeded", who + " successfully completed.");
            }
            if (counts.failed == 0) continue;
            if (restarting) {
                e.set("Restarting", *restarting);
            } else if (!job_.spec.enable_dynamic_worker || type != tf::worker) {
                e.finish("Failed", who + " has failed because " + std::to_string(counts.failed) + " " +
                                       std::string(type) + " replica(s) failed.");
            }
        }
    }

private:
    tf_job const& job_;
    tf_operator_options const& options_;
    mutable std::optional<tf::cluster> cluster_; ///< the same for all tasks, so made once
};

} // namespace

rules::job_rules const& kftrain_job_rules(type_tag<tf_job>) noexcept {
    static replica_rules_of<tf_kind> const instance;
    return instance;
}

result<tf_job> tf_job_choices::build(job_choices const& chosen, pod_choices const& pod) const {
    tf_job made;
    if (waits_for_all_workers) made.spec.success_policy = tf::all_workers;
    made.spec.enable_dynamic_worker = dynamic_workers;
    kftrain::detail::add_replicas<tf_kind>(made.spec.tf_replica_specs, tf::chief, pod, chief);
    kftrain::detail::add_replicas<tf_kind>(made.spec.tf_replica_specs, tf::worker, pod, workers);
    kftrain::detail::add_replicas<tf_kind>(made.spec.tf_replica_specs, tf::parameter_server, pod, parameter_servers);
    kftrain::detail::add_replicas<tf_kind>(made.spec.tf_replica_specs, tf::evaluator, pod, evaluator);
    return kftrain::detail::checked<tf_kind>(std::move(made), chosen, *this);
}

} // namespace kftrain::kubeflow_v1
