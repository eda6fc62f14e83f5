#include "controllers/job_set/children.hpp"
#include "model/rules/condition_of.hpp"
#include "model/rules/label_of.hpp"

#include <kftrain/controllers/job_set.hpp>
#include <kftrain/job/plan_writer.hpp>
#include <kftrain/objects/jobset/job_set.hpp>

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

namespace kftrain::controllers::job_sets {
namespace {

using job_list = std::vector<batch::job const*>;

/// The effect of failed Jobs on their set.
struct failure_response {
    failure_response() = default;

    bool restarts = false; ///< otherwise the set fails
    bool counted = false;  ///< towards the restarts that the policy allows
    std::string reason;    ///< of the condition
    std::string event;     ///< reason of the event of a restart
    std::string message;   ///< of the condition and the event
};

batch::job const& first_of(job_list const& jobs) {
    return **std::ranges::min_element(
        jobs, {}, [](batch::job const* job) { return end_of(*job)->last_transition_time.value_or(time_point::max()); });
}

job_list matching(jobset::failure_policy_rule const& rule, job_list const& failed) {
    job_list found;
    if (!rule.on_job_failure_message_patterns.empty()) return found;
    auto const in = [](std::vector<std::string> const& list, std::string_view text) {
        return list.empty() || std::ranges::find(list, text) != list.end();
    };
    for (auto const* job : failed)
        if (in(rule.on_job_failure_reasons, end_of(*job)->reason) &&
            in(rule.target_replicated_jobs, label_of(job->metadata, entry_key)))
            found.push_back(job);
    return found;
}

failure_response failure_of(std::string_view reason, std::string_view message) {
    failure_response r;
    r.reason = reason;
    r.message = message;
    return r;
}

/// The condition that ended a Job, or null.
batch::job_condition const* end_of(batch::job const& job) noexcept {
    for (auto const* const type : {"Complete", "Failed"})
        if (is_true(job.status.conditions, type)) return condition_of(job.status.conditions, type);
    return nullptr;
}

/** Returns the response that the policy of a set requires. Single Jobs are not restarted: `RestartJob` restarts the
    set, and so does `RestartJobAndIgnoreMaxRestarts`, without a limit.
    @param failed The failed Jobs; at least one
    @par Upstream kubernetes-sigs/jobset v0.12.0 `pkg/controllers/failure_policy.go` */
failure_response respond_to_failure(jobset::job_set const& set, job_list const& failed) {
    auto const& policy = set.spec.failure_policy;
    jobset::failure_policy_rule const* rule = nullptr;
    auto considered = failed;
    if (policy)
        for (auto const& r : policy->rules)
            if (auto found = matching(r, failed); !found.empty()) {
                rule = &r;
                considered = std::move(found);
                break;
            }
    std::string const action = rule != nullptr ? rule->action : "RestartJobSet";
    bool const counted = !action.ends_with("AndIgnoreMaxRestarts");

    failure_response response;
    if (!policy) {
        response = failure_of("FailedJobs", "jobset failed due to one or more job failures");
    } else if (action == "FailJobSet") {
        response = failure_of("FailJobSetFailurePolicyAction", "applying FailJobSet failure policy action");
    } else if (counted && set.status.restarts_count_towards_max >= policy->max_restarts) {
        response = failure_of("ReachedMaxRestarts", "jobset failed due to reaching max number of restarts");
    } else {
        std::string const done = counted ? "RestartJobSet" : "RestartJobSetAndIgnoreMaxRestarts";
        response.restarts = true;
        response.counted = counted;
        response.reason = rule != nullptr ? "FailurePolicy_" + rule->name : "DefaultFailurePolicy";
        response.event = done + "FailurePolicyAction";
        response.message = "applying " + done + " failure policy action";
    }
    response.message += " (first failed job: " + first_of(considered).metadata.name + ")";
    return response;
}

constexpr std::string_view own_manager = "jobset.sigs.k8s.io/jobset-controller";
constexpr std::string_view restart_key = "jobset.sigs.k8s.io/restart-attempt";

bool is_suspended(batch::job const& job) { return job.spec.suspend.value_or(false); }

std::int32_t number_of(std::string_view text) {
    std::int32_t n = 0;
    std::from_chars(text.data(), text.data() + text.size(), n);
    return n;
}

template <class Map> void merge_map(Map& to, Map const& from) {
    for (auto const& [key, value] : from) to[key] = value;
}

template <class T> void merge_list(std::vector<T>& to, std::vector<T> const& from) {
    for (auto const& item : from)
        if (std::ranges::none_of(to, [&](T const& old) { return old == item; })) to.push_back(item);
}

/// One look at a JobSet, and what follows from it.
class job_set_pass {
public:
    explicit job_set_pass(rules::look<jobset::job_set> const& look)
        : stored_(look.object), set_(look.object), world_(look.world), now_(look.now) {
        set_defaults(set_);
        for (auto const& job : world_.of<batch::job>("jobs")) sort(job);
    }

