#include "cluster/real_server.hpp"

#include <kftrain/kube/informer.hpp>
#include <kftrain/kube/list_pages.hpp>
#include <kftrain/kube/metadata.hpp>
#include <kftrain/kube/watch.hpp>

#include <cstddef>
#include <string>

BOOST_AUTO_TEST_SUITE(cluster_follows)

using namespace kftrain;
using namespace kftrain::test;
using core::config_map;

namespace {

char const* const streams = "sendInitialEvents=true";
char const* const watches = "watch=true";

/// An informer of some objects, at work until its end.
struct following : real_server {
    explicit following(std::string const& space, char const* server = "KFTRAIN_CLUSTER") : real_server(space, server) {
        for (auto const* name : {"a", "b", "c"}) create(name);
        link->targets.clear();
    }
    template <class Informer> void run(Informer& i) {
        i.async_run(runs.handler());
        BOOST_TEST_REQUIRE(until([&] { return i.has_synced() || runs.called(); }));
    }
    void stop() {
        runs.cancel();
        BOOST_TEST(completed(runs));
    }
    std::ptrdiff_t reads() const { return link->count("GET "); }

    answer_probe<void> runs;
};

/// Namespaces of a server also hold what it makes by itself.
template <class Informer> std::string names(Informer const& i) {
    std::string text;
    for (auto const& o : i.list())
        if (o->metadata.name.size() == 1) text += o->metadata.name + " ";
    return text;
}

} // namespace

BOOST_AUTO_TEST_CASE(an_informer_starts_with_a_streaming_list) {
    following s("streams");
    kube::informer<config_map> maps(s.maps, kube::informer_options().with_streaming_list());
    s.run(maps);
    BOOST_TEST(names(maps) == "a b c ");
    auto const late = s.create("d");
    BOOST_TEST(s.until([&] { return maps.has_observed(late.metadata.resource_version); }));
    BOOST_TEST(names(maps) == "a b c d ");
    BOOST_TEST(s.reads() == 1); // list and watch are one
    BOOST_TEST(s.link->count(streams) == 1);
    s.stop();
    // A restarted informer requests only newer versions than those in its cache, and catches up.
    BOOST_TEST(!s.await_result<void>([&](auto h) { s.maps.async_delete("b", std::move(h)); }).ec());
    bool missed = false;
    maps.on_event([&](kube::object_event<config_map> const& e) { missed = missed || e.missed; });
    answer_probe<void> again;
    maps.async_run(again.handler());
    BOOST_TEST(s.until([&] { return missed; }));
    BOOST_TEST(names(maps) == "a c d ");
    BOOST_TEST(s.reads() == 2);
    again.cancel();
    BOOST_TEST(s.completed(again));
}

BOOST_AUTO_TEST_CASE(without_streaming_lists_pages_are_requested) {
    following s("streams-refused", "KFTRAIN_CLUSTER_WITHOUT_STREAMS");
    kube::informer<config_map> maps(s.maps, kube::informer_options().with_streaming_list());
    s.run(maps);
    BOOST_TEST(names(maps) == "a b c ");
    s.create("d");
    BOOST_TEST(s.until([&] { return names(maps) == "a b c d "; }));
    BOOST_TEST(s.link->count(streams) == 1);
    BOOST_TEST(s.link->count(watches) == 2); // the refused one, and the one that follows the list
    s.stop();
    kube::informer<config_map> other(s.maps, kube::informer_options().with_streaming_list());
    answer_probe<void> runs;
    other.async_run(runs.handler());
    BOOST_TEST(s.until([&] { return other.has_synced(); }));
    BOOST_TEST(s.link->count(streams) == 1); // it is remembered
    runs.cancel();
    BOOST_TEST(s.completed(runs));
}

BOOST_AUTO_TEST_CASE(a_watch_can_begin_with_the_existing_objects) {
    following s("initial-events");
    auto opened = s.await_result<kube::watch_stream<config_map>>([&](auto h) {
        auto const how = kube::watch_options().with_initial_events().with_label_selector("app=x");
        kube::async_watch(s.maps, how, std::move(h));
    });
    BOOST_TEST_REQUIRE(opened.ec() == error_code());
    int initial_objects = 0;
    for (bool all = false; !all;) {
        auto p =
            s.await_result<kube::object_change<config_map>>([&](auto h) { opened.value().async_next(std::move(h)); });
        BOOST_TEST_REQUIRE(p.ec() == error_code());
        all = p.value().ends_initial_list;
        if (!all) ++initial_objects;
    }
    BOOST_TEST(initial_objects == 3);
    BOOST_TEST(!opened.value().resource_version().empty());
}

BOOST_AUTO_TEST_CASE(metadata_can_be_read_without_the_object) {
    following s("metadata");
    kube::metadata_api const slim(s.client, object_type_of<config_map>, s.ns);
    auto one = s.await_result<kube::object_metadata>([&](auto h) { slim.async_get("a", std::move(h)); });
    BOOST_TEST_REQUIRE(one.ec() == error_code());
    BOOST_TEST(one.value().metadata.labels.at("app") == "x");
    BOOST_TEST(one.value().unknown.empty());
    auto all = s.await_result<object_list<kube::object_metadata>>([&](auto h) {
        kube::async_list_all(slim, kube::page_options().with_page_size(2).with_label_selector("app=x"), std::move(h));
    });
    BOOST_TEST(all.ec() == error_code());
    BOOST_TEST(all.value().items.size() == 3U);
}

BOOST_AUTO_TEST_CASE(an_informer_can_follow_metadata_only) {
    for (bool streaming : {false, true}) {
        following s(streaming ? "metadata-streams" : "metadata-pages");
        kube::metadata_api const slim(s.client, object_type_of<config_map>, s.ns);
        kube::informer_options how;
        if (streaming) how.with_streaming_list();
        kube::informer<kube::object_metadata> maps{kube::any_informer(slim, how)};
        s.run(maps);
        BOOST_TEST(names(maps) == "a b c ");
        s.create("d");
        BOOST_TEST_REQUIRE(s.until([&] { return names(maps) == "a b c d "; }));
        BOOST_TEST(maps.find(s.ns, "d")->metadata.labels.at("app") == "x");
        BOOST_TEST(s.reads() == (streaming ? 1 : 2));
        s.stop();
    }
}

BOOST_AUTO_TEST_SUITE_END()
