#include "job/v1/replica_plan.hpp"

#include "base/ascii.hpp"
#include "job/v1/labels.hpp"
#include "job/v1/replica_outcome.hpp"
#include "job/v1/replica_render.hpp"
#include "objects/pod_resources.hpp"

#include <kftrain/job/prepared_job.hpp>

#include <algorithm>
#include <map>
#include <span>
#include <unordered_map>

namespace kftrain::kubeflow_v1 {
namespace {

constexpr rules::event_messages pod_created("SuccessfulCreatePod", "Created pod: {}", "FailedCreatePod",
                                            "Error creating: {}");
constexpr rules::event_messages pod_deleted("SuccessfulDeletePod", "Deleted pod: {}", "FailedDeletePod",
                                            "Error deleting: {}");
constexpr rules::event_messages service_created("SuccessfulCreateService", "Created service: {}", "FailedCreateService",
                                                "Error creating: {}");
constexpr rules::event_messages service_deleted("SuccessfulDeleteService", "Deleted service: {}", "FailedDeleteService",
                                                "Error deleting: {}");

/// Pods or services of a job by replica type and index. Refers to them.
template <class Object> class replica_slots {
public:
    using objects = std::span<Object const* const>;

    explicit replica_slots(std::vector<std::shared_ptr<Object const>> const& all) {
        /// The place keeps those of one index in their order.
        struct slot {
            std::int32_t index;
            std::size_t place;
            Object const* object;
        };
        std::map<std::string_view, std::vector<slot>, std::less<>> sorted;
        for (auto const& o : all)
            if (auto const index = index_of(o->metadata)) {
                auto& list = sorted[label_of(o->metadata, label::replica_type)];
                list.push_back(slot{*index, list.size(), o.get()});
            }
        for (auto& [type, list] : sorted) {
            std::sort(list.begin(), list.end(), [](slot const& a, slot const& b) {
                return a.index != b.index ? a.index < b.index : a.place < b.place;
            });
            auto& filled = types_[std::string(type)];
            for (auto const& s : list) {
                filled.indexes.push_back(s.index);
                filled.objects.push_back(s.object);
            }
        }
    }

    /// Calls `look(index, objects)` for each index below `wanted`, and then for each above that has objects.
    template <class Look> void visit(std::string_view type, std::int32_t wanted, Look look) const {
        auto const found = types_.find(to_lower(type));
        static slots const none;
        slots const& s = found == types_.end() ? none : found->second;
        std::size_t at = 0;
        auto const next = [&](std::int32_t index) {
            std::size_t const first = at;
            while (at < s.indexes.size() && s.indexes[at] == index) ++at;
            return objects(s.objects).subspan(first, at - first);
        };
        for (std::int32_t i = 0; i < wanted; ++i) look(i, next(i));
        while (at < s.indexes.size()) {
            std::int32_t const index = s.indexes[at];
            look(index, next(index));
        }
    }

private:
    struct slots {
        std::vector<std::int32_t> indexes; ///< ascending, one for each object
        std::vector<Object const*> objects;
    };
    std::map<std::string, slots, std::less<>> types_;
};

/** Emits events that explain why an unfinished pod does not run.
    @par Upstream training-operator v1.9.0 `pkg/core/job.go`, `RecordAbnormalPods` */
void report_abnormal(pod const& p, rules::plan_writer& todo) {
    auto const warn = [&](std::string reason, std::string message) {
        todo.emit("Warning", std::move(reason), std::move(message));
    };
    if (p.metadata.deletion_timestamp || has_ended(p)) return;
    auto const& list =
        p.status.container_statuses.empty() ? p.status.init_container_statuses : p.status.container_statuses;
    std::string const who = "Error pod " + p.metadata.name;
    for (auto const& c : list) {
        if (auto const& t = c.state.terminated; t && t->exit_code != 0)
            warn(t->reason, who + " container " + c.name + " exitCode: " + std::to_string(t->exit_code) +
                                " terminated message: " + t->message);
        if (auto const& w = c.state.waiting; w && !w->message.empty())
            warn(w->reason, who + " container " + c.name + " waiting message: " + w->message);
    }
    if (!list.empty() || p.status.conditions.empty()) return;
    auto const newest =
        std::max_element(p.status.conditions.begin(), p.status.conditions.end(),
                         [](auto const& a, auto const& b) { return a.last_transition_time < b.last_transition_time; });
    if (newest->status != "True") warn(newest->reason, who + " condition message: " + newest->message);
}

/// One pass over a job, step by step as upstream's reconcile goes.
/// Upstream: training-operator v1.9.0 `pkg/controller.v1/common/{job,pod,service}.go`.
class pass {
public:
    pass(prepared_job const& prepared, replica_job const& job, with_status const& changed, observed const& world,
         time_point now, gang_scheduler const& gang)
        : prepared_(prepared),
          job_(job),
          changed_(changed),
          world_(world),
          now_(now),
          gang_(gang),
          editor_(job.resource, job.metadata, job.status, world, now, todo_) {}