    rules::plan make() {
        rules::plan plan;
        count();
        if (auto const* const ended = ending(); ended != nullptr)
            close(plan, *ended);
        else
            reconcile();
        write_status();
        plan.steps = todo_.take();
        return plan;
    }

private:
    jobset::job_set_status& status() { return set_.status; }
    bool suspends() const { return set_.spec.suspend.value_or(false); }

    void sort(batch::job const& job) {
        auto const* const end = end_of(job);
        if (number_of(label_of(job.metadata, restart_key)) < set_.status.restarts)
            previous_.push_back(&job);
        else if (end == nullptr)
            active_.push_back(&job);
        else
            (end->type == "Complete" ? succeeded_ : failed_).push_back(&job);
    }

    static void add_active(jobset::replicated_job_status& s, batch::job const& job) {
        auto pods = job.spec.parallelism.value_or(1);
        if (job.spec.completions) pods = std::min(pods, *job.spec.completions);
        if (job.status.succeeded + job.status.ready.value_or(0) >= pods) ++s.ready;
        if (job.status.active > 0) ++s.active;
        if (is_suspended(job)) ++s.suspended;
    }

    void count() {
        status().replicated_jobs_status.clear();
        for (auto const& entry : set_.spec.replicated_jobs) {
            auto& s = status().replicated_jobs_status.emplace_back();
            s.name = entry.name;
            auto const own = [&](batch::job const* job) { return label_of(job->metadata, entry_key) == entry.name; };
            for (auto const* job : active_)
                if (own(job)) add_active(s, *job);
            s.succeeded = static_cast<std::int32_t>(std::ranges::count_if(succeeded_, own));
            s.failed = static_cast<std::int32_t>(std::ranges::count_if(failed_, own));
        }
    }

    /// The condition that ended the set, or null.
    meta::condition const* ending() const {
        auto const& all = set_.status.conditions;
        for (auto const* const type : {"Completed", "Failed"})
            if (is_true(all, type)) return condition_of(all, type);
        return nullptr;
    }

    void close(rules::plan& plan, meta::condition const& condition) {
        remove(active_);
        if (!set_.spec.ttl_seconds_after_finished) return;
        auto const end =
            condition.last_transition_time.value_or(now_) + std::chrono::seconds(*set_.spec.ttl_seconds_after_finished);
        if (now_ < end)
            plan.requeue_at = end;
        else
            todo_.remove(rules::remove(rules::target(jobset::job_set::resource, set_.metadata)));
    }

    void reconcile() {
        if (has_too_many_jobs(set_))
            return todo_.emit("Warning", "JobCreationFailed",
                              "job creation failed with error: the set has more than " + std::to_string(most_jobs) +
                                  " jobs, the limit of kftrain");
        remove(previous_);
        if (!suspends() && is_ready()) end_restart("JobsReady", "all jobs are ready");
        if (!failed_.empty()) return apply_failure_policy();
        if (!succeeded_.empty() && has_succeeded()) {
            set_condition("Completed", "True", "AllJobsCompleted", "jobset completed successfully");
            end_restart("JobSetCompleted", "jobset completed successfully");
            status().terminal_state = "Completed";
            return;
        }
        create_service();
        create_claims();
        create_jobs();
        if (suspends())
            suspend();
        else
            resume();
    }

    bool is_ready() const {
        std::int32_t all = 0, ready = 0;
        for (auto const& entry : set_.spec.replicated_jobs) all += entry.replicas.value_or(1);
        for (auto const& s : set_.status.replicated_jobs_status) ready += s.ready + s.succeeded;
        return all == ready;
    }

