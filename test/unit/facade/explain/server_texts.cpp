#include "facade/explain/server_texts.hpp"

#include "unit/facade/explain/explained_job.hpp"

BOOST_AUTO_TEST_SUITE(facade_explain_server_texts)

using namespace explained;
using namespace explaining;

BOOST_AUTO_TEST_CASE(scheduler_messages_are_parsed) {
    auto const r = parse_placement(
        "0/5 nodes are available: 1 node(s) had untolerated taint {a: b, c}, 2 Insufficient cpu, 2 Too many pods. "
        "preemption: 0/5 nodes are available: 5 No preemption victims found for incoming pod.");
    BOOST_TEST_REQUIRE(r.has_value());
    BOOST_TEST(r->nodes == 5);
    BOOST_TEST_REQUIRE(r->reasons.size() == 3);
    BOOST_TEST(r->reasons[0].first == 1);
    BOOST_TEST(r->reasons[0].second == "node(s) had untolerated taint {a: b, c}");
    BOOST_TEST(r->reasons[1].second == "Insufficient cpu");
    BOOST_TEST(lacked_resource(r->reasons[1].second) == "cpu");
    BOOST_TEST(lacked_resource(r->reasons[2].second) == "pods");
    BOOST_TEST(lacked_resource(r->reasons[0].second) == "");
    auto const whole =
        parse_placement("0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found");
    BOOST_TEST_REQUIRE(whole.has_value());
    BOOST_TEST(whole->reasons.at(0).first == 0);
}

BOOST_AUTO_TEST_CASE(truncated_messages_are_handled) {
    std::string const text = "0/5 nodes are available: 1 node(s) had taint {a: b}, 2 Insufficient cpu, exceeded quota: "
                             "q, requested: a=1, used: "
                             "a=2, limited: a=3; failed quota: q: must specify a configmap \"x\" not found";
    for (std::size_t from = 0; from < text.size(); ++from)
        for (std::size_t n = 0; n <= text.size() - from; n += 3) {
            auto const part = std::string_view(text).substr(from, n);
            parse_placement(part);
            parse_quota(part);
            parse_missing_object(part);
        }
    BOOST_TEST(!parse_placement("999999999999999999999/5x nodes are available: 1 a").has_value());
    BOOST_TEST(!parse_placement(" nodes are available").has_value());
    BOOST_TEST(!parse_quota("quota").has_value());
}

BOOST_AUTO_TEST_CASE(the_text_of_an_explanation_is_stable) {
    explained_job w;
    w.ended("worker-0", 3);
    w.log("worker-0", {"ValueError: bad label"});
    w.fail();
    w.evidence.missing = {"PodGroup: forbidden"};
    auto e = w.explain();
    e.state = job_state();
    auto text = e.to_string();
    text = text.substr(text.find('\n') + 1);
    BOOST_TEST(text == "exited: Worker 0 (rank 1) ended with exit code 3\n"
                       "  - container pytorch of pod digits-worker-0: exit code 3, Error, at 2026-03-01T11:30:00Z\n"
                       "  | ValueError: bad label\n"
                       "  > Check the last lines of its log. The program defines the meaning of the code.\n"
                       "not checked: PodGroup: forbidden\n");
}

BOOST_AUTO_TEST_SUITE_END()
