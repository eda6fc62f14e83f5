#include "cluster/real_server.hpp"

#include <kftrain/kube/subresources.hpp>
#include <kftrain/objects/apps/stateful_set.hpp>

BOOST_AUTO_TEST_SUITE(cluster_writes)

using namespace kftrain;
using namespace kftrain::test;
using core::config_map;
using core::pod;

namespace {

pod small_pod(std::string const& name, std::string const& label = "x") {
    pod p;
    p.metadata.name = name;
    p.metadata.labels["app"] = label;
    p.spec.containers.emplace_back();
    p.spec.containers[0].name = "main";
    p.spec.containers[0].image = "none";
    return p;
}

} // namespace

BOOST_AUTO_TEST_CASE(dry_runs_of_all_writes_change_nothing) {
    real_server s("dry-runs");
    auto stored = s.create("there");
    auto const dry = kube::write_options().with_dry_run();
    config_map map;
    map.metadata.name = "tried";
    auto created = s.await_result<config_map>([&](auto h) { s.maps.async_create(map, dry, std::move(h)); });
    BOOST_TEST(created.ec() == error_code());
    BOOST_TEST(!created.value().metadata.uid.empty()); // admitted and filled in as ever
    BOOST_TEST(!s.exists("tried"));
    stored.data["k"] = "other";
    BOOST_TEST(s.await_result<config_map>([&](auto h) { s.maps.async_replace(stored, dry, std::move(h)); })
                   .value()
                   .data["k"] == "other");
    kube::patch_body const patch(patch_type::merge, R"({"data":{"k":"other"}})");
    BOOST_TEST(
        !s.await_result<config_map>([&](auto h) { s.maps.async_patch("there", patch, dry, std::move(h)); }).ec());
    BOOST_TEST(!s.await_result<void>([&](auto h) {
                     s.maps.async_delete("there", kube::delete_options().with_dry_run(), std::move(h));
                 }).ec());
    auto left = s.await_result<config_map>([&](auto h) { s.maps.async_get("there", std::move(h)); });
    BOOST_TEST(left.ec() == error_code());
    BOOST_TEST(left.value().data["k"] == "v");
}

BOOST_AUTO_TEST_CASE(unknown_fields_are_reported_as_warnings_or_rejected) {
    real_server s("unknown-fields");
    s.create("m");
    kube::patch_body const patch(patch_type::merge, R"({"bogus":1})");
    auto const send = [&](std::optional<kube::field_validation> v) {
        auto how = kube::write_options().with_detail(s.why);
        how.validation = v;
        return s.await_result<config_map>([&](auto h) { s.maps.async_patch("m", patch, how, std::move(h)); }).ec();
    };
    BOOST_TEST(send(std::nullopt) == error_code());
    BOOST_TEST(s.why.warnings == std::vector<std::string>({"unknown field \"bogus\""}),
               boost::test_tools::per_element());
    BOOST_TEST(send(kube::field_validation::ignore) == error_code());
    BOOST_TEST(s.why.warnings.empty());
    auto const refused = send(kube::field_validation::strict);
    BOOST_TEST((refused.category() == server_category()));
    BOOST_TEST(s.why.message.find("strict decoding error: unknown field \"bogus\"") != std::string::npos,
               s.why.message);
}

BOOST_AUTO_TEST_CASE(the_field_manager_is_the_given_one_or_the_program) {
    real_server s("managers");
    config_map map;
    map.metadata.name = "m";
    map.data["k"] = "v";
    auto const how = kube::write_options().with_field_manager("me");
    auto named = s.await_result<config_map>([&](auto h) { s.maps.async_create(map, how, std::move(h)); });
    BOOST_TEST_REQUIRE(named.value().metadata.managed_fields.size() == 1U);
    BOOST_TEST(named.value().metadata.managed_fields[0].manager == "me");
    BOOST_TEST(s.create("n").metadata.managed_fields.at(0).manager == "kftrain");
}

