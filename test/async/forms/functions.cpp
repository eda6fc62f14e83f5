#include "async/forms/forms.hpp"

#include <kftrain/kube/discovery.hpp>
#include <kftrain/kube/exec.hpp>
#include <kftrain/kube/informer.hpp>
#include <kftrain/kube/list_pages.hpp>
#include <kftrain/kube/logs.hpp>
#include <kftrain/kube/port_forward.hpp>
#include <kftrain/kube/subresources.hpp>
#include <kftrain/kube/wait.hpp>
#include <kftrain/kube/watch.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <deque>

// The functions of the Kubernetes client, its streams and its informers.

BOOST_AUTO_TEST_SUITE(async_forms_functions)

using namespace operation_forms;

namespace {

/// A body of one line.
class one_line final : public kube::body_stream {
public:
    explicit one_line(asio::any_io_executor executor) : executor_(std::move(executor)) {}

    void async_read(kube::any_handler<void(error_code, std::string)> handler) override {
        asio::post(executor_, [h = std::move(handler)]() mutable { std::move(h)(error_code(), "line\n"); });
    }

private:
    asio::any_io_executor executor_;
};

/// A command that writes without end.
class busy_command final : public apiserver::exec_process {
public:
    explicit busy_command(asio::any_io_executor executor) : executor_(std::move(executor)) {}

    void async_read(channel from, kube::any_handler<void(error_code, std::string)> handler) override {
        bool const writes = from == channel::output && !killed_;
        asio::post(executor_, [h = std::move(handler), writes]() mutable {
            if (writes)
                std::move(h)(error_code(), "text");
            else
                std::move(h)(make_error_code(asio::error::eof), std::string());
        });
    }
    void async_write(std::string, kube::any_handler<void(error_code)> handler) override {
        asio::post(executor_, [h = std::move(handler)]() mutable { std::move(h)(error_code()); });
    }
    void close_input() override {}
    void resize(unsigned, unsigned) override {}
    void async_wait(kube::any_handler<void(error_code, apiserver::exec_result)> handler) override {
        waiting_.push_back(std::move(handler));
    }
    void kill() noexcept override {
        killed_ = true;
        waiting_.clear();
    }

private:
    asio::any_io_executor executor_;
    std::deque<kube::any_handler<void(error_code, apiserver::exec_result)>> waiting_;
    bool killed_ = false;
};

/// A port that sends without end.
class busy_port final : public apiserver::port_connection {
public:
    explicit busy_port(asio::any_io_executor executor) : executor_(std::move(executor)) {}

    void async_connect(kube::any_handler<void(error_code, std::string)> handler) override {
        asio::post(executor_, [h = std::move(handler)]() mutable { std::move(h)(error_code(), std::string()); });
    }
    void async_read(kube::any_handler<void(error_code, std::string)> handler) override {
        error_code ec;
        if (closed_) ec = asio::error::operation_aborted;
        asio::post(executor_, [h = std::move(handler), ec]() mutable { std::move(h)(ec, "text"); });
    }
    void async_write(std::string, kube::any_handler<void(error_code)> handler) override {
        asio::post(executor_, [h = std::move(handler)]() mutable { std::move(h)(error_code()); });
    }
    void close_output() noexcept override {}
    void close() noexcept override { closed_ = true; }

private:
    asio::any_io_executor executor_;
    bool closed_ = false;
};

class busy_commands final : public apiserver::pod_exec_source {
public:
    explicit busy_commands(asio::any_io_executor executor) : executor_(std::move(executor)) {}

