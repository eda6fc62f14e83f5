#include "unit/kinds/volcano_job/sample.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

BOOST_AUTO_TEST_SUITE(kinds_volcano_job_plugins)

using namespace volcano_sample;

// Expected: what the plugins of v1.9.0, and of v1.13.0 for ray and hcclrank, gave when they were run.
namespace {

std::string tf_config(volcano_job const& j, std::string_view name, std::int32_t index) {
    return variable(pod_of(j, name, index), "TF_CONFIG");
}

volcano_job with(volcano_job j, std::string plugin, std::vector<std::string> words = {}) {
    j.spec.plugins[std::move(plugin)] = std::move(words);
    return j;
}

std::int64_t port_of(std::vector<std::string> words) {
    return tensorflow_of(with(job_of("t", {}), "tensorflow", std::move(words))).port;
}

} // namespace

BOOST_AUTO_TEST_CASE(arguments_are_read_up_to_the_first_that_is_wrong) {
    BOOST_TEST(port_of({"--port=5000"}) == 5000);
    BOOST_TEST(port_of({"-port=5000"}) == 5000);
    BOOST_TEST(port_of({"--port", "5000"}) == 5000);
    BOOST_TEST(port_of({"--port=0x10"}) == 16);
    BOOST_TEST(port_of({"--port=0b101"}) == 5);
    BOOST_TEST(port_of({"--port=017"}) == 15);
    BOOST_TEST(port_of({"--port=1_000"}) == 1000);
    BOOST_TEST(port_of({"--port=1__0"}) == 0);
    BOOST_TEST(port_of({"--port=abc", "--port=7"}) == 0);
    BOOST_TEST(port_of({"--port="}) == 0);
    BOOST_TEST(port_of({"--port=99999999999999999999"}) == 9223372036854775807);
    BOOST_TEST(port_of({"--port=-9223372036854775808"}) == std::numeric_limits<std::int64_t>::min());
    BOOST_TEST(port_of({"--unknown=1", "--port=5000"}) == 2222);
    BOOST_TEST(port_of({"port=7", "--port=5000"}) == 2222);
    BOOST_TEST(port_of({"--port=1", "--port=2"}) == 2);
    BOOST_TEST(port_of({"--port"}) == 2222);
    auto const svc = [](std::vector<std::string> words) {
        return svc_of(with(job_of("t", {}), "svc", std::move(words)));
    };
    BOOST_TEST(svc({"--disable-network-policy"}).disable_network_policy);
    BOOST_TEST(svc({"--disable-network-policy=T"}).disable_network_policy);
    BOOST_TEST(!svc({"--disable-network-policy=yes"}).disable_network_policy);
    BOOST_TEST(!svc({"--", "--disable-network-policy"}).disable_network_policy);
    BOOST_TEST(tensorflow_of(with(job_of("t", {}), "tensorflow", {"--ps=a --worker=b"})).ps == "a --worker=b");
    BOOST_TEST(argument_fault(with(job_of("t", {}), "ssh", {"--no-root"}), "ssh") == "the plugin has no flag no-root");
}

BOOST_AUTO_TEST_CASE(tensorflow_names_every_host_of_a_role) {
    auto const a =
        with(job_of("tf-a", {task("chief", 1), task("worker", 2), task("ps", 1), task("evaluator", 1)}), "tensorflow");
    std::string const cluster =
        R"({"ps":["tf-a-ps-0.tf-a:2222"],"worker":["tf-a-worker-0.tf-a:2222","tf-a-worker-1.tf-a:2222"],)"
        R"("chief":["tf-a-chief-0.tf-a:2222"],"evaluator":["tf-a-evaluator-0.tf-a:2222"]})";
    BOOST_TEST(tf_config(a, "worker", 1) == R"({"cluster":)" + cluster + R"(,"task":{"type":"worker","index":1}})");
    BOOST_TEST(tf_config(a, "evaluator", 0).ends_with(R"("task":{"type":"evaluator","index":0}})"));
    BOOST_TEST(tf_config(with(job_of("tf-c", {task("worker", 1)}), "tensorflow"), "worker", 0) == "-");
    auto const e = with(job_of("tf-e", {task("worker", 1), task("ps", 0)}), "tensorflow");
    BOOST_TEST(tf_config(e, "worker", 0) ==
               R"({"cluster":{"worker":["tf-e-worker-0.tf-e:2222"]},"task":{"type":"worker","index":0}})");
    auto const same =
        with(job_of("t", {task("w", 2), task("z", 1)}), "tensorflow", {"--ps=w", "--worker=w", "--chief=w"});
    BOOST_TEST(tf_config(same, "w", 1) ==
               R"({"cluster":{"ps":["t-w-0.t:2222","t-w-1.t:2222"]},"task":{"type":"chief","index":1}})");
    auto fixed = with(job_of("tf-h", {task("worker", 2), task("ps", 1)}), "tensorflow");
    fixed.spec.tasks[0].template_.spec.hostname = "wk";
    fixed.spec.tasks[0].template_.spec.subdomain = "sub";
    BOOST_TEST(tf_config(fixed, "ps", 0) ==
               R"({"cluster":{"ps":["tf-h-ps-0.tf-h:2222"],"worker":["wk.sub:2222","wk.sub:2222"]},)"
               R"("task":{"type":"ps","index":0}})");
}

