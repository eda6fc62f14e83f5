#include "cluster/real_server.hpp"

BOOST_AUTO_TEST_SUITE(cluster_apply)

using namespace kftrain;
using namespace kftrain::test;
using core::config_map;

namespace {

struct appliers : real_server {
    explicit appliers(std::string const& space) : real_server(space) {}

    answer_probe<config_map> apply(std::string const& manager,
                                   std::initializer_list<std::pair<char const*, char const*>> data,
                                   kube::apply_options how = {}) {
        config_map map;
        map.metadata.name = "shared";
        for (auto const& [key, value] : data) map.data[key] = value;
        how.with_field_manager(manager).with_detail(why);
        return await_result<config_map>([&](auto h) { maps.async_apply(map, how, std::move(h)); });
    }
    /// Keys and values that are stored.
    std::string stored() {
        auto p = await_result<config_map>([&](auto h) { maps.async_get("shared", std::move(h)); });
        std::string text;
        for (auto const& [key, value] : p.value().data) text += std::string(key) + "=" + value + " ";
        return text;
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(apply_creates_a_missing_object) {
    appliers s("apply-creates");
    auto p = s.apply("one", {{"a", "1"}});
    BOOST_TEST(p.ec() == error_code());
    BOOST_TEST(!p.value().metadata.uid.empty());
    BOOST_TEST(s.stored() == "a=1 ");
}

BOOST_AUTO_TEST_CASE(an_apply_conflict_names_both_managers) {
    appliers s("apply-conflicts");
    s.apply("one", {{"a", "1"}, {"b", "1"}});
    auto refused = s.apply("two", {{"a", "2"}, {"c", "2"}});
    BOOST_TEST(is_conflict(refused.ec()));
    BOOST_TEST(s.why.http_status == 409U);
    BOOST_TEST_REQUIRE(s.why.causes.size() == 1U);
    BOOST_TEST(s.why.causes[0].reason == "FieldManagerConflict");
    BOOST_TEST(s.why.causes[0].field == ".data.a");
    BOOST_TEST(s.why.causes[0].message == "conflict with \"one\"");
    BOOST_TEST(s.stored() == "a=1 b=1 "); // nothing of it was done
    BOOST_TEST(s.apply("two", {{"c", "2"}}).ec() == error_code());
    BOOST_TEST(s.apply("two", {{"b", "1"}, {"c", "2"}}).ec() == error_code()); // who agrees shares a field
}

BOOST_AUTO_TEST_CASE(force_takes_over_the_field) {
    appliers s("apply-forces");
    s.apply("one", {{"a", "1"}});
    BOOST_TEST(s.apply("two", {{"a", "2"}}, kube::apply_options().with_force()).ec() == error_code());
    BOOST_TEST(s.stored() == "a=2 ");
    BOOST_TEST(is_conflict(s.apply("one", {{"a", "1"}}).ec()));
}

BOOST_AUTO_TEST_CASE(fields_that_their_only_owner_omits_are_removed) {
    appliers s("apply-removes");
    s.apply("one", {{"a", "1"}, {"b", "1"}, {"c", "1"}});
    s.apply("two", {{"b", "1"}});
    BOOST_TEST(s.apply("one", {{"c", "1"}}).ec() == error_code());
    BOOST_TEST(s.stored() == "b=1 c=1 "); // a is gone, b is two's
}

BOOST_AUTO_TEST_CASE(a_dry_run_changes_nothing) {
    appliers s("apply-dry");
    auto tried = s.apply("one", {{"a", "1"}}, kube::apply_options().with_dry_run());
    BOOST_TEST(tried.ec() == error_code());
    BOOST_TEST(tried.value().data.size() == 1U);
    BOOST_TEST(!s.exists("shared"));
    s.apply("one", {{"a", "1"}});
    BOOST_TEST(is_conflict(s.apply("two", {{"a", "2"}}, kube::apply_options().with_dry_run()).ec()));
}

BOOST_AUTO_TEST_SUITE_END()