    apiserver::answer<std::shared_ptr<apiserver::exec_process>> start_exec(apiserver::exec_request const&) override {
        return std::shared_ptr<apiserver::exec_process>(std::make_shared<busy_command>(executor_));
    }
    apiserver::answer<std::shared_ptr<apiserver::port_connection>> open_port(apiserver::port_request const&) override {
        return std::shared_ptr<apiserver::port_connection>(std::make_shared<busy_port>(executor_));
    }

private:
    asio::any_io_executor executor_;
};

struct streams : pod_and_job {
    kube::log_stream& new_log() {
        return logs.emplace_back(std::make_unique<one_line>(io.get_executor()),
                                 asio::any_io_executor(io.get_executor()));
    }
    /// A command in the pod `b`.
    kube::exec_stream& new_command() {
        bool begun = false;
        kube::async_exec(client, "default", "b", {"run"}, kube::exec_options().with_input(),
                         [&](error_code ec, kube::exec_stream s) {
                             BOOST_TEST(ec == error_code());
                             commands.push_back(std::move(s));
                             begun = true;
                         });
        until([&] { return begun; });
        return commands.back();
    }
    /// A connection to a port of the pod `b`.
    kube::port_stream& new_port() {
        bool begun = false;
        kube::async_port_forward(client, "default", "b", 80, [&](error_code ec, kube::port_stream s) {
            BOOST_TEST(ec == error_code());
            ports.push_back(std::move(s));
            begun = true;
        });
        until([&] { return begun; });
        return ports.back();
    }
    void run_commands() {
        stored_pod.metadata.name = "b";
        stored_pod.spec.node_name = "local";
        server.add_object(any_object(stored_pod)).value();
        server.set_exec_source(std::make_shared<busy_commands>(io.get_executor()));
    }
    /// A watch whose first event, the pod `a`, is not read yet.
    template <class Stream, class Api> Stream& new_watch(std::deque<Stream>& all, Api const& api) {
        bool begun = false;
        kube::async_watch(api, [&](error_code ec, Stream s) {
            BOOST_TEST(ec == error_code());
            all.push_back(std::move(s));
            begun = true;
        });
        until([&] { return begun; });
        return all.back();
    }
    kube::watch_stream<pod>& new_typed() { return new_watch(typed, pods); }
    kube::any_watch_stream& new_untyped() { return new_watch(untyped, any_pods); }

    kube::api<pod> const pods{client, "default"};
    kube::any_api const any_pods{client, object_type_of<pod>, "default"};
    std::deque<kube::log_stream> logs;
    std::deque<kube::exec_stream> commands;
    std::deque<kube::port_stream> ports;
    std::deque<kube::watch_stream<pod>> typed;
    std::deque<kube::any_watch_stream> untyped;
};

} // namespace

BOOST_AUTO_TEST_CASE(lists_have_every_form) {
    streams w;
    auto const more = [](auto const&) { return true; };
    CHECK_FREE_FORMS(kube::api<pod>, w.pods, async_list_pages, kube::page_options, error_code(), more);
    CHECK_FREE_FORMS(kube::api<pod>, w.pods, async_list_all, kube::page_options, error_code());
    CHECK_FREE_FORMS(kube::any_api, w.any_pods, async_list_pages, kube::page_options, error_code(), more);
    CHECK_FREE_FORMS(kube::any_api, w.any_pods, async_list_all, kube::page_options, error_code());
}

BOOST_AUTO_TEST_CASE(waits_have_every_form) {
    streams w;
    auto const exists = [](pod const* p) { return p != nullptr; };
    auto const any_exists = [](any_object const& o) { return !o.empty(); };
    CHECK_FREE_FORMS(kube::api<pod>, w.pods, async_wait, kube::wait_options, error_code(), "a", exists);
    CHECK_FREE_FORMS(kube::any_api, w.any_pods, async_wait, kube::wait_options, error_code(), "a", any_exists);
}

BOOST_AUTO_TEST_CASE(watches_have_every_form) {
    streams w;
    CHECK_FREE_FORMS(kube::api<pod>, w.pods, async_watch, kube::watch_options, error_code());
    CHECK_FREE_FORMS(kube::any_api, w.any_pods, async_watch, kube::watch_options, error_code());
    CHECK_FORMS(kube::watch_stream<pod>, w.new_typed(), async_next, kube::next_options, error_code());
    CHECK_FORMS(kube::any_watch_stream, w.new_untyped(), async_next, kube::next_options, error_code());
}

