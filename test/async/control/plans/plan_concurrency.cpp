#include "async/control/operator_cluster.hpp"
#include "control/plans/plan_executor.hpp"
#include "support/faulty_transport.hpp"

#include <boost/asio/co_spawn.hpp>

BOOST_AUTO_TEST_SUITE(async_plan_concurrency)

using namespace operator_tests;
using test::fault;

namespace {

bool is_event(kube::http_request const& r) { return r.target.find("/events") != std::string::npos; }

/// Plans for a job whose operator is the test, over a transport that holds writes.
struct held_plan : operator_cluster {
    explicit held_plan(std::size_t limit = 4) : budget(std::make_shared<control::write_budget>(limit)) {
        op.reset();
        run(50ms);
        submit(sample(1));
        link->holds = [](kube::http_request const& r) { return !is_event(r); };
    }

    /// One plan that is being carried out.
    struct carrying {
        std::optional<control::plan_outcome> outcome;
        std::shared_ptr<control::pending_writes> written = std::make_shared<control::pending_writes>();
    };
    std::shared_ptr<carrying> carry_out(rules::plan const& todo) {
        auto const c = std::make_shared<carrying>();
        auto const stored = job();
        asio::co_spawn(io, control::carry_out(client, recorder, any_object(stored), todo, c->written, budget),
                       [c](std::exception_ptr e, control::plan_outcome o) {
                           BOOST_TEST(!e);
                           c->outcome = std::move(o);
                       });
        step();
        return c;
    }
    void answer(std::size_t at = 0, std::optional<fault> const& instead = std::nullopt) {
        link->answer(at, instead);
        step();
    }
    /// Whatever can happen happens.
    void step() { time.settle(); }
    /// Messages of the events in the order in which they were sent.
    names reported() {
        names found;
        for (auto const& e : all(events)) found.push_back(e.metadata.name + " " + e.message);
        std::sort(found.begin(), found.end()); // names count up
        for (auto& text : found) text.erase(0, text.find(' ') + 1);
        return found;
    }

    kube::client client{link};
    control::event_recorder recorder{client, "test", [] { return time_point(); }};
    std::shared_ptr<control::write_budget> budget;
};

pod pod_named(std::string name) {
    pod p;
    p.metadata.name = std::move(name);
    p.metadata.namespace_ = "corpus";
    p.spec.containers.emplace_back().name = "c";
    p.spec.containers.back().image = "i";
    return p;
}

service service_named(std::string name) {
    service s;
    s.metadata.name = std::move(name);
    s.metadata.namespace_ = "corpus";
    s.spec.cluster_ip = "None";
    s.spec.selector["a"] = "b";
    return s;
}

constexpr rules::event_messages messages("SuccessfulCreate", "Created pod: {}", "FailedCreate", "Error creating: {}");

rules::step& add_step(rules::plan& p) {
    auto& step = p.steps.emplace_back();
    step.side_by_side = true;
    return step;
}

void add_pods(rules::step& step, std::size_t n, std::string const& prefix = "p") {
    for (std::size_t i = 0; i < n; ++i)
        step.actions.emplace_back(rules::create(pod_named(prefix + std::to_string(i)), messages));
}

rules::plan pods(std::size_t n, std::string const& prefix = "p") {
    rules::plan p;
    add_pods(add_step(p), n, prefix);
    return p;
}

fault forbidden() { return fault::answer(403, "Forbidden", "no rights"); }

} // namespace

// How the actions of a plan are carried out side by side.

BOOST_AUTO_TEST_CASE(creations_of_one_type_start_in_order_with_a_window_that_grows_on_success) {
    held_plan w;
    rules::plan const todo = pods(9);
    auto const c = w.carry_out(todo);
    std::vector<std::size_t> under_way;
    while (w.link->under_way() != 0) {
        under_way.push_back(w.link->under_way());
        w.answer();
    }
    std::vector<std::size_t> const expected{1, 2, 3, 4, 4, 4, 3, 2, 1};
    BOOST_TEST(under_way == expected, boost::test_tools::per_element());
    names order;
    for (int i = 0; i < 9; ++i) order.push_back("POST pods p" + std::to_string(i));
    expect(w.link->sent, order);
    BOOST_REQUIRE(c->outcome.has_value());
    BOOST_TEST(!c->outcome->problem.code);
}

BOOST_AUTO_TEST_CASE(services_are_created_after_pods_and_the_status_is_written_last) {
    held_plan w;
    rules::plan todo = pods(2);
    auto& services = add_step(todo);
    for (auto const* name : {"s0", "s1"}) services.actions.emplace_back(rules::create(service_named(name)));
    auto after = w.job();
    after.status.start_time = time_point();
    todo.steps.emplace_back().actions.emplace_back(rules::write_status(std::move(after)));
    auto const c = w.carry_out(todo);
    names seen;
    while (w.link->under_way() != 0) {
        seen.push_back(w.link->sent.back() + " of " + std::to_string(w.link->under_way()));
        w.answer();
    }
    expect(seen, {"POST pods p0 of 1", "POST pods p1 of 1", "POST services s0 of 1", "POST services s1 of 1",
                  "PUT pytorchjobs pt status of 1"});
    BOOST_TEST(c->outcome.has_value());
}

