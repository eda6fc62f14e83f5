#include "kinds/tf_job/kind.hpp"

#include "base/ascii.hpp"
#include "job/contract/field_error.hpp"
#include "job/v1/built_job.hpp"
#include "job/v1/labels.hpp"
#include "job/v1/replica_outcome.hpp"
#include "job/v1/replica_rules.hpp"
#include "model/json/json_text.hpp"

#include <kftrain/kinds/tf_job_builder.hpp>

#include <algorithm>

namespace kftrain::embedded {
extern std::string_view const tf_job_schema; // schema.json
}

namespace kftrain::kubeflow_v1 {
namespace {

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
    return first != nullptr && first->status.phase == "Succeeded" &&
           exit_code_of(*first, tf_kind::constants.container) == 0;
}

} // namespace

std::string_view tf_kind::schema() noexcept { return embedded::tf_job_schema; }

/// Upstream: training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/tensorflow_defaults.go`.
void tf_kind::set_defaults(tf_job& job) {
    if (!job.spec.success_policy) job.spec.success_policy.emplace();
    set_replica_defaults(job.spec.run_policy, job.spec.tf_replica_specs, tf_kind::constants);
}

/// Upstream: training-operator v1.9.0 `pkg/webhooks/tensorflow/tfjob_webhook.go`. It counts entries, not replicas.
void tf_kind::validate_map(issues& found) const {
    if (spec_of(tf::chief) != nullptr && spec_of(tf::master) != nullptr)
        found.push_back(forbidden("tf.chief-and-master", std::string("spec.").append(tf_kind::constants.specs_field),
                                  "must not have more than 1 Chief or Master role"));
}

/// A worker of a dynamic job gets the names of all parameter servers, and no other replica gets names of others.
std::int64_t tf_kind::names_in_environments() const noexcept {
    auto const count = [this](std::string_view type) {
        auto const* const spec = spec_of(type);
        return spec == nullptr ? std::int64_t{0} : std::max<std::int64_t>(spec->replicas.value_or(1), 0);
    };
    return job_.spec.enable_dynamic_worker ? count(tf::worker) * count(tf::parameter_server) : members() * members();
}

std::int64_t tf_kind::characters_around_name() const noexcept {
    constexpr std::string_view others = R"("..svc:1",)";
    return static_cast<std::int64_t>(others.size() + job_.metadata.namespace_.size() + options_.cluster_domain.size());
}

void tf_kind::assign_ranks(membership& layout) const {
    layout.rank_note = "TensorFlow identifies tasks by type and index, and has no ranks across all tasks";
}

bool tf_kind::is_master(member const& r) const {
    if (has_chief()) return r.role == tf::chief || r.role == tf::master;
    return r.role == tf::worker && r.index == 0;
}

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/tensorflow/tfjob_controller.go`, `SetClusterSpec`.
std::vector<core::env_var> tf_kind::environment(membership const& layout, member const& r,
                                                core::container const& c) const {
    if (c.name != tf_kind::constants.container || !is_distributed(*this)) return {};
    if (!cluster_) cluster_ = cluster_of(*this, layout, options_);
    std::vector<core::env_var> env;
    env.emplace_back("TF_CONFIG",
                     job_.spec.enable_dynamic_worker ? sparse_config(*cluster_, r) : dense_config(*cluster_, r));
    return env;
}

std::optional<rules::scale_place> tf_kind::elastic_place() const {
    if (!job_.spec.enable_dynamic_worker) return std::nullopt;
    rules::scale_place place;
    place.least = 1;
    place.most = static_cast<std::int32_t>(constants.max_replicas);
    place.effect = "Workers are added and removed without notice to the others: each worker knows only itself and the "
                   "parameter servers.";
    return place;
}

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/tensorflow/tfjob_controller.go`, `UpdateJobStatus`. Failures
/// of a pass are also reported if the job succeeds in it. Replicas of unknown types are counted, but have no effect on
/// the conditions.
void tf_kind::judge(status_editor& e) const {
    std::string const who = std::string(e.kind()) + " " + e.job_namespace() + "/" + e.job_name();
    // Running takes the place of Restarting, which has to come back where replicas failed.
    std::optional<std::string> restarting;
    if (auto const* c = find_condition(e.status(), "Restarting")) restarting = c->message;

    for (auto type : tf::types) {
        auto const* const spec = spec_of(type);
        if (spec == nullptr) continue;
        replica_status const counts = e.status().replica_statuses[std::string(type)];
        bool done = spec->replicas.value_or(1) == counts.succeeded;
        bool const leads = has_chief() ? type == tf::chief || type == tf::master : type == tf::worker;
        if (leads) {
            if (!has_chief())
                done = done || (job_.spec.success_policy != tf::all_workers && is_first_worker_done(e.observation()));
            // Workers that are done set no Running.
            if (counts.active > 0 && (has_chief() || !done)) e.set("Running", who + " is running.");
            if (done) e.finish("Succeeded", who + " successfully completed.");
        }
        if (counts.failed == 0) continue;
        if (restarting) {
            e.set("Restarting", *restarting);
        } else if (!job_.spec.enable_dynamic_worker || type != tf::worker) {
            e.finish("Failed", who + " has failed because " + std::to_string(counts.failed) + " " + std::string(type) +
                                   " replica(s) failed.");
        }
    }
}

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