    rules::plan run() {
        job_.reconcile_own(world_, todo_);
        if (find_condition(job_.status, "Created") == nullptr) editor_.set("Created", text(" is created."));
        decide();
        if (!silent_ && !(editor_.status() == job_.status)) todo_.add(write(editor_.status()));
        plan_.steps = todo_.take();
        return std::move(plan_);
    }

private:
    job_status& status() { return editor_.status(); }
    rules::write_status write(job_status const& next) const { return rules::write_status(changed_(next)); }
    bool suspended() const { return job_.policy.suspend.value_or(false); }
    bool is_v1_9() const { return job_.constants.release == operator_release::v1_9_0; }
    /// `<Kind> <job><tail>`
    std::string text(std::string_view tail) const {
        return std::string(job_.resource.kind).append(" ").append(job_.metadata.name).append(tail);
    }

    void decide() {
        if (is_finished(job_.status)) return close();
        if (suspended()) return suspend();
        if (is_true(job_.status, "Suspended")) resume();
        for (auto const& p : world_.pods) report_abnormal(*p, todo_);
        if (auto const why = exceeded_limit(job_, world_, status(), now_); !why.empty()) return fail_by_limit(why);
        plan_.requeue_at = deadline_of(job_, status());
        if (gang_ && !gather()) return;
        reconcile_members();
        if (silent_) return;
        if (!status().start_time) status().start_time = now_;
        plan_.requeue_at = deadline_of(job_, status());
        job_.judge(editor_);
    }

    void reconcile_members() {
        if (job_.constants.own_members) {
            silent_ = !job_.reconcile_members(prepared_, world_, gang_, editor_, todo_);
            return;
        }
        auto const& layout = prepared_.layout();
        replica_slots<pod> const pods(world_.pods);
        replica_slots<service> const services(world_.services);
        for (auto type : job_.types()) {
            reconcile_pods(type, layout, pods);
            reconcile_services(type, layout, services);
        }
    }

    void close() {
        std::string const policy = job_.policy.clean_pod_policy.value_or("None");
        auto pods = all_pods();
        std::erase_if(pods, [&](pod const* p) {
            return policy == "None" ||
                   (policy == "Running" && p->status.phase != "Running" && p->status.phase != "Pending");
        });
        remove(pods);
        dissolve_gang(job_, world_, gang_, todo_);
        if (is_true(status(), "Succeeded"))
            for (auto& [type, counts] : status().replica_statuses) counts.succeeded += std::exchange(counts.active, 0);
        expire();
    }

    /// Deletes the job when its time to live has passed, or schedules a reconcile for then.
    void expire() {
        if (!job_.policy.ttl_seconds_after_finished || (suspended() && is_v1_9())) return;
        auto const end = finished_at(job_.status) + std::chrono::seconds(*job_.policy.ttl_seconds_after_finished);
        silent_ = now_ >= end;
        if (!silent_) {
            plan_.requeue_at = end;
            return;
        }
        // Most kinds delete the job with the pod control, whose reason it then bears.
        rules::remove job(rules::target(job_.resource, job_.metadata),
                          rules::event_messages(job_.constants.deleted_reason, "Deleted job: {}"));
        job.how = rules::propagation::background;
        todo_.add(std::move(job));
    }

    void suspend() {
        remove(all_pods());
        dissolve_gang(job_, world_, gang_, todo_);
        for (auto& [type, counts] : status().replica_statuses) counts.active = 0;
        if (is_true(status(), "Running")) editor_.set("Running", "False", "Suspended", text(" is suspended."));
        editor_.set("Suspended", text(" is suspended."));
        editor_.raise("Normal", "Suspended", text(" is suspended."));
    }

    void resume() {
        editor_.set("Suspended", "False", "Resumed", text(" is resumed."));
        status().start_time = now_;
        editor_.raise("Normal", "Resumed", text(" is resumed."));
    }

    void fail_by_limit(std::string_view why) {
        if (!status().completion_time) status().completion_time = now_;
        remove(all_pods());
        dissolve_gang(job_, world_, gang_, todo_);
        auto const message =
            std::string("Job ").append(job_.metadata.name).append(" has failed because it ").append(why);
        editor_.raise("Normal", "Failed", message);
        editor_.set("Failed", message);
    }

    /// Writes the PodGroup; false if the pods have to wait for it.
    bool gather() {
        auto step = sync_pod_group(job_, world_, gang_);
        job_status waiting = status();
        waiting.last_reconcile_time = now_;
        if (step.write) {
            todo_.add(std::move(*step.write), write(waiting));
        } else {
            todo_.emit(name_is_taken(job_, "PodGroup", ", and no pods are created until it is deleted"));
        }
        if (step.wait) status() = std::move(waiting);
        return !step.wait;
    }

