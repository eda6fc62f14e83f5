#include "async/any_kind/cluster.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/kube/blocking.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>
#include <kftrain/training_client.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>

BOOST_AUTO_TEST_SUITE(async_any_kind_explained)

// Why a job is where it is, for every registered kind.
namespace {

using namespace any_kind;

job_reference reference_of(known_job const& known, std::string const& ns) {
    job_reference r(known.job);
    r.namespace_ = ns;
    r.uid.clear();
    return r;
}

explanation explained(training_client& client, known_job const& known, std::string const& ns) {
    auto e = client.explain(reference_of(known, ns), explain_options().with_quiet(0s)); // they run since long ago
    BOOST_REQUIRE_MESSAGE(e.has_value(), known.name << ": " << (e ? "" : e.error().to_string()));
    return *std::move(e);
}

/// Ends the first container of a pod with this exit code, in the form of a kubelet.
void end_pod(kube::client const& of, core::pod p, std::int32_t code) {
    p.status.phase = "Failed";
    p.status.container_statuses.resize(1);
    auto& c = p.status.container_statuses[0];
    c.name = p.spec.containers.at(0).name;
    c.state = core::container_state();
    auto& t = c.state.terminated.emplace();
    t.exit_code = code;
    t.reason = "Error";
    t.finished_at = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    kube::api<core::pod> pods(of, p.metadata.namespace_);
    auto const r = kube::run_blocking<core::pod>(of.get_executor(), diagnostics(),
                                                 [&](auto h) { pods.async_replace_status(p, std::move(h)); });
    BOOST_REQUIRE_MESSAGE(r.has_value(), (r ? "" : r.error().to_string()));
}

} // namespace

BOOST_AUTO_TEST_CASE(a_healthy_job_and_a_failed_member_are_explained_for_every_kind) {
    auto const& jobs = known_jobs();
    cluster w;
    w.start_operators();
    auto const ns = [](std::size_t i) { return "explained-" + std::to_string(i) + "-x"; };
    for (std::size_t i = 0; i != jobs.size(); ++i) w.submit(jobs[i], ns(i));
    BOOST_TEST(w.calm());
    w.advance_to(stage::running);
    w.stop_operators(); // they would clean up what failed
    training_client client(w.user());
    for (std::size_t i = 0; i != jobs.size(); ++i) {
        auto const healthy = explained(client, jobs[i], ns(i));
        BOOST_TEST((healthy.causes.at(0).kind == cause_kind::healthy), jobs[i].name << ": " << healthy.to_string());
        BOOST_TEST(healthy.causes.size() == 1, jobs[i].name << ": " << healthy.to_string());

        kube::api<core::pod> pods(w.user(), ns(i));
        auto const all = kube::run_blocking<object_list<core::pod>>(w.user().get_executor(), diagnostics(),
                                                                    [&](auto h) { pods.async_list(std::move(h)); });
        BOOST_REQUIRE(all.has_value() && !all->items.empty());
        auto stored = client.get(reference_of(jobs[i], ns(i)));
        BOOST_REQUIRE_MESSAGE(stored.has_value() && stored->resolve_from({}).has_value(), jobs[i].name);
        auto const layout = stored->members();
        core::pod const* last = nullptr;
        for (auto const& p : all->items) {
            // Those of a set are replaced at once.
            bool const of_set =
                std::ranges::any_of(p.metadata.owner_references, [](auto const& o) { return o.kind == "StatefulSet"; });
            if (!of_set && layout.of(p.metadata) != nullptr) last = &p;
        }
        BOOST_REQUIRE_MESSAGE(last != nullptr, jobs[i].name);
        auto const who = *layout.of(last->metadata);
        end_pod(w.user(), *last, 3);
        auto const failed = explained(client, jobs[i], ns(i));
        auto const& c = failed.causes.at(0);
        BOOST_TEST((c.kind == cause_kind::exited), jobs[i].name << ": " << failed.to_string());
        BOOST_TEST_REQUIRE(!c.members.empty(), jobs[i].name << ": " << failed.to_string());
        BOOST_TEST(c.members[0].pod_name == last->metadata.name, jobs[i].name);
        BOOST_TEST((c.members[0].role == who.role && c.members[0].index == who.index && c.members[0].rank == who.rank),
                   jobs[i].name);
        BOOST_TEST(c.code.value_or(0) == 3, jobs[i].name);
    }
}

