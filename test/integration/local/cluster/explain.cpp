#include "integration/local/sandboxed_cluster.hpp"

BOOST_AUTO_TEST_SUITE(integration_local_explain)

using namespace local_tests;

// Why real jobs in a local cluster end as they do.
namespace {

struct explained_cluster : cluster {
    explanation explain(any_job const& job) {
        auto e = client.explain(job);
        BOOST_REQUIRE_MESSAGE(e.has_value(), (e ? "" : e.error().to_string()));
        return *std::move(e);
    }
    /// Until the first cause is of this kind.
    job_cause first(any_job const& job, cause_kind kind) {
        explanation e;
        bool const found = until([&] { return (e = explain(job)).causes.at(0).kind == kind; });
        BOOST_TEST(found, e.to_string());
        return e.causes.at(0);
    }
};

bool has(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

} // namespace

BOOST_AUTO_TEST_CASE(the_first_failure_is_explained_with_code_and_last_lines) {
    explained_cluster c;
    auto const flag = c.options.directory + ".flag";
    auto const job = c.submit(scripts(
        "until [ -e " + flag + " ]; do sleep .05; done; sleep 2; exit 1", 2, // two: times of pods are whole seconds
        "if [ $RANK = 1 ]; then echo begun; echo bad label >&2; touch " + flag + "; exit 3; fi; sleep 60"));
    c.wait(job);
    std::filesystem::remove(flag);
    auto const e = c.explain(job);
    auto const& first = e.causes.at(0);
    BOOST_TEST((first.kind == cause_kind::exited), e.to_string());
    BOOST_TEST(first.members.at(0).pod_name == "sh-worker-0");
    BOOST_TEST(first.code.value() == 3);
    BOOST_TEST(first.log == (std::vector<std::string>{"begun", "bad label"}), e.to_string());
    BOOST_TEST((e.state.phase == job_phase::failed));
}

BOOST_AUTO_TEST_CASE(a_missing_program_is_reported) {
    explained_cluster c;
    auto job = scripts("true");
    job.spec.pytorch_replica_specs["Master"].template_.spec.containers[0].command = {"no-such-program"};
    auto const stored = c.submit(job);
    c.wait(stored);
    auto const e = c.explain(stored);
    BOOST_TEST((e.causes.at(0).kind == cause_kind::command_not_found), e.to_string());
}

BOOST_AUTO_TEST_CASE(a_signal_is_reported_by_name) {
    explained_cluster c;
    // In a command of a container two dollars stand for one.
    auto const job = c.submit(scripts("sh -c 'kill -SEGV $$$$'; exit $?"));
    c.wait(job);
    auto const e = c.explain(job);
    BOOST_TEST((e.causes.at(0).kind == cause_kind::exited), e.to_string());
    BOOST_TEST(e.causes.at(0).signal == "SIGSEGV");
}

BOOST_AUTO_TEST_CASE(a_crash_loop_is_reported_with_the_end_of_the_container) {
    explained_cluster c;
    auto const job = c.submit(scripts("echo again; exit 5", 0, "", "OnFailure"));
    explanation e;
    bool const found = c.until([&] {
        e = c.explain(job);
        return e.causes.size() == 2 && e.causes[1].kind == cause_kind::crash_loop;
    });
    BOOST_TEST(found, e.to_string());
    BOOST_TEST((e.causes.at(0).kind == cause_kind::exited), e.to_string());
    BOOST_TEST(e.causes.at(0).code.value_or(0) == 5);
    BOOST_TEST(!e.causes.at(0).log.empty());
}

BOOST_AUTO_TEST_CASE(a_deadline_is_reported) {
    explained_cluster c;
    auto job = scripts("sleep 60");
    job.spec.run_policy.active_deadline_seconds = 1;
    auto const stored = c.submit(job);
    c.wait(stored);
    auto const e = c.explain(stored);
    BOOST_TEST((e.causes.at(0).kind == cause_kind::deadline), e.to_string());
}

BOOST_AUTO_TEST_CASE(a_suspended_and_a_running_job_are_distinguished) {
    explained_cluster c;
    auto job = scripts("sleep 60");
    job.spec.run_policy.suspend = true;
    auto const stored = c.submit(job);
    c.first(stored, cause_kind::suspended);
    BOOST_TEST(c.client.resume(stored).has_value());
    c.first(stored, cause_kind::healthy);
}

BOOST_AUTO_TEST_CASE(a_config_that_is_missing_is_named) {
    explained_cluster c;
    auto job = scripts("true");
    auto& e = job.spec.pytorch_replica_specs["Master"].template_.spec.containers[0].env.emplace_back();
    e.name = "RATE";
    auto& key = e.value_from.emplace().config_map_key_ref.emplace();
    key.name = "settings";
    key.key = "rate";
    auto const stored = c.submit(job);
    auto const cause = c.first(stored, cause_kind::config_missing);
    BOOST_TEST(has(cause.summary, "settings"), cause.summary);
}

BOOST_AUTO_TEST_CASE(an_init_container_that_runs_a_missing_program_is_explained) {
    explained_cluster c;
    auto job = scripts("true");
    auto& spec = job.spec.pytorch_replica_specs["Master"].template_.spec;
    auto& init = spec.init_containers.emplace_back();
    init.name = "wait";
    init.image = "none";
    init.command = {"/bin/sh", "-c", "until nslookup example.com; do /bin/sleep 0.2; done"};
    init.env.emplace_back("PATH", "/nowhere");
    auto const stored = c.submit(job);
    auto const cause = c.first(stored, cause_kind::command_not_found);
    BOOST_TEST(has(cause.summary, "Init container wait of Master 0 (rank 0) runs nslookup"), cause.summary);
    BOOST_TEST(has(cause.advice, "bind9-dnsutils"), cause.advice);
    // The pod itself carries the sentence, for kubectl describe.
    bool const carried = c.until([&] {
        auto const states = c.get_pod("sh-master-0").status.container_statuses;
        return !states.empty() && states[0].state.waiting &&
               has(states[0].state.waiting->message, "install the Debian package bind9-dnsutils");
    });
    BOOST_TEST(carried);
}

BOOST_AUTO_TEST_CASE(pods_that_are_created_again_and_again_are_a_crash_loop) {
    explained_cluster c;
    auto const job = c.submit(scripts("exit 143", 0, "", "ExitCode"));
    explanation e;
    bool const found = c.until([&] {
        e = c.explain(job);
        return std::ranges::any_of(
            e.causes, [](auto const& x) { return x.kind == cause_kind::crash_loop && x.restarts.value_or(0) >= 3; });
    });
    BOOST_TEST(found, e.to_string());
}

BOOST_AUTO_TEST_CASE(a_container_that_keeps_the_pod_of_a_finished_one_is_named) {
    explained_cluster c;
    auto job = scripts("true");
    auto& list = job.spec.pytorch_replica_specs["Master"].template_.spec.containers;
    auto other = list[0];
    other.name = "shipper";
    other.command = {"sleep", "600"};
    other.args.clear();
    list.push_back(other);
    auto const stored = c.submit(job);
    auto const cause = c.first(stored, cause_kind::sidecar);
    BOOST_TEST(cause.container == "shipper");
}

BOOST_AUTO_TEST_SUITE_END()
