#include "integration/kube/credentials/credential_plugin.hpp"
#include "kube/credentials/exec_run.hpp"

#include <boost/asio/error.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <thread>

BOOST_AUTO_TEST_SUITE(integration_exec_plugin_ends)

using namespace kftrain;
using namespace kftrain::test;

BOOST_AUTO_TEST_CASE(a_failed_plugin_is_reported_with_its_command_and_error) {
    credential_plugin plugin;
    auto const failure_of = [&](kube::config const& c, kube::https_options const& o = {}) {
        wire_server s({answers_hello}, plugin.server());
        wired w(s, c, o);
        auto const text = outcome_of_call(w);
        BOOST_TEST(w.last == make_error_code(reason::unauthorized), text);
        BOOST_TEST(text.find("GET /x: unauthorized: exec plugin \"") != text.npos, text);
        BOOST_TEST(text.find(c.exec->command) != text.npos, text);
        return text;
    };
    auto const ends = [](std::string const& text, std::string const& end) {
        BOOST_TEST(text.ends_with("\" " + end), text);
    };
    auto missing = plugin.config("prints");
    missing.exec->command = "kftrain-no-such-plugin";
    missing.exec->install_hint = "install it from https://example.com";
    ends(failure_of(missing), "was not found: install it from https://example.com");
    missing.exec->command = plugin.directory.file("none");
    ends(failure_of(missing), "was not found: install it from https://example.com");
    plugin.directory.write("plain", "no program");
    missing.exec->command = plugin.directory.file("plain");
    ends(failure_of(missing), "cannot be run: Permission denied");

    kube::https_options o;
    o.plugin_timeout = 50ms;
    ends(failure_of(plugin.config("hangs"), o), "was killed because it did not end within 50 ms");
    o.plugin_timeout = 60s;
    o.plugin_output_limit = 100'000;
    ends(failure_of(plugin.config("floods"), o), "was killed because it printed more than 100000 bytes");
    ends(failure_of(plugin.config("fails")), "ended with exit code 7; it printed: there is no profile");
    ends(failure_of(plugin.config("dies")), "was killed by signal 9");
    plugin.directory.write("answer", "s3cret {");
    auto const text = failure_of(plugin.config("prints"));
    BOOST_TEST(text.find("did not print an ExecCredential: ") != text.npos, text);
    BOOST_TEST(text.find("s3cret") == text.npos, text);
    plugin.directory.write("answer",
                           R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1"})");
    ends(failure_of(plugin.config("prints")),
         "printed an ExecCredential of \"client.authentication.k8s.io/v1beta1\", expected "
         "\"client.authentication.k8s.io/v1\"");
    plugin.answer(R"({"clientCertificateData":"nonsense","clientKeyData":"nonsense"})");
    wire_server s({answers_hello}, plugin.server());
    wired w(s, plugin.config("prints"));
    auto const unusable = outcome_of_call(w);
    BOOST_TEST(w.last == make_error_code(reason::unauthorized));
    BOOST_TEST(unusable.find("the certificate of the credentials cannot be used") != unusable.npos, unusable);
}

BOOST_AUTO_TEST_CASE(a_key_that_does_not_match_the_certificate_is_rejected_before_a_request) {
    credential_plugin plugin;
    certificate_form rsa;
    rsa.rsa = true;
    auto const text = [](std::string const& pem) { return boost::json::serialize(boost::json::value(pem)); };
    plugin.answer(R"({"clientCertificateData":)" + text(plugin.ca.issue("a", "").certificate) + R"(,"clientKeyData":)" +
                  text(plugin.ca.issue("a", "", rsa).key) + "}");
    wire_server s({answers_hello}, plugin.server());
    wired w(s, plugin.config("prints"));
    auto const why = outcome_of_call(w);
    BOOST_TEST(w.last == make_error_code(reason::unauthorized));
    BOOST_TEST(why.find("the key does not match the client certificate") != why.npos, why);
    BOOST_TEST(s.accepted() == 0U);
}

BOOST_AUTO_TEST_CASE(after_a_failure_the_plugin_runs_again_only_after_a_delay) {
    credential_plugin plugin;
    wire_server s({answers_hello}, plugin.server());
    wired w(s, plugin.config("fails"));
    auto const first = outcome_of_call(w), second = outcome_of_call(w);
    BOOST_TEST(first == second);
    BOOST_TEST(plugin.runs() == 1);
}

BOOST_AUTO_TEST_CASE(a_child_that_keeps_the_output_open_causes_no_delay) {
    credential_plugin plugin;
    plugin.answer(R"({"token":"t"})");
    wire_server s({answers_hello}, plugin.server());
    wired w(s, plugin.config("lends"));
    BOOST_TEST(w.get() == "hello");
    ::kill(static_cast<pid_t>(std::stol(plugin.directory.read("pid"))), SIGKILL);
    w.link.reset();
}

