#include "async/control/operator_cluster.hpp"

#include <kftrain/kube/informer.hpp>
#include <kftrain/kube/shared_informers.hpp>

BOOST_AUTO_TEST_SUITE(async_shared_informers)

using namespace operator_tests;

namespace {

/// A server whose lists and watches are counted.
struct sharing : operator_cluster {
    sharing() {
        op.reset();
        link->before = [this](kube::http_request const& r) {
            if (r.method == "GET") ++(r.target.find("watch=") == std::string::npos ? lists : watches);
        };
    }
    /// An informer of the pods in the namespace that appends its events to `said`.
    struct follower {
        follower(sharing& w, std::string selector)
            : pods(kube::api<pod>(w.client, "corpus"), w.shared,
                   kube::informer_options().with_label_selector(std::move(selector))) {
            pods.on_event([this](auto const& e) {
                said.push_back(std::string(to_string(e.kind)) + " " + e.object->metadata.name +
                               (e.initial ? " initial" : ""));
            });
        }
        void start() {
            pods.async_run(
                asio::bind_cancellation_slot(stop->slot(), [e = ended, s = stop](error_code ec) { *e = ec; }));
        }

        /// They live as long as the operation, which may outlive this.
        std::shared_ptr<asio::cancellation_signal> stop = std::make_shared<asio::cancellation_signal>();
        std::shared_ptr<std::optional<error_code>> ended = std::make_shared<std::optional<error_code>>();
        std::vector<std::string> said;
        kube::informer<pod> pods;
    };
    std::unique_ptr<follower> follow(std::string selector = "") {
        auto f = std::make_unique<follower>(*this, std::move(selector));
        f->start();
        return f;
    }
    void make(std::string const& name, std::string const& color = "") {
        pod p;
        p.metadata.name = name;
        p.metadata.namespace_ = "corpus";
        if (!color.empty()) p.metadata.labels["color"] = color;
        test::add_container(p);
        create(p, "corpus");
    }
    void paint(std::string const& name, std::string const& color) {
        change<pod>(name, [&](pod& p) { p.metadata.labels["color"] = color; }, "corpus");
    }

    kube::client client{link};
    kube::shared_informers shared{client};
    int lists = 0;
    int watches = 0;
};

} // namespace

BOOST_AUTO_TEST_CASE(informers_of_one_collection_share_list_watch_and_cache) {
    sharing w;
    w.make("a");
    auto const one = w.follow();
    auto const two = w.follow();
    w.calm();
    w.make("b");
    w.calm();
    BOOST_TEST(w.lists == 1);
    BOOST_TEST(w.watches == 1);
    for (auto const* f : {one.get(), two.get()}) {
        expect(f->said, {"added a initial", "added b"});
        BOOST_TEST(f->pods.list().size() == 2U);
        BOOST_TEST(f->pods.has_synced());
    }
    BOOST_TEST(one->pods.find("corpus", "b") == two->pods.find("corpus", "b"));
}

BOOST_AUTO_TEST_CASE(an_informer_with_a_selector_reports_objects_that_enter_and_leave_it) {
    sharing w;
    auto const all = w.follow();
    auto const red = w.follow("color=red");
    w.calm();
    w.make("a");
    w.make("b", "red");
    w.paint("a", "red");
    w.paint("b", "blue");
    w.calm();
    expect(red->said, {"added b", "added a", "deleted b"});
    BOOST_TEST(red->pods.list().size() == 1U);
    BOOST_TEST(red->pods.find("corpus", "b") == nullptr);
    BOOST_TEST(all->pods.list().size() == 2U);
    BOOST_TEST(w.lists == 1);
}

BOOST_AUTO_TEST_CASE(without_a_full_informer_the_server_evaluates_selectors) {
    sharing w;
    auto const red = w.follow("color=red");
    auto const all = w.follow();
    auto const red_too = w.follow("color=red");
    w.calm();
    BOOST_TEST(w.lists == 2);
    w.make("a");
    w.make("b", "red");
    w.calm();
    expect(red->said, {"added b"});
    expect(red_too->said, {"added b"});
    expect(all->said, {"added a", "added b"});
}

BOOST_AUTO_TEST_CASE(a_late_informer_gets_the_known_objects_before_it_is_synced) {
    sharing w;
    w.make("a");
    auto const first = w.follow();
    w.calm();
    auto const late = std::make_unique<sharing::follower>(w, "");
    BOOST_TEST(first->pods.has_synced());
    BOOST_TEST(!late->pods.has_synced());
    std::optional<error_code> synced;
    late->pods.async_wait_for_sync([&](error_code ec) { synced = ec; });
    late->start();
    w.run(20ms);
    BOOST_TEST(late->pods.has_synced());
    BOOST_REQUIRE(synced.has_value());
    BOOST_TEST(!*synced);
    expect(late->said, {"added a initial"});
}

