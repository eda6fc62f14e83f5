#include "base/ascii.hpp"
#include "kinds/volcano_job/admission/admission.hpp"
#include "kinds/volcano_job/kind.hpp"
#include "kinds/volcano_job/plan/state.hpp"
#include "model/rules/namespace_of.hpp"

#include <kftrain/controllers/volcano_queue.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/observed_types.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/objects/networking/network_policy.hpp>
#include <kftrain/objects/scheduling/priority_class.hpp>
#include <kftrain/objects/volcano/command.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

#include <boost/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace kftrain::embedded {
extern std::string_view const volcano_job_schema; // schema.json
} // namespace kftrain::embedded

namespace kftrain::volcano {
namespace {

result<void> read_scheduler(operator_options& options, std::string_view value) {
    auto own = options.get<volcano_operator_options>();
    own.scheduler_name = value;
    options.set(std::move(own));
    return {};
}

result<void> refused(std::string_view value, std::string_view expected) {
    failure f;
    f.code = errc::invalid_argument;
    f.detail.message = "\"" + std::string(value) + "\", expected " + std::string(expected);
    return f;
}

result<void> read_plugins(operator_options& options, std::string_view value) {
    if (value != "released" && value != "designed") return refused(value, "released or designed");
    auto own = options.get<volcano_operator_options>();
    own.plugins = value == "designed" ? framework_plugins::designed : framework_plugins::released;
    options.set(std::move(own));
    return {};
}

result<void> read_order(operator_options& options, std::string_view value) {
    if (value != "init-containers" && value != "depends-on") return refused(value, "init-containers or depends-on");
    auto own = options.get<volcano_operator_options>();
    own.order = value == "depends-on" ? launch_order::depends_on : launch_order::init_containers;
    options.set(std::move(own));
    return {};
}

constexpr std::array<std::pair<std::string_view, volcano_release>, 5> releases{{{"v1.9.0", volcano_release::v1_9_0},
                                                                                {"v1.10.0", volcano_release::v1_10_0},
                                                                                {"v1.11.0", volcano_release::v1_11_0},
                                                                                {"v1.12.3", volcano_release::v1_12_3},
                                                                                {"v1.13.0", volcano_release::v1_13_0}}};

result<void> read_release(operator_options& options, std::string_view value) {
    for (auto const& [name, release] : releases) {
        if (name != value) continue;
        auto own = options.get<volcano_operator_options>();
        own.release = release;
        options.set(std::move(own));
        return {};
    }
    return refused(value, "v1.9.0, v1.10.0, v1.11.0, v1.12.3 or v1.13.0");
}

/// Upstream: volcano v1.9.0 `cmd/webhook-manager/app/options/options.go`; its other flags do not affect the rules. The
/// last three are ours.
constexpr std::array<operator_flag, 4> known_flags{{{"scheduler-name", &read_scheduler},
                                                    {"volcano-plugins", &read_plugins},
                                                    {"volcano-launch-order", &read_order},
                                                    {"volcano-release", &read_release}}};

constexpr std::array columns{rules::printed_column("STATUS", "string", ".status.state.phase"),
                             rules::printed_column("minAvailable", "integer", ".status.minAvailable"),
                             rules::printed_column("RUNNINGS", "integer", ".status.running"),
                             rules::printed_column("AGE", "date", ".metadata.creationTimestamp"),
                             rules::printed_column("QUEUE", "string", ".spec.queue", 1)};
constexpr std::array<std::string_view, 2> short_names{"vcjob", "vj"};

namespace json = boost::json;

json::object replaced(std::string_view path, json::value value) {
    json::object s;
    s["op"] = "add"; // replaces an existing value, too
    s["path"] = path;
    s["value"] = std::move(value);
    return s;
}

/// The scheduler of Volcano creates the default queue when it starts.
std::vector<any_object> const& installed_queues() {
    static std::vector<any_object> const all{controllers::default_volcano_queue()};
    return all;
}

void add_triggers(std::vector<lifecycle_policy> const& policies, std::vector<rules::action_trigger>& all) {
    for (auto const& p : policies) {
        auto const add = [&](std::string event) {
            rules::action_trigger trigger(p.action, std::move(event));
            if (!trigger.event.empty() && std::ranges::find(all, trigger) == all.end())
                all.push_back(std::move(trigger));
        };
        add(p.event);
        for (auto const& name : p.events) add(name);
        if (p.exit_code) add("exit code " + std::to_string(*p.exit_code));
    }
}

/// The rules of Volcano Jobs, for rules::job_rules_of.
class job_rules {
public:
    using object = job;
    static constexpr std::string_view name = "vc-controller-manager";

