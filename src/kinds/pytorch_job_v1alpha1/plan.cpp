#include "kinds/pytorch_job_v1alpha1/kind.hpp"

#include <kftrain/job/observed_types.hpp>
#include <kftrain/job/prepared_job.hpp>

#include <set>

namespace kftrain::kubeflow_v1alpha1::pytorch {
namespace {

constexpr std::string_view pods_row = "pods";
constexpr std::string_view owned_row = "owned pods";
constexpr std::string_view services_row = "services";

/// A service with such a name counts, of any owner.
std::vector<rules::object_name> services_of(pytorch_job const& job) {
    std::vector<rules::object_name> names;
    for (auto const& r : replicas_of(job.spec.replica_specs))
        names.emplace_back("", child_name(job, type_of(*r.set), r.index));
    return names;
}

constexpr rules::event_messages service_created("SuccessfulCreate", "Created Service: {}", "FailedCreate",
                                                "Error creating: {}");
constexpr rules::event_messages pod_created("SuccessfulCreate", "Created pod: {}", "FailedCreate",
                                            "Error creating: {}");
// Blanks where upstream has no name to report.
constexpr std::string_view service_refused = "Could not create job resources; [Creating Service  returned error., ";
constexpr std::string_view pod_refused = "Could not create job resources; [Creating pod  returned error., ";

/// One pass over a job, with the steps of upstream.
class pass {
public:
    pass(prepared_job const& job, pytorch_world const& world, first_observation const* remembered,
         pytorch_operator_options const& options)
        : prepared_(job),
          stored_(*job.written().get_if<pytorch_job>()),
          job_(stored_),
          status_(remembered != nullptr ? remembered->status : stored_.status),
          written_(stored_.status),
          world_(world),
          remembered_(remembered),
          options_(options) {}

    rules::plan run() {
        rules::plan plan;
        if (stored_.metadata.deletion_timestamp) return plan;
        if (status_.phase.empty()) set_up();
        bool const whole = take_sets();
        if (whole && (status_.phase == creating || status_.phase == running)) {
            make_children();
            judge();
        }
        write_status();
        plan.steps = std::move(steps_);
        if (whole) plan.remember = std::make_shared<first_observation const>(std::move(sets_), std::move(status_));
        return plan;
    }

private:
    /// Happens once in the life of a job: the added fields stay in its spec.
    void set_up() {
        job_ = *prepared_.complete().get_if<pytorch_job>();
        if (auto const faults = spec_faults(job_.spec); faults.empty()) {
            add_accelerators(job_.spec, options_);
            job_.spec.runtime_id = runtime_id_of(job_);
            status_.phase = creating;
            status_.state = running;
        } else {
            status_.reason = "invalid job spec: " + faults.front().message;
            status_.phase = failed;
            status_.state = failed;
        }
        job_.status = written_ = status_;
        steps_.emplace_back().actions.emplace_back(rules::change_self(job_));
    }

    /// The first observed sets, as long as their number is unchanged.
    bool take_sets() {
        auto const& sets = job_.spec.replica_specs;
        if (remembered_ != nullptr && remembered_->sets.size() == sets.size()) {
            sets_ = remembered_->sets;
            return true;
        }
        auto faults = set_faults(job_.spec);
        if (status_.phase == failed) // a template is missed only by who makes a pod of it
            std::erase_if(faults, [](issue const& i) { return i.rule == "pytorch.template"; });
        if (faults.empty())
            sets_ = sets;
        else
            status_.reason = "Could not create in memory datastructures; " + faults.front().message;
        return faults.empty();
    }

