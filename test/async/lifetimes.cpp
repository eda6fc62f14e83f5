#include "async/control/operator_cluster.hpp"

#include <kftrain/apiserver/listener.hpp>
#include <kftrain/control/controller.hpp>
#include <kftrain/control/event_recorder.hpp>
#include <kftrain/kube/informer.hpp>
#include <kftrain/kube/shared_informers.hpp>
#include <kftrain/local/local_cluster.hpp>

BOOST_AUTO_TEST_SUITE(async_lifetimes)

using namespace operator_tests;

// Objects of the caller are destroyed, and then the io_context, which has not run: neither may leave anything. The
// logger, which every object holds, and the handlers count as long as they live.

namespace {

using counted = std::shared_ptr<int>;

kube::client client_of(apiserver::api_server& server, counted const& token) {
    kube::client_options o;
    o.logger = logger([token](log_level, std::string_view, std::initializer_list<log_field>) {});
    return kube::client(server.transport(), std::move(o));
}

/// In a namespace that every server has.
pytorch_job job_in_default() {
    auto job = sample(1);
    job.metadata.namespace_ = "default";
    return job;
}

} // namespace

BOOST_AUTO_TEST_CASE(destroying_the_io_context_destroys_an_operator_at_any_step) {
    auto const token = std::make_shared<int>();
    for (int turns = 0; turns < 200; turns += 9) {
        {
            asio::io_context io;
            apiserver::api_server server(io.get_executor());
            BOOST_REQUIRE(server.register_resource(local::resource_for(job_rules_for<pytorch_job>())).has_value());
            control::job_operator_options options;
            options.controller.logger =
                logger([token](log_level, std::string_view, std::initializer_list<log_field>) {});
            control::job_operator<pytorch_job> op(client_of(server, token), options);
            op.async_run([token](error_code) {});
            kube::api<pytorch_job> jobs(client_of(server, token), "default");
            jobs.async_create(job_in_default(), [token](error_code, pytorch_job const&) {});
            for (int i = 0; i < turns; ++i) io.poll_one();
        }
        BOOST_TEST(token.use_count() == 1, "objects or handlers are left after " << turns << " turns");
    }
}

BOOST_AUTO_TEST_CASE(pending_work_does_not_touch_a_destroyed_operator) {
    auto const token = std::make_shared<int>();
    for (int turns = 0; turns < 200; turns += 3) {
        asio::io_context io;
        apiserver::api_server server(io.get_executor());
        BOOST_REQUIRE(server.register_resource(local::resource_for(job_rules_for<pytorch_job>())).has_value());
        std::optional<control::job_operator<pytorch_job>> op(std::in_place, client_of(server, token));
        std::optional<error_code> ended;
        op->async_run([&](error_code ec) { ended = ec; });
        kube::api<pytorch_job> jobs(client_of(server, token), "default");
        jobs.async_create(job_in_default(), [](error_code ec, pytorch_job const&) { BOOST_TEST(!ec, ec.message()); });
        for (int i = 0; i < turns; ++i) io.poll_one();
        op.reset();
        io.restart();
        io.run_for(20s);
        BOOST_TEST(io.stopped(), "something goes on after the end of the operator");
        BOOST_REQUIRE(ended.has_value());
        BOOST_TEST(*ended == asio::error::operation_aborted);
    }
}

BOOST_AUTO_TEST_CASE(destroying_the_io_context_destroys_a_controller) {
    auto const token = std::make_shared<int>();
    for (int turns = 0; turns < 4; ++turns) {
        {
            asio::io_context io;
            using done = kube::any_handler<void(error_code, control::reconcile_result)>;
            auto const later = std::make_shared<asio::steady_timer>(io);
            control::controller c(io.get_executor(), [token, later](std::string const&, done h) {
                later->expires_after(1h);
                later->async_wait([h = std::move(h)](error_code) {});
            });
            c.async_run([token](error_code) {});
            c.enqueue("a");
            c.enqueue_after("b", 1h);
            for (int i = 0; i < turns; ++i) io.poll_one();
        }
        BOOST_TEST(token.use_count() == 1, "objects or handlers are left after " << turns << " turns");
    }
}