BOOST_AUTO_TEST_CASE(events_are_recorded_in_the_order_of_the_plan) {
    held_plan w;
    rules::plan todo = pods(1);
    todo.steps[0].actions.emplace_back(rules::emit_event("Warning", "W", "between"));
    add_pods(todo.steps[0], 2, "q");
    auto const c = w.carry_out(todo);
    w.answer();
    BOOST_TEST(w.link->under_way() == 2U);
    w.answer(1); // the last first: its version is the lower one
    expect(w.reported(), {"Created pod: p0", "between"});
    w.answer();
    expect(w.reported(), {"Created pod: p0", "between", "Created pod: q0", "Created pod: q1"});
    BOOST_REQUIRE(c->outcome.has_value());
    std::string highest;
    for (auto const& p : w.all(w.pods))
        if (p.metadata.name == "q0") highest = p.metadata.resource_version;
    BOOST_TEST(c->written->versions.at("pods.") == highest);
}

BOOST_AUTO_TEST_CASE(after_a_failure_running_writes_finish_and_no_more_start) {
    held_plan w;
    rules::plan const todo = pods(6);
    auto const c = w.carry_out(todo);
    w.answer();
    BOOST_TEST(w.link->under_way() == 2U);
    w.answer(0, forbidden());
    BOOST_TEST(w.link->under_way() == 1U);
    BOOST_TEST(!c->outcome.has_value());
    w.answer();
    BOOST_REQUIRE(c->outcome.has_value());
    BOOST_TEST((c->outcome->problem.code == reason::forbidden));
    BOOST_TEST(c->outcome->problem.detail.message.starts_with("creating Pod corpus/p1 "));
    BOOST_TEST(w.link->sent.size() == 3U);
    BOOST_TEST(!c->written->versions.at("pods.").empty()); // of what was created
    expect(w.reported(), {"Created pod: p0", "Error creating: no rights", "Created pod: p2"});
}

BOOST_AUTO_TEST_CASE(a_creation_that_is_forbidden_for_all_is_sent_once) {
    held_plan w;
    rules::plan const todo = pods(6);
    auto const c = w.carry_out(todo);
    w.answer(0, forbidden());
    BOOST_TEST(w.link->sent.size() == 1U);
    BOOST_TEST(c->outcome.has_value());
}

BOOST_AUTO_TEST_CASE(pods_and_services_are_deleted_together) {
    held_plan w;
    rules::plan todo;
    auto& step = add_step(todo);
    for (int i = 0; i < 5; ++i) {
        object_meta meta;
        meta.name = "x" + std::to_string(i);
        meta.uid = "u" + std::to_string(i);
        meta.namespace_ = "corpus";
        step.actions.emplace_back(rules::remove(rules::target(pod::resource, meta)));
        step.actions.emplace_back(rules::remove(rules::target(service::resource, meta)));
    }
    auto const c = w.carry_out(todo);
    while (w.link->under_way() != 0) w.answer();
    BOOST_TEST(w.link->most == 4U);
    BOOST_REQUIRE(c->outcome.has_value());
    BOOST_TEST(!c->outcome->problem.code); // they were gone
    BOOST_TEST(c->written->deleted.at("pods.").size() == 5U);
    BOOST_TEST(c->written->deleted.at("services.").size() == 5U);
}

BOOST_AUTO_TEST_CASE(all_plans_share_the_limit_of_writes_without_blocking_each_other) {
    held_plan w(4);
    rules::plan const todo = pods(20);
    auto const first = w.carry_out(todo);
    for (int i = 0; i < 6; ++i) w.answer();
    BOOST_TEST(w.link->under_way() == 4U);
    rules::plan const other = pods(20, "q");
    auto const second = w.carry_out(other);
    BOOST_TEST(w.link->sent.back() == "POST pods q0");
    BOOST_TEST(w.link->under_way() == 5U);
    while (w.link->under_way() != 0) {
        w.answer();
        BOOST_TEST(w.link->under_way() <= 5U);
    }
    BOOST_TEST(first->outcome.has_value());
    BOOST_TEST(second->outcome.has_value());
    BOOST_TEST(w.link->sent.size() == 40U);
}

BOOST_AUTO_TEST_CASE(destroying_the_io_context_destroys_plans_with_concurrent_writes) {
    auto const token = std::make_shared<int>();
    for (std::size_t answered = 0; answered < 5; ++answered) {
        {
            held_plan w;
            rules::plan const todo = pods(9);
            auto const stored = w.job();
            asio::co_spawn(w.io,
                           control::carry_out(w.client, w.recorder, any_object(stored), todo,
                                              std::make_shared<control::pending_writes>(), w.budget),
                           [token](std::exception_ptr const&, control::plan_outcome const&) {});
            w.step();
            for (std::size_t i = 0; i < answered; ++i) w.answer();
            BOOST_TEST(token.use_count() == 2);
            w.link->drop(); // as a transport does whose io_context goes
        }
        BOOST_TEST(token.use_count() == 1, "left after " << answered << " answers");
    }
}

BOOST_AUTO_TEST_SUITE_END()
