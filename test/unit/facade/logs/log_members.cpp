#include "facade/logs/log_members.hpp"
#include "support/sample_jobs.hpp"

#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/kinds/mpi_job_v2beta1.hpp>
#include <kftrain/kinds/pytorch_job.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

// The records about the pods of a job whose output is followed.

BOOST_AUTO_TEST_SUITE(unit_facade_log_members)

using namespace kftrain;

namespace {

pod made(std::string name, string_map labels, int version, std::string uid) {
    pod p;
    p.metadata.namespace_ = "default";
    p.metadata.name = std::move(name);
    p.metadata.uid = std::move(uid);
    p.metadata.resource_version = std::to_string(version);
    p.metadata.labels = std::move(labels);
    auto& c = p.status.container_statuses.emplace_back();
    c.name = "c";
    c.state.waiting.emplace().reason = "ContainerCreating"; // there is no log to read
    return p;
}

/// Members whose pods the test delivers, as an informer does.
struct followed_members {
    followed_members() : members(session, [this](asio::awaitable<void> task) { begin(std::move(task)); }) {}

    void begin(asio::awaitable<void> task) {
        ++running;
        asio::co_spawn(io, std::move(task), [this](std::exception_ptr failed) {
            if (failed) std::rethrow_exception(failed);
            --running;
        });
    }
    void deliver(change_kind kind, pod p) {
        kube::any_event e;
        e.kind = kind;
        e.object = any_object(std::move(p));
        members.take(e);
    }
    void run() {
        io.restart();
        io.poll();
    }

    asio::io_context io;
    apiserver::api_server server{io.get_executor()};
    std::shared_ptr<log_session> session =
        std::make_shared<log_session>(kube::client(server.transport()), "default", job_log_options());
    log_members members;
    std::size_t running = 0;
};

pytorch_job pytorch_of(std::int32_t workers) {
    pytorch_job j;
    j.metadata.name = "j";
    for (auto const& [type, count] : {std::pair<char const*, std::int32_t>("Master", 1), {"Worker", workers}}) {
        test::add_replicas(j.spec.pytorch_replica_specs, type, count, "pytorch");
    }
    return j;
}

} // namespace

BOOST_AUTO_TEST_CASE(memory_per_rank_does_not_grow_with_pod_changes) {
    constexpr std::size_t ranks = 10'000;
    followed_members f;
    any_job const job(pytorch_of(ranks - 1));
    BOOST_REQUIRE(f.members.lay_out(job).has_value());
    BOOST_REQUIRE(f.members.begin().has_value());
    auto const& layout = f.members.layout()->members();
    BOOST_REQUIRE(layout.members.size() == ranks);
    int version = 1;
    for (int life = 0; life < 3; ++life) {
        auto const pod_of = [&](member const& m) {
            return made(m.pod_name,
                        {{"training.kubeflow.org/operator-name", "pytorchjob-controller"},
                         {"training.kubeflow.org/job-name", "j"},
                         {"training.kubeflow.org/replica-type", m.role == "Master" ? "master" : "worker"},
                         {"training.kubeflow.org/replica-index", std::to_string(m.index)}},
                        ++version, m.pod_name + "/" + std::to_string(life));
        };
        for (int change = 0; change < 3; ++change) {
            for (auto const& m : layout.members)
                f.deliver(change == 0 ? change_kind::added : change_kind::modified, pod_of(m));
            f.run();
            BOOST_TEST(f.session->pods.size() == ranks);
            BOOST_TEST(f.session->pods.looks() == ranks);
            BOOST_TEST(f.running == ranks);
        }
        for (auto const& m : layout.members) // there is one state for each pod
            BOOST_REQUIRE(f.session->pods.find(m.pod_name).use_count() == 2);
        for (auto const& m : layout.members) f.deliver(change_kind::deleted, pod_of(m));
        f.run();
        BOOST_TEST(f.session->pods.size() == 0U);
        BOOST_TEST(f.session->pods.looks() == 0U);
        BOOST_TEST(f.running == 0U);
        BOOST_TEST(f.members.followed() == ranks);
    }
}