BOOST_AUTO_TEST_CASE(refused_pods_are_explained_for_every_kind) {
    auto const& jobs = known_jobs();
    cluster w;
    auto const ns = [](std::size_t i) { return "refused-" + std::to_string(i) + "-x"; };
    std::set<std::string> hit;
    w.start_operators([&](operator_request const& a) -> std::optional<test::fault> {
        if (!a.creates || a.plural != "pods") return std::nullopt;
        hit.insert(a.ns);
        return test::fault::answer(422, "Invalid",
                                   "Pod \\\"p\\\" is invalid: spec.containers[0].imagePullPolicy: Unsupported value: "
                                   "\\\"Sometimes\\\"");
    });
    for (std::size_t i = 0; i != jobs.size(); ++i) w.submit(jobs[i], ns(i));
    w.run(300ms);
    w.stop_operators();
    training_client client(w.user());
    for (std::size_t i = 0; i != jobs.size(); ++i) {
        if (!hit.contains(ns(i))) continue; // its operator makes no pods itself
        auto const e = explained(client, jobs[i], ns(i));
        auto const refused = std::ranges::find(e.causes, cause_kind::refused, &job_cause::kind);
        BOOST_TEST_REQUIRE((refused != e.causes.end()), jobs[i].name << ": " << e.to_string());
        BOOST_TEST(e.to_string().find("imagePullPolicy: Unsupported value") != std::string::npos,
                   jobs[i].name << ": " << e.to_string());
        BOOST_TEST((std::ranges::find(e.causes, cause_kind::starting, &job_cause::kind) == e.causes.end()),
                   jobs[i].name << ": " << e.to_string());
    }
    BOOST_TEST(hit.size() > known_job_rules().size() / 2);
}

BOOST_AUTO_TEST_CASE(a_queue_that_does_not_exist_is_named) {
    auto const& jobs = known_jobs();
    cluster w;
    auto const ns = [](std::size_t i) { return "queueless-" + std::to_string(i) + "-x"; };
    auto const has_queue = [](known_job const& known) {
        return std::ranges::any_of(known.job.rules().watches(),
                                   [](auto const& row) { return row.type->info->kind == "Queue"; });
    };
    std::size_t queues = 0;
    for (std::size_t i = 0; i != jobs.size(); ++i)
        if (has_queue(jobs[i])) w.submit(jobs[i], ns(i)), ++queues;
    BOOST_TEST_REQUIRE(queues != 0U);
    auto const removed = kube::run_blocking<std::string>(w.user().get_executor(), diagnostics(), [&](auto h) {
        w.user().async_call(kube::request::remove(volcano::queue::resource, "", "default"), std::move(h));
    });
    BOOST_REQUIRE_MESSAGE(removed.has_value(), (removed ? "" : removed.error().to_string()));
    w.start_operators();
    w.run(200ms);
    training_client client(w.user());
    for (std::size_t i = 0; i != jobs.size(); ++i) {
        if (!has_queue(jobs[i])) continue;
        auto const e = explained(client, jobs[i], ns(i));
        BOOST_TEST((e.causes.at(0).kind == cause_kind::gang), jobs[i].name << ": " << e.to_string());
        BOOST_TEST(e.causes.at(0).summary == "The gang waits: its queue default does not exist", jobs[i].name);
        BOOST_TEST(e.to_string().find("QueueNotFound") != std::string::npos, e.to_string());
    }
}

BOOST_AUTO_TEST_SUITE_END()
