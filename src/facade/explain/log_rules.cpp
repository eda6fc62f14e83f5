#include "facade/explain/log_rules.hpp"

#include <array>

namespace kftrain::explaining {
namespace {

constexpr auto root_line = line_rank::root;
constexpr auto general_line = line_rank::general;
constexpr auto consequence_line = line_rank::consequence;

constexpr std::string_view free_memory =
    "The device has too little memory. Reduce the batch size or the model per device, or use devices with more memory.";
constexpr std::string_view no_device =
    "The program finds no device. Request devices in the resources of the container, and check the driver of the node.";
constexpr std::string_view ssh_key =
    "ssh rejects the private key. The file must belong to the user of the container and have mode 0600: an fsGroup in "
    "the securityContext makes it readable for the group.";
constexpr std::string_view other_version =
    "Use the same image for all replicas. Their libraries have different versions.";
constexpr std::string_view shared_memory =
    "The shared memory of the container is full. Mount an emptyDir with medium Memory at /dev/shm.";
constexpr std::string_view no_program =
    "The image does not contain this program, or it is not in PATH. Install it in the image, or correct the command.";
constexpr std::string_view late_replica =
    "Not all replicas joined in time. Check which replica is missing or stuck, and whether all replicas use the same "
    "address, port and number of replicas.";
constexpr std::string_view other_replica =
    "Another replica failed or cannot be reached. Find the replica that failed first.";
constexpr std::string_view port_in_use =
    "Another process listens on the port already. With hostNetwork, replicas on one node need different ports.";

constexpr std::array known_rules{
    // ssh and Open MPI
    log_rule{
        root_line,
        "host key verification failed",
        {},
        "Let ssh accept the host keys of the workers: set StrictHostKeyChecking no in the ssh configuration of the "
        "image of the launcher."},
    log_rule{root_line, "unprotected private key file", {}, ssh_key},
    log_rule{root_line, "bad permissions", {}, ssh_key},
    log_rule{root_line,
             "permission denied (publickey",
             {},
             "The worker rejects the ssh key. Check that sshd of the worker reads the authorized keys of the job, and "
             "that the key belongs to the user that mpirun uses."},
    log_rule{root_line,
             "there are not enough slots available",
             {},
             "mpirun starts more processes than there are slots. Lower its -np, or raise slotsPerWorker or the number "
             "of workers."},
    log_rule{
        root_line, "no host keys available", {}, "sshd has no host keys. Create them in the image with ssh-keygen -A."},
    log_rule{root_line, "unable to find the specified executable file", {}, no_program},
    log_rule{root_line, "could not find an executable", {}, no_program},
    log_rule{root_line, "unable to launch the specified application", {}, no_program},
    log_rule{root_line,
             "detected an attempt to run as root",
             {},
             "Pass --allow-run-as-root to mpirun, or set OMPI_ALLOW_RUN_AS_ROOT and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM to "
             "1."},
    log_rule{root_line, "orted: ", "not found",
             "Open MPI is missing on the worker, or not in the PATH of ssh sessions."},
    log_rule{root_line, "prted: ", "not found",
             "Open MPI is missing on the worker, or not in the PATH of ssh sessions."},
    log_rule{root_line,
             "are unable to reach each other for mpi communications",
             {},
             "Let Open MPI use the network of the pods: pass --mca btl_tcp_if_include with the name of its interface, "
             "and the BTLs that all processes have."},
    log_rule{root_line,
             "but cannot find a corresponding process entry for that peer",
             {},
             "Open MPI mixes up interfaces. Pass --mca btl_tcp_if_include with the name of the interface of the pods."},
    log_rule{root_line,
             "could not resolve hostname",
             {},
             "The name of a worker does not resolve. Check that the worker runs, and that its service exists."},
    // NCCL, CUDA and other devices
    log_rule{root_line,
             "no socket interface found",
             {},
             "NCCL finds no network interface. Correct or remove NCCL_SOCKET_IFNAME."},
    log_rule{root_line, "mismatched nccl version", {}, other_version},
    log_rule{root_line, "nccl version mismatch", {}, other_version},
    log_rule{root_line, "cuda out of memory", {}, free_memory},
    log_rule{root_line, "outofmemoryerror", {}, free_memory},
    log_rule{root_line, "cuda_error_out_of_memory", {}, free_memory},
    log_rule{root_line, "cuda error(2)", {}, free_memory},
    log_rule{root_line, "resource_exhausted", "memory", free_memory},
    log_rule{root_line, "resourceexhaustederror", {}, free_memory},
    log_rule{root_line, "oom when allocating tensor", {}, free_memory},
    log_rule{root_line,
             "cuda driver version is insufficient",
             {},
             "The driver of the node is older than the image needs. Use an image for an older CUDA version, or other "
             "nodes."},
    log_rule{root_line,
             "no kernel image is available for execution",
             {},
             "The image was not built for this type of device. Use another build of the framework, or other nodes."},
    log_rule{root_line, "found no nvidia driver", {}, no_device},
    log_rule{root_line, "no cuda gpus are available", {}, no_device},
    log_rule{root_line, "no cuda-capable device is detected", {}, no_device},
    log_rule{root_line,
             "not compiled with cuda",
             {},
             "The framework in the image was built without CUDA. Use an image with a build for CUDA."},
    log_rule{root_line, "insufficient shared memory", {}, shared_memory},
    log_rule{root_line, "unable to allocate shared memory", {}, shared_memory},
    log_rule{root_line, "unable to open shared memory object", {}, shared_memory},
    log_rule{root_line, "/dev/shm", "no space left on device", shared_memory},
    log_rule{root_line,
             "no space left on device",
             {},
             "A file system is full. Write less, mount a larger volume, or mount an emptyDir with medium Memory at "
             "/dev/shm if the path is there."},
    log_rule{root_line, "disk quota exceeded", {}, "A quota of the file system is used up. Delete files, or raise it."},
    // Programs, files and ports
    log_rule{root_line,
             "exec format error",
             {},
             "The program was built for another processor architecture, or is a script without #! line. Use an image "
             "for the architecture of the nodes."},
    log_rule{root_line,
             "modulenotfounderror",
             {},
             "Install the Python module in the image, or correct PYTHONPATH or the name of the module."},
    log_rule{root_line, "python", ": no module named",
             "Install the Python module in the image, or correct PYTHONPATH or the name of the module."},
    log_rule{root_line,
             "cannot open shared object file",
             {},
             "The image lacks this library, or LD_LIBRARY_PATH does not contain its directory."},
    log_rule{root_line, "can't open file", "no such file or directory",
             "The script is not in the image at this path. Correct the path, or mount or build in the script."},
    log_rule{root_line, "could not start grpc server", {}, port_in_use},
    log_rule{root_line, "eaddrinuse", {}, port_in_use},
    log_rule{root_line, "address already in use", {}, port_in_use},
    log_rule{root_line, ": command not found", {}, no_program},
    log_rule{root_line, "sh: ", ": not found", no_program},
    log_rule{root_line,
             "permissionerror",
             {},
             "Give the user of the container access to the file, or run it as another user."},
    log_rule{root_line, "sh: ", ": permission denied",
             "Make the file executable, and mount its file system without noexec."},
    log_rule{root_line, "unrecognized arguments:", {}, "Correct the arguments of the program. It does not know these."},
    log_rule{root_line, "the following arguments are required:", {}, "Pass these arguments to the program."},
    // Replicas that did not meet
    log_rule{general_line, "clients joined", {}, late_replica},
    log_rule{general_line, "rendezvoustimeouterror", {}, late_replica},
    log_rule{general_line, "socket timeout", {}, late_replica},
    log_rule{general_line, "wait timeout", {}, late_replica},
    log_rule{general_line, "timed out waiting", {}, late_replica},
    log_rule{general_line, "barrier timed out", {}, late_replica},
    log_rule{general_line,
             "caught collective operation timeout",
             {},
             "A replica did not take part in a collective operation. Compare the logs and stack traces of all ranks."},
    log_rule{
        general_line,
        "unhandled system error",
        {},
        "NCCL failed in a system call. Set NCCL_DEBUG=INFO for the reason, and check NCCL_SOCKET_IFNAME, limits on "
        "locked memory, and the size of /dev/shm."},
    log_rule{general_line, "unhandled cuda error", {}, "Set NCCL_DEBUG=INFO for the reason."},
    log_rule{general_line,
             "exited on signal",
             {},
             "A process was killed by a signal. Check the memory limit of the worker, and the lines of that rank."},
    log_rule{general_line, "mpi_abort was invoked", {}, "A rank aborted the job. Check its lines in the log."},
    log_rule{general_line, "check failed:", {}, "An assertion of native code failed. The line names the condition."},
    log_rule{general_line,
             "segmentation fault",
             {},
             "The program crashed in native code. Check the versions of drivers and libraries."},
    log_rule{general_line, "xgboosterror", {}, "Correct what the message names."},
    // Replicas that lost others
    log_rule{consequence_line, "childfailederror", {}, "A child process failed. Check the error of that process."},
    log_rule{consequence_line, "signalexception", {}, "The program was asked to end."},
    log_rule{consequence_line, "connection reset by peer", {}, other_replica},
    log_rule{consequence_line, "connection closed by peer", {}, other_replica},
    log_rule{consequence_line, "remote process exited", {}, other_replica},
    log_rule{consequence_line, "ncclremoteerror", {}, other_replica},
    log_rule{consequence_line, "broken pipe", {}, other_replica},
    log_rule{consequence_line, "socket closed", {}, other_replica},
    log_rule{consequence_line, "failed to connect to all addresses", {}, other_replica},
    log_rule{consequence_line, "client socket has failed to connect", {}, other_replica},
    log_rule{consequence_line, "client socket has timed out", {}, other_replica},
    log_rule{consequence_line, "rendezvousconnectionerror", {}, other_replica},
    log_rule{consequence_line, "failed to connect to tracker", {}, other_replica},
    log_rule{consequence_line, "heartbeat timeout", {}, other_replica},
    log_rule{consequence_line, "ssh: connect to host", "connection refused",
             "sshd does not run on the worker. Check why the worker ended, or has not started."},
    log_rule{consequence_line,
             "ssh: connect to host",
             {},
             "The launcher cannot reach the worker. Check that the worker runs, and network policies."},
    log_rule{consequence_line, "connection refused", {}, other_replica},
    log_rule{consequence_line,
             "has unexpectedly failed after launch",
             {},
             "The launcher could not start Open MPI on a worker. Check the lines before this one, and the worker."},
    log_rule{consequence_line,
             "was unable to reliably start one or more daemons",
             {},
             "The launcher could not start Open MPI on a worker. Check the lines before this one, and the worker."},
};

} // namespace

std::span<log_rule const> log_rules() noexcept { return known_rules; }

} // namespace kftrain::explaining
