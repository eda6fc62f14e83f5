#include "unit/facade/follow/pods_of_job.hpp"

#include "facade/follow/job_feed.hpp"
#include "job/contract/watched_pods.hpp"

#include <kftrain/kinds/mpi_job_v2beta1.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/model/selector.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>

BOOST_AUTO_TEST_SUITE(facade_job_state_kinds)

using namespace pods_of_job;

namespace {

/// Valid jobs of every kind.
std::vector<any_job> jobs() {
    std::vector<any_job> all;
    for (std::string const folder : {"/examples/manifests", "/test/bench/jobs", "/test/async/jobs"})
        for (auto const& file : std::filesystem::directory_iterator(KFTRAIN_SOURCE_DIR + folder)) {
            if (file.path().extension() != ".yaml") continue;
            std::ifstream in(file.path());
            auto read = parse_jobs(std::string(std::istreambuf_iterator<char>(in), {}));
            if (!read) continue;
            for (auto& job : *read) {
                job.metadata().namespace_ = "team";
                job.metadata().uid = "uid-of-job";
                BOOST_REQUIRE(job.resolve_from({}).has_value());
                all.push_back(std::move(job));
            }
        }
    return all;
}

/// The pods that there will be, made by anyone.
pod_list of_members(any_job const& job) {
    pod_list pods;
    auto const prepared = prepared_job::stored(job);
    auto const& layout = prepared.layout();
    for (auto const& m : layout.members) {
        pod p = prepared.pod_of(m);
        p.metadata.namespace_ = "team";
        if (p.metadata.name.empty()) p.metadata.name = m.role + "-drawn-" + std::to_string(m.index);
        auto const& r = *std::ranges::find(layout.roles, m.role, &role::name);
        for (auto const& [key, value] : r.labels) p.metadata.labels[key] = value;
        if (!r.index_label.empty())
            p.metadata.labels[std::string(r.index_label)] = std::to_string(m.index + r.first_label);
        pods.push_back(std::make_shared<pod const>(std::move(p)));
    }
    return pods;
}

} // namespace

BOOST_AUTO_TEST_CASE(every_kind_maps_pods_to_its_members) {
    std::vector<rules::job_rules const*> seen;
    for (auto const& job : jobs()) {
        auto pods = of_members(job);
        for (auto& p : pods) run(p);
        auto const s = job_state_of(job, pods);
        BOOST_TEST(!s.ranks.empty(), job_reference(job).to_string());
        BOOST_TEST(s.all_ready(), job_reference(job).to_string() << ": " << s.to_string());
        for (auto const& r : s.ranks) BOOST_TEST(!r.member.pod_name.empty());
        std::int32_t wanted = 0;
        for (auto const& r : s.roles) wanted += r.wanted;
        BOOST_TEST(static_cast<std::size_t>(wanted) == s.ranks.size());
        seen.push_back(&job.rules());
    }
    for (auto const* kind : known_job_rules())
        BOOST_TEST((std::ranges::find(seen, kind) != seen.end()), kind->primary().info->kind);
}

/// A feed follows at least all pods that belong to jobs.
BOOST_AUTO_TEST_CASE(pods_have_the_labels_of_the_selector_of_their_kind) {
    BOOST_TEST(pod_selector_of(job_rules_for<pytorch_job>()) ==
               "training.kubeflow.org/operator-name=pytorchjob-controller");
    BOOST_TEST(pod_selector_of(job_rules_for<kubeflow_v2beta1::mpi_job>()) == "");
    for (auto const& job : jobs()) {
        auto const selector = label_query::parse(pod_selector_of(job.rules()));
        BOOST_TEST_REQUIRE(selector.has_value());
        auto const prepared = prepared_job::stored(job);
        for (auto const& m : prepared.layout().members)
            BOOST_TEST(selector->matches(prepared.pod_of(m).metadata.labels), job_reference(job).to_string()
                                                                                  << " " << m.role << " " << m.index);
    }
}

/// Pods of a Job that the job made are its own, those of an earlier job of the name are not.
BOOST_AUTO_TEST_CASE(pods_of_an_intermediate_controller_are_matched_by_labels) {
    for (auto const& job : jobs()) {
        if (!job.is<kubeflow_v2beta1::mpi_job>()) continue;
        auto pods = of_members(job);
        for (auto& p : pods) {
            run(p);
            change(p, [](pod& next) {
                next.metadata.owner_references.assign(1, owner_reference());
                auto& owner = next.metadata.owner_references[0];
                owner.api_version = "batch/v1";
                owner.kind = "Job";
                owner.uid = "uid-of-launcher";
                owner.controller = true;
            });
        }
        BOOST_TEST(job_state_of(job, pods).all_ready());
        for (auto& p : pods)
            change(p, [&](pod& next) {
                auto& owner = next.metadata.owner_references[0];
                owner.api_version = job.resource().api_version();
                owner.kind = job.resource().kind;
            });
        BOOST_TEST(!job_state_of(job, pods).all_ready());
    }
}

BOOST_AUTO_TEST_SUITE_END()
