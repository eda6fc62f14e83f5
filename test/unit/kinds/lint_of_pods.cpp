#include "unit/kinds/lint_of_manifests.hpp"

BOOST_AUTO_TEST_SUITE(kinds_lint_of_pods)

using namespace lint_of_manifests;

BOOST_AUTO_TEST_CASE(pods_that_share_ports_or_names_of_their_node_are_reported) {
    auto const of = [](std::string_view rule, std::string const& of_pod, int workers = 1) {
        return places(rule, torch_with("command: [torchrun, t.py]", "", workers, of_pod));
    };
    std::string const dns = "dnsPolicy: ClusterFirstWithHostNet, ";
    BOOST_TEST(of("lint.host-network", "hostNetwork: true, ") ==
               (lines{"spec.pytorchReplicaSpecs[Master].template.spec.dnsPolicy",
                      "spec.pytorchReplicaSpecs[Worker].template.spec.dnsPolicy"}));
    BOOST_TEST(of("lint.host-network", "hostNetwork: true, " + dns) == none);
    BOOST_TEST(of("lint.host-network", "") == none);
    BOOST_TEST(of("lint.host-port", "hostNetwork: true, " + dns) ==
               lines{"spec.pytorchReplicaSpecs[Master].template.spec.hostNetwork"});
    BOOST_TEST(of("lint.host-port", "") == none);
    auto const claims = [](std::string const& master, std::string const& worker) {
        auto const with = [](std::string const& ports) { return pod_text("pytorch", "ports: [" + ports + "]"); };
        return places("lint.host-port",
                      torch("Master: " + replicas(1, with(master)) + ", Worker: " + replicas(1, with(worker))));
    };
    std::string const plain = "{name: a, containerPort: 53}";
    std::string const tcp = "{name: t, containerPort: 53, hostPort: 53}";
    std::string const udp = "{name: u, containerPort: 53, hostPort: 53, protocol: UDP}";
    BOOST_TEST(claims(tcp + ", " + udp, plain) == none);
    BOOST_TEST(claims(tcp, udp) == none);
    BOOST_TEST(claims(tcp, "{name: o, containerPort: 53, hostPort: 53, hostIP: 10.0.0.1}") == none);
    BOOST_TEST(claims(udp, udp) == lines{"spec.pytorchReplicaSpecs[Master].template.spec"});
    auto const alone = pod_text("pytorch", "", "hostNetwork: true, ");
    for (auto const* rule : {"lint.host-network", "lint.host-port"})
        BOOST_TEST(places(rule, torch("Master: " + replicas(1, alone))) == none, rule);
    // These operators set the policy. Upstream: mpi-operator v0.8.0 `newWorker`; volcano v1.9.0 `patchDefaultSpec`.
    BOOST_TEST(places("lint.host-network", mpi("", "", 2, "", "hostNetwork: true, ")) == none);
    BOOST_TEST(places("lint.host-network",
                      volcano("{name: t, replicas: 2, template: " +
                              pod_text("m", "", "restartPolicy: Never, hostNetwork: true, ") + "}")) == none);
}

BOOST_AUTO_TEST_CASE(annotations_for_pods_belong_to_the_template) {
    auto const of = [](std::string const& metadata, std::string const& of_template = "") {
        auto const t = "{" + of_template + pod_text("pytorch", "").substr(1);
        return places("lint.pod-annotation", torch("Master: " + replicas(1, t), "", metadata));
    };
    std::string const istio = "annotations: {sidecar.istio.io/inject: 'false'}";
    BOOST_TEST(of(", " + istio) == lines{"metadata.annotations[sidecar.istio.io/inject]"});
    BOOST_TEST(of(", labels: {sidecar.istio.io/inject: 'false'}") == lines{"metadata.labels[sidecar.istio.io/inject]"});
    BOOST_TEST(of(", " + istio, "metadata: {" + istio + "}, ") == none);
    BOOST_TEST(of(", annotations: {team: a}") == none);
}

/// Upstream: mpi-operator v0.8.0 `pkg/controller/mpi_job_controller.go`, `setupSSHOnPod`; ssh(1) of OpenSSH.
BOOST_AUTO_TEST_CASE(ssh_keys_with_a_wrong_owner_are_reported) {
    auto const of = [](std::string_view rule, std::string const& context, std::string const& spec = "") {
        return places(rule, mpi("command: [mpirun, x]", "", 2, spec, "securityContext: {" + context + "}, "));
    };
    BOOST_TEST(of("lint.ssh-key-group", "fsGroup: 1337") == lines{launcher_path + ".securityContext.fsGroup"});
    BOOST_TEST(of("lint.ssh-key-group", "runAsGroup: 1337") == none);
    BOOST_TEST(of("lint.ssh-key-user", "runAsUser: 1000") == lines{launcher_path + ".securityContext.runAsUser"});
    BOOST_TEST(of("lint.ssh-key-user", "runAsUser: 0") == none);
    BOOST_TEST(of("lint.ssh-key-user", "runAsUser: 1000", "sshAuthMountPath: /home/mpi/.ssh, ") == none);
    BOOST_TEST(places("lint.ssh-key-user",
                      volcano("{name: t, replicas: 2, template: " +
                                  pod_text("m", "", "restartPolicy: Never, securityContext: {runAsUser: 1000}, ") + "}",
                              "plugins: {ssh: [], svc: []}, ")) ==
               lines{"spec.tasks[0].template.spec.securityContext.runAsUser"});
    BOOST_TEST(places("lint.ssh-key-user", torch_with("", "", 1, "securityContext: {runAsUser: 1000}, ")) == none);
}

