#include "unit/job/sample.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

BOOST_AUTO_TEST_SUITE(job_membership)

using namespace sample;

BOOST_AUTO_TEST_CASE(pod_names_consist_of_job_lower_case_type_and_index) {
    BOOST_TEST(replica_name("pt", "Worker", 0) == "pt-worker-0");
    BOOST_TEST(replica_name("1/2/3/4/5", "WORKER", 1) == "1-2-3-4-5-worker-1");
}

BOOST_AUTO_TEST_CASE(ranks_are_a_permutation_and_names_are_unique) {
    for (std::int32_t workers : {0, 1, 2, 17}) {
        auto const layout = any_job(job(1, workers)).members();
        std::set<std::int32_t> ranks;
        std::set<std::string> names;
        for (auto const& r : layout.members) {
            ranks.insert(r.rank.value());
            names.insert(r.pod_name);
        }
        auto const size = static_cast<std::size_t>(workers) + 1;
        BOOST_TEST(layout.members.size() == size);
        BOOST_TEST(names.size() == size);
        BOOST_TEST(ranks.size() == size);
        BOOST_TEST(*ranks.begin() == 0);
        BOOST_TEST(*ranks.rbegin() == workers);
        BOOST_TEST(layout.world_size.value() == workers + 1);
    }
}

BOOST_AUTO_TEST_CASE(the_master_is_rank_0_and_workers_follow_by_index) {
    auto const layout = any_job(job(1, 2)).members();
    BOOST_TEST(layout.find("pt-master-0")->rank.value() == 0);
    BOOST_TEST(layout.find("pt-worker-0")->rank.value() == 1);
    BOOST_TEST(layout.find("pt-worker-1")->rank.value() == 2);
    BOOST_TEST(layout.find("pt-worker-2") == nullptr);
}

BOOST_AUTO_TEST_CASE(without_a_master_ranks_are_left_to_run_time) {
    auto const layout = any_job(job(0, 3)).members();
    BOOST_TEST(layout.members.size() == 3U);
    BOOST_TEST(!layout.world_size.has_value());
    for (auto const& r : layout.members) BOOST_TEST(!r.rank.has_value());
}

BOOST_AUTO_TEST_CASE(absent_replica_counts_are_one) {
    pytorch_job j = job(1, 1);
    j.spec.pytorch_replica_specs["Worker"].replicas.reset();
    BOOST_TEST(any_job(j).members().members.size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_pod_is_matched_by_role_label_index_and_name) {
    any_job const j(job(1, 3));
    auto const layout = j.members();
    BOOST_TEST(layout.domain == "team.svc");
    auto const children = j.render();
    std::size_t pods = 0;
    for (auto const& child : children)
        if (auto const* p = child.get_if<pod>()) {
            BOOST_TEST_REQUIRE(layout.of(p->metadata) != nullptr);
            BOOST_TEST(layout.of(p->metadata)->pod_name == p->metadata.name);
            ++pods;
        }
    BOOST_TEST(pods == 4U);
    object_meta meta = children.front().metadata();
    BOOST_TEST(layout.roles.front().label_selector() ==
               "training.kubeflow.org/job-name=pt,training.kubeflow.org/operator-name=pytorchjob-controller,"
               "training.kubeflow.org/replica-type=master");
    meta.name = "stranger";
    BOOST_TEST(layout.of(meta) == nullptr);
    meta = children.front().metadata();
    for (auto const* index : {"1", "-1", "x", ""}) {
        meta.labels["training.kubeflow.org/replica-index"] = index;
        BOOST_TEST(layout.of(meta) == nullptr, index);
    }
    meta.labels.clear();
    BOOST_TEST(layout.of(meta) == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
