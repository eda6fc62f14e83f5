#include "unit/job/sample.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

using namespace sample;

BOOST_AUTO_TEST_SUITE(job_topology)

BOOST_AUTO_TEST_CASE(names_are_made_of_job_lower_case_type_and_index) {
    BOOST_TEST(replica_name("pt", "Worker", 0) == "pt-worker-0");
    BOOST_TEST(replica_name("1/2/3/4/5", "WORKER", 1) == "1-2-3-4-5-worker-1");
}

BOOST_AUTO_TEST_CASE(ranks_are_a_permutation_and_names_are_unique) {
    for (std::int32_t workers : {0, 1, 2, 17}) {
        auto const layout = any_job(job(1, workers)).lay_out();
        std::set<std::int32_t> ranks;
        std::set<std::string> names;
        for (auto const& r : layout.replicas) {
            ranks.insert(r.rank.value());
            names.insert(r.name);
        }
        auto const size = static_cast<std::size_t>(workers) + 1;
        BOOST_TEST(layout.replicas.size() == size);
        BOOST_TEST(names.size() == size);
        BOOST_TEST(ranks.size() == size);
        BOOST_TEST(*ranks.begin() == 0);
        BOOST_TEST(*ranks.rbegin() == workers);
        BOOST_TEST(layout.world_size.value() == workers + 1);
    }
}

BOOST_AUTO_TEST_CASE(the_master_is_rank_0_and_workers_follow_by_index) {
    auto const layout = any_job(job(1, 2)).lay_out();
    BOOST_TEST(layout.find("pt-master-0")->rank.value() == 0);
    BOOST_TEST(layout.find("pt-worker-0")->rank.value() == 1);
    BOOST_TEST(layout.find("pt-worker-1")->rank.value() == 2);
    BOOST_TEST(layout.find("pt-worker-2") == nullptr);
}

BOOST_AUTO_TEST_CASE(without_a_master_ranks_are_left_to_run_time) {
    auto const layout = any_job(job(0, 3)).lay_out();
    BOOST_TEST(layout.replicas.size() == 3U);
    BOOST_TEST(!layout.world_size.has_value());
    for (auto const& r : layout.replicas) BOOST_TEST(!r.rank.has_value());
}

BOOST_AUTO_TEST_CASE(absent_counts_are_one) {
    pytorch_job j = job(1, 1);
    j.spec.pytorch_replica_specs["Worker"].replicas.reset();
    BOOST_TEST(any_job(j).lay_out().replicas.size() == 2U);
}

BOOST_AUTO_TEST_SUITE_END()
