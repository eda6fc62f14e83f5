#include "unit/apiserver/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(apiserver_object_store_log)

using namespace sample;

namespace {

std::string of_size(std::string const& name, std::size_t size) {
    return R"({"metadata":{"name":")" + name + R"("},"data":{"k":")" + std::string(size, 'x') + R"("}})";
}

object_store_options with_log_of(std::size_t bytes) {
    auto o = numbered_uids();
    o.watch_log_bytes = bytes;
    return o;
}

constexpr std::size_t megabyte = 1'000'000;

} // namespace

BOOST_AUTO_TEST_CASE(the_log_is_bounded_by_its_memory_use) {
    stored_sample w(with_log_of(3 * megabyte));
    w.make(w.config_maps, of_size("s", 100'000));
    auto const first = w.store.version();
    for (int i = 0; i < 100; ++i) {
        auto const done = w.store.patch(w.config_maps, "default", "s", patch_type::merge,
                                        R"({"data":{"n":")" + std::to_string(i) + R"("}})", at(0));
        BOOST_TEST_REQUIRE(done.has_value());
        BOOST_TEST_REQUIRE(w.store.usage().log_bytes <= 3 * megabyte);
    }
    BOOST_TEST(w.store.usage().log_bytes > 2 * megabyte);
    BOOST_TEST(w.store.usage().log_events > 3U);
    BOOST_TEST(w.store.usage().log_events < 20U);
    BOOST_TEST(w.store.events(w.config_maps, first, 10).error().code == 410u);
    BOOST_TEST(w.store.events(w.config_maps, w.store.version() - 2, 10).value().size() == 2U);
    list_query q; // what is no longer in the log cannot be listed either
    q.resource_version = std::to_string(first);
    q.resource_version_match = "Exact";
    BOOST_TEST(w.store.list(w.config_maps, q).error().code == 410u);
}

BOOST_AUTO_TEST_CASE(large_objects_do_not_evict_the_log_of_other_kinds) {
    stored_sample w(with_log_of(2 * megabyte));
    auto const start = w.store.version();
    w.make_pod("p");
    for (int i = 0; i < 50; ++i) w.make(w.config_maps, of_size(std::to_string(i), 100'000));
    BOOST_TEST(w.store.events(w.pods, start, 10).value().size() == 1U);
    BOOST_TEST(w.store.events(w.config_maps, start, 10).error().code == 410u);
}

BOOST_AUTO_TEST_CASE(the_text_of_an_object_counts_as_memory) {
    stored_sample w;
    auto const small = w.make(w.config_maps, of_size("a", 10));
    auto const large = w.make(w.config_maps, of_size("b", 100'010));
    BOOST_TEST(large->text().size() == small->text().size() + 100'000);
    BOOST_TEST(large->bytes() >= small->bytes() + 100'000); // once
    BOOST_TEST(large->bytes() < small->bytes() + 100'100);
    std::string labels = R"("a":"x")";
    for (int i = 1; i < 1000; ++i) labels += ",\"a" + std::to_string(i) + R"(":"x")";
    auto const labelled = w.make_job("j", R"(,"labels":{)" + labels + "}");
    BOOST_TEST(labelled->bytes() > 2 * labelled->text().size()); // with what selects it
}

BOOST_AUTO_TEST_CASE(the_deleted_object_is_returned) {
    stored_sample w(with_log_of(5 * megabyte));
    constexpr int n = 5'000;
    for (int i = 0; i < n; ++i) w.make(w.config_maps, of_size(std::to_string(i), 1'000));
    auto const full = w.store.usage();
    BOOST_TEST(full.objects == std::size_t(n));
    BOOST_TEST(full.object_bytes > 1'000U * n);
    for (int i = 0; i < n; ++i)
        BOOST_TEST_REQUIRE(w.store.remove(w.config_maps, "default", std::to_string(i), {}, at(0)).value().gone);
    auto const empty = w.store.usage();
    BOOST_TEST(empty.objects == 0U);
    BOOST_TEST(empty.object_bytes == 0U);
    BOOST_TEST(empty.log_bytes <= 5 * megabyte);
    BOOST_TEST(empty.log_events < 2'000U);
}

BOOST_AUTO_TEST_CASE(a_log_with_limit_zero_keeps_nothing) {
    stored_sample w(with_log_of(0));
    auto const start = w.store.version();
    w.make_pod("p");
    BOOST_TEST(w.store.usage().log_events == 0U);
    BOOST_TEST(w.store.usage().log_bytes == 0U);
    BOOST_TEST(w.store.events(w.pods, start, 10).error().code == 410u);
    BOOST_TEST(w.store.events(w.pods, w.store.version(), 10).value().empty());
}

BOOST_AUTO_TEST_SUITE_END()