    explicit job_rules(operator_options const& options)
        : options_(options.get<volcano_operator_options>()), rows_(watched_rows(options_)) {}

    std::span<rules::watched const> watches() const noexcept { return rows_; }
    rules::plan make_plan(rules::job_look<job> const& look) const { return volcano::make_plan(look, rows_, options_); }

    static std::span<operator_flag const> flags() noexcept { return known_flags; }
    static rules::resource_form const& form() noexcept {
        static constexpr rules::resource_form served = [] {
            rules::resource_form f;
            f.columns = columns;
            f.short_names = short_names;
            f.admission_name = "validatejob.volcano.sh";
            f.installed_objects = installed_queues;
            return f;
        }();
        return served;
    }
    static rules::kind_facts const& facts() noexcept {
        // The controller writes the names of the claims that it makes before the status lists them.
        static constexpr std::array<std::string_view, 1> of_new_jobs{"volcano.volumes"};
        static constexpr std::array<std::string_view, 1> drawn{"volumeClaimName"};
        static constexpr std::array<std::string_view, 3> refusals{"PodGroupError", "PluginError", "PVCError"};
        static constexpr auto of_kind = [] {
            rules::kind_facts f;
            f.creation_rules = of_new_jobs;
            f.generated_fields = drawn;
            f.refusal_reasons = refusals;
            return f;
        }();
        return of_kind;
    }
    static resource_schema const& schema() {
        static resource_schema const compiled = resource_schema::parse(embedded::volcano_job_schema).value();
        return compiled;
    }

    void set_defaults(job& j) const { volcano::set_defaults(j, options_); }
    void validate(job const& j, job const* before, issues& found) const {
        job completed = j;
        if (before == nullptr) volcano::set_defaults(completed, options_);
        auto all = before == nullptr ? volcano::validate(completed, options_) : validate_update(j, *before, options_);
        for (auto& i : all) found.push_back(std::move(i));
    }
    rules::admission_answer admit(job const& j, rules::admission_context const& context) const {
        return volcano::admit(j, context, options_);
    }
    void lint(job const&, job const& complete, issues& found) const { volcano::lint(complete, found, options_); }
    static std::span<lint_rule const> lint_rules() noexcept { return volcano::lint_rules(); }

    membership lay_out(job const& j) const { return volcano::lay_out(j, options_); }
    std::vector<any_object> render(job const& j) const {
        std::vector<any_object> all;
        for (auto& made : volcano::render(j, {}, options_)) all.push_back(std::move(made.object));
        return all;
    }
    core::pod render_pod(job const& j, membership const&, member const& m) const {
        // Reading each of many members must not copy the job each time.
        bool const named =
            std::ranges::none_of(j.spec.volumes, [](auto const& v) { return v.volume_claim_name.empty(); });
        return named ? pod_of(j, m) : pod_of(with_claim_names(j), m);
    }
    static rules::scaling scaling(job const&);
    static rules::suspending suspending(job const&);
    /// Also changes the numbers that depend on it.
    result<rules::job_write> scaled(job const&, std::string_view task, std::int32_t members) const;
    /// A command that aborts the job, or resumes it.
    static result<rules::job_write> suspended(job const&, bool on);

