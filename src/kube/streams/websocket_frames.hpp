#ifndef KFTRAIN_SRC_KUBE_STREAMS_WEBSOCKET_FRAMES_HPP
#define KFTRAIN_SRC_KUBE_STREAMS_WEBSOCKET_FRAMES_HPP

#include "kube/streams/connection_role.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// The WebSocket protocol without I/O. @par Upstream RFC 6455
namespace kftrain::kube::detail {

enum class frame_type : std::uint8_t { continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

using frame_mask = std::array<unsigned char, 4>;

/// Returns one whole frame. Clients must mask their frames, servers must not.
std::string write_frame(frame_type type, std::string_view payload, std::optional<frame_mask> mask);
/// Returns the payload of a close frame.
std::string close_payload(std::uint16_t code, std::string_view text = {});

struct websocket_message {
    websocket_message() = default;

    frame_type type = frame_type::binary; ///< `text` or `binary` for a whole message, else a control frame
    std::string payload;
};

/** Takes the bytes of a peer apart. A message in several frames is returned as a whole; control frames between them are
    returned first. After a fault nothing more is returned. */
class websocket_parser {
public:
    /// `role`: the own one. Frames from the peer must be masked if that is the server.
    websocket_parser(connection_role role, std::size_t message_limit) : role_(role), limit_(message_limit) {}

    void put(std::string_view bytes) {
        buffer_.erase(0, begin_);
        begin_ = 0;
        buffer_ += bytes;
    }
    /// Returns the next message; nothing if more bytes are needed, or there is a fault.
    std::optional<websocket_message> next();
    /// Returns the status code to close with if the peer broke the protocol: 1002 or 1009; else 0.
    std::uint16_t fault() const noexcept { return fault_; }

private:
    struct frame {
        frame() = default;

        frame_type type = frame_type::binary;
        bool last = false;
        std::string payload;
    };

    std::optional<frame> next_frame();
    std::nullopt_t fail(std::uint16_t code);

    connection_role role_;
    std::size_t limit_;
    std::string buffer_;
    std::size_t begin_ = 0;   ///< of what was not taken yet
    websocket_message begun_; ///< of which frames are missing, if `goes_on_`
    bool goes_on_ = false;
    std::uint16_t fault_ = 0;
};

/// Returns a random `Sec-WebSocket-Key`.
std::string make_websocket_key();
/// Returns the `Sec-WebSocket-Accept` that belongs to a key.
std::string websocket_accept(std::string_view key);

} // namespace kftrain::kube::detail

#endif
