#include "async/kube/watch/watched_pods.hpp"

#include <kftrain/kube/informer.hpp>
#include <kftrain/kube/metadata.hpp>
#include <kftrain/objects/core.hpp>

BOOST_AUTO_TEST_SUITE(async_metadata)

using namespace kftrain;
using namespace kftrain::test;
using kube::object_metadata;

namespace {

std::string partial(std::string const& name, std::string const& version) {
    return R"({"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadata","metadata":{"name":")" + name +
           R"(","resourceVersion":")" + version + R"(","labels":{"job":"j"}}})";
}
std::string partial_list(std::string const& more, std::string const& item) {
    return R"({"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadataList","metadata":{"resourceVersion":"9",)"
           R"("continue":")" +
           more + R"("},"items":[)" + item + "]}";
}

struct slim_pods : scripted_client {
    std::string path = "/api/v1/namespaces/d/pods";
    kube::metadata_api pods{client, object_type_of<pod>, "d"};
    std::string_view accepted() { return link->requests().back().fields.get("Accept"); }
};

} // namespace

BOOST_AUTO_TEST_CASE(objects_and_pages_are_decoded_partially) {
    slim_pods c;
    c.expect("GET", c.path + "/a").piece(partial("a", "3"));
    c.expect("GET", c.path + "?limit=1").piece(partial_list("t", partial("a", "3")));
    answer_probe<object_metadata> one;
    c.pods.async_get("a", one.handler());
    c.run();
    BOOST_TEST(one.ec() == error_code());
    BOOST_TEST(one.value().metadata.resource_version == "3");
    BOOST_TEST(c.accepted() == "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1");
    answer_probe<object_list<object_metadata>> page;
    c.pods.async_list(kube::list_options().with_limit(1), page.handler());
    c.run();
    BOOST_TEST_REQUIRE(page.ec() == error_code());
    BOOST_TEST(page.value().metadata.continue_ == "t");
    BOOST_TEST(page.value().items.at(0).metadata.name == "a");
    BOOST_TEST(c.accepted() == "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1");
}

BOOST_AUTO_TEST_CASE(all_pages_of_metadata_are_read) {
    slim_pods c;
    c.expect("GET", c.path + "?limit=500").piece(partial_list("t", partial("a", "3")));
    c.expect("GET", c.path + "?limit=500&continue=t").piece(partial_list("", partial("b", "4")));
    answer_probe<object_list<object_metadata>> all;
    kube::async_list_all(c.pods, all.handler());
    c.run();
    BOOST_TEST(all.ec() == error_code());
    BOOST_TEST_REQUIRE(all.value().items.size() == 2U);
    BOOST_TEST(all.value().items[1].metadata.name == "b");
    BOOST_TEST(c.accepted() == "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1");
}

BOOST_AUTO_TEST_CASE(a_watch_of_metadata_delivers_changes) {
    slim_pods c;
    c.expect("GET", c.path + "?watch=true&resourceVersion=9&allowWatchBookmarks=true")
        .piece(event_text("MODIFIED", partial("a", "10")));
    answer_probe<kube::watch_stream<object_metadata>> opens;
    kube::async_watch(c.pods, kube::watch_options().with_resource_version("9"), opens.handler());
    c.run();
    BOOST_TEST(opens.ec() == error_code());
    BOOST_TEST(c.accepted() == "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1");
    answer_probe<kube::object_change<object_metadata>> next;
    opens.value().async_next(next.handler());
    c.run();
    BOOST_TEST((next.value().kind == change_kind::modified));
    BOOST_TEST(next.value().object->metadata.labels.find("job")->second == "j");
}

BOOST_AUTO_TEST_CASE(a_response_with_whole_objects_is_reduced_to_metadata) {
    slim_pods c;
    c.expect("GET", c.path + "/a").piece(pod_text("a", "3"));
    answer_probe<object_metadata> p;
    c.pods.async_get("a", p.handler());
    c.run();
    BOOST_TEST(p.ec() == make_error_code(errc::wrong_kind));
}

BOOST_AUTO_TEST_CASE(an_informer_can_follow_metadata_only) {
    for (bool streaming : {false, true}) {
        watched_pods c;
        std::string const end = R"({"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":)"
                                R"({"resourceVersion":"9","annotations":{"k8s.io/initial-events-end":"true"}}})";
        std::string const changed = event_text("MODIFIED", partial("a", "10"));
        if (streaming) {
            c.expect("GET", c.path + "?watch=true&timeoutSeconds=300&allowWatchBookmarks=true&sendInitialEvents=true"
                                     "&resourceVersionMatch=NotOlderThan")
                .piece(event_text("ADDED", partial("a", "3")) + event_text("BOOKMARK", end) + changed)
                .hangs();
        } else {
            c.first_list().piece(partial_list("", partial("a", "3")));
            c.watch("9").piece(changed).hangs();
        }
        auto how = kube::informer_options();
        if (streaming) how.with_streaming_list();
        kube::metadata_api const slim(c.client, object_type_of<pod>, "d");
        kube::informer<object_metadata> pods{kube::any_informer(slim, how)};
        std::vector<std::string> seen;
        pods.on_event([&](kube::object_event<object_metadata> const& e) {
            seen.push_back(e.object->metadata.name + " " + e.object->metadata.resource_version);
        });
        answer_probe<void> runs;
        pods.async_run(runs.handler());
        c.run(std::chrono::milliseconds(30));
        BOOST_TEST(seen == std::vector<std::string>({"a 3", "a 10"}), boost::test_tools::per_element());
        BOOST_TEST(pods.list().at(0)->metadata.labels.find("job")->second == "j");
        BOOST_TEST(c.link->played());
        std::string const form = "application/json;as=PartialObjectMetadata";
        for (auto const& r : c.link->requests()) BOOST_TEST(r.fields.get("Accept").starts_with(form));
    }
}

BOOST_AUTO_TEST_SUITE_END()
