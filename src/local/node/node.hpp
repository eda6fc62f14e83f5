#ifndef KFTRAIN_SRC_LOCAL_NODE_NODE_HPP
#define KFTRAIN_SRC_LOCAL_NODE_NODE_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/base/error.hpp>
#include <kftrain/kube/initiate.hpp>
#include <kftrain/local/isolation.hpp>
#include <kftrain/local/log_limits.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kftrain::local {

namespace asio = boost::asio;

struct node_options {
    node_options() = default;

    std::filesystem::path helper; ///< the helper executable; empty: that of find_sandbox_helper()
    /// Absolute; absent or empty on start, gone after stop. Empty: a new one in /tmp.
    std::filesystem::path run_directory;
    isolation mode = isolation::automatic;
    /// Called when a node that runs has ended by itself, before its directory is removed.
    std::function<void()> on_end;
};

/// A file or directory of the host that a pod or container sees at `target`; the host need not have that name.
struct bind_mount {
    bind_mount() = default;
    bind_mount(std::string from, std::string to, bool ro = false)
        : source(std::move(from)), target(std::move(to)), read_only(ro) {}

    std::string source;
    std::string target;
    bool read_only = false;
    bool follows_links = true; ///< if false, mounting fails when a part of `source` is a link
};

/// A directory of the host that is a memory file system in a pod.
struct memory_mount {
    memory_mount() = default;

    std::string path;
    std::int64_t size = 0;  ///< in bytes; 0: as the kernel limits it, to half of the memory
    std::int64_t group = 0; ///< which owns it
};

struct pod_sandbox {
    pod_sandbox() = default;

    std::string id;          ///< unique in the node
    std::string hostname;    ///< at most 64 bytes; without namespaces the host keeps its name
    std::string address;     ///< in 10.244.0.0/16 but not 10.244.0.1; without namespaces in 127.0.0.0/8
    std::string hosts_file;  ///< appears as /etc/hosts; empty: the host's. Change it in place, not by renaming
    std::string resolv_conf; ///< appears as /etc/resolv.conf; empty: the host's
    std::vector<bind_mount> mounts;
    std::vector<memory_mount> memory;
};

/// The root file system of an image.
struct image_root {
    image_root() = default;

    std::string lower; ///< a directory, which stays as it is
    std::string layer; ///< an empty directory for what the container writes
    bool read_only = false;
};

/// As whom and with what rights a container runs.
struct process_rights {
    process_rights() = default;

    /// `USER` or `USER:GROUP`, names or numbers, in the files of the container. Absent: the user of this process
    std::optional<std::string> user;
    std::vector<std::int64_t> groups;               ///< further groups; ignored in user namespaces
    std::vector<std::int64_t> dropped_capabilities; ///< numbers
    bool no_new_privileges = false;
};

/// Limits of all processes of a container together; 0: no limit.
struct resource_limits {
    resource_limits() = default;

    std::int64_t memory = 0; ///< bytes
    std::int64_t cpu = 0;    ///< thousandths of a processor
    friend bool operator==(resource_limits const&, resource_limits const&) = default;
};

struct container_process {
    container_process() = default;

    std::string pod;
    std::string container;
    std::vector<std::string> argv;  ///< the command is looked up in PATH of `env`
    std::vector<std::string> env;   ///< NAME=value; the whole environment
    std::string working_dir;        ///< empty: /
    std::vector<bind_mount> mounts; ///< seen by this container only
    std::optional<image_root> root; ///< absent: the root of the machine
    std::string join;               ///< a running container whose files and mounts this one uses; may be empty
    process_rights rights;
    resource_limits limits;  ///< see node::limits_fallback_reason()
    std::string join_limits; ///< a running container whose limits this one shares; may be empty
    int output_fd = -1;      ///< receives both output streams; borrowed until the operation begins
    int input_fd = -1;       ///< borrowed as well; -1: no input
    /// Without `log`, receives standard error if `input_fd` is given. With `log` and a terminal, its other end.
    int error_fd = -1;
    bool has_terminal = false;     ///< `input_fd` is a terminal, and becomes the one of the program
    std::optional<log_limits> log; ///< if given, output_fd is a folder, which keeps them in files: see log_reader
};

