#ifndef KFTRAIN_SRC_KUBE_STREAMS_SPDY_FRAMES_HPP
#define KFTRAIN_SRC_KUBE_STREAMS_SPDY_FRAMES_HPP

#include <kftrain/kube/message.hpp>

#include "kube/streams/header_inflater.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// The frames of SPDY/3.1 without I/O. kubectl uses SPDY without its flow control: neither side sends window updates,
// and both ignore them. @par Upstream SPDY protocol draft 3.1; moby/spdystream v0.4
namespace kftrain::kube::detail {

enum class spdy_type : std::uint16_t {
    data = 0,
    syn_stream = 1,
    syn_reply = 2,
    rst_stream = 3,
    settings = 4,
    ping = 6,
    goaway = 7,
    headers = 8,
    window_update = 9
};

/// Status codes of RST_STREAM.
enum class spdy_reset : std::uint32_t { protocol_error = 1, invalid_stream = 2, refused_stream = 3, cancel = 5 };

struct spdy_frame {
    spdy_frame() = default;

    spdy_type type = spdy_type::data;
    std::uint32_t id = 0;     ///< of the stream, or of the ping; 0 for other frames
    std::uint32_t status = 0; ///< of `rst_stream` and `goaway`
    bool last = false;        ///< the sender sends no more on this stream
    http_fields fields;       ///< of `syn_stream`, `syn_reply` and `headers`
    std::string data;         ///< of `data`: a part of the frame, or all of it
};

/** Takes the bytes of a peer apart. Data frames are returned in the pieces in which they arrive. Frames of unknown
    types are skipped. After a fault nothing more is returned. */
class spdy_parser {
public:
    void put(std::string_view bytes) {
        buffer_.erase(0, begin_);
        begin_ = 0;
        buffer_ += bytes;
    }
    /// Returns the next frame; nothing if more bytes are needed, or there is a fault.
    std::optional<spdy_frame> next();
    bool has_fault() const noexcept { return fault_; }

private:
    std::optional<spdy_frame> next_data();
    /// Nothing if the frame is to be skipped, or is a fault.
    std::optional<spdy_frame> read_control(std::uint16_t type, unsigned flags, std::string_view payload);
    bool read_fields(std::string_view block, http_fields& into);
    std::nullopt_t fail();

    header_inflater inflater_;
    std::string buffer_;
    std::size_t begin_ = 0;          ///< of what was not taken yet
    std::optional<spdy_frame> data_; ///< a data frame that goes on, without its data
    std::size_t data_left_ = 0;
    bool fault_ = false;
};

/// Writes frames. Header blocks are not compressed: they are short, and all peers can read them.
class spdy_writer {
public:
    std::string syn_stream(std::uint32_t id, http_fields const& fields, bool last);
    std::string syn_reply(std::uint32_t id, http_fields const& fields = {});
    static std::string data(std::uint32_t id, std::string_view bytes, bool last);
    static std::string rst_stream(std::uint32_t id, spdy_reset status);
    static std::string ping(std::uint32_t id);

private:
    std::string block(http_fields const& fields);

    bool begun_ = false;
};

} // namespace kftrain::kube::detail

#endif
