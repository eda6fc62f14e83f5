#include <kftrain/controllers/endpoint_slice.hpp>
#include <kftrain/model/ownership.hpp>

#include <boost/test/unit_test.hpp>

#include <map>

BOOST_AUTO_TEST_SUITE(controllers_endpoint_slice)

using namespace kftrain;
using discovery::endpoint_slice;

// Expected: kubernetes staging/src/k8s.io/endpointslice, v1.31.
namespace {

/// A service, its pods and its slices.
struct service_and_pods {
    service_and_pods() {
        s.metadata.name = "web";
        s.metadata.namespace_ = "team";
        s.metadata.uid = "service-uid";
        s.metadata.labels = {{"team", "a"}, {"kubernetes.io/service-name", "reserved"}};
        s.spec.selector = {{"app", "web"}};
        s.spec.cluster_ip = "10.0.0.1";
        add_port("http", 80).target_port = 8080;
    }
    core::service_port& add_port(std::string name, std::int32_t port) {
        auto& p = s.spec.ports.emplace_back();
        p.name = std::move(name);
        p.port = port;
        return p;
    }
    pod& add(std::string const& name, std::string const& address = "10.1.0.1") {
        pod& p = pods[name];
        p.metadata.name = name;
        p.metadata.namespace_ = "team";
        p.metadata.uid = name + "-uid";
        p.spec.node_name = "node";
        p.status.phase = "Running";
        p.status.pod_ip = address;
        p.status.conditions.emplace_back().type = "Ready";
        p.status.conditions.back().status = "True";
        return p;
    }
    /// Returns what one pass wrote: `+a` created, `~a` replaced, `-a` deleted.
    std::string once() {
        rules::world seen;
        std::vector<any_object> all, stored;
        auto const& type = *controller.watches().front().type; // which decodes a part of a pod
        for (auto const& [name, p] : pods) all.emplace_back(type, type.decode(to_json(p)).value());
        for (auto const& [name, slice] : slices) stored.emplace_back(slice);
        seen.add("pods", std::move(all));
        seen.add("slices", std::move(stored));
        did.clear();
        auto const plan = controller.make_plan(rules::look<service>(s, seen, nullptr, time_point()));
        for (auto const& step : plan.steps)
            for (auto const& action : step.actions) std::visit([this](auto const& a) { carry_out(a); }, action);
        return did;
    }
    void note(char what, std::string const& name) { did.append(did.empty() ? "" : " ").append(1, what).append(name); }
    void carry_out(rules::create const& a) {
        auto slice = *a.object.get_if<endpoint_slice>();
        BOOST_TEST(slice.metadata.generate_name == "web-");
        slice.metadata.name = std::string(1, static_cast<char>('a' + made++));
        slice.metadata.resource_version = "1";
        note('+', slice.metadata.name);
        slices.emplace(slice.metadata.name, std::move(slice));
    }
    void carry_out(rules::replace const& a) {
        auto const& slice = *a.object.get_if<endpoint_slice>();
        BOOST_TEST(slice.metadata.resource_version == slices.at(slice.metadata.name).metadata.resource_version);
        note('~', slice.metadata.name);
        slices[slice.metadata.name] = slice;
    }
    void carry_out(rules::remove const& a) {
        note('-', a.of.name);
        slices.erase(a.of.name);
    }
    template <class Other> void carry_out(Other const&) { BOOST_ERROR("an action that was not expected"); }

    /// The conditions of the only endpoint of the only slice.
    std::string conditions() const {
        BOOST_TEST_REQUIRE(slices.size() == 1U);
        BOOST_TEST_REQUIRE(slices.begin()->second.endpoints.size() == 1U);
        auto const& c = slices.begin()->second.endpoints.front().conditions;
        return std::string(c.ready.value() ? "ready " : "") + (c.serving.value() ? "serving " : "") +
               (c.terminating.value() ? "terminating" : "");
    }

    service s;
    std::map<std::string, pod> pods;
    std::map<std::string, endpoint_slice> slices;
    std::string did;
    int made = 0;
    controllers::endpoint_slice_rules controller;
};

} // namespace

BOOST_AUTO_TEST_CASE(a_slice_has_the_address_ports_node_and_reference_of_its_pods) {
    service_and_pods w;
    auto& p = w.add("p");
    p.spec.hostname = "p";
    p.spec.subdomain = "web";
    w.add_port("metrics", 9090).target_port = int_or_string("stats");
    w.add_port("missing", 9091).target_port = int_or_string("nowhere");
    w.add_port("plain", 9092);
    auto& port = p.spec.containers.emplace_back().ports.emplace_back();
    port.name = "stats";
    port.container_port_ = 9999;
    BOOST_TEST(w.once() == "+a");
    auto slice = w.slices.at("a");
    slice.metadata.name.clear();
    slice.metadata.resource_version.clear();
    BOOST_TEST(
        to_json(slice) ==
        R"({"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice",)"
        R"("metadata":{"generateName":"web-","namespace":"team",)"
        R"("labels":{"endpointslice.kubernetes.io/managed-by":"endpointslice-controller.k8s.io",)"
        R"("kubernetes.io/service-name":"web","team":"a"},"ownerReferences":[{"apiVersion":"v1","kind":"Service",)"
        R"("name":"web","uid":"service-uid","controller":true,"blockOwnerDeletion":true}]},"addressType":"IPv4",)"
        R"("endpoints":[{"addresses":["10.1.0.1"],"conditions":{"ready":true,"serving":true,"terminating":false},)"
        R"("hostname":"p","targetRef":{"kind":"Pod","namespace":"team","name":"p","uid":"p-uid"},"nodeName":"node"}],)"
        R"("ports":[{"name":"http","protocol":"TCP","port":8080},{"name":"metrics","protocol":"TCP","port":9999},)"
        R"({"name":"plain","protocol":"TCP","port":9092}]})");
    BOOST_TEST(w.once() == "");
}

