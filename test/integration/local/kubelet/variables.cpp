#include "integration/local/kubelet/kubelet_cluster.hpp"

BOOST_AUTO_TEST_SUITE(integration_local_variables)

using namespace kubelet_tests;

// Variables that come from elsewhere, and names that pods look up. Expected: kubelet v1.31.

BOOST_AUTO_TEST_CASE(variables_are_set_from_the_pod_and_from_objects) {
    kubelet_cluster w;
    shared_folder const out;
    w.start();
    w.create(config("settings", {{"EPOCHS", "3"}, {"rate", "0.1"}}));
    auto p = shell_pod("a", "echo $NAME $INDEX $ADDRESS $HOST $NODE $EPOCHS $RATE >" + (out.path / "read").string() +
                                "; hostname -I >" + (out.path / "address").string());
    p.metadata.labels = {{"index", "7"}};
    auto& c = p.spec.containers[0];
    c.env_from.emplace_back().config_map_ref.emplace().name = "settings";
    auto const field = [&](std::string name, std::string path) {
        auto& v = c.env.emplace_back(std::move(name), "");
        v.value_from.emplace().field_ref.emplace().field_path = std::move(path);
    };
    field("NAME", "metadata.name");
    field("INDEX", "metadata.labels['index']");
    field("ADDRESS", "status.podIP");
    field("HOST", "status.hostIP");
    field("NODE", "spec.nodeName");
    auto& rate = c.env.emplace_back("RATE", "").value_from.emplace().config_map_key_ref.emplace();
    rate.name = "settings";
    rate.key = "rate";
    w.create(p);
    BOOST_REQUIRE(w.ended("a"));
    auto const address = w.get("a").status.pod_ip;
    BOOST_TEST(out.text("read") == "a 7 " + address + " 10.244.0.1 local 3 0.1\n");
    BOOST_TEST(out.text("address").starts_with(address), out.text("address"));
}

BOOST_AUTO_TEST_CASE(a_container_waits_for_the_objects_of_its_variables) {
    kubelet_cluster w;
    w.start();
    auto p = shell_pod("a", "test \"$TOKEN\" = t");
    auto& from = p.spec.containers[0].env.emplace_back("TOKEN", "").value_from.emplace().secret_key_ref.emplace();
    from.name = "tokens";
    from.key = "token";
    w.create(p);
    BOOST_REQUIRE(w.until([&] { return w.waiting("a").reason == "CreateContainerConfigError"; }));
    BOOST_TEST(w.waiting("a").message == "secret \"tokens\" not found");
    BOOST_TEST(w.phase("a") == "Pending");
    core::secret tokens;
    tokens.metadata.name = "tokens";
    tokens.string_data = {{"token", "t"}};
    w.create(tokens);
    BOOST_REQUIRE(w.ended("a"));
    BOOST_TEST(w.exit_code("a") == 0);
}

BOOST_AUTO_TEST_CASE(short_names_are_resolved_in_the_search_domains_of_the_pod) {
    kubelet_cluster w;
    w.start();
    service s;
    s.metadata.name = "mpi";
    s.spec.cluster_ip = "None";
    s.spec.selector = {{"job", "mpi"}};
    w.create(s);
    auto const member = [&](std::string const& name, std::string const& script) {
        auto p = shell_pod(name, script);
        p.metadata.labels = {{"job", "mpi"}};
        p.spec.hostname = name;
        p.spec.subdomain = "mpi";
        p.spec.dns_config.emplace().searches = {"mpi.default.svc.cluster.local"};
        return p;
    };
    w.create(member("mpi-worker-0", "exec sleep 600"));
    w.create(member("mpi-worker-1", "until getent hosts mpi-worker-0; do sleep 0.1; done"));
    BOOST_REQUIRE(w.ended("mpi-worker-1"));
    BOOST_TEST(w.exit_code("mpi-worker-1") == 0);
}

BOOST_AUTO_TEST_SUITE_END()
