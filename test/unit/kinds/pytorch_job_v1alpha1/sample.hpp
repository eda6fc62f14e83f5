#ifndef KFTRAIN_TEST_UNIT_KINDS_PYTORCH_JOB_V1ALPHA1_SAMPLE_HPP
#define KFTRAIN_TEST_UNIT_KINDS_PYTORCH_JOB_V1ALPHA1_SAMPLE_HPP

#include "kinds/pytorch_job_v1alpha1/kind.hpp"

#include <kftrain/job/prepared_job.hpp>

#include <boost/test/unit_test.hpp>

#include <map>

/// PyTorchJobs of v1alpha1 as users write them, and a cluster that carries out plans.
namespace pytorch_v1alpha1 {

using namespace kftrain;
namespace v1alpha1 = kftrain::kubeflow_v1alpha1;
using v1alpha1::pytorch::first_observation;
using first_job = v1alpha1::pytorch_job;
using lines = std::vector<std::string>;

inline v1alpha1::pytorch_replica_spec replicas(std::string type, std::optional<std::int32_t> count) {
    v1alpha1::pytorch_replica_spec set;
    set.replica_type = std::move(type);
    set.replicas = count;
    core::container c;
    c.name = "pytorch";
    c.image = "img";
    set.template_.emplace().spec.containers.push_back(std::move(c));
    return set;
}

/// A MASTER, and workers unless there are none.
inline first_job job(std::string name, std::int32_t workers) {
    first_job j;
    j.metadata.name = std::move(name);
    j.metadata.namespace_ = "corpus";
    j.metadata.uid = "uid-of-job";
    j.spec.replica_specs.push_back(replicas("MASTER", {}));
    if (workers > 0) j.spec.replica_specs.push_back(replicas("WORKER", workers));
    return j;
}

/// `phase/state`, then each set.
inline std::string reported(v1alpha1::pytorch_job_status const& s) {
    std::string text = s.phase + "/" + s.state;
    for (auto const& set : s.replica_statuses) {
        text += " " + set.replica_type + "=" + set.state;
        for (auto const& [state, n] : set.replicas_states) text += "," + state + ":" + std::to_string(n);
    }
    return text;
}

class cluster {
public:
    explicit cluster(first_job j, v1alpha1::pytorch_operator_options o = {})
        : job(std::move(j)), options(std::move(o)) {}

    rules::plan look() const {
        v1alpha1::pytorch::pytorch_world world;
        for (auto const& [name, p] : pods) {
            if (!p.metadata.labels.empty()) world.pods.push_back(&p);
            world.owned_pods.push_back(&p);
        }
        for (auto const& [name, s] : services) world.services.push_back(&s);
        return v1alpha1::pytorch::make_plan(prepared_job::stored(job), world,
                                            dynamic_cast<first_observation const*>(remembered.get()), options);
    }
    /// One pass; what it did, in words.
    lines pass() {
        did_.clear();
        ++passes_;
        auto const plan = look();
        for (auto const& step : plan.steps)
            for (auto const& action : step.actions) std::visit([this](auto const& a) { carry_out(a); }, action);
        if (plan.remember) remembered = plan.remember;
        return did_;
    }
    /// The pod whose name begins like this, the latest of them.
    core::pod& pod_of(std::string const& name) {
        core::pod* found = nullptr;
        for (auto& [n, p] : pods)
            if (n.starts_with(name)) found = &p;
        BOOST_TEST_REQUIRE((found != nullptr), name);
        return *found;
    }
    static void run(core::pod& p) {
        p.status.phase = "Running";
        state_of(p) = {};
        state_of(p).running.emplace();
    }
    static void end(core::pod& p, int code) {
        p.status.phase = code == 0 ? "Succeeded" : "Failed";
        state_of(p) = {};
        state_of(p).terminated.emplace().exit_code = code;
    }
    void restart_operator() { remembered = nullptr; }

    first_job job;
    v1alpha1::pytorch_operator_options options;
    std::map<std::string, core::pod> pods;
    std::map<std::string, core::service> services;
    std::shared_ptr<rules::memory const> remembered;

private:
    static core::container_state& state_of(core::pod& p) {
        if (p.status.container_statuses.empty()) p.status.container_statuses.emplace_back().name = "pytorch";
        return p.status.container_statuses.front().state;
    }
    void carry_out(rules::create const& a) {
        if (auto const* s = a.object.get_if<core::service>()) {
            did_.push_back("create Service " + s->metadata.name);
            services[s->metadata.name] = *s;
            return;
        }
        BOOST_TEST(a.made.empty());
        auto p = *a.object.get_if<core::pod>();
        BOOST_TEST(!pods.contains(p.metadata.name));
        did_.push_back("create Pod " + p.metadata.name);
        p.metadata.creation_timestamp = time_point(std::chrono::seconds(1000 + passes_));
        p.status.phase = "Pending";
        pods[p.metadata.name] = std::move(p);
    }
    void carry_out(rules::change_self const& a) {
        did_.emplace_back("set up");
        job = *a.object.get_if<first_job>();
    }
    void carry_out(rules::write_status const& a) {
        job.status = a.object.get_if<first_job>()->status;
        did_.push_back(reported(job.status));
    }
    template <class Other> void carry_out(Other const&) { BOOST_ERROR("an action that was not expected"); }

    lines did_;
    int passes_ = 0;
};

} // namespace pytorch_v1alpha1

#endif
