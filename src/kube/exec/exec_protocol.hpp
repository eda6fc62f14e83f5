#ifndef KFTRAIN_SRC_KUBE_EXEC_EXEC_PROTOCOL_HPP
#define KFTRAIN_SRC_KUBE_EXEC_EXEC_PROTOCOL_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/kube/message.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Shared by client and server of exec, without I/O.
// @par Upstream kubernetes v1.31 `staging/src/k8s.io/client-go/tools/remotecommand/websocket.go`,
// `staging/src/k8s.io/apimachinery/pkg/util/remotecommand/constants.go`
namespace kftrain::kube::detail {

/// The first byte of a message.
enum class exec_byte : unsigned char { input = 0, output = 1, error_output = 2, status = 3, size = 4, close = 255 };

inline constexpr std::string_view exec_v5 = "v5.channel.k8s.io";
inline constexpr std::string_view exec_v4 = "v4.channel.k8s.io"; ///< also of ports
/// SPDY in the binary messages of a WebSocket, to reach the ports of a pod.
/// @par Upstream kubernetes v1.31 `staging/src/k8s.io/apimachinery/pkg/util/portforward/constants.go`
inline constexpr std::string_view ports_tunnel = "SPDY/3.1+portforward.k8s.io";
/// Larger messages end the connection. Peers send at most 32 KiB of a stream at once.
inline constexpr std::size_t exec_message_limit = std::size_t{1} << 20U;
/// How much of a stream is sent at once.
inline constexpr std::size_t exec_piece_size = 32 * 1024;

inline std::string exec_message(exec_byte channel, std::string_view payload) {
    return std::string(1, static_cast<char>(channel)).append(payload);
}

/// How a command ended, according to its last message.
struct exec_end {
    exec_end() = default;

    std::optional<int> exit_code; ///< absent: it could not be run
    std::string message;          ///< why
};

/// The `Status` object of the last message.
std::string write_exec_end(exec_end const& end);
/** Reads it. A failure without an exit code gives the code and the text of the server.
    @par Errors `errc::protocol` for what is no `Status`; a @ref reason */
result<int> read_exec_end(std::string_view text);

/// The tokens of a header field that is a list.
std::vector<std::string> list_of(http_fields const& fields, std::string_view name);

} // namespace kftrain::kube::detail

#endif