BOOST_AUTO_TEST_CASE(a_collection_is_deleted_by_selector) {
    real_server s("collections");
    for (auto const* name : {"a", "b", "c"}) s.create(name, "old");
    s.create("d", "new");
    auto const old = kube::list_options().with_label_selector("app=old");
    auto const dry = kube::delete_options().with_dry_run();
    BOOST_TEST(!s.await_result<void>([&](auto h) { s.maps.async_delete_collection(old, dry, std::move(h)); }).ec());
    BOOST_TEST(s.exists("a"));
    BOOST_TEST(!s.await_result<void>([&](auto h) { s.maps.async_delete_collection(old, std::move(h)); }).ec());
    for (auto const* name : {"a", "b", "c"}) BOOST_TEST(!s.exists(name));
    BOOST_TEST(s.exists("d"));
}

BOOST_AUTO_TEST_CASE(preconditions_of_a_deletion_are_checked) {
    real_server s("preconditions");
    auto const made = s.create("m");
    auto const remove = [&](std::string const& uid) {
        auto const how = kube::delete_options().with_precondition_uid(uid);
        return s.await_result<void>([&](auto h) { s.maps.async_delete("m", how, std::move(h)); }).ec();
    };
    BOOST_TEST(is_conflict(remove("another")));
    BOOST_TEST(s.exists("m"));
    BOOST_TEST(remove(made.metadata.uid) == error_code());
    BOOST_TEST(!s.exists("m"));
}

BOOST_AUTO_TEST_CASE(the_scale_is_read_and_set) {
    real_server s("scales");
    kube::api<apps::stateful_set> const sets(s.client, s.ns);
    auto made = s.send(
        "POST", "/apis/apps/v1/namespaces/" + s.ns + "/statefulsets",
        R"({"metadata":{"name":"set"},"spec":{"serviceName":"set","replicas":1,"selector":{"matchLabels":{"a":"b"}},)"
        R"("template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})");
    BOOST_TEST_REQUIRE(made.ec() == error_code());
    using scale = autoscaling::scale;
    auto read = s.await_result<scale>([&](auto h) { kube::async_get_scale(sets, "set", std::move(h)); });
    BOOST_TEST(read.ec() == error_code());
    BOOST_TEST(read.value().spec.replicas == 1);
    auto set = s.await_result<scale>([&](auto h) { kube::async_set_scale(sets, "set", 3, std::move(h)); });
    BOOST_TEST(set.ec() == error_code());
    auto seen = s.await_result<apps::stateful_set>([&](auto h) { sets.async_get("set", std::move(h)); });
    BOOST_TEST(seen.value().spec.replicas.value_or(0) == 3);
    auto none = s.await_result<scale>([&](auto h) { kube::async_get_scale(s.maps, "set", std::move(h)); });
    BOOST_TEST(is_not_found(none.ec()));
}

BOOST_AUTO_TEST_CASE(an_eviction_is_subject_to_a_disruption_budget) {
    real_server s("evictions");
    kube::api<pod> const pods(s.client, s.ns);
    for (auto const* name : {"free", "kept"}) {
        auto made = s.await_result<pod>([&](auto h) { pods.async_create(small_pod(name, name), std::move(h)); });
        BOOST_TEST_REQUIRE(made.ec() == error_code());
    }
    auto const evict = [&](std::string const& name) {
        auto const how = kube::delete_options().with_detail(s.why);
        return s.await_result<void>([&](auto h) { kube::async_evict(s.client, s.ns, name, how, std::move(h)); }).ec();
    };
    auto budget =
        s.send("POST", "/apis/policy/v1/namespaces/" + s.ns + "/poddisruptionbudgets",
               R"({"metadata":{"name":"budget"},"spec":{"minAvailable":1,"selector":{"matchLabels":{"app":"kept"}}}})");
    BOOST_TEST_REQUIRE(budget.ec() == error_code());
    kube::patch_body const running(patch_type::merge,
                                   R"({"status":{"phase":"Running"}})"); // those that wait may always go
    BOOST_TEST_REQUIRE(
        !s.await_result<pod>([&](auto h) { pods.async_patch_status("kept", running, std::move(h)); }).ec());
    auto const begun = std::chrono::steady_clock::now();
    BOOST_TEST(is_too_many_requests(evict("kept")));
    BOOST_TEST((std::chrono::steady_clock::now() - begun < std::chrono::seconds(5))); // and was not repeated
    BOOST_TEST_REQUIRE(s.why.causes.size() == 1U);
    BOOST_TEST(s.why.causes[0].reason == "DisruptionBudget");
    BOOST_TEST(evict("free") == error_code());
    BOOST_TEST(is_not_found(evict("free")));
}

BOOST_AUTO_TEST_SUITE_END()
