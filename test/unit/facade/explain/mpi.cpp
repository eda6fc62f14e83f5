#include "facade/explain/job_evidence.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/mpi_job_v1.hpp>
#include <kftrain/kinds/mpi_job_v2beta1.hpp>

#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(facade_explain_mpi)

namespace {

using namespace kftrain;
using namespace std::chrono_literals;

using mpi_jobs = boost::mpl::list<kubeflow_v1::mpi_job, kubeflow_v2beta1::mpi_job>;

/// An MPIJob of a launcher and three workers, an hour after it was created.
template <class K> struct mpi_world {
    mpi_world() {
        K job;
        job.metadata.name = "pi";
        job.metadata.namespace_ = "team-a";
        job.metadata.uid = "u-1";
        job.metadata.creation_timestamp = now - 1h;
        for (auto const& [type, count] : {std::pair<char const*, std::int32_t>("Launcher", 1), {"Worker", 3}}) {
            auto& spec = job.spec.mpi_replica_specs[type];
            spec.replicas = count;
            auto& c = spec.template_.spec.containers.emplace_back();
            c.name = "mpi";
            c.image = "example.com/pi:1";
        }
        auto& c = job.status.conditions.emplace_back();
        c.type = "Running";
        c.status = "True";
        evidence.job = prepared_job::stored(job);
    }
    void pod(std::string const& role, std::int32_t index, std::string const& phase) {
        auto const layout = evidence.job.layout();
        auto const labels = std::ranges::find(layout.roles, role, &kftrain::role::name);
        auto const m =
            std::ranges::find_if(layout.members, [&](member const& x) { return x.role == role && x.index == index; });
        BOOST_REQUIRE(labels != layout.roles.end() && m != layout.members.end());
        core::pod p;
        p.metadata.name = m->pod_name.empty() ? "pi-launcher-x7k2p" : m->pod_name;
        p.metadata.namespace_ = "team-a";
        p.metadata.labels = labels->labels;
        if (!labels->index_label.empty())
            p.metadata.labels.insert_or_assign(std::string(labels->index_label),
                                               std::to_string(labels->first_label + index));
        p.status.phase = phase;
        if (phase == "Running")
            p.status.container_statuses.emplace_back().state.running.emplace().started_at = now - 50min;
        evidence.pods.push_back(std::make_shared<core::pod const>(std::move(p)));
    }
    /// Members that are missing, with blanks; empty if no such cause is found.
    std::string missing() const {
        std::string text;
        for (auto const& c : explaining::explain(evidence, now).causes)
            if (c.kind == cause_kind::rendezvous)
                for (auto const& m : c.members)
                    text += (text.empty() ? "" : " ") + m.role + "-" + std::to_string(m.index);
        return text;
    }

    time_point now = time_point(480'000h);
    explaining::job_evidence evidence;
};

} // namespace

/// A launcher begins when all hosts of its host file are there, however few workers the job might be scaled to.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_launcher_waits_for_workers_that_are_missing, K, mpi_jobs) {
    mpi_world<K> w;
    w.pod("Launcher", 0, "Running");
    w.pod("Worker", 0, "Running");
    w.pod("Worker", 1, "Pending");
    BOOST_TEST(w.missing() == "Worker-1 Worker-2");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_complete_mpi_job_waits_for_no_worker, K, mpi_jobs) {
    mpi_world<K> w;
    w.pod("Launcher", 0, "Running");
    for (std::int32_t i = 0; i < 3; ++i) w.pod("Worker", i, "Running");
    BOOST_TEST(w.missing() == "");
}

BOOST_AUTO_TEST_SUITE_END()
