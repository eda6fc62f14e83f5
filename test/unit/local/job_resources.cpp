#include "local/cluster/job_resources.hpp"

#include <kftrain/kinds/jax_job.hpp>
#include <kftrain/local/local_cluster.hpp>

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(local_job_resources)

using namespace kftrain;

namespace {

jax_job sample() {
    jax_job job;
    job.metadata.name = "j";
    job.metadata.namespace_ = "default";
    auto& spec = job.spec.jax_replica_specs["Worker"];
    spec.replicas = 3;
    auto& c = spec.template_.spec.containers.emplace_back();
    c.name = "jax";
    c.image = "none";
    c.command = {"true"};
    return job;
}

std::optional<apiserver::admission_denial> judged(jax_job const& job, std::optional<jax_job> const& before = {}) {
    auto const limits = [](any_job const& j) {
        return local::unsupported_parts(j, local::isolation::namespaces, operator_options());
    };
    auto const object = boost::json::parse(any_job(job).to_json()).as_object();
    auto const old = before ? any_job(*before).to_json() : std::string();
    return local::resource_for(job_rules_for<jax_job>(), limits)
        .admission(apiserver::admission_request(object, old))
        .denied;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_job_whose_pods_would_never_run_is_refused_once_for_each_replica_type) {
    auto job = sample();
    BOOST_TEST(!judged(job).has_value());
    job.spec.jax_replica_specs["Worker"].template_.spec.containers[0].command.clear();
    auto const denied = judged(job);
    BOOST_TEST_REQUIRE(denied.has_value());
    BOOST_TEST(denied->code == 403u);
    BOOST_TEST((denied->why == reason::forbidden));
    BOOST_TEST(denied->message == "pod j-worker-0: spec.containers[0].command: the local cluster cannot serve this: "
                                  "images are not pulled, so the command must be given");
}

BOOST_AUTO_TEST_CASE(rules_of_the_kind_come_before_what_cannot_be_served) {
    auto job = sample();
    job.spec.jax_replica_specs["Worker"].template_.spec.containers[0].command.clear();
    job.spec.jax_replica_specs["Worker"].template_.spec.containers[0].name = "other";
    auto const denied = judged(job);
    BOOST_TEST_REQUIRE(denied.has_value());
    BOOST_TEST(denied->message.find("the local cluster") == std::string::npos, denied->message);
}

BOOST_AUTO_TEST_CASE(a_stored_job_that_cannot_be_served_may_still_be_changed) {
    auto before = sample();
    auto after = before;
    after.spec.jax_replica_specs["Worker"].template_.spec.containers[0].command.clear();
    BOOST_TEST(judged(after, before).has_value());
    before = after;
    after.metadata.labels["a"] = "b";
    BOOST_TEST(!judged(after, before).has_value());
}

// The schema of replicas says `integer` of format `int32`, and the API server does not look at the format.
BOOST_AUTO_TEST_CASE(what_the_type_of_a_field_cannot_hold_is_refused_with_its_place) {
    auto const resource = local::resource_for(job_rules_for<jax_job>());
    auto const object = boost::json::parse(R"({"apiVersion":"kubeflow.org/v1","kind":"JAXJob","metadata":{"name":"j"},)"
                                           R"("spec":{"jaxReplicaSpecs":{"Worker":{"replicas":3000000000}}}})")
                            .as_object();
    auto const verdict = resource.admission(apiserver::admission_request(object));
    BOOST_TEST_REQUIRE(verdict.denied.has_value());
    BOOST_TEST(verdict.denied->code == 400u);
    for (auto const* part : {"spec.jaxReplicaSpecs.Worker.replicas", "int32", "3000000000"})
        BOOST_TEST(verdict.denied->message.find(part) != std::string::npos,
                   verdict.denied->message << " does not name " << part);
}

BOOST_AUTO_TEST_SUITE_END()
