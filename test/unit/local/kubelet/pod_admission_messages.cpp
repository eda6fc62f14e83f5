#include <kftrain/local/kubelet.hpp>
#include <kftrain/model/codec.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

/// The messages of the local cluster about parts of pods that it does not support.
BOOST_AUTO_TEST_SUITE(local_pod_admission_messages)

using namespace kftrain;

namespace {

using local::isolation;

/// The messages, without what they have in common.
std::vector<std::string> messages(std::string const& spec, isolation mode) {
    auto const p = from_json<pod>(R"({"metadata":{"name":"a"},"spec":)" + spec + "}").value();
    std::vector<std::string> all;
    for (auto const& i : local::unsupported_parts(p, mode)) {
        auto text = i.message;
        std::string const common = "the local cluster does not support this: ";
        auto const at = text.find(common);
        BOOST_TEST_REQUIRE(at != text.npos, text);
        all.push_back(text.erase(at, common.size()));
    }
    return all;
}

struct row {
    std::string part; ///< JSON
    std::string expected;
};

} // namespace

BOOST_AUTO_TEST_CASE(unsupported_fields_of_pods_are_rejected) {
    row const rows[] = {
        {R"("runtimeClassName":"gvisor")", "runtimeClassName: all containers run in the same runtime"},
        {R"("resourceClaims":[{"name":"gpu"}])", "resourceClaims: the local cluster does not allocate devices"},
        {R"("hostNetwork":true)", "hostNetwork: every pod has its own network"},
        {R"("hostPID":true)", "hostPID: every pod has its own process ids"},
        {R"("hostIPC":true)", "hostIPC: pods are isolated from each other"},
        {R"("shareProcessNamespace":true)",
         "shareProcessNamespace: the containers of a pod always share their process ids"},
        {R"("hostnameOverride":"h")", "hostnameOverride: the host name is always that of the pod"},
        {R"("dnsConfig":{"nameservers":["8.8.8.8"]})",
         "dnsConfig.nameservers[0]: pods have no connection to other networks"},
        {R"("initContainers":[{"name":"s","command":["true"],"restartPolicy":"Never"}])",
         "initContainers[0].restartPolicy: expected Always, which makes a sidecar, got \"Never\""},
        {R"("volumes":[{"name":"v","nfs":{"server":"nas","path":"/x"}}])",
         "volumes[0]: volume \"v\" is nfs \"nas\", which this machine cannot mount; use a persistentVolumeClaim and "
         "bind it to a directory with --volume CLAIM=DIR (volumes in C++ and Python)"},
        {R"("volumes":[{"name":"v","hostPath":{"path":"/data"}}])",
         "volumes[0].hostPath.path: volume \"v\" is hostPath \"/data\", which is in no directory that pods may mount; "
         "allow it with --host-path /data (host_paths in C++ and Python)"},
        {R"("volumes":[{"name":"v","hostPath":{"path":"/run/x.sock","type":"Socket"}}])",
         "volumes[0].hostPath.type: only files and directories can be mounted"},
        {R"("volumes":[{"name":"v","downwardAPI":{"items":[{"path":"p","fieldRef":{"fieldPath":"status.podIP"}}]}}])",
         "volumes[0].downwardAPI.items[0].fieldRef.fieldPath: \"status.podIP\" is not a supported field for files"},
        {R"("volumes":[{"name":"v","configMap":{"name":"m","items":[{"key":"k","path":"a\u0000b"}]}}])",
         "volumes[0].configMap.items[0].path: a text with a NUL byte"},
        {R"("volumes":[{"name":"v","projected":{"sources":[{"serviceAccountToken":{"path":"a\u0000b"}}]}}])",
         "volumes[0].projected.sources[0].serviceAccountToken.path: a text with a NUL byte"},
    };
    for (auto const& r : rows) {
        auto const found =
            messages("{" + r.part + R"(,"containers":[{"name":"a","command":["true"]}]})", isolation::namespaces);
        BOOST_TEST(found == std::vector{"spec." + r.expected}, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(unsupported_fields_of_containers_are_rejected) {
    row const rows[] = {
        {R"("image":"i")",
         "command: images are not pulled; set command to a program of this machine, or give the image one with "
         "--command 'i=PROGRAM' (commands in C++ and Python)"},
        {R"("command":["true"],"lifecycle":{"stopSignal":"SIGUSR1"})",
         "lifecycle.stopSignal: containers are stopped by SIGTERM"},
        {R"("command":["true"],"restartPolicyRules":[{"action":"Restart"}])",
         "restartPolicyRules: only the restart policy of the pod applies"},
        {R"("command":["true"],"readinessProbe":{"grpc":{"port":1}})",
         "readinessProbe.grpc: only exec, tcpSocket and httpGet probes are supported"},
        {R"("command":["true"],"livenessProbe":{"tcpSocket":{"host":"h","port":1}})",
         "livenessProbe.tcpSocket.host: only IPv4 addresses are supported"},
        {R"("command":["a\u0000"])", "command[0]: a text with a NUL byte"},
        {R"("command":["true"],"volumeMounts":[{"name":"v","mountPath":"/v\u0000"}])",
         "volumeMounts[0].mountPath: a text with a NUL byte"},
        {R"("command":["true"],"livenessProbe":{"exec":{"command":["a","\u0000"]}})",
         "livenessProbe.exec.command[1]: a text with a NUL byte"},
        {R"("command":["true"],"env":[{"name":"A","valueFrom":{"fileKeyRef":{"key":"k"}}}])",
         "env[0].valueFrom.fileKeyRef: variables cannot come from files"},
        {R"("command":["true"],"env":[{"name":"A","valueFrom":{"fieldRef":{"fieldPath":"spec.x"}}}])",
         "env[0].valueFrom.fieldRef.fieldPath: \"spec.x\" is not a supported field for variables"},
        {R"("command":["true"],"volumeMounts":[{"name":"v","mountPath":"/v","mountPropagation":"Bidirectional"}])",
         "volumeMounts[0].mountPropagation: a mount is visible only in its container"},
    };
    for (auto const& r : rows) {
        auto const found = messages(R"({"containers":[{"name":"a",)" + r.part + "}]}", isolation::namespaces);
        BOOST_TEST(found == std::vector{"spec.containers[0]." + r.expected}, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(pods_that_need_namespaces_are_rejected_without_them) {
    auto const found = messages(R"({"subdomain":"s","hostAliases":[{"ip":"10.0.0.1"}],"dnsConfig":{"searches":["s"]},
        "initContainers":[{"name":"i","command":["true"]}],
        "containers":[{"name":"a","command":["true"],"volumeMounts":[{"name":"v","mountPath":"/v"}]}]})",
                                isolation::processes);
    std::string const no_names = ": without namespaces the names of pods and services cannot be resolved";
    BOOST_TEST(found == (std::vector<std::string>{"spec.initContainers" + no_names, "spec.subdomain" + no_names,
                                                  "spec.dnsConfig" + no_names,
                                                  "spec.hostAliases: without namespaces a pod has no hosts file of "
                                                  "its own",
                                                  "spec.containers[0].volumeMounts: without namespaces pods cannot "
                                                  "mount volumes"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