BOOST_AUTO_TEST_CASE(destroying_the_transport_and_its_callers_kills_and_reaps_the_plugin) {
    for (bool const by_context : {false, true}) {
        credential_plugin plugin;
        wire_server s({answers_hello}, plugin.server());
        auto w = std::make_unique<wired>(s, plugin.config("hangs"));
        answer_probe<std::string> p;
        kube::client(w->link).async_call(wired::request("GET", "/"), kube::call_options(), p.handler());
        w->context.restart();
        while (!plugin.directory.has("pid") || plugin.directory.read("pid").empty()) w->context.run_for(1ms);
        auto const pid = static_cast<pid_t>(std::stol(plugin.directory.read("pid")));
        BOOST_TEST(::kill(pid, 0) == 0);
        if (!by_context) {
            p.cancel();
            w->link.reset();
            w->run();
            BOOST_TEST(p.ec() == error_code(asio::error::operation_aborted));
        } else {
            w.reset();
        }
        BOOST_TEST(::kill(pid, 0) == -1); // not even a zombie is left
        BOOST_TEST(errno == ESRCH);
    }
}

BOOST_AUTO_TEST_CASE(a_destroyed_transport_ends_its_plugin_on_the_executor) {
    credential_plugin plugin;
    wire_server s({answers_hello}, plugin.server());
    wired w(s, plugin.config("hangs"));
    answer_probe<std::string> p;
    kube::client(w.link).async_call(wired::request("GET", "/"), kube::call_options(), p.handler());
    w.context.restart();
    while (!plugin.directory.has("pid") || plugin.directory.read("pid").empty()) w.context.run_for(1ms);
    auto const pid = static_cast<pid_t>(std::stol(plugin.directory.read("pid")));
    p.cancel();
    w.context.run_for(20ms);
    BOOST_TEST(p.ec() == error_code(asio::error::operation_aborted));
    BOOST_TEST(::kill(pid, 0) == 0); // the next request may need what it brings
    std::thread([&] { w.link.reset(); }).join();
    BOOST_TEST(::kill(pid, 0) == 0);
    w.run();
    BOOST_TEST(::kill(pid, 0) == -1);
}

BOOST_AUTO_TEST_CASE(a_plugin_that_cannot_be_signalled_does_not_block) {
    using namespace kube::detail;
    using clock = std::chrono::steady_clock;
    exec_plan plan;
    plan.arguments = {"/bin/sleep", "1"};
    plan.timeout = 20ms;
    plan.signal_process = [](pid_t, int) {
        errno = EPERM;
        return -1;
    };
    asio::io_context context;
    exec_outcome outcome;
    auto const begun = clock::now();
    auto const run = std::make_shared<exec_run>(context.get_executor());
    run->start(plan, [&](exec_outcome o) { outcome = std::move(o); });
    context.run(); // nothing waits for it any more
    BOOST_TEST((outcome.how == exec_outcome::end::timed_out));
    BOOST_TEST(!run->reap());
    {
        auto const stopped = std::make_shared<exec_run>(context.get_executor());
        stopped->start(plan, [](exec_outcome const&) {});
    }
    context.restart();
    context.run();
    BOOST_TEST((clock::now() - begun < 900ms));
    while (!run->reap() && clock::now() - begun < 10s) short_while();
    BOOST_TEST(run->reap());
    while (::waitpid(-1, nullptr, 0) > 0) {} // the other one
}

BOOST_AUTO_TEST_CASE(a_plugin_inherits_no_file_descriptors) {
    credential_plugin plugin;
    plugin.answer(R"({"token":"t"})");
    wire_server s({answers_hello}, plugin.server());
    wired w(s, plugin.config("counts"));
    int const open = ::dup(0); // as sockets are, which plugins would keep open
    BOOST_TEST(w.get() == "hello");
    ::close(open);
    BOOST_TEST(plugin.directory.read("descriptors") == "0\n1\n2\n3\n"); // 3 is what `ls` reads
    w.link.reset();
}

BOOST_AUTO_TEST_CASE(a_cancelled_wait_does_not_affect_others) {
    credential_plugin plugin;
    plugin.answer(R"({"token":"t"})");
    wire_server s({answers_hello}, plugin.server());
    wired w(s, plugin.config("prints"));
    answer_probe<std::string> gone, stays;
    for (auto* p : {&gone, &stays})
        kube::client(w.link).async_call(wired::request("GET", "/"), kube::call_options().with_retry(false),
                                        p->handler());
    gone.cancel();
    w.run();
    BOOST_TEST(gone.ec() == error_code(asio::error::operation_aborted));
    BOOST_TEST(stays.ec() == error_code());
    BOOST_TEST(plugin.runs() == 1);
    w.link.reset();
}

BOOST_AUTO_TEST_CASE(plugins_work_in_an_application_that_reaps_children) {
    credential_plugin plugin;
    plugin.answer(R"({"token":"t"})");
    wire_server s({answers_hello}, plugin.server());
    wired w(s, plugin.config("prints"));
    auto const before = std::signal(SIGCHLD, SIG_IGN); // the kernel does it then
    auto const answer = w.get();
    std::signal(SIGCHLD, before);
    BOOST_TEST(answer == "hello");
    w.link.reset();
}

BOOST_AUTO_TEST_SUITE_END()