BOOST_AUTO_TEST_CASE(subresources_have_every_form) {
    streams w;
    kube::api<pytorch_job> const jobs(w.client, "default");
    kube::any_api const any_jobs(w.client, object_type_of<pytorch_job>, "default");
    CHECK_FREE_FORMS(kube::api<pytorch_job>, jobs, async_get_scale, kube::call_options, reason::not_found, "absent");
    CHECK_FREE_FORMS(kube::any_api, any_jobs, async_get_scale, kube::call_options, reason::not_found, "absent");
    CHECK_FREE_FORMS(kube::api<pytorch_job>, jobs, async_set_scale, kube::write_options, reason::not_found, "absent",
                     2);
    CHECK_FREE_FORMS(kube::any_api, any_jobs, async_set_scale, kube::write_options, reason::not_found, "absent", 2);
    CHECK_FREE_FORMS(kube::client, w.client, async_evict, kube::delete_options, reason::not_found, "default", "absent");
}

BOOST_AUTO_TEST_CASE(logs_have_every_form) {
    streams w;
    CHECK_FREE_FORMS(kube::client, w.client, async_logs, kube::log_options, reason::not_found, "default", "absent");
    CHECK_FORMS(kube::log_stream, w.new_log(), async_read_line, kube::next_options, error_code());
}

BOOST_AUTO_TEST_CASE(commands_have_every_form) {
    streams w;
    w.run_commands();
    std::vector<std::string> const words{"run"};
    CHECK_FREE_FORMS(kube::client, w.client, async_exec, kube::exec_options, reason::not_found, "default", "absent",
                     words);
    CHECK_FREE_FORMS(kube::client, w.client, async_attach, kube::exec_options, reason::not_found, "default", "absent");
    CHECK_FORMS(kube::exec_stream, w.new_command(), async_read, kube::next_options, error_code());
    CHECK_FORMS(kube::exec_stream, w.new_command(), async_write, kube::next_options, error_code(), "text");
    CHECK_FORMS(kube::exec_stream, w.new_command(), async_close_input, kube::next_options, error_code());
    CHECK_FORMS(kube::exec_stream, w.new_command(), async_resize, kube::next_options, error_code(), 80U, 24U);
}

BOOST_AUTO_TEST_CASE(ports_have_every_form) {
    streams w;
    w.run_commands();
    std::uint16_t const port = 80;
    CHECK_FREE_FORMS(kube::client, w.client, async_port_forward, kube::port_forward_options, reason::not_found,
                     "default", "absent", port);
    CHECK_FORMS(kube::port_stream, w.new_port(), async_read, kube::next_options, error_code());
    CHECK_FORMS(kube::port_stream, w.new_port(), async_write, kube::next_options, error_code(), "text");
    CHECK_FORMS(kube::port_stream, w.new_port(), async_close_output, kube::next_options, error_code());
}

BOOST_AUTO_TEST_CASE(discovery_has_every_form) {
    pod_and_job w;
    kube::discovery const served(w.client);
    CHECK_FORMS(kube::discovery, served, async_catalog, kube::call_options, error_code());
    CHECK_FORMS(kube::discovery, served, async_find, kube::call_options, error_code(), "pods");
}

BOOST_AUTO_TEST_CASE(informers_have_every_form) {
    streams w;
    kube::informer<pod> typed(w.pods);
    kube::any_informer untyped(w.any_pods);
    typed.async_run([](error_code) {});
    untyped.async_run([](error_code) {});
    CHECK_FORMS(kube::informer<pod>, typed, async_wait_for_sync, kube::sync_options, error_code());
    CHECK_FORMS(kube::any_informer, untyped, async_wait_for_sync, kube::sync_options, error_code());
    CHECK_FORMS_WITHOUT_OPTIONS(kube::informer<pod>, typed, async_run, errc::already_running);
    CHECK_FORMS_WITHOUT_OPTIONS(kube::any_informer, untyped, async_run, errc::already_running);
}

BOOST_AUTO_TEST_SUITE_END()
