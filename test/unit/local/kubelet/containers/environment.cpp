#include "local/kubelet/containers/container_command.hpp"

#include <kftrain/model/codec.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <thread>

BOOST_AUTO_TEST_SUITE(local_environment)

using namespace kftrain;
using namespace kftrain::local;

// Expected: kubernetes pkg/kubelet/kubelet_pods.go (makeEnvironmentVariables), v1.31.
namespace {

struct container_variables {
    container_variables() {
        p.metadata.name = "mpi-worker-0";
        p.metadata.namespace_ = "lab";
        p.metadata.uid = "u-1";
        p.metadata.labels = {{"training.kubeflow.org/replica-index", "0"}};
        p.metadata.annotations = {{"note", "a b"}};
        p.spec.node_name = "local";
        sources.pod_address = "10.244.0.7";
        sources.host_address = "10.244.0.1";
        core::config_map map;
        map.data = {{"A", "from map"}, {"hosts", "x"}};
        sources.config_maps["map"] = std::make_shared<core::config_map const>(map);
        sources.config_maps["gone"] = nullptr;
        core::secret secret;
        secret.data = {{"key", bytes("s3cret")}, {"nul", bytes(std::string("a\0b", 3))}};
        sources.secrets["secret"] = std::make_shared<core::secret const>(secret);
        sources.secrets["gone"] = nullptr;
    }

    result<container_command> command(std::string const& container) const {
        auto const c = from_json<core::container>(R"({"name":"c","command":["true"],)" + container + "}").value();
        return command_of(p, c, &sources);
    }
    /// The value of V.
    std::string value(std::string const& container) const {
        auto const made = command(container);
        if (!made) return "! " + made.error().to_string();
        for (auto const& e : made->env)
            if (e.starts_with("V=")) return e.substr(2);
        return "(absent)";
    }
    std::string field(std::string const& path) const {
        return value(R"("env":[{"name":"V","valueFrom":{"fieldRef":{"fieldPath":")" + path + "\"}}}]");
    }

    pod p;
    environment_sources sources;
};

} // namespace

// kubernetes pkg/api/v1/resource/helpers.go, ExtractContainerResourceValue, v1.31: rounded up, in units of the divisor.
BOOST_AUTO_TEST_CASE(requests_and_limits_of_containers_become_values) {
    container_variables w;
    auto const amount = [&](std::string const& reference, std::string const& resources) {
        return w.value(R"("resources":)" + resources + R"(,"env":[{"name":"V","valueFrom":{"resourceFieldRef":)" +
                       reference + "}}]");
    };
    std::string const all = R"({"limits":{"cpu":"1500m","memory":"1Gi"},"requests":{"cpu":"250m","memory":"100"}})";
    BOOST_TEST(amount(R"({"resource":"limits.cpu"})", all) == "2");
    BOOST_TEST(amount(R"({"resource":"limits.cpu","divisor":"1m"})", all) == "1500");
    BOOST_TEST(amount(R"({"resource":"requests.cpu","divisor":"1"})", all) == "1");
    BOOST_TEST(amount(R"({"resource":"limits.memory"})", all) == "1073741824");
    BOOST_TEST(amount(R"({"resource":"limits.memory","divisor":"1Mi"})", all) == "1024");
    BOOST_TEST(amount(R"({"resource":"requests.memory","divisor":"1Ki"})", all) == "1");
    BOOST_TEST(amount(R"({"resource":"requests.memory"})", R"({"limits":{"memory":"7"}})") == "7");
    BOOST_TEST(amount(R"({"resource":"requests.cpu"})", "{}") == "0");
    // A container without a limit may use the whole machine.
    BOOST_TEST(amount(R"({"resource":"limits.cpu"})", "{}") == std::to_string(std::thread::hardware_concurrency()));
    BOOST_TEST(std::stoll(amount(R"({"resource":"limits.memory"})", "{}")) > 1'000'000);
    BOOST_TEST(amount(R"({"resource":"limits.nvidia.com/gpu"})", all) ==
               "! unsupported container resource : limits.nvidia.com/gpu");
    // Another container of the pod.
    auto& other = w.p.spec.containers.emplace_back();
    other.name = "other";
    other.resources.limits["cpu"] = quantity("3");
    BOOST_TEST(amount(R"({"resource":"limits.cpu","containerName":"other"})", all) == "3");
    BOOST_TEST(amount(R"({"resource":"limits.cpu","containerName":"gone"})", all) == "! container gone not found");
}

BOOST_AUTO_TEST_CASE(fields_of_the_pod_become_values) {
    container_variables w;
    BOOST_TEST(w.field("metadata.name") == "mpi-worker-0");
    BOOST_TEST(w.field("metadata.namespace") == "lab");
    BOOST_TEST(w.field("metadata.uid") == "u-1");
    BOOST_TEST(w.field("metadata.labels['training.kubeflow.org/replica-index']") == "0");
    BOOST_TEST(w.field("metadata.labels['other']") == "");
    BOOST_TEST(w.field("metadata.annotations['note']") == "a b");
    BOOST_TEST(w.field("status.podIP") == "10.244.0.7");
    BOOST_TEST(w.field("status.podIPs") == "10.244.0.7");
    BOOST_TEST(w.field("status.hostIP") == "10.244.0.1");
    BOOST_TEST(w.field("spec.nodeName") == "local");
    BOOST_TEST(w.field("spec.serviceAccountName") == "default");
    w.p.spec.service_account_name = "trainer";
    BOOST_TEST(w.field("spec.serviceAccountName") == "trainer");
    BOOST_TEST(w.field("spec.schedulerName") == "! unsupported fieldPath: spec.schedulerName");
}

