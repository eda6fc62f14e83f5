#ifndef KFTRAIN_SRC_KUBE_TRANSPORT_TLS_SESSION_HPP
#define KFTRAIN_SRC_KUBE_TRANSPORT_TLS_SESSION_HPP

#include <kftrain/base/error.hpp>

#include <boost/asio/buffer.hpp>

#include <openssl/types.h>

#include <cstddef>
#include <memory>
#include <string>

namespace kftrain::kube::detail {

namespace asio = boost::asio;

/// Whether a handshake failed because the server answered without TLS.
bool is_answer_without_tls(error_code ec);

/** The client's side of one TLS connection, apart from its socket: what was received goes in, what is to be sent comes
    out. A read takes all records that have come as long as there is room, where Asio's stream hands out one at a time.
    */
class tls_session {
public:
    /// The result of a step. Send output() before anything else.
    enum class outcome { done, wants_input, failed };
    struct progress {
        progress() = default;

        outcome state = outcome::done;
        error_code ec; ///< of `failed`; `asio::error::eof` if the peer announced the end
        std::size_t bytes = 0;
    };

    /// A step that fails because too much waits to be sent.
    static progress full();

    explicit tls_session(SSL_CTX* context);
    tls_session(tls_session const&) = delete;
    tls_session& operator=(tls_session const&) = delete;

    progress handshake();
    /// Reads at least one byte into `into`, which is not empty.
    progress read(asio::mutable_buffer into);
    /// Takes a part of `from`, which is not empty.
    progress write(asio::const_buffer from);

    /// Where to receive to, once a step wanted input.
    asio::mutable_buffer room();
    void received(std::size_t bytes) noexcept;
    /// Returns the error of a receive that ended with `ec`: an end that the peer did not announce may be an attack.
    error_code end_of_input(error_code ec) const noexcept;

    std::string const& output() const noexcept { return output_; }
    void sent() noexcept { output_.clear(); }
    /// Takes the output for a write that goes on; output that is added meanwhile waits for its end.
    std::string const& begin_sending() {
        sending_.swap(output_);
        output_.clear();
        is_sending_ = true;
        return sending_;
    }
    void end_sending() noexcept {
        sending_.clear();
        is_sending_ = false;
    }
    bool is_sending() const noexcept { return is_sending_; }
    void sent(std::size_t bytes) { output_.erase(0, bytes); }

    /// All that was received has been read, and the peer has not announced the end.
    bool is_quiet() const noexcept;

    SSL* native() const noexcept { return ssl_.get(); }

private:
    static constexpr std::size_t first_room = 16 * 1024; // is enough for most watches, of which there may be many
    static constexpr std::size_t largest_room = 64 * 1024;
    /// One record: of what was not sent whole, the peer can read nothing.
    static constexpr std::size_t longest_write = 16 * 1024;

    struct deleter {
        void operator()(SSL* p) const noexcept;
    };
    friend struct session_bio;

    progress judge(int result, std::size_t bytes) const;

    std::unique_ptr<char[]> input_;
    std::size_t room_ = 0;
    std::size_t begin_ = 0; // of what was received and not read
    std::size_t end_ = 0;
    std::string output_;
    std::string sending_; // output of the write that goes on
    bool is_sending_ = false;
    progress next_read_; // what ended a read that had bytes to hand out
    std::unique_ptr<SSL, deleter> ssl_;
};

} // namespace kftrain::kube::detail

#endif
