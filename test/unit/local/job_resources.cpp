#include "local/job_resources.hpp"

#include <kftrain/kinds/jax_job.hpp>

#include <boost/test/unit_test.hpp>

using namespace kftrain;

BOOST_AUTO_TEST_SUITE(local_job_resources)

// The schema of replicas says `integer` of format `int32`, and the API server does not look at the format.
BOOST_AUTO_TEST_CASE(what_the_type_of_a_field_cannot_hold_is_refused_with_its_place) {
    auto const resource = local::resource_for(job_kind_of<jax_job>());
    apiserver::admission_request request;
    std::string const text = R"({"apiVersion":"kubeflow.org/v1","kind":"JAXJob","metadata":{"name":"j"},)"
                             R"("spec":{"jaxReplicaSpecs":{"Worker":{"replicas":3000000000}}}})";
    request.object = text;
    auto const verdict = resource.admission(request);
    BOOST_TEST_REQUIRE(verdict.denied.has_value());
    BOOST_TEST(verdict.denied->code == 400u);
    for (auto const* part : {"spec.jaxReplicaSpecs.Worker.replicas", "int32", "3000000000"})
        BOOST_TEST(verdict.denied->message.find(part) != std::string::npos,
                   verdict.denied->message << " does not name " << part);
}

BOOST_AUTO_TEST_SUITE_END()