BOOST_AUTO_TEST_CASE(gangs_need_a_flag_of_the_operator) {
    std::string const gang = "runPolicy: {schedulingPolicy: {queue: q}}, ";
    lines const flag{"--gang-scheduler-name=volcano"};
    BOOST_TEST(places("lint.gang-flag", torch_with("", gang)) == lines{"spec.runPolicy.schedulingPolicy"});
    BOOST_TEST(places("lint.gang-flag", torch_with("", gang), flag) == none);
    BOOST_TEST(places("lint.gang-flag", torch_with("", "", 1, "schedulerName: volcano, ")) ==
               lines{"spec.pytorchReplicaSpecs[Master].template.spec.schedulerName"});
    BOOST_TEST(places("lint.gang-flag", torch_with("", "", 1, "schedulerName: default-scheduler, ")) == none);
    BOOST_TEST(places("lint.mpi.gang-flag", mpi("", "", 2, gang)) == lines{"spec.runPolicy.schedulingPolicy"});
    BOOST_TEST(places("lint.mpi.gang-flag", mpi("", "", 2, gang), {"--gang-scheduling=volcano"}) == none);
    BOOST_TEST(places("lint.mpi.gang-flag", mpi("", "", 2, "", "schedulerName: volcano, ")) ==
               lines{launcher_path + ".schedulerName"});
}

