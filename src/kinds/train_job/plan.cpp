#include "kinds/train_job/kind.hpp"

#include <kftrain/job/observed_types.hpp>
#include <kftrain/job/plan_writer.hpp>
#include <kftrain/job/prepared_job.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/model/ownership.hpp>
#include <kftrain/objects/core/config_map.hpp>
#include <kftrain/objects/coscheduling/pod_group.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

#include <algorithm>

namespace kftrain::trainer {
namespace {

constexpr rules::event_messages failed_write("", "", "TrainJobResourcesCreationFailed",
                                             "TrainJob resources reconciliation failed: {}");

bool is_over(train_job const& job) {
    for (auto const& c : job.status.conditions)
        if (c.status == "True" && (c.type == "Complete" || (c.type == "Failed" && c.reason == "DeadlineExceeded")))
            return true;
    return false;
}

std::string runtime_name(train_job const& job) { return job.spec.runtime_ref.name; }

/// One look at a job, and what follows from it.
class pass {
public:
    explicit pass(rules::job_look<train_job> const& look)
        : stored_(look.object), job_(*look.job.complete().get_if<train_job>()), world_(look.world), now_(look.now) {
        set_ = world_.find<jobset::job_set>(row::job_sets, job_.metadata.name);
    }

    rules::plan make() {
        rules::plan plan;
        next_ = stored_;
        next_.status = judge(stored_, set_, now_);
        if (has_known_runtime(job_) && !is_over(stored_)) apply_objects();
        if (!is_over(stored_) && is_over(next_) && set_ != nullptr && !has_completed())
            todo_.remove(rules::remove(rules::target(jobset::job_set::resource, set_->metadata)));
        if (auto const end = deadline_of(job_); end && !is_over(next_))
            plan.requeue_at = *end + std::chrono::seconds(1);
        if (!(next_.status == stored_.status)) todo_.add(rules::write_status(next_));
        plan.steps = todo_.take();
        return plan;
    }

private:
    bool has_completed() const {
        for (auto const& c : next_.status.conditions)
            if (c.type == "Complete" && c.status == "True") return true;
        return false;
    }

    void fail(std::string const& why) {
        todo_.emit("Warning", std::string(failed_write.failed_reason),
                   "TrainJob resources reconciliation failed: " + why);
    }

    void apply(any_object wanted) {
        rules::apply a(std::move(wanted), "trainer");
        a.event = failed_write;
        if (next_.status == stored_.status)
            todo_.add(std::move(a));
        else
            todo_.add(std::move(a), rules::write_status(next_));
    }

    /// The runtime as it was at the first look; empty, with an event, if there is none.
    any_object find_runtime() {
        if (auto const* copy = world_.find<core::config_map>(row::config_maps, snapshot_name(job_)))
            return read_copy(*copy);
        for (auto const& r : world_.all(row::runtimes)) {
            bool const own = r.is<training_runtime>();
            if (own != has_own_runtime(job_) || r.metadata().name != job_.spec.runtime_ref.name) continue;
            apply(render_snapshot(job_, r));
            return r;
        }
        auto const& ref = job_.spec.runtime_ref;
        fail((has_own_runtime(job_) ? "TrainingRuntime specified in TrainJob is not found: "
                                    : "not found ClusterTrainingRuntime specified in TrainJob: ") +
             *ref.kind + "." + std::string(group) + " \"" + ref.name + "\" not found");
        return {};
    }

    any_object read_copy(core::config_map const& copy) {
        auto const at = copy.data.find("runtime");
        bool const own = is_controlled_by(copy.metadata, job_.metadata.uid);
        if (!own || at == copy.data.end()) {
            fail(own ? "invalid runtime snapshot: snapshot ConfigMap missing \"runtime\" data key"
                     : "invalid runtime snapshot: a snapshot configmap exists but is owned by another object");
            return {};
        }
        if (has_own_runtime(job_)) {
            if (auto r = from_yaml<training_runtime>(at->second)) return *std::move(r);
        } else if (auto r = from_yaml<cluster_training_runtime>(at->second)) {
            return *std::move(r);
        }
        fail("invalid runtime snapshot: unable to unmarshal the snapshot");
        return {};
    }

