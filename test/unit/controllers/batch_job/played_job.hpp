#ifndef KFTRAIN_TEST_UNIT_CONTROLLERS_BATCH_JOB_PLAYED_JOB_HPP
#define KFTRAIN_TEST_UNIT_CONTROLLERS_BATCH_JOB_PLAYED_JOB_HPP

#include <kftrain/controllers/batch_job.hpp>

#include <boost/test/unit_test.hpp>

#include <functional>
#include <map>

/// A Job, its pods and a server that carries out plans: a test reads what a cluster would have.
namespace played_jobs {

using namespace kftrain;
using namespace std::chrono_literals;

inline constexpr time_point start{std::chrono::seconds(1700000000)};

inline batch::job sample(std::function<void(batch::job_spec&)> const& change = {}) {
    batch::job j;
    j.metadata.name = "train";
    j.metadata.namespace_ = "team";
    j.metadata.uid = "job-uid";
    j.spec.parallelism = 1;
    j.spec.completions = 1;
    j.spec.template_.metadata.labels["job-name"] = "train";
    j.spec.template_.spec.restart_policy = "Never";
    j.spec.template_.spec.containers.emplace_back().name = "c";
    if (change) change(j.spec);
    return j;
}

struct played_job {
    explicit played_job(batch::job j) : job(std::move(j)) {}

    rules::plan look() {
        rules::world seen;
        std::vector<any_object> all;
        auto const& type = *controller.watches().front().type; // which may decode a part of a pod
        for (auto const& [name, p] : pods) all.emplace_back(type, type.decode(to_json(p)).value());
        seen.add("pods", std::move(all));
        return controller.make_plan(rules::look<batch::job>(job, seen, remembered, now));
    }
    /// Plans once and carries out the plan.
    rules::plan once() {
        auto plan = look();
        for (auto const& step : plan.steps)
            for (auto const& action : step.actions) std::visit([this](auto const& a) { carry_out(a); }, action);
        if (plan.remember) remembered = plan.remember;
        return plan;
    }
    /// The same until nothing more is to be done.
    void settle() {
        for (int i = 0; i < 20; ++i)
            if (once().steps.empty()) return;
        BOOST_ERROR("plans go on for ever");
    }

    void carry_out(rules::create const& a) {
        pod p = *a.object.get_if<pod>();
        BOOST_TEST(p.metadata.name.empty());
        p.metadata.name = p.metadata.generate_name + std::to_string(++made);
        p.metadata.uid = "uid-" + std::to_string(made);
        p.metadata.creation_timestamp = now;
        p.status.phase = "Pending";
        pods.emplace(p.metadata.name, p);
        events.push_back("SuccessfulCreate");
    }
    void carry_out(rules::remove const& a) {
        if (a.of.type->kind == "Job") {
            BOOST_TEST((a.how == rules::propagation::foreground));
            deleted = true;
            return;
        }
        events.push_back("SuccessfulDelete");
        auto const at = pods.find(a.of.name);
        if (at == pods.end()) return;
        at->second.metadata.deletion_timestamp = now;
        if (at->second.metadata.finalizers.empty() && !lingering) pods.erase(at);
    }
    void carry_out(rules::patch const& a) {
        BOOST_TEST(a.text ==
                   R"({"metadata":{"$deleteFromPrimitiveList/finalizers":["batch.kubernetes.io/job-tracking"]}})");
        auto const at = pods.find(a.of.name);
        BOOST_REQUIRE(at != pods.end());
        BOOST_TEST(at->second.metadata.finalizers.size() == 1u);
        at->second.metadata.finalizers.clear();
        if (at->second.metadata.deletion_timestamp && !lingering) pods.erase(at);
    }
    void carry_out(rules::write_status const& a) {
        job.status = a.object.get_if<batch::job>()->status;
        for (auto const& c : job.status.conditions)
            if (c.type == "Complete" || c.type == "Failed") BOOST_TEST(noted() == 0u);
    }
    void carry_out(rules::emit_event const& a) { events.push_back(a.reason); }
    template <class Other> void carry_out(Other const&) { BOOST_ERROR("an action that was not expected"); }

    std::size_t noted() const {
        auto const& u = job.status.uncounted_terminated_pods;
        return u ? u->succeeded.size() + u->failed.size() : 0;
    }
    /// The first pod that is under way, or of this index.
    pod& running(std::string const& index = {}) {
        for (auto& [name, p] : pods)
            if (p.status.phase == "Pending" && !p.metadata.deletion_timestamp &&
                (index.empty() || p.metadata.annotations["batch.kubernetes.io/job-completion-index"] == index))
                return p;
        BOOST_FAIL("no pod is under way");
        throw 0;
    }
    void end(pod& p, int code) {
        p.status.phase = code == 0 ? "Succeeded" : "Failed";
        auto& c = p.status.container_statuses.emplace_back();
        c.name = "c";
        c.state.terminated.emplace().exit_code = code;
        c.state.terminated->finished_at = now;
    }
    /// `Type=True Reason; ...`
    std::string conditions() const {
        std::string text;
        for (auto const& c : job.status.conditions)
            text += (text.empty() ? "" : "; ") + c.type + "=" + c.status + " " + c.reason;
        return text;
    }
    std::size_t count(std::string const& event) const {
        return static_cast<std::size_t>(std::ranges::count(events, event));
    }

    batch::job job;
    std::map<std::string, pod> pods;
    std::vector<std::string> events;
    std::shared_ptr<rules::memory const> remembered;
    time_point now = start;
    int made = 0;
    bool lingering = false; ///< deleted pods take their time
    bool deleted = false;
    controllers::batch_job_rules controller;
};

} // namespace played_jobs

#endif