BOOST_AUTO_TEST_CASE(the_shared_watch_ends_with_the_last_informer_and_can_restart) {
    sharing w;
    auto const one = w.follow();
    auto const two = w.follow();
    w.calm();
    one->stop->emit(asio::cancellation_type::terminal);
    w.run(20ms);
    BOOST_REQUIRE(one->ended->has_value());
    BOOST_TEST(**one->ended == asio::error::operation_aborted);
    w.make("a");
    w.calm();
    expect(two->said, {"added a"});
    asio::post(w.io, [&] {
        two->stop->emit(asio::cancellation_type::terminal);
        one->start(); // before the end of the other is through
    });
    w.calm();
    w.make("b");
    w.calm();
    BOOST_TEST(w.lists == 2);
    expect(one->said, {"added a", "added b"});
    auto twice = sharing::follower(w, "");
    twice.start();
    std::optional<error_code> refused;
    twice.pods.async_run([&](error_code ec) { refused = ec; });
    w.run(20ms);
    BOOST_REQUIRE(refused.has_value());
    BOOST_TEST((*refused == errc::already_running));
}

BOOST_AUTO_TEST_CASE(an_informer_that_starts_after_all_others_ended_lists_again) {
    sharing w;
    w.make("a");
    auto const one = w.follow();
    w.calm();
    one->stop->emit(asio::cancellation_type::terminal);
    w.run(20ms);
    w.make("b");
    sharing::follower late(w, "");
    w.run(20ms);
    BOOST_TEST(!late.pods.has_synced());
    BOOST_TEST(!late.pods.find("corpus", "a"));
    late.start();
    w.calm();
    expect(late.said, {"added a initial", "added b initial"});
    expect(one->said, {"added a initial"});
}

BOOST_AUTO_TEST_CASE(destroying_one_informer_does_not_affect_the_others) {
    sharing w;
    auto one = w.follow();
    auto two = w.follow();
    auto const three = w.follow();
    one->pods.on_event([&](auto const&) { two.reset(); });
    w.calm();
    w.make("a");
    w.calm();
    BOOST_TEST(!two);
    expect(three->said, {"added a"});
    one.reset();
    w.make("b");
    w.calm();
    expect(three->said, {"added a", "added b"});
}

BOOST_AUTO_TEST_CASE(a_throwing_handler_does_not_hide_changes_from_others) {
    sharing w;
    auto const one = w.follow();
    auto const two = w.follow();
    one->pods.on_event([](auto const&) { throw std::runtime_error("no"); });
    one->pods.on_event([](auto const&) { throw 1; });
    w.calm();
    w.make("a");
    w.calm();
    expect(two->said, {"added a"});
}

BOOST_AUTO_TEST_CASE(destroying_the_io_context_destroys_shared_informers_at_any_step) {
    auto const token = std::make_shared<int>();
    for (int turns = 0; turns < 60; turns += 4) {
        {
            asio::io_context io;
            apiserver::api_server server(io.get_executor());
            kube::client_options o;
            o.logger = logger([token](log_level, std::string_view, std::initializer_list<log_field>) {});
            kube::client const client(server.transport(), o);
            kube::shared_informers const shared(client);
            kube::informer<pod> one(kube::api<pod>::all_namespaces(client), shared);
            std::optional<kube::informer<pod>> two(std::in_place, kube::api<pod>::all_namespaces(client), shared);
            for (auto* i : {&one, &*two}) {
                i->on_event([token](auto const&) {});
                i->async_run([token](error_code) {});
                i->async_wait_for_sync([token](error_code) {});
            }
            for (int i = 0; i < turns; ++i) io.poll_one();
            if (turns % 8 == 0) two.reset();
            for (int i = 0; i < turns; ++i) io.poll_one();
        }
        BOOST_TEST(token.use_count() == 1, "left after " << turns << " turns");
    }
}

BOOST_AUTO_TEST_CASE(operators_that_share_a_full_informer_work_as_if_alone) {
    sharing w;
    kube::informer<pod> all(kube::api<pod>::all_namespaces(w.client), w.shared);
    all.async_run([](error_code) {});
    control::job_operator_options options;
    options.informers = w.shared;
    control::job_operator<pytorch_job> op(w.client, options);
    op.async_run([](error_code) {});
    w.submit(sample(2));
    w.until_conditions("Created=True");
    for (auto const* p : {"pt-master-0", "pt-worker-0", "pt-worker-1"}) w.set(p, "Running");
    w.until_conditions("Created=True Running=True");
    BOOST_TEST(w.names_of(w.services).size() == 3U);
    for (auto const& e : w.all(w.events)) BOOST_TEST(e.count == 1, e.message);
}

BOOST_AUTO_TEST_SUITE_END()
