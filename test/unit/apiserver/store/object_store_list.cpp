#include "unit/apiserver/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(apiserver_object_store_list)

using namespace sample;

namespace {

using strings = std::vector<std::string>;

strings names(list_page const& page) {
    strings out;
    for (auto const& o : page.items) out.emplace_back(o->name());
    return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(lists_are_sorted_by_namespace_and_name_with_the_newest_version) {
    stored_sample w;
    w.make_pod("b");
    w.make_pod("a");
    w.make(w.pods, R"({"metadata":{"name":"z"}})", "alpha");
    w.make_job("other");
    auto const all = w.store.list(w.pods, {}).value();
    strings const expected{"z", "a", "b"};
    BOOST_TEST(names(all) == expected, boost::test_tools::per_element());
    BOOST_TEST(all.version == w.store.version());
    list_query q;
    q.namespace_ = "default";
    BOOST_TEST(w.store.list(w.pods, q).value().items.size() == 2u);
}

BOOST_AUTO_TEST_CASE(all_pages_of_a_list_have_one_version) {
    stored_sample w;
    for (auto const* n : {"a", "b", "c", "d"}) w.make_pod(n);
    list_query q;
    q.limit = 2;
    auto const first = w.store.list(w.pods, q).value();
    BOOST_TEST(first.remaining.value() == 2u);
    BOOST_REQUIRE(!first.continue_.empty());
    (void)w.store.remove(w.pods, "default", "c", {}, at(1));
    w.make_pod("bb");
    q.continue_ = first.continue_;
    auto const second = w.store.list(w.pods, q).value();
    strings const expected{"c", "d"};
    BOOST_TEST(names(second) == expected, boost::test_tools::per_element());
    BOOST_TEST(second.version == first.version);
    BOOST_TEST(second.continue_.empty());
    q.resource_version = "1";
    BOOST_TEST(w.store.list(w.pods, q).error().message ==
               "specifying resource version is not allowed when using continue");
}

BOOST_AUTO_TEST_CASE(the_last_full_page_has_no_token) {
    stored_sample w;
    w.make_pod("a");
    w.make_pod("b");
    list_query q;
    q.limit = 2;
    BOOST_TEST(w.store.list(w.pods, q).value().continue_.empty());
}

BOOST_AUTO_TEST_CASE(a_page_token_expires_with_the_history) {
    stored_sample w(2);
    for (auto const* n : {"a", "b", "c"}) w.make_pod(n);
    list_query q;
    q.limit = 1;
    q.continue_ = w.store.list(w.pods, q).value().continue_;
    for (auto const* n : {"d", "e", "f"}) w.make_pod(n);
    auto const r = w.store.list(w.pods, q);
    BOOST_TEST(r.error().code == 410u);
    BOOST_TEST((r.error().why == reason::expired));
    q.continue_ = "garbage!";
    BOOST_TEST(w.store.list(w.pods, q).error().code == 400u);
    q.continue_ = "bm90IGpzb24=";
    BOOST_TEST(w.store.list(w.pods, q).error().code == 400u);
}

BOOST_AUTO_TEST_CASE(a_list_can_return_an_exact_earlier_version) {
    stored_sample w;
    w.make_pod("a");
    auto const then = w.store.version();
    w.make_pod("b");
    (void)w.store.remove(w.pods, "default", "a", {}, at(1));
    list_query q;
    q.resource_version = std::to_string(then);
    q.resource_version_match = "Exact";
    auto const page = w.store.list(w.pods, q).value();
    BOOST_TEST(names(page) == strings{"a"}, boost::test_tools::per_element());
    BOOST_TEST(page.version == then);
    q.resource_version_match = "NotOlderThan";
    BOOST_TEST(names(w.store.list(w.pods, q).value()) == strings{"b"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(contradictory_version_options_are_rejected) {
    stored_sample w;
    list_query q;
    q.resource_version_match = "Exact";
    BOOST_TEST(w.store.list(w.pods, q).error().code == 422u);
    q.resource_version = "0";
    BOOST_TEST(w.store.list(w.pods, q).error().code == 422u);
    q.resource_version_match = "Sometimes";
    BOOST_TEST(w.store.list(w.pods, q).error().code == 422u);
    q.resource_version_match.clear();
    q.resource_version = "x";
    BOOST_TEST(w.store.list(w.pods, q).error().code == 400u);
    q.resource_version = "99";
    auto const r = w.store.list(w.pods, q);
    BOOST_TEST(r.error().code == 504u);
    BOOST_TEST((r.error().why == reason::timeout));
    BOOST_TEST(r.error().causes.at(0).reason == "ResourceVersionTooLarge");
    BOOST_TEST(r.error().retry_after_seconds == 1);
}

BOOST_AUTO_TEST_CASE(events_are_kept_up_to_a_limit_and_older_watches_expire) {
    stored_sample w(3);
    w.make_pod("a");
    auto const since = w.store.version();
    for (auto const* n : {"b", "c", "d"}) w.make_pod(n);
    BOOST_TEST(w.store.events(w.pods, since, 100).value().size() == 3u);
    BOOST_TEST(w.store.events(w.pods, since, 2).value().size() == 2u);
    w.make_job("unrelated");
    BOOST_TEST(w.store.events(w.pods, since, 100).has_value());
    w.make_pod("e");
    auto const r = w.store.events(w.pods, since, 100);
    BOOST_TEST(r.error().code == 410u);
    BOOST_TEST(r.error().message ==
               "too old resource version: " + std::to_string(since) + " (" + std::to_string(since + 1) + ")");
}

BOOST_AUTO_TEST_SUITE_END()
