#include <kftrain/local/kubelet.hpp>
#include <kftrain/model/codec.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <fstream>
#include <sstream>

BOOST_AUTO_TEST_SUITE(local_pod_admission)

using namespace kftrain;

namespace {

/// The paths of what is refused in a pod with this spec.
std::vector<std::string> refused(std::string const& spec, local::isolation mode = local::isolation::namespaces) {
    auto const p =
        from_json<pod>(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":)" + spec + "}").value();
    std::vector<std::string> paths;
    for (auto const& i : local::unsupported_parts(p, mode)) {
        BOOST_TEST(i.message.starts_with(i.path + ": "), i.message);
        BOOST_TEST((i.level == issue::severity::error));
        paths.push_back(i.path);
    }
    return paths;
}

std::string one(std::string const& more) { return R"({"containers":[{"name":"a","command":["true"])" + more + "}]}"; }

void expect(std::string const& spec, std::vector<std::string> const& paths) {
    BOOST_TEST_INFO(spec);
    BOOST_TEST(refused(spec) == paths, boost::test_tools::per_element());
}

} // namespace

BOOST_AUTO_TEST_CASE(commands_environment_and_ports_are_served) {
    expect(one(R"(,"args":["x"],"env":[{"name":"A","value":"1"}],"ports":[{"containerPort":1}],"workingDir":"/")"), {});
}

BOOST_AUTO_TEST_CASE(a_container_without_a_command_is_refused) {
    expect(R"({"containers":[{"name":"a"},{"name":"b","command":["true"]},{"name":"c","args":["x"]}],
              "initContainers":[{"name":"d"}]})",
           {"spec.initContainers[0].command", "spec.containers[0].command", "spec.containers[2].command"});
}

BOOST_AUTO_TEST_CASE(options_define_image_commands_and_allowed_paths) {
    auto const p = from_json<pod>(R"({"metadata":{"name":"a"},"spec":{
        "containers":[{"name":"a","image":"team/a:1"},{"name":"b","image":"b"}],
        "volumes":[{"name":"v","hostPath":{"path":"/data/x"}},{"name":"w","hostPath":{"path":"/database"}}]}})")
                       .value();
    local::pod_options o;
    o.commands = {{"team/*", "true"}};
    o.host_paths = {"/data"};
    std::vector<std::string> paths;
    for (auto const& i : local::unsupported_parts(p, local::isolation::namespaces, o)) paths.push_back(i.path);
    BOOST_TEST(paths == (std::vector<std::string>{"spec.volumes[1].hostPath.path", "spec.containers[1].command"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(texts_with_nul_bytes_are_refused) {
    expect(one(R"(,"args":["x","a\u0000b"],"env":[{"name":"A","value":"a\u0000b"}])"),
           {"spec.containers[0].args[1]", "spec.containers[0].env[0].value"});
    expect(R"({"containers":[{"name":"a","command":["sh\u0000"]}]})", {"spec.containers[0].command[0]"});
    expect(one(R"(,"workingDir":"/a\u0000b")"), {"spec.containers[0].workingDir"});
    auto const deep = std::string(400, '[') + R"("\u0000")" + std::string(400, ']');
    std::string path = "spec.containers[0].more";
    for (int i = 0; i < 400; ++i) path += "[0]";
    expect(one(",\"more\":" + deep), {path});
}

BOOST_AUTO_TEST_CASE(too_long_arguments_are_rejected_with_their_path) {
    std::string env = R"({"name":"A","value":"0123456789abcdef"})";
    for (int i = 0; i < 18; ++i) env += R"j(,{"name":"A","value":"$(A)$(A)"})j";
    expect(one(",\"env\":[" + env + "]"), {"spec.containers[0].env[13].value"});
}

BOOST_AUTO_TEST_CASE(pods_that_would_wait_forever_are_refused) {
    std::string const containers = R"("containers":[{"name":"a","command":["true"]}])";
    for (auto const& [name, value] : {std::pair("hostnameOverride", R"("other")"),
                                      {"runtimeClassName", R"("gvisor")"},
                                      {"resourceClaims", R"([{"name":"gpu"}])"}})
        expect(std::string("{\"") + name + "\":" + value + "," + containers + "}", {std::string("spec.") + name});
    expect(R"({"initContainers":[{"name":"s","command":["true"],"restartPolicy":"Always"}],)" + containers + "}", {});
}

BOOST_AUTO_TEST_CASE(objects_and_empty_directories_are_mounted) {
    std::string const mounted =
        R"("containers":[{"name":"a","command":["true"],"volumeMounts":[{"name":"v","mountPath":"/v",)"
        R"("subPath":"s"}]}]})";
    for (auto const* source :
         {R"("emptyDir":{})", R"("configMap":{"name":"x"})", R"("secret":{"secretName":"x"})",
          R"("persistentVolumeClaim":{"claimName":"x"})", R"("ephemeral":{"volumeClaimTemplate":{"spec":{}}})",
          R"("downwardAPI":{"items":[{"path":"p","fieldRef":{"fieldPath":"metadata.labels"}}]})",
          R"("projected":{"sources":[{"configMap":{"name":"x"}},{"secret":{"name":"x"}},
                             {"serviceAccountToken":{"path":"t"}}]})"}) {
        auto const spec = R"({"volumes":[{"name":"v",)" + std::string(source) + "}]," + mounted;
        expect(spec, {});
        // Nothing can be mounted there.
        BOOST_TEST(refused(spec, local::isolation::processes) ==
                       std::vector<std::string>{"spec.containers[0].volumeMounts"},
                   boost::test_tools::per_element());
    }
    expect(R"({"volumes":[{"name":"v"}],)" + mounted, {});
}

BOOST_AUTO_TEST_CASE(unsupported_volumes_and_mounts_are_rejected_with_their_path) {
    expect(R"j({"volumes":[{"name":"v","emptyDir":{}},{"name":"h","hostPath":{"path":"/"}},
                           {"name":"p","nfs":{"server":"s","path":"/p"}},{"name":"n","new":{}}],
                "containers":[{"name":"a","command":["true"],"volumeMounts":[
                    {"name":"v","mountPath":"/v","subPathExpr":"$(A)"},
                    {"name":"v","mountPath":"/w","mountPropagation":"Bidirectional"}]}]})j",
           {"spec.volumes[1].hostPath.path", "spec.volumes[2]", "spec.volumes[3]",
            "spec.containers[0].volumeMounts[1].mountPropagation"});
}