    static std::optional<rules::gang_settings> gang(job const& j) {
        rules::gang_settings g;
        g.queue = j.spec.queue;
        g.priority_class = j.spec.priority_class_name;
        g.path = "spec";
        g.needs_queue = true;
        return g;
    }

    static rules::job_policies policies(job const& j) {
        rules::job_policies p;
        auto& r = p.restarts.emplace();
        r.done = j.status.retry_count;
        r.limit = j.spec.max_retry;
        for (auto const& t : j.spec.tasks) add_triggers(t.policies, p.triggers);
        add_triggers(j.spec.policies, p.triggers);
        return p;
    }

    /// The phases of the job in their order; the last one is the current phase.
    static std::vector<meta::condition> conditions(job const& j) {
        std::vector<meta::condition> all;
        for (auto const& c : j.status.conditions) {
            auto& condition = all.emplace_back();
            condition.type = c.status;
            condition.status = &c == &j.status.conditions.back() ? "True" : "False";
            condition.last_transition_time = c.last_transition_time;
        }
        if (!all.empty()) {
            all.back().reason = j.status.state.reason;
            all.back().message = j.status.state.message;
        }
        return all;
    }
    static job_phase phase(job const& j) noexcept { return stored_phase(j); }

private:
    core::pod pod_of(job const& j, member const& m) const {
        auto const* const task = find_task(j, m.role);
        return task == nullptr ? core::pod() : volcano::render_pod(j, *task, m.index, options_);
    }