BOOST_AUTO_TEST_CASE(pods_of_an_earlier_job_with_the_name_are_not_followed) {
    followed_members f;
    auto job = pytorch_of(1);
    job.metadata.uid = "now";
    BOOST_REQUIRE(f.members.lay_out(any_job(job)).has_value());
    BOOST_REQUIRE(f.members.begin().has_value());
    auto const pod_of = [](std::string job_uid, int version) {
        auto p = made("j-master-0",
                      {{"training.kubeflow.org/operator-name", "pytorchjob-controller"},
                       {"training.kubeflow.org/job-name", "j"},
                       {"training.kubeflow.org/replica-type", "master"},
                       {"training.kubeflow.org/replica-index", "0"}},
                      version, "pod of " + job_uid);
        auto& owner = p.metadata.owner_references.emplace_back();
        owner.api_version = "kubeflow.org/v1";
        owner.kind = "PyTorchJob";
        owner.name = "j";
        owner.uid = std::move(job_uid);
        owner.controller = true;
        return p;
    };
    f.deliver(change_kind::added, pod_of("before", 1));
    f.run();
    BOOST_TEST(f.session->pods.size() == 0U);
    BOOST_TEST(f.running == 0U);
    f.deliver(change_kind::added, pod_of("now", 2));
    f.run();
    BOOST_TEST(f.running == 1U);
    f.deliver(change_kind::deleted, pod_of("now", 3));
    f.run();
    BOOST_TEST(f.running == 0U);
}

BOOST_AUTO_TEST_CASE(deleted_pods_with_generated_names_use_no_memory) {
    followed_members f;
    mpi_job job;
    job.metadata.name = "m";
    for (auto const* type : {"Launcher", "Worker"}) {
        test::add_replicas(job.spec.mpi_replica_specs, type, 1, "mpi");
    }
    BOOST_REQUIRE(f.members.lay_out(any_job(job)).has_value());
    BOOST_REQUIRE(f.members.begin().has_value());
    for (int i = 0; i < 10'000; ++i) {
        auto const launcher = made("m-launcher-" + std::to_string(i),
                                   {{"training.kubeflow.org/operator-name", "mpi-operator"},
                                    {"training.kubeflow.org/job-name", "m"},
                                    {"training.kubeflow.org/job-role", "launcher"}},
                                   i + 1, "uid-" + std::to_string(i));
        f.deliver(change_kind::added, launcher);
        f.run();
        BOOST_REQUIRE(f.running == 1U);
        BOOST_REQUIRE(f.members.followed() == 1U);
        f.deliver(change_kind::deleted, launcher);
        f.run();
        BOOST_REQUIRE(f.running == 0U);
        BOOST_REQUIRE(f.members.followed() == 0U);
        BOOST_REQUIRE(f.session->pods.size() == 0U);
    }
}

namespace {

job_pods::object known(std::string name, int version, std::string uid) {
    return std::make_shared<pod const>(made(std::move(name), {}, version, std::move(uid)));
}

std::string version_of(job_pods const& pods, std::string_view name) {
    auto const p = pods.find(name);
    return p ? p->metadata.resource_version : "none";
}

} // namespace

BOOST_AUTO_TEST_CASE(a_single_read_updates_a_pod_only_if_newer_and_never_restores_it) {
    job_pods pods;
    pods.put(known("a", 5, "u"));
    pods.update(known("a", 4, "u"));
    BOOST_TEST(version_of(pods, "a") == "5");
    pods.update(known("a", 7, "u"));
    BOOST_TEST(version_of(pods, "a") == "7");
    BOOST_TEST(!pods.put(known("a", 6, "u"))); // an informer is behind
    BOOST_TEST(version_of(pods, "a") == "7");
    BOOST_TEST(pods.put(known("a", 7, "u")));
    BOOST_TEST(pods.put(known("a", 3, "u"))); // versions begin again where a server is restored
    pods.update(known("a", 9, "another"));
    BOOST_TEST(version_of(pods, "a") == "3");
    pods.remove(known("a", 9, "another")->metadata);
    BOOST_TEST(version_of(pods, "a") == "3");
    pods.remove(known("a", 9, "u")->metadata);
    pods.update(known("a", 10, "u"));
    BOOST_TEST(pods.size() == 0U);
}

BOOST_AUTO_TEST_CASE(a_list_replaces_earlier_reports_of_an_informer_but_not_later_ones) {
    job_pods pods;
    pods.put(known("old", 2, "o"));
    pods.put(known("same", 3, "s"));
    pods.put(known("going", 4, "g"));
    pods.begin_list();
    pods.remove(known("going", 11, "g")->metadata); // after the list of version 10 was made
    pods.put(known("new", 12, "n"));
    pods.put(known("changed", 13, "c"));
    pods.replace({known("same", 3, "s"), known("going", 4, "g"), known("changed", 6, "c")}, "10");
    BOOST_TEST(version_of(pods, "old") == "none");
    BOOST_TEST(version_of(pods, "same") == "3");
    BOOST_TEST(version_of(pods, "going") == "none");
    BOOST_TEST(version_of(pods, "new") == "12");
    BOOST_TEST(version_of(pods, "changed") == "13");
    BOOST_TEST(!pods.put(known("old", 9, "o")));
    BOOST_TEST(version_of(pods, "old") == "none");
}

BOOST_AUTO_TEST_SUITE_END()