/// Upstream: mpi-operator v0.8.0 `pkg/controller/podgroup.go`: minMember is the number of workers plus one.
BOOST_AUTO_TEST_CASE(a_launcher_that_waits_is_no_part_of_the_gang) {
    lines const flag{"--gang-scheduling=volcano"}, found{"spec.runPolicy.schedulingPolicy.minAvailable"};
    std::string const waits = "launcherCreationPolicy: WaitForWorkersReady, ";
    auto const of = [](std::string const& spec, lines const& flags = {}) {
        return places("lint.mpi.gang-deadlock", mpi("", "", 2, spec), flags);
    };
    BOOST_TEST(of(waits, flag) == found);
    BOOST_TEST(of(waits) == none);
    BOOST_TEST(of("", flag) == none);
    BOOST_TEST(of(waits + "runPolicy: {schedulingPolicy: {minAvailable: 2}}, ", flag) == none);
    BOOST_TEST(of(waits + "runPolicy: {schedulingPolicy: {minAvailable: 3}}, ") == found);
    BOOST_TEST(of("runPolicy: {schedulingPolicy: {minAvailable: 4}}, ") == found);
}

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/common/job.go`: past a limit all pods are deleted.
BOOST_AUTO_TEST_CASE(a_time_to_live_that_deletes_kept_pods_is_reported) {
    auto const of = [](std::string const& policy) {
        return places("lint.limits-delete-pods", torch_with("", "runPolicy: {" + policy + "}, "));
    };
    BOOST_TEST(of("cleanPodPolicy: None, backoffLimit: 3") == lines{"spec.runPolicy.cleanPodPolicy"});
    BOOST_TEST(of("cleanPodPolicy: None, activeDeadlineSeconds: 3") == lines{"spec.runPolicy.cleanPodPolicy"});
    BOOST_TEST(of("backoffLimit: 3") == none);
    BOOST_TEST(of("cleanPodPolicy: None") == none);
}

BOOST_AUTO_TEST_CASE(servers_and_launchers_that_the_cleaning_policy_keeps_are_reported) {
    auto const tf = [](std::string const& policy, int servers = 1) {
        return places("lint.tf.kept-servers",
                      kubeflow("TFJob", "v1", "tfReplicaSpecs",
                               (servers == 0 ? "" : "PS: " + replicas(servers, pod_text("tensorflow", "")) + ", ") +
                                   "Worker: " + replicas(2, pod_text("tensorflow", "")),
                               policy));
    };
    BOOST_TEST(tf("") == lines{"spec.runPolicy.cleanPodPolicy"});
    BOOST_TEST(tf("runPolicy: {cleanPodPolicy: Running}, ") == none);
    BOOST_TEST(tf("", 0) == none);
    BOOST_TEST(places("lint.mpi.kept-launcher", mpi("", "", 1, "runPolicy: {cleanPodPolicy: All}, ")) ==
               lines{"spec.runPolicy.cleanPodPolicy"});
    BOOST_TEST(places("lint.mpi.kept-launcher", mpi("", "", 1, "runPolicy: {cleanPodPolicy: Running}, ")) == none);
}

/// Kubelet: a container of a pod with restartPolicy OnFailure starts again, and the pod stays in the phase Running.
BOOST_AUTO_TEST_CASE(containers_that_start_again_do_not_fail_their_pod) {
    auto const of = [](std::string_view rule, std::string const& policy, std::string const& restart) {
        return places(rule, volcano(task("t", 1, "", restart), "policies: [{" + policy + "}], "));
    };
    constexpr std::string_view failure = "lint.volcano.failure-policy", whole = "lint.volcano.pod-failure";
    BOOST_TEST(of(failure, "exitCode: 3, action: RestartJob", "OnFailure") == lines{"spec.policies[0].exitCode"});
    BOOST_TEST(of(failure, "event: PodFailed, action: AbortJob", "OnFailure") == lines{"spec.policies[0].event"});
    BOOST_TEST(of(failure, "event: PodFailed, action: RestartJob", "OnFailure") == none);
    BOOST_TEST(of(whole, "event: PodFailed, action: RestartJob", "OnFailure") == lines{"spec.policies[0].event"});
    for (auto const rule : {failure, whole})
        for (auto const* policy : {"exitCode: 3, action: RestartJob", "event: PodFailed, action: AbortJob"})
            BOOST_TEST(of(rule, policy, "Never") == none, rule << policy);
    BOOST_TEST(of(failure, "event: PodEvicted, action: AbortJob", "OnFailure") == none);
    // One task whose pods fail is enough for a policy of the job.
    BOOST_TEST(places(failure, volcano(task("a", 1, "", "OnFailure") + ", " + task("b", 1, "", "Never"),
                                       "policies: [{event: PodFailed, action: AbortJob}], ")) == none);
}

/// Upstream: Kubernetes v1.31 `pkg/apis/core/validation/validation.go`: names of variables do not begin with a digit.
BOOST_AUTO_TEST_CASE(pods_that_a_server_rejects_are_reported) {
    auto const variable = [](std::string const& name) { return "env: [{name: '" + name + "', value: x}]"; };
    // Admission rejects other faults of templates. The plugin svc mounts its hosts at /etc/volcano.
    auto const in_volcano = [](std::string const& plugin) {
        auto const container = "volumeMounts: [{name: v, mountPath: /etc/volcano}]";
        auto const pod = pod_text("m", container, "restartPolicy: Never, volumes: [{name: v, emptyDir: {}}], ");
        return places("lint.volcano.pod",
                      volcano("{name: t, replicas: 1, template: " + pod + "}", "plugins: {" + plugin + ": []}, "))
            .size();
    };
    BOOST_TEST(in_volcano("svc") == 1U);
    BOOST_TEST(in_volcano("env") == 0U);
    auto const in_chainer = [&](std::string const& name) {
        return places("lint.chainer.pod",
                      kubeflow("ChainerJob", "v1alpha1", "master", "template: " + pod_text("chainer", variable(name)),
                               "backend: mpi, "))
            .size();
    };
    BOOST_TEST(in_chainer("1R") == 1U);
    BOOST_TEST(in_chainer("R1") == 0U);
    auto const in_v1alpha1 = [&](std::string const& name) {
        return "apiVersion: kubeflow.org/v1alpha1\nkind: PyTorchJob\nmetadata: {name: j}\nspec: {replicaSpecs: [{"
               "replicaType: MASTER, template: " +
               pod_text("pytorch", variable(name), "restartPolicy: OnFailure, ") + "}]}\n";
    };
    BOOST_TEST(places("lint.pytorch-v1alpha1.pod", in_v1alpha1("1R")).size() == 1U);
    BOOST_TEST(places("lint.pytorch-v1alpha1.pod", in_v1alpha1("R1")) == none);
}

/// Upstream: volcano v1.9.0 `admit_job.go` checks one name with the index of the task.
BOOST_AUTO_TEST_CASE(every_pod_name_of_a_task_is_a_host_name) {
    auto const of = [](int pods, std::string const& plugin) {
        return places("lint.volcano.pod-name",
                      volcano(task(std::string(59, 't'), pods, ""), "plugins: {" + plugin + ": []}, "));
    };
    BOOST_TEST(of(11, "svc") == lines{"spec.tasks[0].name"}); // j-t...t-10
    BOOST_TEST(of(10, "svc") == none);
    BOOST_TEST(of(11, "env") == none);
}

BOOST_AUTO_TEST_SUITE_END()