    volcano_operator_options options_;
    std::vector<rules::watched> rows_;
};

rules::scaling job_rules::scaling(job const& job) {
    rules::scaling s;
    if (is_over(job.status.state.phase)) {
        s.refused = "the job is finished";
        return s;
    }
    auto const total = total_replicas(job);
    for (auto const& t : job.spec.tasks) {
        auto& p = s.places.emplace_back();
        p.role = t.name;
        p.path = "spec.tasks[" + t.name + "].replicas";
        p.now = replicas_of(t);
        auto const room = std::clamp<std::int64_t>(most_replicas - (total - p.now), 0, most_replicas);
        p.most = std::max(p.now, static_cast<std::int32_t>(room)); // the limit of all tasks together
        p.effect = "A smaller number deletes the pods with the highest indexes, and policies treat each deletion as a "
                   "PodEvicted event. The files in /etc/volcano change while the job runs; the environment and the ssh "
                   "configuration of running pods do not.";
    }
    return s;
}

/// A gang that needed all pods of the task still needs all; one that needed fewer needs at most the new number.
result<rules::job_write> job_rules::scaled(job const& given, std::string_view role, std::int32_t members) const {
    std::string const path = "spec.tasks[" + std::string(role) + "].replicas";
    auto const place = rules::checked_place(scaling(given), role, members, path);
    if (!place) return place.error();
    auto const at = *task_number(given, role);
    job next = given;
    auto& task = next.spec.tasks[at];
    auto const before = task.replicas;
    task.replicas = members;
    if (task.min_available)
        task.min_available = *task.min_available == before ? members : std::min(*task.min_available, members);
    auto const sum = total_min_available(next);
    next.spec.min_available =
        static_cast<std::int32_t>(given.spec.min_available == total_min_available(given)
                                      ? sum
                                      : std::min<std::int64_t>(given.spec.min_available, total_replicas(next)));
    if (auto const f = update_fault(next, given, options_)) return rules::cannot(path, f->text);

    json::array steps;
    // The server reports a conflict if the job has changed in the meantime.
    if (auto const& version = given.metadata.resource_version; !version.empty())
        steps.push_back(replaced("/metadata/resourceVersion", json::value(version)));
    std::string const place_of_task = "/spec/tasks/" + std::to_string(at);
    steps.push_back(replaced(place_of_task + "/replicas", members));
    if (task.min_available) steps.push_back(replaced(place_of_task + "/minAvailable", *task.min_available));
    steps.push_back(replaced("/spec/minAvailable", next.spec.min_available));
    return rules::job_write(
        rules::patch(rules::target(job::resource, given.metadata), patch_type::json, json::serialize(steps)));
}

rules::suspending job_rules::suspending(job const& job) {
    std::string_view const now = job.status.state.phase;
    auto s = rules::suspending_of(now == phase::aborting || now == phase::aborted, is_over(now));
    // A resumption counts as a restart, and the operator fails the job at restart number maxRetry.
    auto const retries = std::int64_t{job.status.retry_count} + 1;
    if (s.suspended && s.refused.empty() && job.spec.max_retry > 0 && retries >= job.spec.max_retry)
        s.refused = "the operator would fail the job: a resumption counts as a restart, and this would be restart " +
                    std::to_string(retries) + " of maxRetry " + std::to_string(job.spec.max_retry);
    return s;
}

result<rules::job_write> job_rules::suspended(job const& given, bool on) {
    auto const now = suspending(given);
    std::string const action = on ? "AbortJob" : "ResumeJob";
    if (!now.refused.empty() && !(on && now.suspended)) return rules::cannot("status.state.phase", now.refused);
    command c;
    c.metadata.generate_name = given.metadata.name + "-" + to_lower(action) + "-";
    c.metadata.namespace_ = given.metadata.namespace_;
    c.metadata.owner_references = child_metadata(given, "").owner_references;
    c.target = c.metadata.owner_references.front();
    c.action = action;
    return rules::job_write(rules::create(std::move(c)));
}

using names = std::vector<rules::object_name>;

names groups_of(job const& j) { return {{"", group_name(j)}, {"", j.metadata.name}}; }
names config_maps_of(job const& j) { return {{"", hosts_name(j)}, {"", hostfile_name(j)}}; }
names services_of(job const& j) { return {{"", j.metadata.name}, {"", head_name(j)}}; }
std::string queue_of(job const& j) { return j.spec.queue; }

names claims_of(job const& j) {
    names all;
    for (auto const& v : j.spec.volumes)
        if (!v.volume_claim_name.empty()) all.emplace_back("", v.volume_claim_name);
    return all;
}

names priorities_of(job const& j) {
    names all;
    for (auto const& t : j.spec.tasks)
        if (auto const& n = t.template_.spec.priority_class_name; !n.empty()) all.emplace_back("", n);
    return all;
}

rules::by_reference naming_the_job() {
    return rules::naming<command>([](command const& c) -> std::optional<rules::object_name> {
        bool const meant =
            c.target && c.target->api_version == job::resource.api_version() && c.target->kind == job::resource.kind;
        if (!meant) return std::nullopt;
        return rules::object_name("", c.target->name);
    });
}

/// How the pods of a job receive their ranks; nothing if they receive none.
struct ranking {
    ranking() = default;

