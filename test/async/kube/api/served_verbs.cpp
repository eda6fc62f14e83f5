#include "async/probe.hpp"

#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/kube/discovery.hpp>
#include <kftrain/kube/list_pages.hpp>
#include <kftrain/kube/metadata.hpp>
#include <kftrain/kube/subresources.hpp>
#include <kftrain/kube/watch.hpp>
#include <kftrain/objects/core/config_map.hpp>

#include <boost/asio/error.hpp>

BOOST_AUTO_TEST_SUITE(async_served_verbs)

using namespace kftrain;
using namespace kftrain::test;
using namespace std::chrono_literals;
using core::config_map;

namespace {

/// The verbs of the client against the API server of this library, which serves most and refuses the rest by name.
struct served_maps {
    served_maps() { create({"a", "b", "c", "d", "e"}); }

    template <class Probe> bool until_called(Probe const& p) {
        for (int i = 0; i < 10000 && !p.called(); ++i) {
            context.restart();
            context.run_for(1ms);
        }
        return p.called();
    }
    void create(std::initializer_list<char const*> names) {
        for (auto const* name : names) {
            config_map map;
            map.metadata.name = name;
            answer_probe<config_map> p;
            maps.async_create(map, p.handler());
            BOOST_TEST_REQUIRE(until_called(p));
            BOOST_TEST_REQUIRE(p.ec() == error_code());
        }
    }
    object_list<config_map> list() {
        answer_probe<object_list<config_map>> p;
        kube::async_list_all(maps, kube::page_options().with_page_size(2), p.handler());
        BOOST_TEST_REQUIRE(until_called(p));
        BOOST_TEST(p.ec() == error_code());
        return std::move(p.value());
    }

    asio::io_context context;
    apiserver::api_server server{context.get_executor()};
    kube::client client{server.transport()};
    kube::api<config_map> maps{client, "default"};
    diagnostics why;
};

} // namespace

BOOST_AUTO_TEST_CASE(a_watch_continues_from_the_version_of_a_paged_list) {
    served_maps w;
    auto const all = w.list();
    BOOST_TEST_REQUIRE(all.items.size() == 5U);
    answer_probe<kube::watch_stream<config_map>> opens;
    kube::async_watch(w.maps, kube::watch_options().with_resource_version(all.metadata.resource_version),
                      opens.handler());
    BOOST_TEST_REQUIRE(w.until_called(opens));
    w.create({"f"});
    answer_probe<kube::object_change<config_map>> next;
    opens.value().async_next(next.handler());
    BOOST_TEST_REQUIRE(w.until_called(next));
    BOOST_TEST((next.value().kind == change_kind::added));
    BOOST_TEST(next.value().object->metadata.name == "f");
    BOOST_TEST(next.value().resource_version == next.value().object->metadata.resource_version);
}

BOOST_AUTO_TEST_CASE(destroying_the_io_context_destroys_a_watch_in_any_state) {
    auto const token = std::make_shared<int>();
    for (int turns = 0; turns < 12; ++turns) {
        {
            asio::io_context io;
            std::optional<apiserver::api_server> server(std::in_place, io.get_executor());
            kube::watch_stream<config_map> stream;
            kube::async_watch(kube::api<config_map>(kube::client(server->transport()), "default"),
                              [&](error_code, kube::watch_stream<config_map> s) {
                                  stream = std::move(s);
                                  stream.async_next([token](error_code, kube::object_change<config_map> const&) {});
                              });
            for (int i = 0; i < turns; ++i) io.poll_one();
            stream = {};
            server.reset();
        }
        BOOST_TEST(token.use_count() == 1, "something is left after " << turns << " turns");
    }
}

BOOST_AUTO_TEST_CASE(a_collection_is_deleted_by_one_request) {
    served_maps w;
    answer_probe<void> p;
    w.maps.async_delete_collection(kube::list_options().with_field_selector("metadata.name=b"), p.handler());
    BOOST_TEST_REQUIRE(w.until_called(p));
    BOOST_TEST(p.ec() == error_code());
    BOOST_TEST(w.list().items.size() == 4U);
    answer_probe<void> all;
    w.maps.async_delete_collection({}, kube::delete_options().with_whole_collection(), all.handler());
    BOOST_TEST_REQUIRE(w.until_called(all));
    BOOST_TEST(w.list().items.empty());
}

BOOST_AUTO_TEST_CASE(kinds_are_found_by_plural_and_short_name) {
    served_maps w;
    kube::discovery const served(w.client);
    answer_probe<std::optional<kube::served_resource>> p;
    served.async_find("cm", p.handler());
    BOOST_TEST_REQUIRE(w.until_called(p));
    BOOST_TEST_REQUIRE(p.ec() == error_code());
    BOOST_TEST_REQUIRE(p.value().has_value());
    BOOST_TEST(p.value()->kind == "ConfigMap");
    answer_probe<kube::any_list> list;
    kube::async_list_all(kube::any_api(w.client, p.value()->type(), "default"), list.handler());
    BOOST_TEST_REQUIRE(w.until_called(list));
    BOOST_TEST(list.value().items.size() == 5U);
}

BOOST_AUTO_TEST_CASE(dry_run_and_apply_succeed_and_metadata_only_writes_are_rejected) {
    served_maps w;
    config_map map;
    map.metadata.name = "x";
    answer_probe<config_map> dry, applied;
    w.maps.async_create(map, kube::write_options().with_dry_run(), dry.handler());
    BOOST_TEST_REQUIRE(w.until_called(dry));
    BOOST_TEST(dry.ec() == error_code());
    w.maps.async_apply(map, kube::apply_options().with_field_manager("me"), applied.handler());
    BOOST_TEST_REQUIRE(w.until_called(applied));
    BOOST_TEST(applied.ec() == error_code());
    answer_probe<kube::object_metadata> slim;
    kube::metadata_api(w.client, object_type_of<config_map>, "default").async_get("a", slim.handler());
    BOOST_TEST_REQUIRE(w.until_called(slim));
    BOOST_TEST(slim.ec() == make_error_code(reason::not_acceptable));
    answer_probe<void> evicted;
    kube::async_evict(w.client, "default", "a", evicted.handler());
    BOOST_TEST_REQUIRE(w.until_called(evicted));
    BOOST_TEST(is_not_found(evicted.ec()));
    BOOST_TEST(w.list().items.size() == 6U); // with that of the apply
}

BOOST_AUTO_TEST_SUITE_END()
