#include <kftrain/job/member_lookup.hpp>
#include <kftrain/kinds/pytorch_job_builder.hpp>
#include <kftrain/kinds/registry.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdio>

BOOST_AUTO_TEST_SUITE(kinds_injected_files)

using namespace kftrain;

namespace {

using lines = std::vector<std::string>;

member_lookup oracle_of(std::string const& text, operator_options const& reported = {}) {
    return member_lookup(parse_job(text).value(), reported);
}

/// The files of each container of a pod: `container path mode source`.
lines files(member_lookup const& of, std::string_view pod) {
    lines all;
    for (auto const& c : of.files_of(of.of_pod(pod).value()))
        for (auto const& f : c.files) {
            char mode[8];
            std::snprintf(mode, sizeof mode, "%04o", static_cast<unsigned>(f.mode));
            all.push_back(c.container + " " + f.path + " " + mode + " " + f.source);
        }
    return all;
}

std::string text(member_lookup const& of, std::string_view pod, std::string_view path) {
    for (auto const& c : of.files_of(of.of_pod(pod).value()))
        for (auto const& f : c.files)
            if (f.path == path) return f.text.value_or("secret");
    return "no such file";
}

std::string mpi_job_text(std::string const& version, int workers, std::string const& more = "") {
    return "{apiVersion: kubeflow.org/" + version +
           ", kind: MPIJob, metadata: {name: pi, namespace: ns}, spec: {mpiReplicaSpecs: {"
           "Launcher: {template: {spec: {containers: [{name: main, image: a" +
           more +
           "}]}}}, "
           "Worker: {replicas: " +
           std::to_string(workers) + ", template: {spec: {containers: [{name: main, image: a}]}}}}}}";
}

} // namespace

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/mpi/mpijob_controller.go`, `newLauncher`, `newWorker`,
/// `newConfigMap`.
BOOST_AUTO_TEST_CASE(mpi_v1_launchers_get_a_hostfile_and_all_pods_the_start_script) {
    auto const of = oracle_of(mpi_job_text("v1", 2));
    lines const expected{"kubectl-delivery /etc/mpi/kubexec.sh 0555 ConfigMap pi-config",
                         "kubectl-delivery /etc/mpi/hostfile 0444 ConfigMap pi-config",
                         "kubectl-delivery /etc/mpi/discover_hosts.sh 0555 ConfigMap pi-config",
                         "main /etc/mpi/kubexec.sh 0555 ConfigMap pi-config",
                         "main /etc/mpi/hostfile 0444 ConfigMap pi-config",
                         "main /etc/mpi/discover_hosts.sh 0555 ConfigMap pi-config"};
    BOOST_TEST(files(of, "pi-launcher") == expected, boost::test_tools::per_element());
    BOOST_TEST(files(of, "pi-worker-1") == lines{"main /etc/mpi/kubexec.sh 0555 ConfigMap pi-config"},
               boost::test_tools::per_element());
    BOOST_TEST(text(of, "pi-launcher", "/etc/mpi/hostfile") == "pi-worker-0 slots=1\npi-worker-1 slots=1\n");
    BOOST_TEST(text(of, "pi-launcher", "/etc/mpi/discover_hosts.sh") == "#!/bin/sh");
    BOOST_TEST(text(of, "pi-worker-0", "/etc/mpi/kubexec.sh").starts_with("#!/bin/sh\nset -x\nPOD_NAME=$1\n"));
}

/// Upstream: mpi-operator v0.8.0 `pkg/controller/mpi_job_controller.go`, `newConfigMap`, `setupSSHOnPod`.
BOOST_AUTO_TEST_CASE(mpi_v2beta1_launchers_get_a_hostfile_and_all_pods_hidden_keys) {
    auto const of = oracle_of(mpi_job_text("v2beta1", 2));
    lines const keys{"main /root/.ssh/id_rsa 0600 Secret pi-ssh", "main /root/.ssh/id_rsa.pub 0600 Secret pi-ssh",
                     "main /root/.ssh/authorized_keys 0600 Secret pi-ssh"};
    lines of_launcher = keys;
    of_launcher.emplace_back("main /etc/mpi/hostfile 0444 ConfigMap pi-config");
    of_launcher.emplace_back("main /etc/mpi/discover_hosts.sh 0555 ConfigMap pi-config");
    BOOST_TEST(files(of, "pi-launcher-x7k2p") == of_launcher, boost::test_tools::per_element());
    BOOST_TEST(files(of, "pi-worker-0") == keys, boost::test_tools::per_element());
    BOOST_TEST(text(of, "pi-worker-0", "/root/.ssh/id_rsa") == "secret");
    BOOST_TEST(text(of, "pi-launcher-x7k2p", "/etc/mpi/hostfile") ==
               "pi-worker-0.pi.ns.svc slots=1\npi-worker-1.pi.ns.svc slots=1\n");
    BOOST_TEST(text(of, "pi-launcher-x7k2p", "/etc/mpi/discover_hosts.sh") == "#!/bin/sh\n");
}

// Expected: recorded from v1.9.0, the job whose master has the host name h-mpi.
constexpr auto volcano_mpi = R"(
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {name: s5, namespace: corpus}
spec:
  minAvailable: 3
  plugins: {mpi: [--master=mpi-master, --worker=mpi-worker], ssh: [], svc: []}
  tasks:
    - {name: mpi-master, replicas: 1,
       template: {spec: {hostname: h-mpi, restartPolicy: Never, containers: [{name: c0, image: a}]}}}
    - {name: mpi-worker, replicas: 2, template: {spec: {restartPolicy: Never, containers: [{name: c0, image: a}]}}}
)";

BOOST_AUTO_TEST_CASE(all_volcano_pods_get_the_hosts_of_every_task) {
    auto const of = oracle_of(volcano_mpi);
    auto const found = files(of, "s5-mpi-worker-1");
    for (auto const* file : {"c0 /etc/volcano/mpi_master.host 0644 ConfigMap s5-svc",
                             "c0 /etc/volcano/mpi_worker.host 0644 ConfigMap s5-svc",
                             "c0 /etc/volcano/VC_MPI_WORKER_HOSTS 0644 ConfigMap s5-svc",
                             "c0 /root/.ssh/id_rsa 0600 Secret s5-ssh", "c0 /root/.ssh/config 0600 Secret s5-ssh"})
        BOOST_TEST((std::ranges::find(found, file) != found.end()), file);
    BOOST_TEST(found.size() == 10U);
    BOOST_TEST(text(of, "s5-mpi-worker-1", "/etc/volcano/mpi_master.host") == "h-mpi.s5");
    BOOST_TEST(text(of, "s5-mpi-master-0", "/etc/volcano/mpi_worker.host") == "s5-mpi-worker-0.s5\ns5-mpi-worker-1.s5");
    BOOST_TEST(text(of, "s5-mpi-master-0", "/etc/volcano/VC_MPI_WORKER_NUM") == "2");
    BOOST_TEST(text(of, "s5-mpi-master-0", "/root/.ssh/config") == "secret");
    BOOST_TEST(text(of, "s5-mpi-master-0", "/etc/mpi/hostfile") == "no such file");
}

BOOST_AUTO_TEST_CASE(operator_options_determine_the_files) {
    operator_options reported;
    BOOST_TEST_REQUIRE(read_operator_flag(reported, "--volcano-plugins=designed").has_value());
    BOOST_TEST(text(oracle_of(volcano_mpi, reported), "s5-mpi-master-0", "/etc/mpi/hostfile")
                   .starts_with("s5-mpi-worker-0.s5 slots=1\n"));
}

BOOST_AUTO_TEST_CASE(all_chainer_pods_get_scripts_and_the_master_the_hostfile) {
    auto const of = oracle_of(R"(
apiVersion: kubeflow.org/v1alpha1
kind: ChainerJob
metadata: {name: ch, namespace: ns}
spec:
  backend: mpi
  master: {template: {spec: {containers: [{name: chainer, image: a}]}}}
  workerSets:
    a: {replicas: 1, mpiConfig: {slots: 2}, template: {spec: {containers: [{name: chainer, image: a}]}}}
    b: {replicas: 2, template: {spec: {containers: [{name: chainer, image: a}]}}}
)");
    std::string const assets = "/kubeflow/chainer-operator/assets/";
    for (auto const* pod : {"ch-master-x7k2p", "ch-workerset-b-1"}) {
        BOOST_TEST(text(of, pod, assets + "statefulsets_and_slots") ==
                   "ch-workerset-a slots=2\nch-workerset-b slots=1\n");
        BOOST_TEST(text(of, pod, assets + "gen_hostfile.sh").starts_with("#!/bin/sh\n"));
        auto const found = files(of, pod);
        BOOST_TEST(
            (std::ranges::find(found, "chainer " + assets + "kubexeb.sh 0555 ConfigMap ch-assets") != found.end()));
    }
    // Workers in the order of the sets' names, the master last, whose pod the Job names.
    std::string const hostfile = "/kubeflow/chainer-operator/generated/hostfile";
    BOOST_TEST(text(of, "ch-master-x7k2p", hostfile) == "ch-workerset-a-0 slots=2\nch-workerset-b-0 slots=1\n"
                                                        "ch-workerset-b-1 slots=1\nch-master-* slots=1\n");
    BOOST_TEST(files(of, "ch-master-x7k2p").back() ==
               "chainer " + hostfile + " 0644 init container chainer-operator-hostfile-generator");
    BOOST_TEST(text(of, "ch-workerset-a-0", hostfile) == "no such file");
}

BOOST_AUTO_TEST_CASE(mounts_of_operator_objects_by_an_author_are_reported) {
    auto const of = oracle_of(R"(
apiVersion: kubeflow.org/v1
kind: MPIJob
metadata: {name: pi, namespace: ns}
spec:
  mpiReplicaSpecs:
    Launcher: {template: {spec: {containers: [{name: main, image: a}]}}}
    Worker:
      replicas: 1
      template:
        spec:
          volumes:
            - {name: mine, configMap: {name: mine}}
            - {name: whole, configMap: {name: pi-config, defaultMode: 256}}
            - name: some
              configMap: {name: pi-config, items: [{key: hostfile, path: a/hosts}, {key: lost, path: lost}]}
            - {name: both, projected: {sources: [{configMap: {name: pi-config, items: [{key: hostfile, path: p}]}}]}}
          containers:
            - name: main
              image: a
              volumeMounts:
                - {name: mine, mountPath: /mine}
                - {name: whole, mountPath: /hosts, subPath: hostfile}
                - {name: some, mountPath: /some/, subPath: a/}
                - {name: some, mountPath: /none, subPath: a/ho}
                - {name: both, mountPath: /both, subPathExpr: $(HOME)}
                - {name: both, mountPath: /projected}
)");
    lines const expected{"main /hosts 0400 ConfigMap pi-config", "main /some/hosts 0644 ConfigMap pi-config",
                         "main /projected/p 0644 ConfigMap pi-config",
                         "main /etc/mpi/kubexec.sh 0555 ConfigMap pi-config"};
    BOOST_TEST(files(of, "pi-worker-0") == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_pytorch_job_has_no_injected_files) {
    member_lookup const of(any_job(pytorch_job_builder("pt").in("n").image("a").workers(1).build().value()));
    auto const reported = of.files_of(of.layout().members.back());
    BOOST_TEST(reported.size() == of.environment_of(of.layout().members.back()).size());
    for (auto const& c : reported) BOOST_TEST(c.files.empty(), c.container);
}

BOOST_AUTO_TEST_CASE(copies_and_large_jobs_have_the_same_layout) {
    auto const of = oracle_of(mpi_job_text("v2beta1", 10'000));
    auto const copy = of;
    auto const hosts = text(copy, "pi-launcher-x7k2p", "/etc/mpi/hostfile");
    BOOST_TEST(std::ranges::count(hosts, '\n') == 10'000);
    BOOST_TEST(text(of, "pi-launcher-x7k2p", "/etc/mpi/hostfile") == hosts);
}

BOOST_AUTO_TEST_SUITE_END()