BOOST_AUTO_TEST_CASE(the_pytorch_plugin_sets_world_size_and_rank) {
    auto j = with(job_of("pt-b", {task("m", 2), task("w", 1), task("tb", 1)}), "pytorch",
                  {"--master=m", "--worker=w", "--port=29500"});
    core::container_port own;
    own.name = "x";
    own.container_port_ = 29500;
    j.spec.tasks[1].template_.spec.containers.front().ports.push_back(own);
    auto const reported = [&](std::string_view name, std::int32_t index, volcano_release r) {
        auto const p = pod_of(j, name, index, r);
        return variable(p, "MASTER_ADDR") + " " + variable(p, "MASTER_PORT") + " " + variable(p, "WORLD_SIZE") + " " +
               variable(p, "RANK") + " " + p.spec.containers.front().ports.front().name;
    };
    using enum volcano_release;
    BOOST_TEST(reported("m", 0, v1_9_0) == "pt-b-m-0.pt-b 29500 4 0 pytorchjob-port");
    BOOST_TEST(reported("m", 1, v1_9_0) == "pt-b-m-0.pt-b 29500 4 0 pytorchjob-port");
    BOOST_TEST(reported("w", 0, v1_9_0) == "pt-b-m-0.pt-b 29500 4 1 x");
    BOOST_TEST(reported("tb", 0, v1_9_0) == "pt-b-m-0.pt-b 29500 4 - pytorchjob-port");
    BOOST_TEST(reported("w", 0, v1_12_3) == "pt-b-m-0.pt-b 29500 3 1 x");
    auto const c = with(job_of("pt-c", {task("worker", 2)}), "pytorch");
    BOOST_TEST(pod_of(c, "worker", 0).spec.containers.front().env.empty());
    BOOST_TEST(pod_of(c, "worker", 0).spec.containers.front().ports.empty());
}

BOOST_AUTO_TEST_CASE(mpi_masters_get_the_hosts_of_their_workers) {
    auto j = with(job_of("m", {task("master", 1), task("worker", 3)}), "mpi");
    BOOST_TEST(variable(pod_of(j, "master", 0), "MPI_HOST") == "m-worker-0.m,m-worker-1.m,m-worker-2.m");
    BOOST_TEST(variable(pod_of(j, "worker", 0), "MPI_HOST") == "-");
    BOOST_TEST(pod_of(j, "worker", 0).spec.containers.front().ports.front().container_port_ == 22);
    j.spec.tasks[1].template_.spec.hostname = "wk";
    BOOST_TEST(variable(pod_of(j, "master", 0), "MPI_HOST") == "wk.m");
    j.spec.tasks[1].replicas = 0;
    BOOST_TEST(variable(pod_of(j, "master", 0), "MPI_HOST") == "");
}

BOOST_AUTO_TEST_CASE(the_ray_plugin_starts_a_head_and_workers) {
    auto j = with(job_of("r", {task("head", 1), task("worker", 1)}), "ray");
    j.spec.tasks[0].template_.spec.containers.front().name = "head";
    j.spec.tasks[1].template_.spec.containers.front().name = "worker";
    auto const r = volcano_release::v1_13_0;
    auto const head = pod_of(j, "head", 0, r).spec.containers.front();
    BOOST_TEST(head.command.back() == "ray start --head --block --dashboard-host=0.0.0.0 --port=6379 "
                                      "--dashboard-port=8265 --ray-client-server-port=10001");
    BOOST_TEST(head.ports.size() == 3U);
    BOOST_TEST(pod_of(j, "worker", 0, r).spec.containers.front().command.back() ==
               "ray start --block --address=r-head-0.r:6379");
    BOOST_TEST(pod_of(j, "worker", 0).spec.containers.front().command.empty());
    BOOST_TEST(render_head_service(j).metadata.name == "r-head-svc");
}

BOOST_AUTO_TEST_CASE(ranks_of_hccl_count_the_masters_first) {
    auto const r = volcano_release::v1_12_3;
    auto j = with(job_of("h", {task("master", 2), task("worker", 2), task("x", 1)}), "hcclrank");
    auto const rank = [&](std::string_view name, std::int32_t index) {
        return std::string(annotation_of(pod_of(j, name, index, r).metadata, "hccl/rankIndex"));
    };
    BOOST_TEST(rank("master", 0) + rank("master", 1) + rank("worker", 0) + rank("worker", 1) == "0123");
    BOOST_TEST(rank("x", 0) == "");
    j.spec.tasks[1].template_.spec.containers.front().env.emplace_back("RANK", "7");
    BOOST_TEST(rank("worker", 0) == "7");
}

BOOST_AUTO_TEST_CASE(a_fixed_host_name_yields_one_host) {
    auto j = job_of("j", {task("t", 3), task("z", 0)});
    j.spec.tasks[0].template_.spec.hostname = "hh";
    auto const data = render_hosts(j).data;
    BOOST_TEST(data.at("t.host") == "hh.j");
    BOOST_TEST(data.at("VC_T_NUM") == "1");
    BOOST_TEST(data.at("z.host") == "");
    BOOST_TEST(data.at("VC_Z_NUM") == "0");
    BOOST_TEST(ssh_config(j) == "StrictHostKeyChecking no\nUserKnownHostsFile /dev/null\nHost hh\n  HostName hh.j\n");
}

BOOST_AUTO_TEST_CASE(given_ssh_keys_are_used_unchanged) {
    auto const j = with(job_of("j", {task("t", 1)}), "ssh", {"--ssh-private-key=priv", "--ssh-public-key=pub"});
    auto const s = render_secret(j);
    BOOST_TEST(s.data.at("id_rsa").data == "priv");
    BOOST_TEST(s.data.at("authorized_keys").data == "pub");
    BOOST_TEST(secret_recipes(j).empty());
    BOOST_TEST(secret_recipes(with(job_of("j", {}), "ssh")).size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