BOOST_AUTO_TEST_CASE(destroying_the_io_context_destroys_an_event_recorder) {
    auto const token = std::make_shared<int>();
    for (int turns = 0; turns < 6; ++turns) {
        {
            asio::io_context io;
            apiserver::api_server server(io.get_executor());
            control::event_recorder recorder(client_of(server, token), "test", [] { return time_point(); });
            core::object_reference about;
            about.name = "pt";
            for (auto const* text : {"one", "two", "three"}) recorder.record(about, "Normal", "Created", text);
            for (int i = 0; i < turns; ++i) io.poll_one();
        }
        BOOST_TEST(token.use_count() == 1, "objects or handlers are left after " << turns << " turns");
    }
}

BOOST_AUTO_TEST_CASE(destroying_the_io_context_destroys_an_informer_before_or_after_the_server) {
    auto const token = std::make_shared<int>();
    for (bool const server_first : {false, true}) {
        {
            asio::io_context io;
            std::optional<apiserver::api_server> server(std::in_place, io.get_executor());
            std::optional<kube::informer<pod>> pods(std::in_place,
                                                    kube::api<pod>::all_namespaces(client_of(*server, token)));
            pods->async_run([token](error_code) {});
            for (int i = 0; i < 50; ++i) io.poll_one();
            BOOST_TEST(pods->has_synced());
            if (server_first) server.reset();
            pods.reset();
        }
        BOOST_TEST(token.use_count() == 1);
    }
}

BOOST_AUTO_TEST_CASE(deferred_operations_own_nothing_and_are_aborted_with_their_object) {
    asio::io_context io;
    apiserver::api_server server(io.get_executor());
    kube::client const client(server.transport());
    auto const is_aborted = [&](auto operation, char const* what) {
        std::optional<error_code> ended;
        std::move(operation)([&](error_code ec) { ended = ec; });
        BOOST_TEST(!ended.has_value(), what);
        io.restart();
        io.poll();
        BOOST_TEST((ended == make_error_code(asio::error::operation_aborted)), what);
    };
    auto const goes = [&](auto object, char const* what) {
        auto operation = object->async_run();
        object.reset();
        is_aborted(std::move(operation), what);
    };
    kube::api<pod> const pods(client, "default");
    goes(std::make_unique<kube::informer<pod>>(pods), "informer");
    kube::shared_informers const shared(client);
    goes(std::make_unique<kube::informer<pod>>(pods, shared), "shared informer");
    goes(std::make_unique<control::job_operator<pytorch_job>>(client), "operator");
    goes(std::make_unique<control::controller>(
             io.get_executor(),
             [](std::string const&, kube::any_handler<void(error_code, control::reconcile_result)> h) {
                 std::move(h)(error_code(), control::reconcile_result());
             }),
         "controller");
    goes(std::make_unique<apiserver::listener>(apiserver::listener::open(server).value()), "listener");
    goes(std::make_unique<local::local_cluster>(io), "cluster");
    auto cluster = std::make_unique<local::local_cluster>(io);
    auto start = cluster->async_start();
    cluster.reset();
    is_aborted(std::move(start), "start of a cluster");
    auto informer = std::make_unique<kube::informer<pod>>(pods);
    auto sync = informer->async_wait_for_sync();
    informer.reset();
    is_aborted(std::move(sync), "first list of an informer");
    for (bool const shares : {false, true}) {
        kube::any_api const untyped(client, object_type_of<pod>, "default");
        kube::any_informer closed(untyped, shares ? shared : kube::shared_informers());
        auto run = closed.async_run();
        closed.close();
        is_aborted(std::move(run), "closed informer");
    }
}

BOOST_AUTO_TEST_CASE(a_cancellation_signal_can_outlive_the_io_context_of_its_call) {
    asio::cancellation_signal stop;
    auto const token = std::make_shared<int>();
    {
        asio::io_context io;
        apiserver::api_server server(io.get_executor());
        kube::api<pod> pods(client_of(server, token), "default");
        kube::call_options options;
        options.timeout = 1h;
        pods.async_get("p", options, asio::bind_cancellation_slot(stop.slot(), [token](error_code, pod const&) {}));
    }
    BOOST_TEST(token.use_count() == 1);
    stop.emit(asio::cancellation_type::terminal);
}

BOOST_AUTO_TEST_SUITE_END()