    bool has_succeeded() const {
        auto const& policy = *set_.spec.success_policy;
        auto const counts = [&](std::string_view entry) {
            auto const& targets = policy.target_replicated_jobs;
            return targets.empty() || std::ranges::find(targets, entry) != targets.end();
        };
        std::int32_t wanted = policy.operator_ == "Any" ? 1 : 0, found = 0;
        if (policy.operator_ == "All")
            for (auto const& entry : set_.spec.replicated_jobs)
                if (counts(entry.name)) wanted += entry.replicas.value_or(1);
        for (auto const* job : succeeded_) found += counts(label_of(job->metadata, entry_key)) ? 1 : 0;
        return found >= wanted;
    }

    void apply_failure_policy() {
        auto const response = respond_to_failure(set_, failed_);
        if (!response.restarts) {
            set_condition("Failed", "True", response.reason, response.message, "Warning");
            end_restart("JobSetFailed", "jobset failed");
            status().terminal_state = "Failed";
            return;
        }
        ++status().restarts;
        if (response.counted) ++status().restarts_count_towards_max;
        set_condition("RestartingJobSet", "True", response.reason, response.message, "Warning");
        events_.emplace_back("Warning", response.event, response.message);
    }

    void create_service() {
        if (!set_.spec.network->enable_dns_hostnames.value_or(false)) return;
        if (world_.find<core::service>("services", subdomain_of(set_)) != nullptr) return;
        todo_.create(rules::create(new_service(set_), {"", "", "HeadlessServiceCreationFailed", "{}"}));
    }

    void create_claims() {
        for (auto& claim : new_claims(set_)) {
            if (world_.find<core::persistent_volume_claim>("claims", claim.metadata.name) != nullptr) continue;
            rules::create c(std::move(claim), {"", "", "PVCCreationFailed", "{}"});
            c.exists = rules::on_refusal::ignore;
            todo_.create(std::move(c));
        }
    }

    jobset::replicated_job_status const* counts_of(std::string_view entry) const {
        for (auto const& s : set_.status.replicated_jobs_status)
            if (s.name == entry) return &s;
        return nullptr;
    }

    bool may_start(jobset::replicated_job const& entry) const {
        return std::ranges::all_of(entry.depends_on, [&](jobset::depends_on const& d) {
            auto const* const s = counts_of(d.name);
            if (s == nullptr) return false;
            std::int32_t replicas = 0;
            for (auto const& other : set_.spec.replicated_jobs)
                if (other.name == d.name) replicas = other.replicas.value_or(1);
            return replicas == (d.status == "Complete" ? s->succeeded : s->failed + s->ready + s->succeeded);
        });
    }

    bool in_order() const { return set_.spec.startup_policy->startup_policy_order == "InOrder"; }
    bool has_started(jobset::replicated_job const& entry) const {
        auto const* const s = counts_of(entry.name);
        return s != nullptr && s->ready + s->succeeded + s->failed >= entry.replicas.value_or(1);
    }

    bool exists(std::string_view job) const {
        auto const in = [&](job_list const& jobs) {
            return std::ranges::any_of(jobs, [&](batch::job const* j) { return j->metadata.name == job; });
        };
        return in(active_) || in(succeeded_) || in(failed_) || in(previous_);
    }

    void create_jobs() {
        bool const waits = !previous_.empty() && set_.spec.failure_policy &&
                           set_.spec.failure_policy->restart_strategy == "BlockingRecreate";
        bool const ordered = in_order() && !suspends();
        for (auto const& entry : set_.spec.replicated_jobs) {
            if (!may_start(entry) || (ordered && has_started(entry))) continue;
            for (std::int32_t i = 0; i < entry.replicas.value_or(1) && !waits; ++i)
                if (!exists(job_name(set_, entry, i)))
                    todo_.create(
                        rules::create(new_job(set_, entry, i),
                                      {"", "", "JobCreationFailed", "job \"{name}\" creation failed with error: {}"}));
            if (ordered)
                return set_condition("StartupPolicyInProgress", "True", "InOrderStartupPolicyInProgress",
                                     "in order startup policy is in progress");
        }
        if (ordered)
            set_condition("StartupPolicyCompleted", "True", "InOrderStartupPolicyCompleted",
                          "in order startup policy has completed");
    }

    void suspend() {
        for (auto const* job : active_) {
            if (is_suspended(*job)) continue;
            auto next = *job;
            next.spec.suspend = true;
            todo_.add(rules::replace(std::move(next)));
        }
        set_condition("Suspended", "True", "SuspendedJobs", "jobset is suspended");
        end_restart("JobSetSuspended", "jobset is suspended");
    }

