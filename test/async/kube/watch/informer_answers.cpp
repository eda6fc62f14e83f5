#include "async/kube/watch/watched_pods.hpp"

#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(async_informer_answers)

using namespace kftrain;
using namespace kftrain::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_CASE(an_object_that_does_not_fit_its_type_hides_no_other) {
    informed_pods c;
    std::vector<std::string> logged;
    c.first_list().piece(pod_list("5", {pod_text("a", "1"), R"({"metadata":{"name":7}})", pod_text("b", "2")}));
    c.watch("5").piece(event_text("ADDED", R"({"spec":[]})") + event_text("ADDED", pod_text("c", "6"))).hangs();
    c.start();
    check(c.seen, {"added a ->1 initial", "added b ->2 initial", "added c ->6"});
}

BOOST_AUTO_TEST_CASE(unreadable_objects_of_a_list_are_not_reported_as_deleted) {
    informed_pods c;
    c.first_list().piece(pod_list("5", {pod_text("a", "1"), pod_text("b", "2"), pod_text("gone", "3")}));
    c.watch("5").piece(event_text("ERROR", status_text("Expired", 410, "too old resource version")));
    c.list("5").piece(
        pod_list("20", {pod_text("a", "11"), R"({"metadata":{"name":"b","namespace":"d","labels":7},"spec":[]})"}));
    c.watch("20").hangs();
    c.start();
    c.seen.erase(c.seen.begin(), c.seen.begin() + 3);
    check(c.seen, {"deleted gone 3>3 missed", "modified a 1>11"});
    BOOST_TEST((c.pods->find("d", "b") != nullptr));
    BOOST_TEST(c.link->played());
}

// An operator that believes an empty list creates everything again.
BOOST_AUTO_TEST_CASE(a_response_that_is_no_list_keeps_the_known_objects) {
    for (auto const& answer :
         {std::string("{}"), std::string(R"({"kind":"Status","apiVersion":"v1","status":"Success"})"),
          std::string(R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"20"}})"),
          std::string(R"({"kind":"ServiceList","apiVersion":"v1","metadata":{},"items":[]})"),
          status_text("InternalError", 500, "etcdserver: leader changed"),
          pod_list("20", {R"({"metadata":{"name":"a","namespace":"e"}})"})}) {
        informed_pods c;
        c.first_list().piece(pod_list("5", {pod_text("a", "1")}));
        c.watch("5").piece(event_text("ERROR", status_text("Expired", 410, "too old resource version")));
        c.list("5").piece(answer);
        c.start(100ms);
        check(c.seen, {"added a ->1 initial"});
        BOOST_TEST((c.pods->find("d", "a") != nullptr), answer);
        BOOST_TEST(c.link->played());
        c.stop();
    }
}

BOOST_AUTO_TEST_CASE(an_undecodable_object_is_reported_once_per_version) {
    watched_pods c;
    std::vector<std::string> reported;
    auto const o = kube::client_options().with_on_repair([&](resource_info const&, failure const& why) {
        if (why.code == errc::type_mismatch) reported.push_back(why.to_string());
    });
    auto const odd = [](std::string const& name, std::string const& version) {
        return R"({"metadata":{"name":")" + name + R"(","namespace":"d","resourceVersion":")" + version +
               R"("},"spec":{"containers":[{"args":[1]}]}})";
    };
    kube::informer<pod> pods(kube::api<pod>(kube::client(c.link, o), "d"));
    c.first_list().piece(pod_list("5", {odd("a", "1"), pod_text("b", "2")}));
    c.watch("5").piece(event_text("ADDED", odd("x", "6")) + event_text("MODIFIED", odd("b", "7")) +
                       event_text("ERROR", status_text("Expired", 410, "too old resource version")));
    c.list("7").piece(pod_list("9", {odd("a", "1"), odd("b", "7"), odd("x", "8")}));
    c.watch("9").piece(event_text("DELETED", odd("b", "10"))).hangs();
    pods.async_run([](error_code) {});
    c.run(100ms);
    std::string const where = ": spec.containers[0].args[0]: expected string, got 1";
    check(reported, {"Pod d/a" + where, "Pod d/x" + where, "Pod d/b" + where, "Pod d/x" + where});
    BOOST_TEST(pods.list().empty()); // b was kept as it was until it went
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(an_undecodable_object_with_an_older_version_keeps_the_watch_open) {
    informed_pods c;
    c.first_list().piece(pod_list("5", {pod_text("a", "1")}));
    c.watch("5")
        .piece(
            event_text("ADDED", R"({"metadata":{"name":"x","namespace":"d","resourceVersion":"4"},"spec":[]})") +
            event_text("ADDED", R"({"kind":"Service","metadata":{"name":"p","namespace":"d","resourceVersion":"4"}})") +
            event_text("MODIFIED", pod_text("a", "6")))
        .hangs();
    c.start();
    check(c.seen, {"added a ->1 initial", "modified a 1>6"});
    BOOST_TEST(c.pods->last_resource_version() == "6");
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(an_event_of_another_namespace_or_of_an_unknown_type_ends_the_watch) {
    for (auto const& event : {event_text("ADDED", R"({"metadata":{"name":"x","namespace":"e","resourceVersion":"6"}})"),
                              event_text("ADDED", R"({"metadata":{"namespace":"d","resourceVersion":"6"}})"),
                              event_text("FUTURE", pod_text("x", "6"))}) {
        informed_pods c;
        c.first_list().piece(pod_list("5", {pod_text("a", "1")}));
        c.watch("5").piece(event + event_text("ADDED", pod_text("b", "7"))).hangs();
        c.start(100ms);
        check(c.seen, {"added a ->1 initial"});
        BOOST_TEST(c.link->abandoned() == 1U, event);
        c.stop();
    }
}

BOOST_AUTO_TEST_CASE(a_list_with_endless_pages_fails) {
    informed_pods c;
    auto const page = [](std::string const& name) {
        return R"({"apiVersion":"v1","kind":"PodList","metadata":{"resourceVersion":"5","continue":"t"},"items":[)" +
               pod_text(name, "1") + "]}";
    };
    c.first_list().piece(page("a"));
    c.expect("GET", c.path + "?limit=500&continue=t").piece(page("b"));
    c.start(100ms);
    BOOST_TEST(c.link->played()); // and the token was not sent again
    BOOST_TEST(!c.pods->has_synced());
    c.stop();
}

BOOST_AUTO_TEST_SUITE_END()