/// Returns a further process of a running container, with the files that the container has written. No container of the
/// pod may have the name.
inline container_process command_in(container_process const& running, std::string name, std::vector<std::string> argv) {
    auto process = running;
    process.container = std::move(name);
    process.argv = std::move(argv);
    process.join_limits = running.limits == resource_limits() ? "" : running.container;
    process.limits = resource_limits();
    if (process.root) {
        process.root.reset();
        process.mounts.clear();
        process.join = running.container;
    }
    return process;
}

/// How a container's first process ended.
struct exit_status {
    exit_status() = default;

    int code = 0;
    int signal = 0;             ///< not 0 when a signal ended it; then `code` means nothing
    bool out_of_memory = false; ///< the kernel killed a process of the container at its limit of memory
    friend bool operator==(exit_status const&, exit_status const&) = default;
};

/** One node of a local cluster: a network of its own in which pods run, held by a helper process.

    Whatever ends this object or its process, be it SIGKILL, also ends every process of the node and removes its
    directory. Operations may be outstanding side by side. A `detail` that is given receives the sentence that belongs
    to an error and must live until the operation completes, or the node is destroyed.
    @par Errors `errc::not_supported` when the host forbids what was asked, `errc::helper_failed` when the helper could
    not be started or died, `errc::invalid_argument` for an unusable request, or the system error of the step that
    failed.
    @par Cancellation async_start, async_wait and async_connect: total. The others complete when the helper answers.
    @par Object lifetimes Destroying or closing the node ends it and completes what is pending with `operation_aborted`;
    it waits for the helper, commonly some milliseconds, at most two seconds. Destroy it before its execution context.
    @par Thread safety Unsafe; the executor must be a strand or run on one thread. */
class node {
public:
    using executor_type = asio::any_io_executor;
    template <class Signature> using handler = asio::any_completion_handler<Signature>;

    explicit node(executor_type executor, node_options options = node_options());
    node(node const&) = delete;
    node& operator=(node const&) = delete;
    ~node();

    executor_type get_executor() const noexcept;
    /// The isolation in use; before the start, the requested one.
    isolation mode() const noexcept;
    /// Why there are no namespaces although `automatic` would have preferred them; else empty.
    std::string const& fallback_reason() const noexcept;
    /// Why limits of a container are not enforced; empty until one was started with such limits.
    std::string const& limits_fallback_reason() const noexcept;
    std::filesystem::path const& run_directory() const noexcept;
    /// The helper's process id; 0 while there is none.
    int helper_process() const noexcept;

    /// Ends the node as the destructor does. The object stays and refuses everything.
    void close();

    /** Starts the helper. Signature `void(error_code)`. Once per object. When it is cancelled, it completes after the
        helper and the directory are gone. */
    template <class Token> auto async_start(diagnostics* detail, Token&& token) {
        return begin<void(error_code)>(&start, detail, std::forward<Token>(token));
    }

    /// Makes a pod without containers. Signature `void(error_code)`.
    template <class Token> auto async_create_pod(pod_sandbox pod, diagnostics* detail, Token&& token) {
        return begin<void(error_code)>(&create_pod, detail, std::forward<Token>(token), std::move(pod));
    }

    /** Starts a container; completes when its program runs or could not be executed. Signature `void(error_code)`.
        A command that cannot be executed is no error here: the container writes a line and exits with 127 or 126. */
    template <class Token> auto async_start_container(container_process process, diagnostics* detail, Token&& token) {
        return begin<void(error_code)>(&start_container, detail, std::forward<Token>(token), std::move(process));
    }

