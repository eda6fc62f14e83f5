#include "kube/transport/tls_session.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/ssl/error.hpp>

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace kftrain::kube::detail {

/// The buffers of a session, which OpenSSL uses as a socket.
struct session_bio {
    static int read(BIO* bio, char* into, int size) {
        auto& s = *static_cast<tls_session*>(BIO_get_data(bio));
        BIO_clear_retry_flags(bio);
        auto const n = std::min(static_cast<std::size_t>(std::max(size, 0)), s.end_ - s.begin_);
        if (n == 0) {
            BIO_set_retry_read(bio);
            return -1;
        }
        std::memcpy(into, s.input_.get() + s.begin_, n);
        s.begin_ += n;
        return static_cast<int>(n);
    }

    static int write(BIO* bio, char const* from, int size) {
        auto& s = *static_cast<tls_session*>(BIO_get_data(bio));
        BIO_clear_retry_flags(bio);
        try {
            s.output_.append(from, static_cast<std::size_t>(std::max(size, 0)));
        } catch (std::bad_alloc const&) { // which must not pass through C
            return -1;
        }
        return size;
    }

    static long control(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

    static BIO* make(tls_session* s) {
        static BIO_METHOD* const method = [] {
            BIO_METHOD* const m = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "kftrain session");
            if (m == nullptr) throw std::bad_alloc();
            BIO_meth_set_read(m, &read);
            BIO_meth_set_write(m, &write);
            BIO_meth_set_ctrl(m, &control);
            return m;
        }();
        BIO* const bio = BIO_new(method);
        if (bio == nullptr) throw std::bad_alloc();
        BIO_set_data(bio, s);
        BIO_set_init(bio, 1);
        return bio;
    }
};

void tls_session::deleter::operator()(SSL* p) const noexcept { SSL_free(p); }

bool is_answer_without_tls(error_code ec) {
    return ec.category() == asio::error::get_ssl_category() &&
           ERR_GET_REASON(static_cast<unsigned>(ec.value())) == SSL_R_WRONG_VERSION_NUMBER;
}

tls_session::tls_session(SSL_CTX* context) : ssl_(SSL_new(context)) {
    if (!ssl_) throw std::bad_alloc();
    BIO* const bio = session_bio::make(this);
    SSL_set_bio(ssl_.get(), bio, bio);                  // takes one reference
    SSL_set_mode(ssl_.get(), SSL_MODE_RELEASE_BUFFERS); // most connections of an informer are silent most of the time
    SSL_set_connect_state(ssl_.get());
}

asio::mutable_buffer tls_session::room() {
    bool const was_full = end_ == room_;
    if (was_full && room_ < largest_room) {
        auto const larger = room_ == 0 ? first_room : largest_room;
        input_.reset(new char[larger]); // all that was received has been read
        room_ = larger;
        begin_ = end_ = 0;
    }
    return asio::buffer(input_.get(), room_);
}

void tls_session::received(std::size_t bytes) noexcept {
    begin_ = 0;
    end_ = bytes;
}

error_code tls_session::end_of_input(error_code ec) const noexcept {
    if (ec != asio::error::eof || (SSL_get_shutdown(ssl_.get()) & SSL_RECEIVED_SHUTDOWN) != 0) return ec;
    return asio::ssl::error::stream_truncated;
}

tls_session::progress tls_session::judge(int result, std::size_t bytes) const {
    progress p;
    p.bytes = bytes;
    if (result > 0) return p;
    auto const fault = [&](error_code ec) {
        p.state = outcome::failed;
        p.ec = ec;
        return p;
    };
    switch (SSL_get_error(ssl_.get(), result)) {
    case SSL_ERROR_WANT_READ: p.state = outcome::wants_input; return p;
    case SSL_ERROR_ZERO_RETURN: return fault(asio::error::eof);
    case SSL_ERROR_SSL:
    case SSL_ERROR_SYSCALL:
        if (auto const code = static_cast<int>(ERR_get_error()); code != 0)
            return fault({code, asio::error::get_ssl_category()});
        return fault(asio::ssl::error::unspecified_system_error);
    default: return fault(asio::ssl::error::unexpected_result);
    }
}

bool tls_session::is_quiet() const noexcept {
    return begin_ == end_ && SSL_has_pending(ssl_.get()) == 0 && SSL_get_shutdown(ssl_.get()) == 0 &&
           next_read_.state != outcome::failed;
}

tls_session::progress tls_session::full() {
    progress p;
    p.state = outcome::failed;
    p.ec = asio::error::no_buffer_space;
    return p;
}

tls_session::progress tls_session::handshake() {
    ERR_clear_error();
    return judge(SSL_do_handshake(ssl_.get()), 0);
}

tls_session::progress tls_session::read(asio::mutable_buffer into) {
    if (next_read_.state == outcome::failed) return next_read_;
    progress p;
    if (is_quiet()) {
        p.state = outcome::wants_input; // OpenSSL would make itself a buffer to find that out
        return p;
    }
    for (;;) {
        ERR_clear_error();
        std::size_t n = 0;
        int const result = SSL_read_ex(ssl_.get(), into.data(), into.size(), &n);
        if (result <= 0) {
            progress const end = judge(result, 0);
            if (p.bytes == 0) return end;
            next_read_ = end;
            return p;
        }
        into += n;
        p.bytes += n;
        bool const more = begin_ != end_ || SSL_has_pending(ssl_.get()) != 0;
        if (!more || into.size() == 0) return p;
    }
}

tls_session::progress tls_session::write(asio::const_buffer from) {
    ERR_clear_error();
    std::size_t n = 0;
    int const result = SSL_write_ex(ssl_.get(), from.data(), std::min(from.size(), longest_write), &n);
    return judge(result, n);
}

} // namespace kftrain::kube::detail
