#include <kftrain/kinds/jax_job.hpp>

#include <kftrain/job/any_job.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_jax_job)

namespace {

using namespace kftrain;

any_job jx() {
    return parse_job(R"({"apiVersion":"kubeflow.org/v1","kind":"JAXJob","metadata":{"name":"jx"},"spec":{
        "runPolicy":{"managedBy":"someone.else"},
        "jaxReplicaSpecs":{"Worker":{"replicas":2,
        "template":{"spec":{"containers":[{"name":"jax","image":"i:1"}]}}}}}})")
        .value();
}

} // namespace

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/jax/envvar.go`.
BOOST_AUTO_TEST_CASE(workers_get_the_address_of_the_coordinator) {
    auto const children = jx().render();
    std::vector<std::string> env;
    for (auto const& c : children)
        if (auto const* p = c.get_if<pod>(); p != nullptr && p->metadata.name == "jx-worker-1")
            for (auto const& e : p->spec.containers.at(0).env) env.push_back(e.name + "=" + e.value);
    std::vector<std::string> const expected{"PYTHONUNBUFFERED=1", "COORDINATOR_PORT=6666",
                                            "COORDINATOR_ADDRESS=jx-worker-0", "NUM_PROCESSES=2", "PROCESS_ID=1"};
    BOOST_TEST(env == expected, boost::test_tools::per_element());
}

/// Upstream: training-operator v1.9.0 `pkg/webhooks/jax/jaxjob_webhook.go` and the reconciler never look at managedBy.
BOOST_AUTO_TEST_CASE(managed_by_is_not_validated) {
    auto const job = jx();
    BOOST_TEST(job.validate().empty());
    BOOST_TEST(!job.rules().make_plan(job.get(), {}, nullptr, time_point()).steps.empty());
}

BOOST_AUTO_TEST_CASE(ranks_are_indexes) {
    auto const layout = jx().members();
    BOOST_TEST_REQUIRE(layout.members.size() == 2U);
    BOOST_TEST(layout.members[1].rank.value() == 1);
    BOOST_TEST(layout.world_size.value() == 2);
    BOOST_TEST(layout.processes_per_member.value() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
