#ifndef KFTRAIN_SRC_CLI_CLUSTER_KUBECTL_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_KUBECTL_HPP

namespace kftrain::cli {

/** What the program does under the name `kubectl`: the calls that the launchers of MPIJobs and ChainerJobs make,

        kubectl [-n NAMESPACE] exec [-i] [-t] POD [-c CONTAINER] -- COMMAND...
        kubectl [-n NAMESPACE] get pod|statefulset NAME -o jsonpath={.FIELD.FIELD}

    with the kubeconfig or the service account that kubectl would use. Exit codes are those of kubectl: that of the
    command, or 1. */
int run_as_kubectl(int argc, char** argv);

} // namespace kftrain::cli

#endif
