#include "integration/local/sandboxed_cluster.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <kftrain/apiserver/resource_definition.hpp>
#include <kftrain/kube/any_api.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/kube/blocking.hpp>
#include <kftrain/kube/https_transport.hpp>
#include <kftrain/model/dynamic_object.hpp>

#include <filesystem>

BOOST_AUTO_TEST_SUITE(integration_local_cluster)

using namespace local_tests;

// The life of a cluster, and the forms in which a program uses it.

namespace {

std::string mounts() {
    std::ifstream in("/proc/self/mountinfo");
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

/// The sandbox helpers below this process.
std::vector<int> helpers() {
    std::vector<int> found;
    for (int pid : processes_with("kftrain-sandbox")) {
        std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
        std::string text((std::istreambuf_iterator<char>(in)), {});
        auto const end = text.rfind(')');
        if (end != std::string::npos && std::stoi(text.substr(end + 4)) == ::getpid()) found.push_back(pid);
    }
    return found;
}

asio::awaitable<job_phase> run_to_the_end(training_client client, any_job job, std::string& output) {
    any_job const stored = co_await client.async_submit(std::move(job), kube::call_options(), asio::use_awaitable);
    auto const take = [&output](log_line const& l) { output += l.text + "\n"; };
    co_await client.async_logs(stored, take, job_log_options(), asio::use_awaitable);
    kube::wait_options options;
    any_job const finished = co_await client.async_wait(stored, options, asio::use_awaitable);
    co_return finished.phase();
}

} // namespace

BOOST_AUTO_TEST_CASE(further_users_have_configurations_of_their_own) {
    local::local_cluster_options options;
    options.run_pods = false;
    options.listen.emplace().users = {apiserver::user_info("jane"), apiserver::user_info("bob", {"team"})};
    asio::io_context io;
    local::local_cluster local(io, options);
    BOOST_TEST_REQUIRE(local.start().has_value());
    auto const& configs = local.user_configs();
    BOOST_TEST_REQUIRE(configs.size() == 2U);
    BOOST_TEST(configs[0].context == "jane");
    BOOST_TEST(configs[1].context == "bob");
    BOOST_TEST(configs[0].server == local.config()->server);
    BOOST_TEST((configs[0].token != configs[1].token && configs[0].token != local.config()->token));
    auto transport = kube::make_https_transport(io.get_executor(), configs[0]);
    BOOST_TEST_REQUIRE(transport.has_value());
    kube::api<pod> const pods(kube::client(*transport), "default");
    diagnostics detail;
    auto const list = kube::run_blocking<object_list<pod>>(io.get_executor(), detail, [&](auto h) {
        pods.async_list(kube::list_options().with_detail(detail), std::move(h));
    });
    BOOST_TEST(!list.has_value());
    BOOST_TEST(detail.http_status == 403U);
    local.stop();
    options.listen->user_certificates = true;
    local::local_cluster certified(io, options);
    BOOST_TEST_REQUIRE(certified.start().has_value());
    auto const& certificates = certified.user_configs();
    BOOST_TEST_REQUIRE(certificates.size() == 2U);
    BOOST_TEST(certificates[1].token == "");
    transport = kube::make_https_transport(io.get_executor(), certificates[1]);
    BOOST_TEST_REQUIRE(transport.has_value());
    detail = diagnostics();
    BOOST_TEST(!kube::run_blocking<object_list<pod>>(io.get_executor(), detail, [&](auto h) {
                    kube::api<pod>(kube::client(*transport), "default")
                        .async_list(kube::list_options().with_detail(detail), std::move(h));
                }).has_value());
    BOOST_TEST(detail.http_status == 403U);
    BOOST_TEST(detail.message.find("User \"bob\"") != std::string::npos, detail.message);
    certified.stop();
    options.listen->users = {apiserver::user_info(std::string(65, 'x'))};
    auto const too_long = local::local_cluster(io, options).start();
    BOOST_TEST_REQUIRE(!too_long.has_value());
    BOOST_TEST(too_long.error().detail.message.find("1 to 64 characters") != std::string::npos);
    options.listen->user_certificates = false;
    for (std::string const name : {"", "kftrain", "jane"}) {
        options.listen->users = {apiserver::user_info("jane"), apiserver::user_info(name)};
        auto const refused = local::local_cluster(io, options).start();
        BOOST_TEST(!refused.has_value());
        BOOST_TEST(refused.error().detail.message == "users: expected a new name, got \"" + name + "\"");
    }
}

BOOST_AUTO_TEST_CASE(without_pods_a_job_waits_for_the_status_that_a_client_writes) {
    local::local_cluster_options options;
    options.run_pods = false;
    cluster c(options);
    BOOST_TEST(helpers().empty());
    auto const job = c.submit(scripts("echo hello"));
    BOOST_TEST(c.until([&] { return c.get_pod("sh-master-0").metadata.name == "sh-master-0"; }));
    auto p = c.get_pod("sh-master-0");
    BOOST_TEST(p.spec.node_name == "");
    p.status.phase = "Succeeded";
    kube::api<pod> const pods(c.local.client(), "default");
    BOOST_TEST(kube::run_blocking<pod>(c.io.get_executor(), diagnostics(), [&](auto h) {
                   pods.async_replace_status(p, kube::write_options(), std::move(h));
               }).has_value());
    BOOST_TEST((c.wait(job).phase() == job_phase::succeeded));
    c.local.stop();
}

BOOST_AUTO_TEST_CASE(a_coroutine_runs_a_job_to_its_end) {
    asio::io_context io;
    local::local_cluster cluster(io, cluster::sandboxed());
    asio::cancellation_signal stop;
    std::string output;
    std::optional<job_phase> phase;
    std::optional<error_code> ended;
    diagnostics detail;
    cluster.async_start(local::start_options().with_detail(detail), [&](error_code started) {
        BOOST_REQUIRE_MESSAGE(!started, detail.message);
        cluster.async_run(asio::bind_cancellation_slot(stop.slot(), [&](error_code ec) { ended = ec; }));
        asio::co_spawn(io, run_to_the_end(training_client(cluster.client()), scripts("echo hello"), output),
                       [&](std::exception_ptr e, job_phase p) {
                           BOOST_TEST(!e);
                           phase = p;
                           stop.emit(asio::cancellation_type::terminal);
                       });
    });
    io.run_for(60s);
    BOOST_REQUIRE(phase.has_value());
    BOOST_TEST((*phase == job_phase::succeeded));
    BOOST_TEST(output == "hello\n");
    BOOST_REQUIRE(ended.has_value());
    BOOST_TEST(*ended == asio::error::operation_aborted);
    BOOST_TEST(io.stopped(), "something goes on after the end of the cluster");
}

BOOST_AUTO_TEST_CASE(stopping_leaves_nothing) {
    auto const mounted = mounts();
    auto const options = cluster::sandboxed();
    {
        cluster c(options);
        BOOST_TEST(helpers().size() == 1);
        c.submit(scripts("exec sleep 98762"));
        BOOST_REQUIRE(c.until([] { return processes_with(std::string("sleep\0", 6) + "98762").size() == 1; }));
        BOOST_TEST(std::filesystem::exists(std::filesystem::path(options.directory) / "logs"));
        c.local.stop();
        BOOST_TEST(helpers().empty());
        BOOST_TEST(processes_with(std::string("sleep\0", 6) + "98762").empty());
        BOOST_TEST(!std::filesystem::exists(options.directory));
        c.local.stop(); // a second time is nothing
        c.run_for(1s);
        BOOST_TEST(c.io.stopped(), "something goes on after the end of the cluster");
    }
    BOOST_TEST(mounts() == mounted);
}

BOOST_AUTO_TEST_CASE(the_destructor_stops_a_started_cluster) {
    auto const options = cluster::sandboxed();
    {
        cluster c(options);
        c.submit(scripts("exec sleep 98763"));
        BOOST_REQUIRE(c.until([] { return processes_with(std::string("sleep\0", 6) + "98763").size() == 1; }));
    }
    BOOST_TEST(processes_with(std::string("sleep\0", 6) + "98763").empty());
    BOOST_TEST(helpers().empty());
    BOOST_TEST(!std::filesystem::exists(options.directory));
}

BOOST_AUTO_TEST_CASE(a_cluster_that_was_never_started_leaves_nothing) {
    auto const options = cluster::sandboxed();
    {
        asio::io_context io;
        local::local_cluster const c(io, options);
    }
    BOOST_TEST(!std::filesystem::exists(options.directory));
}

BOOST_AUTO_TEST_CASE(two_clusters_can_run_at_the_same_time) {
    cluster a, b;
    a.submit(scripts("sleep 60"));
    BOOST_TEST((b.run(scripts("getent hosts sh-master-0 | awk '{print $1}'")) == job_phase::succeeded));
    BOOST_TEST(b.output["sh-master-0"] == b.get_pod("sh-master-0").status.pod_ip + "\n");
    BOOST_TEST(a.until([&] { return a.get_pod("sh-master-0").status.phase == "Running"; }));
    b.local.stop();
    a.run_for(200ms);
    BOOST_TEST(a.get_pod("sh-master-0").status.phase == "Running");
}

BOOST_AUTO_TEST_CASE(a_blocking_call_inside_the_io_context_is_refused) {
    cluster c;
    std::optional<error_code> submitted, waited, logged;
    asio::post(c.io, [&] {
        submitted = c.client.submit(scripts("true")).error().code;
        waited = c.client.wait(scripts("true")).error().code;
        logged = c.client.logs(scripts("true"), [](log_line const&) {}).error().code;
    });
    BOOST_REQUIRE(c.until([&] { return logged.has_value(); }));
    for (auto const& ec : {submitted, waited, logged}) BOOST_TEST((*ec == make_error_code(errc::would_deadlock)));
}

BOOST_AUTO_TEST_CASE(a_blocking_wait_can_time_out) {
    cluster c;
    auto const stored = c.submit(scripts("sleep 60"));
    auto const waited = c.client.wait(stored, kube::wait_options().with_timeout(300ms));
    BOOST_REQUIRE(waited.has_error());
    BOOST_TEST((waited.error().code == make_error_code(errc::timeout)));
}

BOOST_AUTO_TEST_CASE(following_logs_can_be_cancelled) {
    cluster c;
    auto const stored = c.submit(scripts("echo up; sleep 60"));
    asio::cancellation_signal stop;
    std::optional<error_code> ended;
    c.client.async_logs(
        stored, [&](log_line const&) { stop.emit(asio::cancellation_type::terminal); }, job_log_options(),
        asio::bind_cancellation_slot(stop.slot(), [&](error_code ec) { ended = ec; }));
    BOOST_REQUIRE(c.until([&] { return ended.has_value(); }));
    BOOST_TEST(is_cancelled(*ended), ended->message());
}

BOOST_AUTO_TEST_CASE(faults_of_a_job_are_reported_before_it_is_sent) {
    cluster c;
    auto job = scripts("true");
    job.spec.pytorch_replica_specs["Master"].replicas = 2;
    auto const refused = c.client.submit(job);
    BOOST_REQUIRE(refused.has_error());
    BOOST_TEST((refused.error().code == make_error_code(errc::invalid_job)));
    BOOST_TEST(refused.error().detail.message.find("Master") != std::string::npos, refused.error().detail.message);
    job = scripts("true");
    c.submit(job);
    auto const again = c.client.submit(job);
    BOOST_REQUIRE(again.has_error());
    BOOST_TEST(is_already_exists(again.error().code));
}

BOOST_AUTO_TEST_CASE(processes_without_sandbox_run_jobs_but_cannot_resolve_names) {
    auto options = cluster::sandboxed();
    options.mode = local::isolation::processes;
    cluster c(options);
    BOOST_TEST((c.local.mode() == local::isolation::processes));
    BOOST_TEST((c.run(scripts("echo alone")) == job_phase::succeeded));
    BOOST_TEST(c.output["sh-master-0"] == "alone\n");
    BOOST_TEST(c.get_pod("sh-master-0").status.pod_ip.starts_with("127.1."));
    BOOST_TEST(c.client.delete_job(any_job(scripts(""))).has_value());
    BOOST_REQUIRE(c.until([&] { return c.get_pod("sh-master-0").metadata.name.empty(); }));

    // A worker waits for the name of its master first; here that would be for ever.
    auto const refused = c.client.submit(scripts("sleep 60", 1, "true"));
    BOOST_REQUIRE(refused.has_error());
    BOOST_TEST(refused.error().detail.message.find("the names of pods and services cannot be resolved") !=
                   std::string::npos,
               refused.error().detail.message);
}

BOOST_AUTO_TEST_CASE(a_failed_start_has_a_reason) {
    asio::io_context io;
    auto options = cluster::sandboxed();
    options.helper = "/no/such/helper";
    local::local_cluster c(io, options);
    auto const started = c.start();
    BOOST_REQUIRE(started.has_error());
    BOOST_TEST((started.error().code == make_error_code(errc::helper_failed)), started.error().code.message());
    BOOST_TEST(started.error().detail.message.find("/no/such/helper") != std::string::npos,
               started.error().detail.message);
    c.stop();
    io.restart();
    io.run_for(1s);
    BOOST_TEST(io.stopped(), "something goes on after a start that failed");
    BOOST_TEST(!std::filesystem::exists(options.directory));
}

BOOST_AUTO_TEST_CASE(a_cluster_can_serve_additional_kinds) {
    asio::io_context io;
    local::local_cluster cluster(io, cluster::sandboxed());
    dynamic_type const gadgets("acme.example.com", "v1", "Gadget", "gadgets");
    dynamic_type const widgets("acme.example.com", "v1", "Widget", "widgets");
    dynamic_type const definitions("apiextensions.k8s.io", "v1", "CustomResourceDefinition",
                                   "customresourcedefinitions", resource_scope::cluster);
    BOOST_REQUIRE(cluster.register_resource(apiserver::resource_definition(gadgets.resource())).has_value());
    auto const create = [&](dynamic_type const& type, std::string const& yaml) {
        kube::any_api const api(cluster.client(), type,
                                type.resource().where == resource_scope::cluster ? "" : "default");
        diagnostics detail;
        auto const send = [&](auto handler) {
            api.async_create(type.from_yaml(yaml).value(), kube::write_options(), std::move(handler));
        };
        auto const made = kube::run_blocking<any_object>(io.get_executor(), detail, send);
        BOOST_TEST(made.has_value(), detail.message);
        return made.has_value();
    };
    BOOST_TEST(create(gadgets, "metadata: {name: g}\nspec: {a: 1}\n"));
    BOOST_TEST(create(definitions, R"(metadata: {name: widgets.acme.example.com}
spec:
  group: acme.example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
)"));
    BOOST_TEST(create(widgets, "metadata: {name: w}\n"));
}

BOOST_AUTO_TEST_CASE(a_cluster_whose_helper_dies_ends_with_an_error) {
    asio::io_context io;
    local::local_cluster c(io, cluster::sandboxed());
    std::optional<error_code> ended;
    diagnostics detail;
    c.async_start(local::start_options().with_detail(detail), [&](error_code ec) {
        BOOST_REQUIRE_MESSAGE(!ec, detail.message);
        c.async_run([&](error_code e) { ended = e; });
        training_client client(c.client());
        client.async_submit(any_job(scripts("exec sleep 98764")), kube::call_options(),
                            [](error_code submitted, any_job const&) { BOOST_TEST(!submitted); });
    });
    for (int i = 0; i < 500 && processes_with(std::string("sleep\0", 6) + "98764").empty(); ++i) io.run_for(20ms);
    BOOST_REQUIRE(helpers().size() == 1);
    ::kill(helpers()[0], SIGKILL);
    io.run_for(20s);
    BOOST_REQUIRE(ended.has_value());
    BOOST_TEST((*ended == make_error_code(errc::helper_failed)), ended->message());
    // The kernel ends the pods with the helper, but does not wait for them.
    for (int i = 0; i < 250 && !processes_with(std::string("sleep\0", 6) + "98764").empty(); ++i) ::usleep(20'000);
    BOOST_TEST(processes_with(std::string("sleep\0", 6) + "98764").empty());
}

BOOST_AUTO_TEST_SUITE_END()