BOOST_AUTO_TEST_CASE(volumes_of_deep_unknown_kinds_are_rejected) {
    auto const deep = std::string(400, '[') + std::string(400, ']');
    expect(one("").insert(1, R"("volumes":[{"name":"v","new":)" + deep + "}],"), {"spec.volumes[0]"});
}

BOOST_AUTO_TEST_CASE(values_come_from_fields_and_objects) {
    expect(one(R"(,"envFrom":[{"configMapRef":{"name":"x"}},{"secretRef":{"name":"x"}}],"env":[
        {"name":"A","valueFrom":{"fieldRef":{"fieldPath":"metadata.labels['a']"}}},
        {"name":"B","valueFrom":{"configMapKeyRef":{"name":"x","key":"k"}}},
        {"name":"C","valueFrom":{"secretKeyRef":{"name":"x","key":"k"}}}])"),
           {});
    expect(
        one(R"(,"env":[{"name":"A","valueFrom":{"fieldRef":{"fieldPath":"spec.schedulerName"}}},
        {"name":"B","valueFrom":{"resourceFieldRef":{"resource":"limits.cpu"}}},
        {"name":"C","valueFrom":{"fileKeyRef":{"volumeName":"v","path":"p","key":"k"}}}])"),
        {"spec.containers[0].env[0].valueFrom.fieldRef.fieldPath", "spec.containers[0].env[2].valueFrom.fileKeyRef"});
}

BOOST_AUTO_TEST_CASE(probes_of_hosts_are_limited_to_addresses) {
    for (std::string const field : {"readinessProbe", "livenessProbe", "startupProbe"}) {
        auto const at = "spec.containers[0]." + field;
        auto const with = [&](std::string const& how) { return one(",\"" + field + "\":" + how); };
        expect(with(R"({"exec":{"command":["true"]}})"), {});
        expect(with(R"({"tcpSocket":{"port":22}})"), {});
        expect(with(R"({"httpGet":{"port":"http","path":"/healthz","host":"10.244.0.7"}})"), {});
        expect(with(R"({"grpc":{"port":22}})"), {at + ".grpc"});
        expect(with(R"({"httpGet":{"port":80,"scheme":"HTTPS","host":"example.org"}})"), {at + ".httpGet.host"});
        expect(with(R"({"tcpSocket":{"port":80,"host":"example.org"}})"), {at + ".tcpSocket.host"});
    }
}