    void make_children() {
        std::set<std::string_view> services;
        for (auto const* s : world_.services) services.insert(s->metadata.name);
        std::set<std::string_view> taken;
        for (auto const* p : world_.pods) {
            observed_.add(job_, *p);
            taken.insert(p->metadata.name);
        }
        for (auto const* p : world_.owned_pods) taken.insert(p->metadata.name);
        pod_maker const pods(job_, sets_);
        pytorch_replica_spec const* set = nullptr;
        rules::step new_services, new_pods;
        auto const flush = [&] {
            add(std::move(new_services), service_refused);
            add(std::move(new_pods), pod_refused);
            new_services = new_pods = rules::step();
        };
        for (auto const& replica : replicas_of(sets_)) {
            if (replica.set != set) flush();
            set = replica.set;
            if (!services.contains(child_name(job_, type_of(*set), replica.index)))
                new_services.actions.emplace_back(service(*set, replica.index));
            auto const rank = rank_of(type_of(*set), replica.index);
            if (observed_.lives(type_of(*set), rank)) continue;
            std::size_t attempt = 0;
            while (taken.contains(pod_name(job_, type_of(*set), rank, attempt))) ++attempt;
            new_pods.actions.emplace_back(pod(pods, *set, rank, attempt));
            observed_.add_new(type_of(*set), rank);
        }
        flush();
    }

    rules::create service(pytorch_replica_spec const& set, std::int32_t index) const {
        rules::create c(render_service(job_, set, index), service_created);
        c.exists = rules::on_refusal::ignore;
        return c;
    }

    static rules::create pod(pod_maker const& pods, pytorch_replica_spec const& set, std::int32_t rank,
                             std::size_t attempt) {
        rules::create c(pods.make(set, rank, attempt), pod_created);
        c.exists = rules::on_refusal::ignore; // an earlier attempt created it
        return c;
    }

    void add(rules::step step, std::string_view reason) {
        if (step.actions.empty()) return;
        step.side_by_side = true;
        step.refused = refusal(reason);
        steps_.push_back(std::move(step));
    }

    rules::write_status refusal(std::string_view reason) const {
        pytorch_job next = job_;
        next.status = status_;
        next.status.reason = reason;
        return rules::status_of_refusal(std::move(next), [](pytorch_job& j, std::string_view message) {
            j.status.reason.append(message).append("]");
        });
    }

    void judge() {
        status_.replica_statuses.clear();
        for (auto const& set : sets_) status_.replica_statuses.push_back(status_of(set, observed_));
        auto const end = end_of(job_, sets_, observed_);
        if (end.empty()) return;
        status_.phase = done;
        status_.state = end;
    }

    void write_status() {
        if (status_ == written_) return;
        pytorch_job next = job_;
        next.status = status_;
        steps_.emplace_back().actions.emplace_back(rules::write_status(std::move(next)));
    }

    prepared_job const& prepared_;
    pytorch_job const& stored_;
    pytorch_job job_;            ///< as it is stored behind what is written so far
    pytorch_job_status status_;  ///< the new status
    pytorch_job_status written_; ///< as it is stored behind what is written so far
    pytorch_world const& world_;
    first_observation const* remembered_;
    pytorch_operator_options const& options_;
    replica_sets sets_;
    observed_pods observed_;
    std::vector<rules::step> steps_;
};

} // namespace

std::vector<rules::watched> watched_rows() {
    std::vector<rules::watched> rows;
    rows.emplace_back(pods_row, observed_pod_type(), rules::by_labels(label::job_name));
    rows.emplace_back(owned_row, observed_pod_type(), rules::by_controller());
    rows.emplace_back(services_row, observed_service_type(), rules::by_labels(label::job_name));
    rows.emplace_back(services_row, observed_service_type(), rules::named_by<pytorch_job, &services_of>());
    return rows;
}

pytorch_world gather(rules::world const& all) {
    pytorch_world world;
    for (auto const& p : all.of<core::pod>(pods_row)) world.pods.push_back(&p);
    for (auto const& p : all.of<core::pod>(owned_row)) world.owned_pods.push_back(&p);
    for (auto const& s : all.of<core::service>(services_row)) world.services.push_back(&s);
    return world;
}

rules::plan make_plan(prepared_job const& job, pytorch_world const& world, first_observation const* remembered,
                      pytorch_operator_options const& options) {
    return pass(job, world, remembered, options).run();
}

} // namespace kftrain::kubeflow_v1alpha1::pytorch
