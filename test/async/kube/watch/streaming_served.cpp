#include "async/probe.hpp"
#include "support/noting_transport.hpp"

#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/kube/informer.hpp>
#include <kftrain/kube/metadata.hpp>
#include <kftrain/objects/core/config_map.hpp>

BOOST_AUTO_TEST_SUITE(async_streaming_served)

using namespace kftrain;
using namespace kftrain::test;
using namespace std::chrono_literals;
using core::config_map;

namespace {

/// Informers of config maps against the API server of this library.
struct streaming_maps {
    template <class Done> bool until(Done const& done) {
        for (int i = 0; i < 10000 && !done(); ++i) {
            context.restart();
            context.run_for(1ms);
        }
        return done();
    }
    void create(std::string const& name) {
        config_map map;
        map.metadata.name = name;
        answer_probe<config_map> p;
        maps.async_create(map, p.handler());
        BOOST_TEST_REQUIRE(until([&] { return p.called(); }));
        BOOST_TEST_REQUIRE(p.ec() == error_code());
    }

    asio::io_context context;
    apiserver::api_server server{context.get_executor()};
    std::shared_ptr<noting_transport> link = std::make_shared<noting_transport>(server.transport());
    kube::client client{link};
    kube::api<config_map> maps{client, "default"};
};

} // namespace

BOOST_AUTO_TEST_CASE(the_library_server_streams_lists) {
    streaming_maps c;
    for (int i = 0; i < 600; ++i) c.create("m" + std::to_string(i));
    kube::informer<config_map> followed(c.maps, kube::informer_options().with_streaming_list());
    answer_probe<void> runs;
    followed.async_run(runs.handler());
    BOOST_TEST(c.until([&] { return followed.has_synced(); }));
    BOOST_TEST(followed.list().size() == 600U);
    c.create("late");
    BOOST_TEST(c.until([&] { return followed.find("default", "late") != nullptr; }));
    BOOST_TEST(c.link->count("GET ") == 1); // the list and the watch are one
    BOOST_TEST(c.link->count("sendInitialEvents=true") == 1);
    runs.cancel();
    BOOST_TEST(c.until([&] { return runs.called(); }));
}

BOOST_AUTO_TEST_CASE(metadata_is_extracted_from_whole_objects) {
    streaming_maps c;
    c.create("a");
    kube::metadata_api const slim(c.client, object_type_of<config_map>, "default");
    kube::informer<kube::object_metadata> followed{kube::any_informer(slim)};
    answer_probe<void> runs;
    followed.async_run(runs.handler());
    BOOST_TEST(c.until([&] { return followed.has_synced(); }));
    c.create("b");
    BOOST_TEST(c.until([&] { return followed.list().size() == 2U; }));
    BOOST_TEST(followed.find("default", "b")->unknown.empty());
    runs.cancel();
    BOOST_TEST(c.until([&] { return runs.called(); }));
}

BOOST_AUTO_TEST_SUITE_END()
