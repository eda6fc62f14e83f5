#include "support/served_cluster.hpp"

#include <kftrain/kube/api.hpp>
#include <kftrain/kube/discovery.hpp>
#include <kftrain/kube/list_pages.hpp>
#include <kftrain/kube/metadata.hpp>
#include <kftrain/kube/subresources.hpp>
#include <kftrain/kube/watch.hpp>
#include <kftrain/objects/core/config_map.hpp>

BOOST_AUTO_TEST_SUITE(async_served_verbs)

using namespace kftrain;
using namespace kftrain::test;
using core::config_map;

namespace {

/// The verbs of the client against the API server of this library.
struct served_maps : served_cluster {
    served_maps() {
        for (auto const* name : {"a", "b", "c", "d", "e"}) create_map(name);
    }

    void create_map(std::string name) {
        config_map map;
        map.metadata.name = std::move(name);
        create(map);
    }
    object_list<config_map> list() {
        return ask<object_list<config_map>>(
            [&](auto h) { kube::async_list_all(maps, kube::page_options().with_page_size(2), std::move(h)); });
    }

    kube::api<config_map> maps{user, "default"};
};

} // namespace

BOOST_AUTO_TEST_CASE(a_watch_continues_from_the_version_of_a_paged_list) {
    served_maps w;
    auto const all = w.list();
    BOOST_TEST_REQUIRE(all.items.size() == 5U);
    auto const from = kube::watch_options().with_resource_version(all.metadata.resource_version);
    using stream = kube::watch_stream<config_map>;
    auto changes = w.ask<stream>([&](auto h) { kube::async_watch(w.maps, from, std::move(h)); });
    w.create_map("f");
    auto const next = w.ask<kube::object_change<config_map>>([&](auto h) { changes.async_next(std::move(h)); });
    BOOST_TEST((next.kind == change_kind::added));
    BOOST_TEST(next.object->metadata.name == "f");
    BOOST_TEST(next.resource_version == next.object->metadata.resource_version);
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
    auto const remove = [&](kube::list_options const& which, kube::delete_options const& how) {
        kube::run_blocking(w.io.get_executor(), diagnostics(), [&](auto h) {
            w.maps.async_delete_collection(which, how, std::move(h));
        }).value();
    };
    remove(kube::list_options().with_field_selector("metadata.name=b"), {});
    BOOST_TEST(w.list().items.size() == 4U);
    remove({}, kube::delete_options().with_whole_collection());
    BOOST_TEST(w.list().items.empty());
}

BOOST_AUTO_TEST_CASE(kinds_are_found_by_plural_and_short_name) {
    served_maps w;
    kube::discovery const served(w.user);
    auto const found =
        w.ask<std::optional<kube::served_resource>>([&](auto h) { served.async_find("cm", std::move(h)); });
    BOOST_TEST_REQUIRE(found.has_value());
    BOOST_TEST(found->kind == "ConfigMap");
    kube::any_api const untyped(w.user, found->type(), "default");
    auto const list = w.ask<kube::any_list>([&](auto h) { kube::async_list_all(untyped, std::move(h)); });
    BOOST_TEST(list.items.size() == 5U);
}

BOOST_AUTO_TEST_CASE(dry_run_and_apply_succeed_and_metadata_only_writes_are_rejected) {
    served_maps w;
    config_map map;
    map.metadata.name = "x";
    w.ask<config_map>([&](auto h) { w.maps.async_create(map, kube::write_options().with_dry_run(), std::move(h)); });
    w.ask<config_map>(
        [&](auto h) { w.maps.async_apply(map, kube::apply_options().with_field_manager("me"), std::move(h)); });
    kube::metadata_api const slim(w.user, object_type_of<config_map>, "default");
    auto const refused = kube::run_blocking<kube::object_metadata>(w.io.get_executor(), diagnostics(),
                                                                   [&](auto h) { slim.async_get("a", std::move(h)); });
    BOOST_TEST(refused.error().code == make_error_code(reason::not_acceptable));
    auto const evicted = kube::run_blocking(w.io.get_executor(), diagnostics(),
                                            [&](auto h) { kube::async_evict(w.user, "default", "a", std::move(h)); });
    BOOST_TEST(is_not_found(evicted.error().code));
    BOOST_TEST(w.list().items.size() == 6U); // with that of the apply
}

BOOST_AUTO_TEST_SUITE_END()