    void reconcile_pods(std::string_view type, membership const& layout, replica_slots<pod> const& pods) {
        auto const& spec = *job_.spec_of(type);
        auto& counts = status().replica_statuses[std::string(type)];
        counts = replica_status();
        std::int32_t const wanted = spec.replicas.value_or(1);
        bool const other_scheduler = names_other_scheduler(job_, gang_);
        auto const members = layout.of_role(type);
        pods.visit(type, wanted, [&](std::int32_t i, auto found) {
            if (found.empty()) {
                std::string const set = is_v1_9() ? "Set" : "Setted";
                if (!spec.template_.spec.restart_policy.empty())
                    warn(set + "PodTemplateRestartPolicy",
                         "Restart policy in pod template will be overwritten by restart policy in replica spec");
                if (other_scheduler)
                    warn(set + "PodTemplateSchedulerName", "Another scheduler is specified when gang-scheduling is "
                                                           "enabled and it will not be overwritten");
                create(render_pod(job_, layout, members[static_cast<std::size_t>(i)], gang_), pod_created);
            } else if (found.size() == 1) {
                reconcile_pod(*found.front(), type, spec, i >= wanted);
                count_pod(counts, *found.front());
            }
        });
    }

    void reconcile_pod(pod const& p, std::string_view type, replica_spec const& spec, bool surplus) {
        if (surplus) remove(p);
        auto const code = exit_code_of(p, job_.constants.container);
        if (code)
            todo_.emit("Normal", "ExitedWithCode",
                       "Pod: " + p.metadata.namespace_ + "." + p.metadata.name + " exited with code " +
                           std::to_string(*code));
        if (p.status.phase != "Failed" || !restarts(spec)) return;
        if (spec.restart_policy == "ExitCode" && code && *code < 128) {
            if (!is_v1_9()) return;
            auto const message = std::string("job \"")
                                     .append(job_.metadata.name)
                                     .append("\" is failing because \"")
                                     .append(type)
                                     .append("\" replica(s) failed.");
            editor_.raise("Warning", "Failed", message);
            return editor_.set("Failed", message);
        }
        // A replica without a recorded exit code is worth another try.
        if (!surplus) remove(p);
        auto const message = std::string("job ")
                                 .append(job_.metadata.name)
                                 .append(" is restarting because ")
                                 .append(type)
                                 .append(" replica(s) failed.");
        editor_.raise("Warning", "Restarting", message);
        editor_.set("Restarting", message);
    }

    void reconcile_services(std::string_view type, membership const& layout, replica_slots<service> const& services) {
        std::int32_t const wanted = job_.spec_of(type)->replicas.value_or(1);
        auto const members = layout.of_role(type);
        services.visit(type, wanted, [&](std::int32_t i, auto found) {
            if (found.empty())
                create(render_service(job_, members[static_cast<std::size_t>(i)]), service_created);
            else if (found.size() == 1 && i >= wanted)
                remove(*found.front());
        });
    }

    template <class Object> void create(Object object, rules::event_messages const& messages) {
        todo_.create(rules::create(std::move(object), messages));
    }

    void remove(pod const& p) { remove(pod::resource, p.metadata, pod_deleted); }
    void remove(service const& s) { remove(service::resource, s.metadata, service_deleted); }
    void remove(resource_info const& type, object_meta const& meta, rules::event_messages const& messages) {
        if (!meta.deletion_timestamp) todo_.remove(rules::remove(rules::target(type, meta), messages));
    }

    /// Deletes pods and the services of their names.
    void remove(std::vector<pod const*> const& pods) {
        if (pods.empty()) return;
        std::unordered_map<std::string_view, service const*> by_name;
        for (auto const& s : world_.services) by_name.emplace(s->metadata.name, s.get());
        for (auto const* p : pods) {
            remove(*p);
            if (auto const s = by_name.find(p->metadata.name); s != by_name.end()) remove(*s->second);
        }
    }
    std::vector<pod const*> all_pods() const {
        std::vector<pod const*> result;
        for (auto const& p : world_.pods) result.push_back(p.get());
        return result;
    }

    void warn(std::string reason, std::string message) { todo_.emit("Warning", std::move(reason), std::move(message)); }

    prepared_job const& prepared_;
    replica_job const& job_; ///< with defaults
    with_status const& changed_;
    observed const& world_;
    time_point now_;
    gang_scheduler const& gang_;
    rules::plan plan_;
    rules::plan_writer todo_;
    status_editor editor_;
    bool silent_ = false; ///< no status is written: the plan deletes the job, or something is in its way
};

} // namespace

rules::plan invalid_plan(std::string reason, std::string_view kind, std::string_view why) {
    rules::plan_writer todo;
    todo.emit("Warning", std::move(reason), std::string(kind).append(" failed validation because ").append(why));
    rules::plan p;
    p.steps = todo.take();
    return p;
}

bool is_ours(replica_job const& job) noexcept {
    return job.constants.manager == manager_rule::ignored || !job.policy.managed_by ||
           *job.policy.managed_by == own_manager;
}

rules::plan make_plan(prepared_job const& prepared, replica_job const& complete, with_status const& changed,
                      observed const& world, time_point now, gang_scheduler const& gang) {
    if (complete.specs.empty()) return {};
    return pass(prepared, complete, changed, world, now, gang).run();
}

} // namespace kftrain::kubeflow_v1
