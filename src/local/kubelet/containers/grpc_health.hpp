#ifndef KFTRAIN_SRC_LOCAL_KUBELET_CONTAINERS_GRPC_HEALTH_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_CONTAINERS_GRPC_HEALTH_HPP

#include "local/kubelet/containers/probe_result.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace kftrain::local {

/** One call of `grpc.health.v1.Health/Check` over HTTP/2 without TLS, apart from its connection: what was received goes
    in, what is to be sent comes out. Pure. Only what this call needs of HTTP/2 is supported.
    @par Upstream kubernetes v1.31 `pkg/probe/grpc/grpc.go`; RFC 9113, RFC 7541 */
class grpc_health_call {
public:
    /// @param authority `HOST:PORT` of the server
    grpc_health_call(std::string_view authority, std::string_view service);

    /// Takes what has to be sent by now: at first the request, later acknowledgements.
    std::string take_output() { return std::exchange(output_, {}); }
    /// Takes what was received. The call is over when result() has a value.
    void received(std::string_view bytes);
    std::optional<probe_result> const& result() const noexcept { return result_; }
    /// Whether the server has begun to speak HTTP/2.
    bool is_connected() const noexcept { return connected_; }

private:
    void frame(std::uint8_t type, std::uint8_t flags, std::uint32_t stream, std::string_view payload);
    void headers(std::string_view block);
    void data(std::string_view payload);
    void finish();
    void fail(std::string const& why);

    std::string output_;
    std::string input_;
    std::string block_; ///< headers until their end
    bool ends_stream_ = false;
    std::string message_;
    std::map<std::string, std::string, std::less<>> fields_; ///< of the response: `:status`, `grpc-status`, ...
    std::optional<probe_result> result_;
    bool connected_ = false;
};

/** Decodes a block of headers whose sender has no dynamic table; absent if it is malformed. Names and values with
    characters that a field of gRPC does not have are empty.
    @par Upstream RFC 7541 */
std::optional<std::map<std::string, std::string, std::less<>>> decode_headers(std::string_view block);

} // namespace kftrain::local

#endif
