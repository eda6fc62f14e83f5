#include "async/any_kind/cluster.hpp"
#include "facade/plan/plan_update.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/kube/any_api.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/objects/core.hpp>
#include <kftrain/training_client.hpp>

#include <boost/test/unit_test.hpp>

#include <set>

BOOST_AUTO_TEST_SUITE(async_any_kind_states)

// The states that the facade reports for jobs of every registered kind while their operators run.
namespace {

using namespace any_kind;

struct watched : cluster {
    watched() {
        watch.on_change([this](job_change const& c) {
            auto const& ns = c.state.job.namespace_;
            if (c.kind == change_kind::deleted)
                last.erase(ns);
            else
                last[ns] = c.state;
        });
        start_operators();
        for (std::size_t i = 0; i != known_jobs().size(); ++i) submit(known_jobs()[i], home(i));
    }
    static std::string home(std::size_t i) { return "state-" + std::to_string(i) + "-x"; }

    template <class T, class Start> T await_result(Start start) {
        auto r = kube::run_blocking<T>(client.get_executor(), diagnostics(), std::move(start));
        BOOST_REQUIRE_MESSAGE(r.has_value(), (r ? "" : r.error().to_string()));
        return *std::move(r);
    }
    job_state truth(std::size_t i) {
        auto const& known = known_jobs()[i].job;
        auto stored = client.get(job_reference(known.rules(), home(i), known.metadata().name));
        BOOST_REQUIRE_MESSAGE(stored.has_value(), known_jobs()[i].name);
        BOOST_REQUIRE_MESSAGE(stored->resolve_from({}).has_value(), known_jobs()[i].name);
        kube::api<core::pod> pods(client.get_client(), home(i));
        auto const all = await_result<object_list<core::pod>>([&](auto h) { pods.async_list(std::move(h)); });
        std::vector<std::shared_ptr<core::pod const>> seen;
        for (auto const& p : all.items) seen.push_back(std::make_shared<core::pod const>(p));
        auto state = job_state_of(*stored, seen);
        state.resource_version = last[home(i)].resource_version; // a new version alone is not reported
        return state;
    }
    /// Checks that the watch reports the state of the server.
    void check(stage s) {
        advance_to(s);
        for (int patience = 0; patience != 20 && !all_reported(); ++patience) run(100ms);
        for (std::size_t i = 0; i != known_jobs().size(); ++i) {
            auto const& name = known_jobs()[i].name;
            BOOST_TEST((last[home(i)] == truth(i)),
                       name << ": " << last[home(i)].to_string() << ", the server has " << truth(i).to_string());
            BOOST_TEST(!last[home(i)].ranks.empty(), name);
        }
    }
    bool all_reported() {
        for (std::size_t i = 0; i != known_jobs().size(); ++i)
            if (last[home(i)] != truth(i)) return false;
        return true;
    }

    training_client client{kube::client(transport())};
    std::map<std::string, job_state> last;
    job_watch watch = client.watch(job_watch_options().with_all_namespaces());
};

} // namespace

BOOST_AUTO_TEST_CASE(the_state_of_every_kind_has_ranks) {
    watched w;
    w.check(stage::created);
    w.check(stage::running);
    std::set<rules::job_rules const*> ready;
    for (std::size_t i = 0; i != known_jobs().size(); ++i) {
        auto const& s = w.last[watched::home(i)];
        BOOST_TEST(s.all_ready(), known_jobs()[i].name << ": " << s.to_string());
        BOOST_TEST((s.phase == job_phase::running), known_jobs()[i].name << ": " << s.to_string());
        BOOST_TEST(s.created.has_value());
        if (s.all_ready()) ready.insert(s.job.kind);
    }
    BOOST_TEST(ready.size() == known_job_rules().size());
    w.check(stage::all_succeeded);
    for (std::size_t i = 0; i != known_jobs().size(); ++i) {
        auto const& s = w.last[watched::home(i)];
        BOOST_TEST((s.phase == job_phase::succeeded), known_jobs()[i].name << ": " << s.to_string());
    }
}

// Whatever its operator wrote into the job meanwhile.
BOOST_AUTO_TEST_CASE(running_jobs_of_every_kind_have_no_planned_changes) {
    cluster w;
    w.start_operators();
    auto const& jobs = known_jobs();
    auto const place = [](std::size_t i) { return "plan-" + std::to_string(i) + "-x"; };
    for (std::size_t i = 0; i != jobs.size(); ++i) w.submit(jobs[i], place(i));
    BOOST_TEST(w.calm());
    w.advance_to(stage::running);
    for (std::size_t i = 0; i != jobs.size(); ++i) {
        auto const& job = jobs[i].job;
        auto const text = w.exact(std::string(job.resource().plural) + " " + job.metadata().name, place(i));
        any_job stored(job.rules());
        BOOST_REQUIRE_MESSAGE(stored.read_json(text).has_value(), jobs[i].name + ": " + text);
        any_job wanted = job;
        wanted.metadata().namespace_ = place(i);
        auto const p = plan_update(wanted, stored);
        BOOST_TEST(p.empty(), jobs[i].name << ": " << p.to_string());
    }
    w.stop_operators();
}

BOOST_AUTO_TEST_SUITE_END()