    void resume() {
        for (auto const& entry : set_.spec.replicated_jobs) {
            if (!may_start(entry) || (in_order() && has_started(entry))) continue;
            for (auto const* job : active_)
                if (is_suspended(*job) && label_of(job->metadata, entry_key) == entry.name) resume(*job, entry);
            if (in_order()) return;
        }
        set_condition("Suspended", "False", "ResumeJobs", "jobset is resumed");
    }

    void resume(batch::job const& job, jobset::replicated_job const& entry) {
        auto next = job;
        if (next.status.start_time) {
            // Servers keep the template of a Job that has started.
            next.status.start_time.reset();
            todo_.add(rules::replace(next, rules::subresource::status));
            next.metadata.resource_version.clear();
        }
        auto const& wanted = entry.template_.spec.template_;
        auto& pods = next.spec.template_;
        merge_map(pods.metadata.labels, wanted.metadata.labels);
        merge_map(pods.metadata.annotations, wanted.metadata.annotations);
        merge_map(pods.spec.node_selector, wanted.spec.node_selector);
        merge_list(pods.spec.tolerations, wanted.spec.tolerations);
        merge_list(pods.spec.scheduling_gates, wanted.spec.scheduling_gates);
        next.spec.suspend = false;
        todo_.add(rules::replace(std::move(next)));
    }

    void remove(job_list const& jobs) {
        for (auto const* job : jobs) {
            if (job->metadata.deletion_timestamp) continue;
            rules::remove r(rules::target(batch::job::resource, job->metadata));
            r.how = rules::propagation::foreground;
            todo_.remove(std::move(r));
        }
    }

    void end_restart(std::string_view reason, std::string const& message) {
        set_condition("RestartingJobSet", "False", reason, message);
    }

    /// A condition that is not there yet is added only if it is true.
    void set_condition(std::string_view type, std::string_view value, std::string_view reason,
                       std::string const& message, std::string_view event = "Normal") {
        auto& all = status().conditions;
        bool const holds = value == "True";
        bool changed = false;
        for (auto& c : all) {
            bool const excludes = (c.type == "StartupPolicyInProgress" && type == "StartupPolicyCompleted") ||
                                  (c.type == "StartupPolicyCompleted" && type == "StartupPolicyInProgress");
            if (!excludes || c.status != "True" || !holds) continue;
            c.status = "False";
            changed = true;
        }
        auto at = std::ranges::find(all, type, &meta::condition::type);
        if (at == all.end() && holds) {
            all.emplace_back().type = type;
            at = all.end() - 1;
        }
        if (at != all.end() && (at->status != value || at->reason != reason || at->message != message)) {
            if (at->status != value) at->last_transition_time = now_;
            at->status = value;
            at->reason = reason;
            at->message = message;
            changed = true;
        }
        if (changed) events_.emplace_back(std::string(event), std::string(reason), message);
    }

    void write_status() {
        if (set_.status == stored_.status) return;
        auto next = stored_;
        next.status = std::move(set_.status);
        todo_.add(rules::write_status(std::move(next)));
        for (auto& e : events_) todo_.emit(std::move(e));
    }

    jobset::job_set const& stored_;
    jobset::job_set set_; ///< with defaults, and with the status as it becomes
    rules::world const& world_;
    time_point now_;
    job_list previous_, active_, succeeded_, failed_;
    std::vector<rules::emit_event> events_; ///< emitted when the status is written
    rules::plan_writer todo_;
};

} // namespace

} // namespace kftrain::controllers::job_sets

namespace kftrain::controllers {

job_set_rules::job_set_rules() {
    rows_.emplace_back("jobs", object_type_of<batch::job>, rules::by_controller());
    rows_.emplace_back("services", object_type_of<core::service>, rules::named_by<jobset::job_set>([](auto const& set) {
                           return std::vector<rules::object_name>{{"", job_sets::subdomain_of(set)}};
                       }));
    rows_.emplace_back("claims", object_type_of<core::persistent_volume_claim>,
                       rules::named_by<jobset::job_set>([](auto const& set) {
                           std::vector<rules::object_name> all;
                           for (auto const& claim : job_sets::new_claims(set))
                               all.emplace_back("", claim.metadata.name);
                           return all;
                       }));
}

rules::plan job_set_rules::make_plan(rules::look<jobset::job_set> const& look) const {
    auto const& manager = look.object.spec.managed_by;
    if (look.object.metadata.deletion_timestamp || (manager && *manager != job_sets::own_manager)) return {};
    return job_sets::job_set_pass(look).make();
}

} // namespace kftrain::controllers
