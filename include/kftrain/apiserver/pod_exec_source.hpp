#ifndef KFTRAIN_APISERVER_POD_EXEC_SOURCE_HPP
#define KFTRAIN_APISERVER_POD_EXEC_SOURCE_HPP

#include <kftrain/apiserver/refusal.hpp>
#include <kftrain/kube/transport.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kftrain::apiserver {

/// The command that a client wants to run. The server has checked that pod and container exist.
struct exec_request {
    exec_request() = default;

    std::string namespace_;
    std::string pod;
    std::string pod_uid;
    std::string container;
    std::vector<std::string> command; ///< not empty
    bool input = false;
    bool output = false;
    bool error_output = false;
    bool tty = false;
};

/// How a command ended.
struct exec_result {
    exec_result() = default;

    std::optional<int> exit_code; ///< absent: the command could not run, or its result is lost
    std::string message;          ///< the reason why `exit_code` is absent
};

/** A command that runs in a container.
    @par Object lifetimes The server calls kill() before it releases a command that has not ended. An implementation may
    keep itself alive until its operations have completed.
    @par Thread safety Used on the executor of the server. Operations complete there, never inline. */
class exec_process {
public:
    enum class channel { output, error_output };

    virtual ~exec_process() = default;

    /// Completes with the next bytes, never with none, or with `asio::error::eof` after the last.
    virtual void async_read(channel from, kube::any_handler<void(error_code, std::string)> handler) = 0;
    /// Sends all of `bytes` to the input of the command; fails when the command does not read it any more.
    virtual void async_write(std::string bytes, kube::any_handler<void(error_code)> handler) = 0;
    /// Closes the standard input; without effect afterwards.
    virtual void close_input() = 0;
    /// Sets the size of the terminal, in characters; without effect without a terminal.
    virtual void resize(unsigned columns, unsigned rows) = 0;
    /// Completes when the command has ended. Called once.
    virtual void async_wait(kube::any_handler<void(error_code, exec_result)> handler) = 0;
    /// Kills the command, and ends pending operations.
    virtual void kill() noexcept = 0;
};

/// The port of a pod to which a client wants to connect. The server has checked that the pod exists and has a node.
struct port_request {
    port_request() = default;

    std::string namespace_;
    std::string pod;
    std::string pod_uid;
    std::uint16_t port = 0; ///< not 0
};

/** A connection to a port of a pod.
    @par Object lifetimes The server calls close() before it releases a connection. An implementation may keep itself
    alive until its operations have completed.
    @par Thread safety Used on the executor of the server. Operations complete there, never inline. */
class port_connection {
public:
    virtual ~port_connection() = default;

    /// Connects; on an error, the text is the reason. Called once, before everything else.
    virtual void async_connect(kube::any_handler<void(error_code, std::string)> handler) = 0;
    /// Completes with the next bytes, never with none, or with `asio::error::eof` when the pod sends no more.
    virtual void async_read(kube::any_handler<void(error_code, std::string)> handler) = 0;
    /// Sends all of `bytes`.
    virtual void async_write(std::string bytes, kube::any_handler<void(error_code)> handler) = 0;
    /// Sends no more; the pod reads the end. Without effect afterwards.
    virtual void close_output() noexcept = 0;
    /// Closes the connection, and ends pending operations with `operation_aborted`.
    virtual void close() noexcept = 0;
};

/** Runs commands in containers and connects to their ports: implemented by the kubelet of the embedder.
    @par Thread safety Called on the executor of the server. */
class pod_exec_source {
public:
    virtual ~pod_exec_source() = default;

    /** Starts a command.
        @par Errors a refusal, sent unchanged, e.g. if the container does not run. What fails later is a part of the
        exec_result. */
    virtual answer<std::shared_ptr<exec_process>> start_exec(exec_request const& request) = 0;
    /** Attaches to the program of a container; `command` is empty. The process ends with the program. kill() detaches
        and leaves the program alone.
        @par Errors a refusal; by default, always */
    virtual answer<std::shared_ptr<exec_process>> start_attach(exec_request const& request);
    /** Makes a connection to a port, not connected yet.
        @par Errors a refusal whose message the client receives; by default, always */
    virtual answer<std::shared_ptr<port_connection>> open_port(port_request const& request);
};

} // namespace kftrain::apiserver

#endif
