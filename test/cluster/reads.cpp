#include "cluster/real_server.hpp"

#include <kftrain/kube/any_api.hpp>
#include <kftrain/kube/discovery.hpp>
#include <kftrain/kube/logs.hpp>

#include <memory>
#include <optional>

BOOST_AUTO_TEST_SUITE(cluster_reads)

using namespace kftrain;
using namespace kftrain::test;

BOOST_AUTO_TEST_CASE(two_requests_discover_all_kinds) {
    real_server s("discovery");
    s.link->targets.clear();
    kube::discovery const served(s.client);
    using found = std::optional<kube::served_resource>;
    auto sets = s.await_result<found>([&](auto h) { served.async_find("sts", std::move(h)); });
    BOOST_TEST_REQUIRE(sets.ec() == error_code());
    BOOST_TEST_REQUIRE(sets.value().has_value());
    BOOST_TEST(sets.value()->kind == "StatefulSet");
    BOOST_TEST(sets.value()->has_subresource("scale"));
    BOOST_TEST(sets.value()->can("deletecollection"));
    BOOST_TEST(s.link->count("GET ") == 2, "requests: " << s.link->targets.size());
    auto spaces = s.await_result<found>([&](auto h) { served.async_find("ns", std::move(h)); });
    BOOST_TEST_REQUIRE(spaces.value().has_value());
    BOOST_TEST((spaces.value()->where == resource_scope::cluster));
    auto list = s.await_result<kube::any_list>(
        [&](auto h) { kube::any_api::all_namespaces(s.client, spaces.value()->type()).async_list(std::move(h)); });
    BOOST_TEST(list.ec() == error_code());
    BOOST_TEST(!list.value().items.empty());
    auto catalog =
        s.await_result<std::shared_ptr<kube::api_catalog const>>([&](auto h) { served.async_catalog(std::move(h)); });
    BOOST_TEST(catalog.value()->failures().empty());
    BOOST_TEST(s.link->count("GET ") == 3); // a known result is not requested again
}

BOOST_AUTO_TEST_CASE(the_log_of_a_missing_pod_is_not_found) {
    real_server s("logs");
    auto p = s.await_result<kube::log_stream>([&](auto h) {
        kube::async_logs(s.client, s.ns, "none", kube::log_options().with_detail(s.why), std::move(h));
    });
    BOOST_TEST(is_not_found(p.ec()));
    BOOST_TEST(s.why.message == "pods \"none\" not found");
}

BOOST_AUTO_TEST_CASE(a_log_of_several_containers_without_a_name_is_a_bad_request) {
    real_server s("logs-early");
    auto made = s.send(
        "POST", "/api/v1/namespaces/" + s.ns + "/pods",
        R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"},{"name":"d","image":"i"}]}})");
    BOOST_TEST_REQUIRE(made.ec() == error_code());
    auto p = s.await_result<kube::log_stream>(
        [&](auto h) { kube::async_logs(s.client, s.ns, "p", kube::log_options().with_detail(s.why), std::move(h)); });
    BOOST_TEST(p.ec() == make_error_code(reason::bad_request)); // which of the two?
    BOOST_TEST(s.why.message.find("a container name must be specified for pod p") != std::string::npos, s.why.message);
}

BOOST_AUTO_TEST_CASE(invalid_names_are_rejected_with_their_fields) {
    real_server s("invalid");
    core::config_map map;
    map.metadata.name = "No Name";
    auto p = s.await_result<core::config_map>(
        [&](auto h) { s.maps.async_create(map, kube::write_options().with_detail(s.why), std::move(h)); });
    BOOST_TEST(is_invalid(p.ec()));
    BOOST_TEST_REQUIRE(!s.why.causes.empty());
    BOOST_TEST(s.why.causes[0].field == "metadata.name");
    BOOST_TEST(s.why.causes[0].reason == "FieldValueInvalid");
    BOOST_TEST(!s.why.audit_id.empty());
}

BOOST_AUTO_TEST_SUITE_END()