    std::optional<rank_settings> by;
    std::int32_t masters = 0;
    bool torch = false; ///< by variables
    std::string note;
};

ranking ranking_of(job const& job, volcano_operator_options const& options) {
    ranking r;
    r.torch = has_plugin(job, plugin::pytorch);
    if (!r.torch && !has_plugin(job, plugin::hcclrank)) {
        r.note = "no plugin of the job passes ranks to its pods";
        if (has_plugin(job, plugin::mxnet) && is_designed(options))
            r.note = "the scheduler assigns ranks when servers and workers connect to it";
        if (has_plugin(job, plugin::mpi))
            r.note = "mpirun assigns ranks when it starts, host by host in the order of " +
                     std::string(is_designed(options) ? "the hostfile" : "MPI_HOST");
        return r;
    }
    r.by = r.torch ? pytorch_of(job, options.plugins) : hcclrank_of(job);
    auto const* const master = find_task(job, r.by->master);
    r.masters = master == nullptr ? 0 : replicas_of(*master);
    bool const clear = r.masters == 1 || (is_designed(options) && master != nullptr);
    if (!r.torch)
        r.note = "the annotation hccl/rankIndex has the rank, but RANK of the first container takes precedence";
    if (r.torch && !clear) {
        r.note = master == nullptr
                     ? "the plugin pytorch does nothing without a task " + r.by->master
                     : "the plugin pytorch gives rank 0 to every replica of " + r.by->master + " the rank 0";
        r.by.reset();
    }
    return r;
}

std::optional<std::int32_t> rank_of(ranking const& r, task_spec const& task, std::int32_t index) {
    if (!r.by) return std::nullopt;
    if (task.name == r.by->master) return index;
    if (task.name == r.by->worker) return r.masters + index;
    return std::nullopt;
}

} // namespace

std::vector<rules::watched> watched_rows(volcano_operator_options const& options) {
    using rules::named_by;
    using rules::reach;
    std::vector<rules::watched> rows;
    rows.emplace_back(row::pods, observed_pod_type(), rules::by_controller()).with_changes();
    rows.emplace_back(row::groups, object_type_of<pod_group>, named_by<job, &groups_of>()).with_changes();
    rows.emplace_back(row::commands, object_type_of<command>, naming_the_job());
    rows.emplace_back(row::queue, object_type_of<queue>, named_by<job, &queue_of>(), reach::cluster);
    rows.emplace_back(row::hosts, object_type_of<core::config_map>,
                      is_designed(options) ? named_by<job, &config_maps_of>() : named_by<job, &hosts_name>());
    rows.emplace_back(row::services, object_type_of<core::service>, named_by<job, &services_of>());
    rows.emplace_back(row::network_policy, object_type_of<networking::network_policy>, rules::by_name_of_primary());
    rows.emplace_back(row::secret, observed_secret_type(), named_by<job, &secret_name>());
    rows.emplace_back(row::claims, object_type_of<core::persistent_volume_claim>, named_by<job, &claims_of>());
    rows.emplace_back(row::priorities, object_type_of<scheduling::priority_class>, named_by<job, &priorities_of>(),
                      reach::cluster);
    return rows;
}

membership lay_out(job const& job, volcano_operator_options const& options) {
    membership all;
    auto const ranks = ranking_of(job, options);
    std::int32_t ranked = 0;
    for (auto const& task : job.spec.tasks) {
        auto& r = all.roles.emplace_back();
        r.name = task.name;
        r.labels.emplace(key::job_name, job.metadata.name);
        r.labels.emplace(key::job_namespace, namespace_of(job.metadata));
        r.labels.emplace(key::task_name, std::string(task_name(task)));
        r.index_label = key::task_index;
        for (std::int32_t i = 0; i < replicas_of(task); ++i) {
            auto& m = all.members.emplace_back();
            m.role = task.name;
            m.index = i;
            m.pod_name = pod_name(job, task, i);
            if (auto host = host_name(job, task, i); host != m.pod_name) m.host = std::move(host);
            m.rank = rank_of(ranks, task, i);
            if (m.rank) ++ranked;
        }
    }
    if (ranks.by) {
        all.world_size = ranked;
        all.processes_per_member = processes_of(*ranks.by);
    }
    if (ranks.by && ranks.torch) {
        all.rank_env.rank = "RANK";
        if (world_size_of(job, *ranks.by, options) == ranked * all.processes_per_member.value_or(1))
            all.rank_env.world_size = "WORLD_SIZE";
        all.rank_env.address = "MASTER_ADDR";
        all.rank_env.port = "MASTER_PORT";
    }
    all.rank_note = ranks.note;
    all.domain = job.metadata.name + "." + namespace_of(job.metadata) + ".svc";
    return all;
}

rules::job_rules const& kftrain_job_rules(type_tag<job>) noexcept {
    static rules::job_rules_of<job_rules> const instance;
    return instance;
}

} // namespace kftrain::volcano
