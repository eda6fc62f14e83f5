#ifndef KFTRAIN_TEST_UNIT_KINDS_CHAINER_JOB_SAMPLE_HPP
#define KFTRAIN_TEST_UNIT_KINDS_CHAINER_JOB_SAMPLE_HPP

#include "kinds/chainer_job/kind.hpp"

#include <kftrain/job/prepared_job.hpp>

#include <boost/test/unit_test.hpp>

#include <map>

/// ChainerJobs as users write them, and a cluster that carries out plans.
namespace chainer_sample {

using namespace kftrain;
namespace v1alpha1 = kftrain::kubeflow_v1alpha1;
namespace chainer = kftrain::kubeflow_v1alpha1::chainer;
using lines = std::vector<std::string>;

inline core::pod_template_spec pod_template(std::string const& name = "chainer") {
    core::pod_template_spec t;
    auto& c = t.spec.containers.emplace_back();
    c.name = name;
    c.image = "img";
    c.command = {"run"};
    return t;
}

/// A master, and sets of so many workers.
inline chainer_job job(std::string name, std::map<std::string, std::int32_t> const& sets) {
    chainer_job j;
    j.metadata.name = std::move(name);
    j.metadata.namespace_ = "corpus";
    j.metadata.uid = "uid-of-job";
    j.spec.master.template_ = pod_template();
    for (auto const& [set, count] : sets) {
        j.spec.worker_sets[set].replicas = count;
        j.spec.worker_sets[set].template_ = pod_template();
    }
    return j;
}

inline chainer_job complete(chainer_job j) {
    v1alpha1::set_defaults(j);
    return j;
}

class cluster {
public:
    explicit cluster(chainer_job j) : job(std::move(j)) {}

    /// One pass; what it did, in words.
    lines pass() {
        did_.clear();
        chainer::chainer_world world;
        auto const show = [](auto const& stored, auto const*& shown) { shown = stored ? &*stored : nullptr; };
        show(account, world.account);
        show(role, world.role);
        show(binding, world.binding);
        show(config_map, world.config_map);
        show(master, world.master);
        for (auto const& [name, set] : sets) world.sets.emplace(set.metadata.name, &set);
        auto const plan = chainer::make_plan(prepared_job::stored(job), world);
        for (auto const& step : plan.steps)
            for (auto const& action : step.actions) {
                if (is_refused(action)) {
                    if (step.refused) carry_out(*step.refused);
                    return did_;
                }
                std::visit([this](auto const& a) { carry_out(a); }, action);
            }
        return did_;
    }

    chainer_job job;
    std::optional<core::service_account> account;
    std::optional<rbac::role> role;
    std::optional<rbac::role_binding> binding;
    std::optional<core::config_map> config_map;
    std::optional<batch::job> master;
    std::map<std::string, apps::stateful_set> sets;
    std::string refused; ///< the server does not create what bears this name

private:
    bool is_refused(rules::action const& action) const {
        auto const* made = std::get_if<rules::create>(&action);
        return made != nullptr && made->object.metadata().name == refused;
    }
    template <class K> static bool put(any_object const& o, std::optional<K>& stored) {
        auto const* typed = o.get_if<K>();
        if (typed != nullptr) stored = *typed;
        return typed != nullptr;
    }
    void put(any_object const& o) {
        if (auto const* set = o.get_if<apps::stateful_set>()) {
            sets[set->metadata.name] = *set;
            return;
        }
        BOOST_TEST((put(o, account) || put(o, role) || put(o, binding) || put(o, config_map) || put(o, master)));
    }
    static std::string name_of(any_object const& o) { return o.type().kind() + " " + o.metadata().name; }

    void carry_out(rules::create const& a) {
        did_.push_back("create " + name_of(a.object));
        put(a.object);
    }
    void carry_out(rules::replace const& a) {
        did_.push_back("replace " + name_of(a.object));
        put(a.object);
    }
    void carry_out(rules::change_self const& a) {
        did_.emplace_back("itself");
        job = *a.object.get_if<chainer_job>();
    }
    void carry_out(rules::write_status const& a) {
        did_.emplace_back("status");
        job.status = a.object.get_if<chainer_job>()->status;
    }
    void carry_out(rules::emit_event const& a) { did_.push_back(a.type + " " + a.reason + ": " + a.message); }
    template <class Other> void carry_out(Other const&) { BOOST_ERROR("an action that was not expected"); }

    lines did_;
};

} // namespace chainer_sample

#endif
