#include "async/probe.hpp"

#include <kftrain/kube/discovery.hpp>

#include <boost/asio/error.hpp>

BOOST_AUTO_TEST_SUITE(async_discovery)

using namespace kftrain;
using namespace kftrain::test;
using namespace std::chrono_literals;
using kube::discovery_options;

namespace {

using catalog = std::shared_ptr<kube::api_catalog const>;
using finding = std::optional<kube::served_resource>;

std::string const core_aggregated =
    R"({"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{},"items":[{"metadata":{},)"
    R"("versions":[{"version":"v1","freshness":"Current","resources":[{"resource":"pods","responseKind":{"group":"",)"
    R"("version":"v1","kind":"Pod"},"scope":"Namespaced","singularResource":"pod","verbs":["get","list"],)"
    R"("shortNames":["po"],"categories":["all"],"subresources":[{"subresource":"status","verbs":["get"]}]},)"
    R"({"resource":"nodes","responseKind":{"kind":"Node"},"scope":"Cluster","singularResource":"node",)"
    R"("verbs":["get"]}]}]}]})";
std::string const groups_aggregated =
    R"({"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{},"items":[)"
    R"({"metadata":{"name":"metrics.k8s.io"},"versions":[{"version":"v1beta1","freshness":"Stale"}]},)"
    R"({"metadata":{"name":"acme.example"},"versions":[{"version":"v2","freshness":"Current",)"
    R"("resources":[{"resource":"widgets","responseKind":{"kind":"Widget"},"scope":"Namespaced","verbs":["list"]}]},)"
    R"({"version":"v1","resources":[{"resource":"widgets","responseKind":{"kind":"Widget"},)"
    R"("scope":"Namespaced"}]}]}]})";

struct asking : scripted_client {
    void aggregated() {
        expect("GET", "/api").piece(core_aggregated);
        expect("GET", "/apis").piece(groups_aggregated);
    }
    catalog read() {
        answer_probe<catalog> p;
        served.async_catalog(kube::call_options().with_detail(why).with_retry(false), p.handler());
        run();
        last = p.ec();
        return p.value();
    }
    finding find(std::string const& name) {
        answer_probe<finding> p;
        served.async_find(name, p.handler());
        run();
        last = p.ec();
        return p.value();
    }

    kube::discovery served{client};
    diagnostics why;
    error_code last;
};

} // namespace

BOOST_AUTO_TEST_CASE(two_requests_discover_all_kinds_and_failed_groups) {
    asking c;
    c.aggregated();
    auto const all = c.read();
    BOOST_TEST(c.last == error_code());
    BOOST_TEST(c.link->requests().at(1).fields.get("Accept") ==
               "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json");
    BOOST_TEST(all->resources().size() == 4U);
    auto const* pods = all->find("", "Pod");
    BOOST_TEST_REQUIRE(pods != nullptr);
    BOOST_TEST(pods->version == "v1");
    BOOST_TEST(pods->can("list"));
    BOOST_TEST(!pods->can("watch"));
    BOOST_TEST(pods->has_subresource("status"));
    BOOST_TEST((all->find("", "Node")->where == resource_scope::cluster));
    BOOST_TEST(all->find("acme.example", "Widget")->version == "v2");
    BOOST_TEST(all->find("acme.example", "Widget", "v1")->version == "v1");
    BOOST_TEST(all->find("acme.example", "Widget", "v3") == nullptr);
    BOOST_TEST_REQUIRE(all->failures().size() == 1U);
    BOOST_TEST(all->failures()[0].group == "metrics.k8s.io");
    BOOST_TEST(all->find("acme.example", "Widget")->type().resource().plural == "widgets");
}

BOOST_AUTO_TEST_CASE(kinds_are_found_by_plural_singular_and_short_name) {
    asking c;
    c.aggregated();
    auto const all = c.read();
    for (auto const* name : {"pods", "Pod", "pod", "po", "PODS"})
        BOOST_TEST(all->find_named(name) == all->find("", "Pod"), name);
    BOOST_TEST(all->find_named("widgets.acme.example") == all->find("acme.example", "Widget"));
    for (auto const* name : {"", "p", "widgets.example", "pods.acme.example"})
        BOOST_TEST(all->find_named(name) == nullptr, name);
}

BOOST_AUTO_TEST_CASE(without_aggregated_discovery_each_version_is_read) {
    asking c;
    c.expect("GET", "/api").piece(R"({"kind":"APIVersions","versions":["v1"]})");
    c.expect("GET", "/api/v1")
        .piece(R"({"kind":"APIResourceList","groupVersion":"v1","resources":[)"
               R"({"name":"pods","singularName":"pod","namespaced":true,"kind":"Pod","verbs":["get"],)"
               R"("shortNames":["po"]},{"name":"pods/log","namespaced":true,"kind":"Pod","verbs":["get"]}]})");
    c.expect("GET", "/apis")
        .piece(
            R"({"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"down.example","versions":[{"groupVersion":)"
            R"("down.example/v1","version":"v1"}]},{"name":"acme.example","versions":[{"version":"v1"},)"
            R"({"version":"v2"}],"preferredVersion":{"groupVersion":"acme.example/v2","version":"v2"}}]})");
    c.expect("GET", "/apis/down.example/v1").status(503).piece(status_text("ServiceUnavailable", 503, "down"));
    for (auto const* version : {"v2", "v1"})
        c.expect("GET", std::string("/apis/acme.example/") + version)
            .piece(R"({"kind":"APIResourceList","resources":[{"name":"widgets","kind":"Widget","namespaced":false}]})");
    auto const all = c.read();
    BOOST_TEST(c.last == error_code());
    BOOST_TEST(c.why.message == "");
    BOOST_TEST(all->find("", "Pod")->has_subresource("log"));
    BOOST_TEST(all->find("acme.example", "Widget")->version == "v2");
    BOOST_TEST((all->find("acme.example", "Widget")->where == resource_scope::cluster));
    BOOST_TEST_REQUIRE(all->failures().size() == 1U);
    BOOST_TEST(all->failures()[0].why == "down");
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(a_server_without_the_core_group_is_accepted) {
    asking c;
    c.expect("GET", "/api").status(404);
    c.expect("GET", "/apis").piece(groups_aggregated);
    BOOST_TEST(c.read()->resources().size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_catalog_is_cached_until_it_expires_or_is_invalidated) {
    asking c;
    c.aggregated();
    auto const first = c.read();
    BOOST_TEST(c.read() == first);
    c.aggregated();
    c.served.forget();
    BOOST_TEST(c.read() != first);
    c.served = kube::discovery(c.client, discovery_options().with_cache_ttl(0ms));
    c.aggregated();
    c.aggregated();
    auto const second = c.read();
    BOOST_TEST(c.read() != second);
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(a_missing_kind_triggers_rediscovery_at_a_limited_rate) {
    asking c;
    c.aggregated();
    BOOST_TEST(!c.find("gadgets").has_value()); // the catalog is new
    BOOST_TEST(c.find("po")->kind == "Pod");
    BOOST_TEST(c.link->played());
    c.served = kube::discovery(c.client, discovery_options().with_min_refresh_interval(0ms));
    c.aggregated();
    BOOST_TEST(c.find("widgets").has_value());
    c.aggregated();
    BOOST_TEST(!c.find("gadgets").has_value());
    BOOST_TEST(c.last == error_code());
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(the_number_of_cached_resources_is_limited) {
    asking c;
    c.served = kube::discovery(c.client, discovery_options().with_max_resources(1));
    c.aggregated();
    auto const all = c.read();
    BOOST_TEST(all->resources().size() == 1U);
    BOOST_TEST(all->truncated());
    c.served = kube::discovery(c.client, discovery_options().with_max_versions(1));
    c.expect("GET", "/api").piece(R"({"kind":"APIVersions","versions":["v1","v2","v3"]})");
    c.expect("GET", "/api/v1").piece(R"({"kind":"APIResourceList","resources":[]})");
    c.expect("GET", "/apis").status(404);
    BOOST_TEST(c.read()->truncated());
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(simultaneous_callers_share_one_read) {
    asking c;
    c.aggregated();
    std::vector<answer_probe<finding>> probes(5);
    for (auto& p : probes) c.served.async_find("po", p.handler());
    c.run();
    for (auto& p : probes) BOOST_TEST(p.value().has_value());
    BOOST_TEST(c.link->requests().size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_cancelled_reader_is_replaced_by_the_next) {
    asking c;
    c.expect("GET", "/api").piece(core_aggregated);
    c.aggregated();
    answer_probe<catalog> first, second, third;
    c.link->hang_at(0, [&] { first.cancel(asio::cancellation_type::total); });
    c.served.async_catalog(first.handler());
    c.served.async_catalog(second.handler());
    c.served.async_catalog(kube::call_options().with_timeout(1s), third.handler());
    c.run();
    BOOST_TEST(first.ec() == error_code(asio::error::operation_aborted));
    BOOST_TEST(second.ec() == error_code());
    BOOST_TEST(third.ec() == error_code());
    BOOST_TEST(second.value() == third.value());
}

BOOST_AUTO_TEST_CASE(a_catalog_with_gaps_is_kept_for_a_shorter_time) {
    asking c;
    c.served = kube::discovery(c.client, discovery_options().with_partial_cache_ttl(0ms));
    c.aggregated();
    c.aggregated();
    auto const first = c.read();
    BOOST_TEST(first->failures().size() == 1U);
    BOOST_TEST(c.read() != first);
}

BOOST_AUTO_TEST_CASE(failures_are_reported_and_not_cached) {
    asking c;
    c.expect("GET", "/api").status(403).piece(status_text("Forbidden", 403, "no"));
    c.read();
    BOOST_TEST(is_forbidden(c.last));
    BOOST_TEST(c.why.message == "no");
    c.expect("GET", "/api").piece(R"({"kind":"Pod"})");
    c.read();
    BOOST_TEST(c.last == make_error_code(errc::wrong_kind));
    BOOST_TEST(c.why.path == "kind");
    c.aggregated();
    BOOST_TEST(c.read()->resources().size() == 4U);
}

BOOST_AUTO_TEST_CASE(discovery_can_be_cancelled_at_every_step) {
    for (std::size_t step = 0; step < 4; ++step) {
        asking c;
        c.aggregated();
        answer_probe<catalog> p;
        c.link->hang_at(step, [&] { p.cancel(asio::cancellation_type::total); });
        c.served.async_catalog(p.handler());
        c.run();
        BOOST_TEST(p.calls() == 1U);
        BOOST_TEST(p.ec() == error_code(asio::error::operation_aborted), step);
    }
}

BOOST_AUTO_TEST_SUITE_END()