    /** Waits for a container that was started; several may wait. Signature `void(error_code, exit_status)`.
        The answer stays available until the pod is removed. */
    template <class Token> auto async_wait(std::string pod, std::string container, diagnostics* detail, Token&& token) {
        return begin<void(error_code, exit_status)>(&wait, detail, std::forward<Token>(token), std::move(pod),
                                                    std::move(container));
    }

    /// Signals a running container's first process. Signature `void(error_code)`.
    template <class Token>
    auto async_signal(std::string pod, std::string container, int number, diagnostics* detail, Token&& token) {
        return begin<void(error_code)>(&signal, detail, std::forward<Token>(token), std::move(pod),
                                       std::move(container), number);
    }

    /// Kills everything in the pod; completes when it is gone, its address included. Signature `void(error_code)`.
    template <class Token> auto async_delete_pod(std::string pod, diagnostics* detail, Token&& token) {
        return begin<void(error_code)>(&remove_pod, detail, std::forward<Token>(token), std::move(pod));
    }

    /** A socket bound inside the node, `protocol` being `tcp` (then it listens) or `udp`; pods reach it at
        `10.244.0.1`. Signature `void(error_code, int)`; the descriptor belongs to the caller. */
    template <class Token>
    auto async_listen(std::string protocol, std::string address, std::uint16_t port, diagnostics* detail,
                      Token&& token) {
        return begin<void(error_code, int)>(&listen, detail, std::forward<Token>(token), std::move(protocol),
                                            std::move(address), port);
    }

    /** A TCP connection made from inside the node, e.g. to a pod. Signature `void(error_code, int)`; the descriptor is
        non-blocking and belongs to the caller. */
    template <class Token>
    auto async_connect(std::string address, std::uint16_t port, diagnostics* detail, Token&& token) {
        return begin<void(error_code, int)>(&connect, detail, std::forward<Token>(token), std::string(),
                                            std::move(address), port);
    }
    /// The same from inside the network of a pod, in which 127.0.0.1 is the pod.
    template <class Token>
    auto async_connect_in(std::string pod, std::string address, std::uint16_t port, diagnostics* detail,
                          Token&& token) {
        return begin<void(error_code, int)>(&connect, detail, std::forward<Token>(token), std::move(pod),
                                            std::move(address), port);
    }

    /** Ends the node; completes when its processes and its directory are gone. Signature `void(error_code)`. A helper
        that has not ended within five seconds, as one that is stopped, is killed with everything below it.
        What else is pending completes with `operation_aborted`. */
    template <class Token> auto async_stop(diagnostics* detail, Token&& token) {
        return begin<void(error_code)>(&stop, detail, std::forward<Token>(token));
    }

private:
    struct state;
    using self = std::shared_ptr<state>;

    template <class Signature, class Operation, class Token, class... Given>
    auto begin(Operation operation, diagnostics* detail, Token&& token, Given... given) {
        return kube::detail::initiate<Signature>(
            get_executor(), std::forward<Token>(token),
            [operation](auto h, self s, diagnostics* d, auto... g) {
                operation(std::move(s), std::move(g)..., d, std::move(h));
            },
            state_, detail, std::move(given)...);
    }

    static void start(self, diagnostics*, handler<void(error_code)>);
    static void create_pod(self, pod_sandbox, diagnostics*, handler<void(error_code)>);
    static void start_container(self, container_process, diagnostics*, handler<void(error_code)>);
    static void wait(self, std::string, std::string, diagnostics*, handler<void(error_code, exit_status)>);
    static void signal(self, std::string, std::string, int, diagnostics*, handler<void(error_code)>);
    static void remove_pod(self, std::string, diagnostics*, handler<void(error_code)>);
    static void listen(self, std::string, std::string, std::uint16_t, diagnostics*, handler<void(error_code, int)>);
    /// From the network of the node if `pod` is empty.
    static void connect(self, std::string pod, std::string address, std::uint16_t, diagnostics*,
                        handler<void(error_code, int)>);
    static void stop(self, diagnostics*, handler<void(error_code)>);

    self state_;
};

} // namespace kftrain::local

#endif
