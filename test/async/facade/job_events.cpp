#include "async/facade/logs/job_log_cluster.hpp"
#include "async/probe.hpp"
#include "support/faulty_transport.hpp"

#include <kftrain/objects/core/event.hpp>

BOOST_AUTO_TEST_SUITE(async_job_events)

using namespace job_log_tests;
using test::fault;

namespace {

struct job_with_events : job_log_cluster {
    void create_event(std::string const& kind, std::string const& name, std::string const& reason,
                      std::string const& uid = "") {
        core::event e;
        e.metadata.name = name + "." + std::to_string(++reported);
        e.metadata.namespace_ = "default";
        e.involved_object.kind = kind;
        e.involved_object.name = name;
        e.involved_object.namespace_ = "default";
        e.involved_object.uid = uid;
        e.type = "Warning";
        e.reason = reason;
        e.message = "m";
        create(e);
    }
    /// Events as `Kind/name Reason`.
    list reasons(job_event_options const& options = {}) {
        auto const read = reader.events(stored, options);
        BOOST_REQUIRE_MESSAGE(read.has_value(), (read ? "" : read.error().to_string()));
        list all;
        for (auto const& e : read->items) all.push_back(e.object_kind + "/" + e.object_name + " " + e.reason);
        std::ranges::sort(all);
        return all;
    }
    void refuse(std::string part) {
        link->judge = [this, part = std::move(part)](kube::http_request const& r) -> std::optional<fault> {
            requests.push_back(r.target);
            if (r.target.find(part) == std::string::npos) return std::nullopt;
            return fault::answer(403, "Forbidden", "events is forbidden: no");
        };
    }

    training_client reader{kube::client(link)};
    list requests;
    int reported = 0;
};

} // namespace

BOOST_AUTO_TEST_CASE(only_events_of_a_job_and_its_pods_are_returned) {
    job_with_events w;
    w.create_event("PyTorchJob", "j", "Created", w.stored.metadata().uid);
    w.create_event("PyTorchJob", "j", "OfAnEarlierOne", "another");
    w.create_event("Pod", "j-worker-0", "FailedScheduling");
    w.create_event("Pod", "j-worker-7", "FailedScheduling");
    w.create_event("Pod", "other", "FailedScheduling");
    BOOST_TEST(w.reasons() == (list{"Pod/j-worker-0 FailedScheduling", "PyTorchJob/j Created"}),
               boost::test_tools::per_element());
    BOOST_TEST(w.reasons(job_event_options().with_children(false)) == (list{"PyTorchJob/j Created"}),
               boost::test_tools::per_element());
    BOOST_TEST(w.reasons(job_event_options().with_most(1)).size() == 1);
}

BOOST_AUTO_TEST_CASE(all_pages_of_events_are_read) {
    job_with_events w;
    for (int i = 0; i < 510; ++i) w.create_event("Pod", "j-worker-0", "R" + std::to_string(i));
    BOOST_TEST(w.reasons().size() == 510);
}

BOOST_AUTO_TEST_CASE(events_of_a_missing_job_are_an_error) {
    job_with_events w;
    auto const none = w.reader.events(job_reference::to<pytorch_job>("default", "none"));
    BOOST_TEST_REQUIRE(none.has_error());
    BOOST_TEST(is_not_found(none.error().code));
    auto another = job_reference(w.stored);
    another.uid = "another";
    BOOST_TEST((w.reader.events(another).error().code == errc::deleted));
}

BOOST_AUTO_TEST_CASE(if_core_events_are_forbidden_events_k8s_io_is_used) {
    job_with_events w;
    w.refuse("/api/v1/namespaces/default/events");
    auto const inner = w.link->judge;
    w.link->judge = [inner](kube::http_request const& r) -> std::optional<fault> {
        if (r.target.find("/apis/events.k8s.io/v1/namespaces/default/events") == std::string::npos) return inner(r);
        fault f = fault::answer(200, "", "");
        bool const of_job = r.target.find("regarding.uid") != std::string::npos;
        f.text =
            std::string(R"({"apiVersion":"events.k8s.io/v1","kind":"EventList","metadata":{},"items":[)") +
            (of_job
                 ? R"({"metadata":{"name":"e","uid":"1"},"reason":"Seen","note":"n","regarding":{"kind":"PyTorchJob",)"
                   R"("name":"j"}})"
                 : "") +
            "]}";
        return f;
    };
    BOOST_TEST(w.reasons() == (list{"PyTorchJob/j Seen"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(if_both_event_apis_are_forbidden_the_error_is_returned) {
    job_with_events w;
    w.refuse("events");
    auto const read = w.reader.events(w.stored);
    BOOST_TEST_REQUIRE(read.has_error());
    BOOST_TEST(is_forbidden(read.error().code), read.error().to_string());
    BOOST_TEST(read.error().to_string().find("events is forbidden") != std::string::npos, read.error().to_string());
}

BOOST_AUTO_TEST_CASE(forbidden_events_of_children_are_reported) {
    job_with_events w;
    w.create_event("PyTorchJob", "j", "Created", w.stored.metadata().uid);
    w.refuse("involvedObject.kind");
    auto const read = w.reader.events(w.stored);
    BOOST_REQUIRE_MESSAGE(read.has_value(), (read ? "" : read.error().to_string()));
    BOOST_TEST(read->items.size() == 1);
    BOOST_TEST(!read->unread.empty());
}

BOOST_AUTO_TEST_CASE(reading_events_can_be_cancelled_at_any_step) {
    for (int turns = 0; turns < 40; ++turns) {
        job_with_events w;
        asio::cancellation_signal stop;
        std::optional<error_code> end;
        w.reader.async_events(
            w.stored, job_event_options(),
            asio::bind_cancellation_slot(stop.slot(), [&](error_code ec, job_event_list const&) { end = ec; }));
        w.io.restart();
        for (int i = 0; i < turns; ++i) w.io.poll_one();
        stop.emit(asio::cancellation_type::terminal);
        BOOST_TEST_REQUIRE(w.until([&] { return end.has_value(); }));
        BOOST_TEST((!*end || is_cancelled(*end)), end->message());
    }
}

BOOST_AUTO_TEST_CASE(destroying_the_io_context_destroys_a_pending_read_of_events) {
    for (int turns = 0; turns < 40; ++turns) {
        job_with_events w;
        w.reader.async_events(w.stored, job_event_options(), [](error_code, job_event_list const&) {});
        w.io.restart();
        for (int i = 0; i < turns; ++i) w.io.poll_one();
    }
}

BOOST_AUTO_TEST_CASE(reading_events_has_a_deadline) {
    test::scripted_client c;
    c.expect("GET", "/apis/kubeflow.org/v1/namespaces/default/pytorchjobs/j").hangs();
    c.expect("GET", "/apis/kubeflow.org/v1/namespaces/default/pytorchjobs/j").hangs();
    training_client client(c.client);
    auto const job = job_reference::to<pytorch_job>("default", "j");
    test::answer_probe<job_event_list> events;
    test::answer_probe<explanation> why;
    client.async_events(job, job_event_options().with_timeout(50ms), events.handler());
    client.async_explain(job, explain_options().with_timeout(50ms), why.handler());
    c.run();
    BOOST_TEST((events.called() && events.ec() == errc::timeout));
    BOOST_TEST((why.called() && why.ec() == errc::timeout));
}

BOOST_AUTO_TEST_SUITE_END()