BOOST_AUTO_TEST_CASE(keys_of_objects_become_values) {
    container_variables const w;
    auto const from_map = [](std::string const& rest) {
        return R"("env":[{"name":"V","valueFrom":{"configMapKeyRef":{)" + rest + "}}}]";
    };
    BOOST_TEST(w.value(from_map(R"("name":"map","key":"A")")) == "from map");
    BOOST_TEST(w.value(from_map(R"("name":"map","key":"B")")) == "! couldn't find key B in ConfigMap lab/map");
    BOOST_TEST(w.value(from_map(R"("name":"map","key":"B","optional":true)")) == "(absent)");
    BOOST_TEST(w.value(from_map(R"("name":"gone","key":"A")")) == "! configmap \"gone\" not found");
    BOOST_TEST(w.value(from_map(R"("name":"gone","key":"A","optional":true)")) == "(absent)");
    auto const from_secret = [](std::string const& rest) {
        return R"("env":[{"name":"V","valueFrom":{"secretKeyRef":{)" + rest + "}}}]";
    };
    BOOST_TEST(w.value(from_secret(R"("name":"secret","key":"key")")) == "s3cret");
    BOOST_TEST(w.value(from_secret(R"("name":"secret","key":"B")")) == "! couldn't find key B in Secret lab/secret");
    BOOST_TEST(w.value(from_secret(R"("name":"gone","key":"A")")) == "! secret \"gone\" not found");
    BOOST_TEST(w.value(from_secret(R"("name":"secret","key":"nul")")) ==
               "! env[0].valueFrom: variable \"V\" contains a NUL byte, which cannot be passed to a program");
}

BOOST_AUTO_TEST_CASE(whole_objects_come_first_and_may_have_a_prefix) {
    container_variables const w;
    std::string const all = R"("envFrom":[{"configMapRef":{"name":"map"}}],)";
    BOOST_TEST(w.value(all + R"j("env":[{"name":"V","value":"<$(A)>"}])j") == "<from map>");
    BOOST_TEST(w.value(R"("envFrom":[{"prefix":"P_","configMapRef":{"name":"map"}}],)" +
                       std::string(R"j("env":[{"name":"V","value":"$(P_A)$(A)"}])j")) == "from map$(A)");
    BOOST_TEST(w.value(all + R"j("env":[{"name":"A","value":"own"},{"name":"V","value":"$(A)"}])j") == "own");
    BOOST_TEST(w.value(R"("envFrom":[{"secretRef":{"name":"gone"}}])") == "! secret \"gone\" not found");
    BOOST_TEST(w.value(R"("envFrom":[{"secretRef":{"name":"gone","optional":true}}])") == "(absent)");
}

// Earlier kubelets left out what is no name of a variable, with an event InvalidEnvironmentVariableNames; v1.31 has no
// such event.
BOOST_AUTO_TEST_CASE(any_key_of_an_object_becomes_a_variable) {
    container_variables w;
    core::config_map map;
    map.data = {{"1badkey", "a"}, {"..x", "b"}};
    w.sources.config_maps["map"] = std::make_shared<core::config_map const>(map);
    auto const made = w.command(R"("envFrom":[{"configMapRef":{"name":"map"}}])");
    BOOST_TEST_REQUIRE(made.has_value());
    for (auto const* variable : {"1badkey=a", "..x=b"})
        BOOST_TEST((std::ranges::find(made->env, variable) != made->env.end()), variable);
}

BOOST_AUTO_TEST_CASE(referenced_values_are_not_expanded) {
    container_variables w;
    core::config_map map;
    map.data = {{"k", "$(A)"}};
    w.sources.config_maps["map"] = std::make_shared<core::config_map const>(map);
    BOOST_TEST(w.value(R"("env":[{"name":"A","value":"1"},{"name":"V","valueFrom":{"configMapKeyRef":{"name":"map",)"
                       R"("key":"k"}}}])") == "$(A)");
}

BOOST_AUTO_TEST_CASE(referenced_values_have_the_limit_of_the_kernel) {
    container_variables w;
    core::config_map map;
    map.data = {{"k", std::string(131'070, 'x')}};
    w.sources.config_maps["map"] = std::make_shared<core::config_map const>(map);
    auto const failed = w.command(R"("env":[{"name":"V","valueFrom":{"configMapKeyRef":{"name":"map","key":"k"}}}])");
    BOOST_TEST_REQUIRE(failed.has_error());
    BOOST_TEST((failed.error().code == make_error_code(errc::too_large)));
    BOOST_TEST(failed.error().detail.path == "env[0].valueFrom");
}

BOOST_AUTO_TEST_CASE(references_are_collected_once) {
    environment_sources found;
    add_references(
        from_json<core::container>(R"({"name":"c","envFrom":[{"configMapRef":{"name":"a"}},{"secretRef":{"name":"s"}}],
        "env":[{"name":"A","valueFrom":{"configMapKeyRef":{"name":"a","key":"k"}}},
               {"name":"B","valueFrom":{"secretKeyRef":{"name":"t","key":"k"}}},
               {"name":"C","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}}]})")
            .value(),
        found);
    BOOST_TEST(found.config_maps.size() == 1u);
    BOOST_TEST(found.config_maps.contains("a"));
    BOOST_TEST(found.secrets.size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
