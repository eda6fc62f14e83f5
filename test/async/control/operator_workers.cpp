#include "async/control/operator_cluster.hpp"
#include "support/faulty_transport.hpp"

BOOST_AUTO_TEST_SUITE(async_operator_workers)

using namespace operator_tests;

namespace {

bool is_pod(kube::http_request const& r) { return r.target.ends_with("/pods"); }

/// An operator whose creations of pods are held.
struct held_operator : operator_cluster {
    explicit held_operator(control::job_operator_options options = {}) {
        op.reset();
        run(50ms);
        link->holds = &is_pod;
        held.emplace(kube::client(link), std::move(options));
        held->async_run([](error_code) {});
    }
    /// On a busy machine a write may be begun when a test believes that all are answered.
    ~held_operator() {
        held.reset();
        link->drop();
    }

    std::optional<control::job_operator<pytorch_job>> held;
};

} // namespace

// How many jobs an operator works on at the same time.

BOOST_AUTO_TEST_CASE(jobs_do_not_wait_for_each_other_up_to_the_number_of_workers) {
    held_operator w;
    for (int i = 0; i < 10; ++i) w.submit(sample(3, "Never", "job" + std::to_string(i)));
    w.run(300ms);
    BOOST_TEST(w.link->under_way() == 8U); // the master of each
    w.link->holds = {};
    while (w.link->under_way() != 0) w.link->answer();
    for (int i = 0; i < 10; ++i) w.until([&] { return w.conditions("job" + std::to_string(i)) == "Created=True"; });
    BOOST_TEST(w.names_of(w.pods).size() == 40U);
    BOOST_TEST(w.names_of(w.services).size() == 40U);
    for (auto const& e : w.all(w.events)) BOOST_TEST(e.count == 1, e.message);
}

BOOST_AUTO_TEST_CASE(one_worker_with_one_write_is_sequential) {
    control::job_operator_options options;
    options.controller.workers = 1;
    options.writes_in_flight = 1;
    held_operator w(std::move(options));
    for (auto const* name : {"a", "b"}) w.submit(sample(3, "Never", name));
    w.run(100ms);
    for (int i = 0; i < 8; ++i) {
        w.until([&] { return w.link->under_way() != 0; });
        BOOST_TEST(w.link->under_way() == 1U);
        w.link->answer();
    }
    w.until([&] { return w.conditions("b") == "Created=True"; });
    BOOST_TEST(w.link->most == 1U);
}

BOOST_AUTO_TEST_CASE(an_operator_can_be_destroyed_during_concurrent_writes) {
    for (std::size_t answered = 0; answered < 5; ++answered) {
        held_operator w;
        w.submit(sample(9));
        for (std::size_t i = 0; i < answered; ++i) {
            w.until([&] { return w.link->under_way() != 0; });
            w.link->answer();
            w.run(20ms);
        }
        w.held.reset();
        while (w.link->under_way() != 0) { // a plan that was begun is finished
            w.link->answer();
            w.run(5ms);
        }
        w.start_operator();
        w.until([&] { return w.conditions() == "Created=True"; });
        BOOST_TEST(w.names_of(w.pods).size() == 10U);
    }
}

BOOST_AUTO_TEST_SUITE_END()