    void apply_objects() {
        auto const runtime = find_runtime();
        auto const* const stored = spec_of(runtime);
        if (stored == nullptr) return;
        auto spec = *stored;
        trainer::set_defaults(spec);
        auto const l = lay_out_runtime(job_, spec);
        if (!l.fault.empty()) return fail(l.fault);
        if (spec.ml_policy && spec.ml_policy->mpi) apply_mpi_objects(l, *spec.ml_policy->mpi);
        bool const fixed = set_ != nullptr && !is_suspended(job_) && !set_->spec.suspend.value_or(false);
        // Only the server knows which fields an earlier apply has set, so that this one removes them.
        if (!fixed) apply(render_job_set(job_, l));
        if (!spec.pod_group_policy) return;
        bool const made = has_gang(spec.pod_group_policy->coscheduling.has_value());
        if (made && !is_suspended(job_)) return;
        if (auto gang = render_pod_group(job_, l, *spec.pod_group_policy); !gang.empty()) apply(std::move(gang));
    }

    void apply_mpi_objects(layout const& l, mpi_policy const& policy) {
        if (world_.find<core::secret>(row::secrets, ssh_secret_name(job_)) == nullptr) {
            rules::create c(render_ssh_secret(job_), failed_write);
            c.exists = rules::on_refusal::ignore;
            c.made.push_back(ssh_recipe());
            todo_.create(std::move(c));
        }
        auto const* const hosts = world_.find<core::config_map>(row::config_maps, hostfile_name(job_));
        auto wanted = render_hostfile(job_, l, policy);
        if (hosts == nullptr || hosts->data != wanted.data || !is_controlled_by(hosts->metadata, job_.metadata.uid))
            apply(std::move(wanted));
    }

    bool has_gang(bool coscheduled) const {
        return std::ranges::any_of(world_.all(row::gangs),
                                   [&](any_object const& g) { return g.is<coscheduling::pod_group>() == coscheduled; });
    }

    train_job const& stored_;
    train_job const& job_; ///< with defaults
    train_job next_;
    rules::world const& world_;
    time_point now_;
    jobset::job_set const* set_ = nullptr;
    rules::plan_writer todo_;
};

} // namespace

std::vector<rules::watched> watched_rows() {
    using rules::named_by;
    std::vector<rules::watched> rows;
    rows.emplace_back(row::job_sets, object_type_of<jobset::job_set>, rules::by_name_of_primary());
    rows.emplace_back(row::config_maps, object_type_of<core::config_map>, named_by<train_job, &snapshot_name>());
    rows.emplace_back(row::config_maps, object_type_of<core::config_map>, named_by<train_job, &hostfile_name>());
    rows.emplace_back(row::secrets, observed_secret_type(), named_by<train_job, &ssh_secret_name>());
    rows.emplace_back(row::gangs, object_type_of<coscheduling::pod_group>, rules::by_name_of_primary());
    rows.emplace_back(row::gangs, object_type_of<volcano::pod_group>, rules::by_name_of_primary());
    auto const by_reference = named_by<train_job, &runtime_name>();
    rows.emplace_back(row::runtimes, object_type_of<training_runtime>, by_reference);
    rows.emplace_back(row::runtimes, object_type_of<cluster_training_runtime>, by_reference, rules::reach::cluster);
    return rows;
}

rules::plan make_plan(rules::job_look<train_job> const& look) {
    auto const manager = look.object.spec.managed_by.value_or(std::string(own_manager));
    if (look.object.metadata.deletion_timestamp || manager != own_manager) return {};
    return pass(look).make();
}

} // namespace kftrain::trainer