BOOST_AUTO_TEST_CASE(hooks_are_supported_apart_from_other_signals) {
    expect(one(R"(,"lifecycle":{"preStop":{"sleep":{"seconds":1}},"postStart":{"exec":{"command":["true"]}}})"), {});
    expect(one(R"(,"lifecycle":{"preStop":{"httpGet":{"port":80}},"postStart":{"tcpSocket":{"port":80}}})"), {});
    expect(one(R"(,"lifecycle":{"preStop":{"httpGet":{"port":80,"scheme":"HTTPS","host":"h"}},"stopSignal":"SIGINT"})"),
           {"spec.containers[0].lifecycle.stopSignal", "spec.containers[0].lifecycle.preStop.httpGet.host"});
    expect(one(R"(,"restartPolicyRules":[{"action":"Restart"}])"), {"spec.containers[0].restartPolicyRules"});
}

BOOST_AUTO_TEST_CASE(names_are_resolved_only_in_the_cluster) {
    std::string const containers = R"("containers":[{"name":"a","command":["true"]}]})";
    auto const spec =
        R"({"dnsConfig":{"searches":["j.ns.svc.cluster.local"],"nameservers":["10.244.0.7"]},)" + containers;
    expect(spec, {});
    BOOST_TEST(refused(spec, local::isolation::processes) == std::vector<std::string>{"spec.dnsConfig"},
               boost::test_tools::per_element());
    expect(R"({"dnsConfig":{"nameservers":["10.244.0.1","1.1.1.1"]},)" + containers, {"spec.dnsConfig.nameservers[1]"});
}

// test/data/pods/README.md
BOOST_AUTO_TEST_CASE(pods_that_the_mpi_operator_makes_are_served) {
    std::ifstream in(KFTRAIN_SOURCE_DIR "/test/data/pods/mpi_operator.json");
    std::ostringstream text;
    text << in.rdbuf();
    auto const pods = boost::json::parse(text.str()).as_object();
    BOOST_TEST(pods.size() == 23u);
    std::map<std::string, std::vector<std::string>> found;
    for (auto const& [name, spec] : pods)
        if (auto paths = refused(boost::json::serialize(spec)); !paths.empty()) found[name] = std::move(paths);
    // Templates that leave the command to the image, or want the network of the node.
    std::map<std::string, std::vector<std::string>> const expected{
        {"rich-templates/rich-launcher", {"spec.hostNetwork", "spec.containers[1].command"}},
        {"rich-templates/rich-worker-0",
         {"spec.hostNetwork", "spec.containers[0].command", "spec.containers[1].command"}}};
    for (auto const& [name, paths] : found) BOOST_TEST_INFO(name);
    BOOST_TEST((found == expected));
}

BOOST_AUTO_TEST_CASE(host_namespaces_are_rejected) {
    for (std::string const field : {"hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace"}) {
        auto spec = one("");
        spec.insert(spec.size() - 1, ",\"" + field + "\":true");
        expect(spec, {"spec." + field});
        spec.replace(spec.size() - 5, 4, "false");
        expect(spec, {});
    }
}

BOOST_AUTO_TEST_CASE(empty_values_are_accepted) {
    auto spec = one(R"(,"volumeMounts":[],"envFrom":[],"env":[{"name":"A","valueFrom":null}])");
    spec.insert(spec.size() - 1, R"(,"volumes":[])");
    expect(spec, {});
}

BOOST_AUTO_TEST_CASE(settings_without_effect_on_programs_are_accepted) {
    auto spec =
        one(R"(,"imagePullPolicy":"Always","resources":{"limits":{"cpu":"1"}},"securityContext":{"runAsUser":0})");
    spec.insert(spec.size() - 1,
                R"(,"nodeSelector":{"a":"b"},"tolerations":[{"operator":"Exists"}],"priorityClassName":"x")");
    expect(spec, {});
}

BOOST_AUTO_TEST_SUITE_END()
