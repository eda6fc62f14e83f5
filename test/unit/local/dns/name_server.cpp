#include "local/dns/name_server.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(local_name_server)

using namespace kftrain;
using namespace kftrain::local;

// Names as in the Kubernetes DNS specification 1.1, sections 2.4 and 2.5.

namespace {

struct named_pods {
    std::vector<std::shared_ptr<pod const>> pods;
    std::vector<std::shared_ptr<service const>> services;

    pod& add_pod(std::string name, std::string address, std::string ns = "team", bool ready = true) {
        auto p = std::make_shared<pod>();
        p->metadata.name = name;
        p->metadata.namespace_ = std::move(ns);
        p->metadata.labels = {{"name", name}, {"job", "pt"}};
        p->status.pod_ip = std::move(address);
        p->status.conditions.emplace_back();
        p->status.conditions.back().type = "Ready";
        p->status.conditions.back().status = ready ? "True" : "False";
        pods.push_back(p);
        return *p;
    }
    service& add_service(std::string name, string_map selector, std::string ns = "team") {
        auto s = std::make_shared<service>();
        s->metadata.name = std::move(name);
        s->metadata.namespace_ = std::move(ns);
        s->spec.selector = std::move(selector);
        s->spec.cluster_ip = "None";
        services.push_back(s);
        return *s;
    }
    /// `10.244.0.2 10.244.0.3`, or `absent`.
    std::string find(std::string_view name) const {
        auto const found = resolve(name, pods, services);
        if (!found) return "absent";
        std::string text;
        for (auto const& a : *found) {
            text += text.empty() ? "" : " ";
            for (std::size_t i = 0; i < a.size(); ++i) text += (i == 0 ? "" : ".") + std::to_string(a[i]);
        }
        return text;
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(a_headless_service_resolves_to_its_pods) {
    named_pods w;
    w.add_pod("pt-master-0", "10.244.0.2");
    w.add_pod("pt-worker-0", "10.244.0.3");
    w.add_service("pt-master-0", {{"name", "pt-master-0"}});
    w.add_service("pt", {{"job", "pt"}});
    BOOST_TEST(w.find("pt-master-0.team.svc.cluster.local") == "10.244.0.2");
    BOOST_TEST(w.find("pt.team.svc.cluster.local") == "10.244.0.2 10.244.0.3");
}

BOOST_AUTO_TEST_CASE(every_label_of_the_selector_must_match) {
    named_pods w;
    w.add_pod("pt-master-0", "10.244.0.2");
    w.add_service("both", {{"name", "pt-master-0"}, {"job", "other"}});
    w.add_service("none", {});
    BOOST_TEST(w.find("both.team.svc.cluster.local") == "absent");
    BOOST_TEST(w.find("none.team.svc.cluster.local") == "absent");
}

BOOST_AUTO_TEST_CASE(names_are_resolved_per_namespace) {
    named_pods w;
    w.add_pod("pt-master-0", "10.244.0.2", "team");
    w.add_pod("pt-master-0", "10.244.0.9", "other");
    w.add_service("pt-master-0", {{"job", "pt"}}, "team");
    w.add_service("pt-master-0", {{"job", "pt"}}, "other");
    BOOST_TEST(w.find("pt-master-0.team.svc.cluster.local") == "10.244.0.2");
    BOOST_TEST(w.find("pt-master-0.other.svc.cluster.local") == "10.244.0.9");
    BOOST_TEST(w.find("pt-master-0.third.svc.cluster.local") == "absent");
}

BOOST_AUTO_TEST_CASE(pods_that_are_not_ready_have_no_name_unless_the_service_publishes_them) {
    named_pods w;
    w.add_pod("a", "10.244.0.2", "team", false);
    w.add_pod("b", "", "team", true);
    w.add_service("pt", {{"job", "pt"}});
    BOOST_TEST(w.find("pt.team.svc.cluster.local") == "absent");
    w.add_service("early", {{"job", "pt"}}).spec.publish_not_ready_addresses = true;
    BOOST_TEST(w.find("early.team.svc.cluster.local") == "10.244.0.2");
}

// A pod has an A record below the service only when it names both a hostname and that service as its subdomain.
BOOST_AUTO_TEST_CASE(a_pod_with_host_name_and_subdomain_has_a_name_below_the_service) {
    named_pods w;
    auto& p = w.add_pod("a", "10.244.0.2");
    p.spec.hostname = "first";
    p.spec.subdomain = "pt";
    w.add_pod("b", "10.244.0.3");
    w.add_service("pt", {{"job", "pt"}});
    BOOST_TEST(w.find("first.pt.team.svc.cluster.local") == "10.244.0.2");
    BOOST_TEST(w.find("a.pt.team.svc.cluster.local") == "absent");
    BOOST_TEST(w.find("b.pt.team.svc.cluster.local") == "absent");
    BOOST_TEST(w.find("first.other.team.svc.cluster.local") == "absent");
}

BOOST_AUTO_TEST_CASE(other_names_do_not_exist) {
    named_pods w;
    w.add_pod("a", "10.244.0.2");
    w.add_service("pt", {{"job", "pt"}});
    for (auto const* name :
         {"", "pt", "pt.team", "pt.team.svc", "svc.cluster.local", ".svc.cluster.local", "team.svc.cluster.local",
          "pt.team.pod.cluster.local", "pt.team.svc.cluster.example", "x.y.pt.team.svc.cluster.local", "example.com"})
        BOOST_TEST(w.find(name) == "absent", name);
}

BOOST_AUTO_TEST_SUITE_END()
