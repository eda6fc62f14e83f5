#include "async/probe.hpp"
#include "support/noting_transport.hpp"
#include "support/served_cluster.hpp"

#include <kftrain/kube/informer.hpp>
#include <kftrain/kube/metadata.hpp>
#include <kftrain/objects/core/config_map.hpp>

BOOST_AUTO_TEST_SUITE(async_streaming_served)

using namespace kftrain;
using namespace kftrain::test;
using core::config_map;

namespace {

/// Informers of config maps against the API server of this library.
struct streaming_maps : served_cluster {
    void create_map(std::string const& name) {
        config_map map;
        map.metadata.name = name;
        create(map);
    }

    std::shared_ptr<noting_transport> noted = std::make_shared<noting_transport>(server.transport());
    kube::client client{noted};
    kube::api<config_map> maps{client, "default"};
};

} // namespace

BOOST_AUTO_TEST_CASE(the_library_server_streams_lists) {
    streaming_maps c;
    for (int i = 0; i < 600; ++i) c.create_map("m" + std::to_string(i));
    kube::informer<config_map> followed(c.maps, kube::informer_options().with_streaming_list());
    answer_probe<void> runs;
    followed.async_run(runs.handler());
    BOOST_TEST(c.until([&] { return followed.has_synced(); }));
    BOOST_TEST(followed.list().size() == 600U);
    c.create_map("late");
    BOOST_TEST(c.until([&] { return followed.find("default", "late") != nullptr; }));
    BOOST_TEST(c.noted->count("GET ") == 1); // the list and the watch are one
    BOOST_TEST(c.noted->count("sendInitialEvents=true") == 1);
    runs.cancel();
    BOOST_TEST(c.until([&] { return runs.called(); }));
}

BOOST_AUTO_TEST_CASE(metadata_is_extracted_from_whole_objects) {
    streaming_maps c;
    c.create_map("a");
    kube::metadata_api const slim(c.client, object_type_of<config_map>, "default");
    kube::informer<kube::object_metadata> followed{kube::any_informer(slim)};
    answer_probe<void> runs;
    followed.async_run(runs.handler());
    BOOST_TEST(c.until([&] { return followed.has_synced(); }));
    c.create_map("b");
    BOOST_TEST(c.until([&] { return followed.list().size() == 2U; }));
    BOOST_TEST(followed.find("default", "b")->unknown.empty());
    runs.cancel();
    BOOST_TEST(c.until([&] { return runs.called(); }));
}

BOOST_AUTO_TEST_SUITE_END()
