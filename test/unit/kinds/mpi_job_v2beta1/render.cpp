#include "kinds/mpi_job_v2beta1/kind.hpp"
#include "unit/kinds/mpi_job_v2beta1/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_mpi_job_v2beta1_render)

using namespace mpi_sample;

// Expected: requests recorded from mpi-operator v0.8.0 in the case that is named, without what Go adds to empty
// structs.
namespace {

constexpr std::string_view owners =
    "ownerReferences: [{apiVersion: kubeflow.org/v2beta1, kind: MPIJob, name: NAME, uid: "
    "uid-of-job, controller: true, blockOwnerDeletion: true}]";
constexpr std::string_view keys = "name: ssh-auth, secret: {defaultMode: 384, secretName: NAME-ssh, items: [{key: "
                                  "ssh-privatekey, path: id_rsa}, {key: ssh-publickey, path: id_rsa.pub}, "
                                  "{key: ssh-publickey, path: authorized_keys}]}";
constexpr std::string_view config =
    "name: mpi-job-config, configMap: {name: NAME-config, items: [{key: hostfile, path: "
    "hostfile, mode: 292}, {key: discover_hosts.sh, path: discover_hosts.sh, mode: 365}]}";

/// The object of this YAML, where OWNERS, KEYS, CONFIG and NAME stand for what is in all of them.
template <class T> T object(std::string_view name, std::string text) {
    auto const put = [&](std::string_view what, std::string_view by) {
        for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
            text.replace(at, what.size(), by);
    };
    put("OWNERS", owners);
    put("KEYS", keys);
    put("CONFIG", config);
    put("NAME", name);
    return from_yaml<T>(text).value();
}

template <class T> void expect(T const& made, T const& expected) { BOOST_TEST(to_yaml(made) == to_yaml(expected)); }

mpi_job rich() {
    return complete(object<mpi_job>("rich", R"(
apiVersion: kubeflow.org/v2beta1
kind: MPIJob
metadata: {name: rich, namespace: corpus, uid: uid-of-job, labels: {from: job}, annotations: {from: job}}
spec:
  slotsPerWorker: 2
  mpiReplicaSpecs:
    Launcher:
      restartPolicy: Never
      template:
        metadata: {annotations: {note: l}, labels: {team: x, training.kubeflow.org/job-role: mine}}
        spec:
          containers:
          - {name: launcher, image: img, command: [mpirun], volumeMounts: [{name: data, mountPath: /data}],
             env: [{name: OMPI_MCA_orte_default_hostfile, value: /mine}, {name: A, value: b}]}
          - {name: sidecar, image: img}
          hostNetwork: true
          initContainers: [{name: init, image: img, command: ["true"]}]
          restartPolicy: Always
          serviceAccountName: sa
          volumes: [{name: data, emptyDir: {}}]
    Worker:
      replicas: 2
      restartPolicy: OnFailure
      template:
        metadata: {annotations: {note: w}, labels: {team: "y"}}
        spec:
          containers:
          - {name: worker, image: img, args: [only-args], env: [{name: K_MPI_JOB_ROLE, value: mine}]}
          - {name: sidecar, image: img}
          dnsConfig: {options: [{name: ndots, value: "2"}], searches: [corp.example]}
          hostNetwork: true
          initContainers: [{name: init, image: img, command: ["true"]}]
          restartPolicy: Always
          schedulerName: mine
)"));
}

std::string environment(core::pod_template_spec const& pod) {
    std::string all;
    for (auto const& v : pod.spec.containers.front().env) all += v.name + "=" + v.value + "\n";
    return all;
}

std::string launcher_environment(std::string implementation, std::int32_t slots, bool works) {
    mpi_job j = job("a", "n", 1);
    j.spec.mpi_implementation = std::move(implementation);
    j.spec.slots_per_worker = slots;
    j.spec.run_launcher_as_worker = works;
    return environment(render_launcher_template(complete(j), {}));
}

} // namespace

BOOST_AUTO_TEST_CASE(workers_keep_the_fields_of_their_template) {
    expect(render_worker(rich(), 1, {}), object<core::pod>("rich", R"(
metadata:
  name: rich-worker-1
  namespace: corpus
  annotations: {note: w}
  labels: {team: "y", training.kubeflow.org/job-name: rich, training.kubeflow.org/job-role: worker,
           training.kubeflow.org/operator-name: mpi-operator, training.kubeflow.org/replica-index: "1"}
  OWNERS
spec:
  containers:
  - {name: worker, image: img, args: [only-args], volumeMounts: [{name: ssh-auth, mountPath: /root/.ssh}],
     env: [{name: K_MPI_JOB_ROLE, value: mine}, {name: K_MPI_JOB_ROLE, value: worker}]}
  - {name: sidecar, image: img}
  initContainers: [{name: init, image: img, command: ["true"]}]
  dnsConfig: {options: [{name: ndots, value: "2"}], searches: [corp.example, rich.corpus.svc.cluster.local]}
  dnsPolicy: ClusterFirstWithHostNet
  hostNetwork: true
  hostname: rich-worker-1
  restartPolicy: OnFailure
  schedulerName: mine
  subdomain: rich
  volumes: [{KEYS}]
)"));
}

BOOST_AUTO_TEST_CASE(launchers_keep_the_fields_of_their_template) {
    expect(render_launcher(rich(), {}), object<batch::job>("rich", R"(
metadata: {name: rich-launcher, namespace: corpus, labels: {app: rich}, OWNERS}
spec:
  template:
    metadata:
      annotations: {note: l}
      labels: {team: x, training.kubeflow.org/job-name: rich, training.kubeflow.org/job-role: launcher,
               training.kubeflow.org/operator-name: mpi-operator}
      OWNERS
    spec:
      containers:
      - name: launcher
        image: img
        command: [mpirun]
        env: [{name: OMPI_MCA_orte_default_hostfile, value: /mine}, {name: A, value: b},
              {name: K_MPI_JOB_ROLE, value: launcher}, {name: OMPI_MCA_orte_keep_fqdn_hostnames, value: "true"},
              {name: OMPI_MCA_orte_default_hostfile, value: /etc/mpi/hostfile},
              {name: OMPI_MCA_plm_rsh_args, value: -o ConnectionAttempts=10},
              {name: OMPI_MCA_orte_set_default_slots, value: "2"}, {name: NVIDIA_VISIBLE_DEVICES},
              {name: NVIDIA_DRIVER_CAPABILITIES}]
        volumeMounts: [{name: data, mountPath: /data}, {name: ssh-auth, mountPath: /root/.ssh},
                       {name: mpi-job-config, mountPath: /etc/mpi}]
      - {name: sidecar, image: img}
      initContainers: [{name: init, image: img, command: ["true"]}]
      dnsPolicy: ClusterFirstWithHostNet
      hostNetwork: true
      hostname: rich-launcher
      restartPolicy: Never
      serviceAccountName: sa
      subdomain: rich
      volumes: [{name: data, emptyDir: {}}, {KEYS}, {CONFIG}]
)"));
}

BOOST_AUTO_TEST_CASE(service_config_map_and_secret_are_rendered) {
    auto const j = rich();
    expect(render_service(j, {}), object<core::service>("rich", R"(
metadata: {name: rich, namespace: corpus, labels: {app: rich}, OWNERS}
spec:
  clusterIP: None
  selector: {training.kubeflow.org/job-name: rich, training.kubeflow.org/operator-name: mpi-operator}
)"));
    expect(render_config_map(j, {"rich-worker-1"}, {}), object<core::config_map>("rich", R"(
metadata: {name: rich-config, namespace: corpus, labels: {app: rich}, OWNERS}
data:
  hostfile: "rich-worker-0.rich.corpus.svc slots=2\nrich-worker-1.rich.corpus.svc slots=2\n"
  discover_hosts.sh: "#!/bin/sh\necho rich-worker-1.rich.corpus.svc\n"
)"));
    expect(render_secret(j), object<core::secret>("rich", R"(
metadata: {name: rich-ssh, namespace: corpus, labels: {app: rich}, OWNERS}
type: kubernetes.io/ssh-auth
)"));
}

BOOST_AUTO_TEST_CASE(workers_run_sshd_by_default) {
    auto j = complete(job("a", "n", 1));
    auto& main = j.spec.mpi_replica_specs["Worker"].template_.spec.containers.front();
    auto const command = [&] { return render_worker(j, 0, {}).spec.containers.front().command; };
    BOOST_TEST(command() == (lines{"/usr/sbin/sshd", "-De"}));
    main.command = {"/entrypoint.sh"};
    BOOST_TEST(command() == (lines{"/entrypoint.sh"}));
    BOOST_TEST(render_worker(j, 0, {}).spec.restart_policy == "Never");
    BOOST_TEST(render_launcher_template(j, {}).spec.restart_policy == "OnFailure");
}

BOOST_AUTO_TEST_CASE(each_mpi_implementation_has_its_variables) {
    std::string const role = "K_MPI_JOB_ROLE=launcher\n";
    std::string const no_gpus = "NVIDIA_VISIBLE_DEVICES=\nNVIDIA_DRIVER_CAPABILITIES=\n";
    std::string const open = role + "OMPI_MCA_orte_keep_fqdn_hostnames=true\n"
                                    "OMPI_MCA_orte_default_hostfile=/etc/mpi/hostfile\n"
                                    "OMPI_MCA_plm_rsh_args=-o ConnectionAttempts=10\n"
                                    "OMPI_MCA_orte_set_default_slots=2\n";
    BOOST_TEST(launcher_environment("OpenMPI", 2, false) == open + no_gpus);
    BOOST_TEST(launcher_environment("OpenMPI", 2, true) == open);
    BOOST_TEST(launcher_environment("Intel", 5, false) ==
               role +
                   "I_MPI_HYDRA_HOST_FILE=/etc/mpi/hostfile\n"
                   "I_MPI_HYDRA_BOOTSTRAP_EXEC_EXTRA_ARGS=-o ConnectionAttempts=10\nI_MPI_PERHOST=5\n" +
                   no_gpus);
    BOOST_TEST(launcher_environment("MPICH", 5, false) ==
               role + "HYDRA_HOST_FILE=/etc/mpi/hostfile\nHYDRA_LAUNCH_EXTRA_ARGS=-o ConnectionAttempts=10\n" +
                   no_gpus);
}

BOOST_AUTO_TEST_CASE(keys_are_secret_in_the_folder_of_root_only) {
    auto j = complete(job("a", "n", 1));
    auto const mode = [&] { return render_worker(j, 0, {}).spec.volumes.back().secret->default_mode; };
    BOOST_TEST(mode().value() == 0600);
    j.spec.ssh_auth_mount_path = "/home/mpiuser/.ssh";
    BOOST_TEST(!mode());
    BOOST_TEST(render_worker(j, 0, {}).spec.containers.front().volume_mounts.back().mount_path == "/home/mpiuser/.ssh");
}

BOOST_AUTO_TEST_CASE(a_launcher_that_works_counts_as_host_0) {
    // launcher-as-worker, of both releases
    auto j = job("rlaw", "corpus", 2);
    j.spec.run_launcher_as_worker = true;
    j = complete(j);
    std::string const index = "training.kubeflow.org/replica-index";
    BOOST_TEST(render_worker(j, 1, {}).metadata.labels.at(index) == "2");
    BOOST_TEST(render_launcher_template(j, {}).metadata.labels.at(index) == "0");
    BOOST_TEST(render_service(j, {}).spec.publish_not_ready_addresses);

    auto const old = release(mpi_operator_release::v0_6_0);
    BOOST_TEST(render_worker(j, 1, old).metadata.labels.at(index) == "1");
    BOOST_TEST(!render_launcher_template(j, old).metadata.labels.contains(index));
    BOOST_TEST(!render_service(j, old).spec.publish_not_ready_addresses);
}

BOOST_AUTO_TEST_CASE(the_run_policy_is_copied_to_the_launcher_job) {
    auto j = complete(job("a", "n", 1));
    auto made = render_launcher(j, {}).spec;
    BOOST_TEST(!made.suspend);
    BOOST_TEST(!made.backoff_limit);
    BOOST_TEST(!made.pod_replacement_policy);
    auto& policy = j.spec.run_policy;
    policy.ttl_seconds_after_finished = 906;
    policy.active_deadline_seconds = 1073;
    policy.backoff_limit = 0;
    policy.suspend = true;
    made = render_launcher(j, release(mpi_operator_release::v0_8_2)).spec;
    BOOST_TEST(made.ttl_seconds_after_finished.value() == 906);
    BOOST_TEST(made.active_deadline_seconds.value() == 1073);
    BOOST_TEST(made.backoff_limit.value() == 0);
    BOOST_TEST(made.suspend.value());
    BOOST_TEST(made.pod_replacement_policy.value() == "Failed");
}

BOOST_AUTO_TEST_SUITE_END()