BOOST_AUTO_TEST_CASE(conditions_follow_readiness_and_deletion) {
    service_and_pods w;
    auto& p = w.add("p");
    BOOST_TEST(w.once() == "+a");
    BOOST_TEST(w.conditions() == "ready serving ");
    p.metadata.deletion_timestamp = time_point();
    BOOST_TEST(w.once() == "~a");
    BOOST_TEST(w.conditions() == "serving terminating");
    p.status.conditions.front().status = "False";
    w.once();
    BOOST_TEST(w.conditions() == "terminating");
    p.metadata.deletion_timestamp.reset();
    w.once();
    BOOST_TEST(w.conditions() == "");
    w.s.spec.publish_not_ready_addresses = true;
    w.once();
    BOOST_TEST(w.conditions() == "ready ");
    p.status.phase = "Succeeded"; // ended pods are no endpoints
    BOOST_TEST(w.once() == "~a");
    BOOST_TEST(w.slices.at("a").endpoints.empty());
}

BOOST_AUTO_TEST_CASE(a_service_without_endpoints_has_one_empty_slice) {
    service_and_pods w;
    BOOST_TEST(w.once() == "+a");
    BOOST_TEST(w.slices.at("a").ports.empty());
    BOOST_TEST(w.once() == "");
    w.add("starting", ""); // without an address
    BOOST_TEST(w.once() == "");
    w.add("p");
    BOOST_TEST(w.once() == "~a"); // rewritten in place
    BOOST_TEST(w.slices.at("a").ports.size() == 1U);
    w.pods.clear();
    BOOST_TEST(w.once() == "~a");
    BOOST_TEST(w.slices.at("a").endpoints.empty());
}

BOOST_AUTO_TEST_CASE(a_headless_service_without_ports_has_endpoints_with_a_label) {
    service_and_pods w;
    w.s.spec.cluster_ip = "None";
    w.s.spec.ports.clear();
    w.add("p");
    BOOST_TEST(w.once() == "+a");
    auto const& slice = w.slices.at("a");
    BOOST_TEST(slice.metadata.labels.contains("service.kubernetes.io/headless"));
    BOOST_TEST(slice.ports.empty());
    BOOST_TEST(slice.endpoints.size() == 1U);
    BOOST_TEST(w.once() == "");
}

BOOST_AUTO_TEST_CASE(a_slice_has_at_most_100_endpoints_which_stay_in_it) {
    service_and_pods w;
    for (int i = 0; i < 250; ++i) w.add("p" + std::to_string(1000 + i));
    BOOST_TEST(w.once() == "+a +b +c");
    BOOST_TEST(w.slices.at("a").endpoints.size() == 100U);
    BOOST_TEST(w.slices.at("c").endpoints.size() == 50U);
    w.pods.erase("p1000");
    BOOST_TEST(w.once() == "~a");
    BOOST_TEST(w.slices.at("a").endpoints.size() == 99U);
    w.add("new"); // into the fullest slice with room
    BOOST_TEST(w.once() == "~a");
    BOOST_TEST(w.slices.at("a").endpoints.size() == 100U);
    w.add("newer");
    BOOST_TEST(w.once() == "~c");
    for (int i = 0; i < 60; ++i) w.pods.erase("p" + std::to_string(1200 + i));
    w.pods.erase("newer");
    BOOST_TEST(w.once() == "-c");
}

BOOST_AUTO_TEST_CASE(pods_with_other_ports_have_their_own_slice) {
    service_and_pods w;
    w.s.spec.ports.front().target_port = int_or_string("http");
    for (auto const number : {80, 81}) {
        auto& port = w.add("p" + std::to_string(number)).spec.containers.emplace_back().ports.emplace_back();
        port.name = "http";
        port.container_port_ = number;
    }
    BOOST_TEST(w.once() == "+a +b");
    BOOST_TEST(w.slices.at("a").ports.front().port.value() == 80);
    BOOST_TEST(w.slices.at("b").ports.front().port.value() == 81);
    w.pods.erase("p80");
    BOOST_TEST(w.once() == "-a");
}

BOOST_AUTO_TEST_CASE(slices_of_an_earlier_service_are_deleted_and_labels_are_copied) {
    service_and_pods w;
    w.add("p");
    w.once();
    w.s.metadata.labels = {{"team", "b"}};
    BOOST_TEST(w.once() == "~a");
    BOOST_TEST(w.slices.at("a").metadata.labels.at("team") == "b");
    w.s.metadata.uid = "another";
    BOOST_TEST(w.once() == "+b -a");
    BOOST_TEST(is_controlled_by(w.slices.at("b").metadata, "another"));
}

BOOST_AUTO_TEST_CASE(services_without_a_selector_and_deleted_ones_are_left_alone) {
    service_and_pods w;
    BOOST_TEST(w.controller.plans_for(w.s));
    w.s.spec.type = "ExternalName";
    BOOST_TEST(!w.controller.plans_for(w.s));
    w.s.spec.type.clear();
    w.s.metadata.deletion_timestamp = time_point();
    BOOST_TEST(w.once() == "");
    w.s.spec.selector.clear();
    BOOST_TEST(!w.controller.plans_for(w.s));
}

BOOST_AUTO_TEST_SUITE_END()
