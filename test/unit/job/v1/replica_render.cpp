#include "unit/job/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(job_render)

using namespace sample;

namespace {

std::vector<std::string> order_of(std::vector<any_object> const& children) {
    std::vector<std::string> lines;
    for (auto const& c : children) lines.push_back(std::string(c.resource().plural) + " " + c.metadata().name);
    return lines;
}

service service_named(std::vector<any_object> const& children, std::string_view name) {
    for (auto const& c : children)
        if (auto const* s = c.get_if<service>(); s != nullptr && s->metadata.name == name) return *s;
    throw std::out_of_range("no such service");
}

core::container_port port(std::string name, std::int32_t number) {
    core::container_port p;
    p.name = std::move(name);
    p.container_port_ = number;
    return p;
}

} // namespace

BOOST_AUTO_TEST_CASE(children_are_rendered_by_type_pods_before_services) {
    std::vector<std::string> const expected{"pods pt-master-0", "services pt-master-0", "pods pt-worker-0",
                                            "pods pt-worker-1", "services pt-worker-0", "services pt-worker-1"};
    auto const found = order_of(any_job(job(1, 2)).render());
    BOOST_TEST(found == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(rendering_agrees_with_what_the_plan_creates) {
    pytorch_job const j = job(1, 2);
    auto const rendered = any_job(j).render();
    auto const todo = sample::make_plan(j, observed(), at(0));
    std::size_t i = 0;
    for (auto const& a : actions_of(todo))
        if (auto const* c = std::get_if<rules::create>(&a)) {
            BOOST_TEST_REQUIRE(i < rendered.size());
            BOOST_TEST(c->object.to_json() == rendered[i++].to_json());
        }
    BOOST_TEST(i == rendered.size());
}

// A server stores the canonical amount, sets the namespace that the path names and drops what is empty.
BOOST_AUTO_TEST_CASE(children_are_spelled_as_the_author_wrote_them) {
    pytorch_job j = job(1, 0);
    auto& training = j.spec.pytorch_replica_specs.at("Master").template_.spec.containers.at(0);
    training.resources.limits["cpu"] = quantity("0.5");
    auto const children = any_job(j).render();
    BOOST_TEST(children.at(0).to_json().find(R"("limits":{"cpu":"0.5"})") != std::string::npos);
    for (auto const& c : children) {
        auto const text = c.to_json();
        BOOST_TEST(text.find(R"("namespace":"team")") != std::string::npos, text);
        BOOST_TEST(text.find("creationTimestamp") == std::string::npos, text);
        BOOST_TEST(text.find(R"("status")") == std::string::npos, text);
    }
}

BOOST_AUTO_TEST_CASE(only_labels_annotations_and_finalizers_of_the_template_are_used) {
    pytorch_job j = job(1, 0);
    auto& meta = j.spec.pytorch_replica_specs["Master"].template_.metadata;
    meta.name = "ignored";
    meta.labels["team"] = "vision";
    meta.labels["training.kubeflow.org/job-name"] = "overridden";
    meta.annotations["note"] = "kept";
    meta.finalizers = {"example.com/hold"};
    pod const p = *any_job(j).render().front().get_if<pod>();
    BOOST_TEST(p.metadata.name == "pt-master-0");
    BOOST_TEST(p.metadata.labels.at("team") == "vision");
    BOOST_TEST(p.metadata.labels.at("training.kubeflow.org/job-name") == "pt");
    BOOST_TEST(p.metadata.labels.at("training.kubeflow.org/job-role") == "master");
    BOOST_TEST(p.metadata.annotations.at("note") == "kept");
    BOOST_TEST(p.metadata.finalizers.size() == 1U);
    BOOST_TEST_REQUIRE(p.metadata.owner_references.size() == 1U);
    BOOST_TEST(p.metadata.owner_references[0].uid == "uid-of-pt");
}

BOOST_AUTO_TEST_CASE(the_restart_policy_of_the_replica_wins) {
    for (auto const& [policy, expected] : {std::pair("ExitCode", "Never"), std::pair("Always", "Always"),
                                           std::pair("Never", "Never"), std::pair("", "OnFailure")}) {
        pytorch_job j = job(1, 0, policy);
        j.spec.pytorch_replica_specs["Master"].template_.spec.restart_policy = "Always";
        BOOST_TEST(any_job(j).render().front().get_if<pod>()->spec.restart_policy == expected);
    }
}

BOOST_AUTO_TEST_CASE(a_service_has_the_ports_of_the_training_container_only) {
    pytorch_job j = job(0, 1);
    auto& containers = j.spec.pytorch_replica_specs["Worker"].template_.spec.containers;
    containers[0].ports = {port("metrics", 9000), port("metrics", 9001)};
    containers.push_back(containers[0]);
    containers[1].name = "sidecar";
    containers[1].ports = {port("other", 7000)};
    auto const ports = service_named(any_job(j).render(), "pt-worker-0").spec.ports;
    BOOST_TEST_REQUIRE(ports.size() == 2U);
    BOOST_TEST(ports[0].name == "metrics");
    BOOST_TEST(ports[0].port == 9001); // of equal names the last one wins
    BOOST_TEST(ports[1].name == "pytorchjob-port");
    BOOST_TEST(ports[1].port == 23456);
}

BOOST_AUTO_TEST_SUITE_END()
