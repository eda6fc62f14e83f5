#include "unit/apiserver/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(apiserver_object_store_expiry)

using namespace sample;

namespace {

using strings = std::vector<std::string>;

object_ptr make_event(stored_sample& w, kind_id kind, std::string const& name, int when,
                      std::string const& extra = "") {
    return w.make(kind,
                  R"({"metadata":{"name":")" + name + "\"" + extra +
                      R"(},"involvedObject":{"kind":"Pod","namespace":"default","name":"p"},"reason":"R"})",
                  "default", when);
}
void say(stored_sample& w, std::string const& name, int when) {
    auto const done = w.store.patch(w.events, "default", name, patch_type::merge, R"({"message":"m"})", at(when));
    BOOST_TEST(done.has_value());
}

constexpr int hour = 3600;

} // namespace

// Expected: kubernetes pkg/registry/core/event/storage/storage.go (TTLFunc), `--event-ttl`, v1.31; what a real server
// does.

BOOST_AUTO_TEST_CASE(an_event_expires_an_hour_after_its_last_write) {
    stored_sample w;
    make_event(w, w.events, "once", 0);
    make_event(w, w.events, "twice", 10, R"(,"finalizers":["x.io/f"])");
    say(w, "twice", 1800);
    w.store.expire(at(hour - 1));
    BOOST_TEST(w.find(w.events, "once"));
    auto const version = w.store.version();
    w.store.expire(at(hour));
    BOOST_TEST(!w.find(w.events, "once"));
    w.store.expire(at(1800 + hour - 1));
    BOOST_TEST(w.find(w.events, "twice"));
    w.store.expire(at(1800 + hour)); // finalizers have no effect, because the lease of a key has none
    BOOST_TEST(!w.find(w.events, "twice"));
    strings const log{"DELETED once", "DELETED twice"};
    BOOST_TEST(w.log_of(w.events, version) == log, boost::test_tools::per_element());
    auto const last = w.store.events(w.events, version, 10).value().back();
    BOOST_TEST(last.object->version() == w.store.version());
    BOOST_TEST(last.previous->version() <= version);
}

BOOST_AUTO_TEST_CASE(only_events_of_both_groups_expire) {
    stored_sample w;
    auto d = job_definition();
    d.group = "events.k8s.io";
    d.kind = "Event";
    d.plural = "events";
    auto const new_events = w.store.add(d);
    d.group = "example.com";
    auto const others = w.store.add(d);
    make_event(w, w.events, "a", 0);
    for (auto const kind : {new_events, others})
        w.make(kind, R"({"apiVersion":")" + w.store.definition(kind).api_version() +
                         R"(","kind":"Event","metadata":{"name":"b"}})");
    w.make_pod("p");
    w.store.expire(at(100 * hour));
    BOOST_TEST(!w.find(w.events, "a"));
    BOOST_TEST(!w.find(new_events, "b"));
    BOOST_TEST(w.find(others, "b"));
    BOOST_TEST(w.find(w.pods, "p"));
}

BOOST_AUTO_TEST_CASE(writing_an_event_removes_expired_ones) {
    stored_sample w;
    make_event(w, w.events, "old", 0);
    make_event(w, w.events, "new", hour);
    BOOST_TEST(!w.find(w.events, "old"));
    BOOST_TEST(w.find(w.events, "new"));
}

BOOST_AUTO_TEST_CASE(the_lifetime_of_events_is_an_option) {
    auto o = numbered_uids();
    o.event_ttl = std::chrono::seconds(5);
    stored_sample w(std::move(o));
    make_event(w, w.events, "e", 0);
    w.store.expire(at(4));
    BOOST_TEST(w.find(w.events, "e"));
    w.store.expire(at(5));
    BOOST_TEST(!w.find(w.events, "e"));

    o = numbered_uids();
    o.event_ttl = std::chrono::seconds(0);
    stored_sample always(std::move(o));
    make_event(always, always.events, "e", 0);
    always.store.expire(at(1'000'000'000));
    BOOST_TEST(always.find(always.events, "e"));
}

BOOST_AUTO_TEST_CASE(beyond_the_limit_the_most_recent_events_are_kept) {
    auto o = numbered_uids();
    o.event_limit = 3;
    stored_sample w(std::move(o));
    for (auto const* name : {"a", "b", "c"}) make_event(w, w.events, name, 0);
    say(w, "a", 1);
    BOOST_TEST(w.find(w.events, "b"));
    auto const version = w.store.version();
    make_event(w, w.events, "d", 1);
    BOOST_TEST(!w.find(w.events, "b"));
    BOOST_TEST(w.find(w.events, "a"));
    strings const log{"ADDED d", "DELETED b"};
    BOOST_TEST(w.log_of(w.events, version) == log, boost::test_tools::per_element());
    BOOST_TEST(w.store.remove(w.events, "default", "a", {}, at(1)).value().gone);
    make_event(w, w.events, "e", 1); // there is room again
    BOOST_TEST(w.find(w.events, "c"));

    stored_sample usual;
    for (int i = 0; i < 10'050; ++i) make_event(usual, usual.events, std::to_string(i), 0);
    BOOST_TEST(usual.store.usage().objects == 10'000U);
    BOOST_TEST(!usual.find(usual.events, "49"));
    BOOST_TEST(usual.find(usual.events, "50"));
}

BOOST_AUTO_TEST_SUITE_END()
