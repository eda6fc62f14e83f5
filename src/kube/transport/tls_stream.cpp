#include "base/openssl_ptr.hpp"
#include "kube/transport/tls_session.hpp"
#include "kube/transport/tls_tickets.hpp"
#include "kube/transport/tls_trust.hpp"
#include "kube/transport/transport_stream.hpp"

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/write.hpp>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include <functional>
#include <new>
#include <optional>
#include <utility>

namespace kftrain::kube::detail {
namespace {

using tcp = asio::ip::tcp;
namespace ssl = asio::ssl;

constexpr std::size_t longest_wait = std::size_t{1} << 20U; // of output for the write of another operation

/// One operation of a TLS stream, as the handler of those of its socket. `step` is what it does until that is done.
template <class Step, class Finish> class tls_operation {
public:
    using cancellation_slot_type = asio::cancellation_slot;

    tls_operation(tls_session& session, tcp::socket& socket, Step step, Finish finish, asio::cancellation_slot slot)
        : session_(&session),
          socket_(&socket),
          step_(std::move(step)),
          finish_(std::move(finish)),
          cancellation_(slot, asio::enable_total_cancellation()) {}

    cancellation_slot_type get_cancellation_slot() const noexcept { return cancellation_.slot(); }

    /// Begins. Never completes from inside.
    void start() {
        progress_ = step_(*session_);
        if (is_waiting()) return wait();
        doing_ = what::posting;
        asio::post(socket_->get_executor(), std::move(*this));
    }

    void operator()(error_code ec = {}, std::size_t bytes = 0) {
        switch (doing_) {
        case what::posting: break;
        case what::sending:
            session_->end_sending();
            if (ec && progress_.state != outcome::failed) return fail(ec);
            if (!ec && !session_->output().empty()) return send(); // of the other direction
            if (progress_.state == outcome::wants_input) return is_cancelled() ? abort() : receive();
            break;
        case what::receiving:
            if (ec) return fail(session_->end_of_input(ec));
            session_->received(bytes);
            progress_ = step_(*session_);
            if (progress_.state == outcome::wants_input && is_cancelled()) return abort();
            if (is_waiting()) return wait();
            break;
        }
        std::move(finish_)(progress_.ec, progress_.bytes);
    }

private:
    using outcome = tls_session::outcome;
    enum class what { posting, sending, receiving };

    bool is_waiting() const noexcept { return progress_.state == outcome::wants_input || may_send(); }
    /// While the other direction sends, it also sends what this one adds.
    bool may_send() const noexcept { return !session_->output().empty() && !session_->is_sending(); }
    void wait() {
        if (may_send()) return send();
        receive();
    }
    void send() {
        doing_ = what::sending;
        asio::async_write(*socket_, asio::buffer(session_->begin_sending()), std::move(*this));
    }
    void receive() {
        doing_ = what::receiving;
        socket_->async_read_some(session_->room(), std::move(*this));
    }
    void fail(error_code ec) { std::move(finish_)(ec, 0); }
    /// A cancellation may come after an operation of the socket, before its handler runs: the next operation sees none.
    bool is_cancelled() const noexcept { return cancellation_.cancelled() != asio::cancellation_type::none; }
    void abort() { fail(asio::error::operation_aborted); }

    tls_session* session_;
    tcp::socket* socket_;
    Step step_;
    Finish finish_;
    asio::cancellation_state cancellation_;
    tls_session::progress progress_;
    what doing_ = what::posting;
};

class tls_stream final : public byte_stream {
public:
    tls_stream(tcp::socket s, std::shared_ptr<ssl::context> context)
        : context_(std::move(context)), socket_(std::move(s)), session_(context_->native_handle()) {}

    void resume_with(std::shared_ptr<tls_tickets> tickets) {
        resumption_.emplace(session_.native(), std::move(tickets));
    }

    void read_some(asio::mutable_buffer into, size_handler handler) override {
        run([into](tls_session& s) { return into.size() == 0 ? tls_session::progress() : s.read(into); },
            std::move(handler));
    }
    void write_some(asio::const_buffer from, size_handler handler) override {
        run(
            [from](tls_session& s) {
                // The other direction sends what the protocol demands, and the peer takes nothing.
                if (s.is_sending() && s.output().size() > longest_wait) return tls_session::full();
                return from.size() == 0 ? tls_session::progress() : s.write(from);
            },
            std::move(handler));
    }
    std::size_t send_now(asio::const_buffer from, bool& gone, error_code& ec) override {
        auto const p = session_.write(from);
        if (p.state == tls_session::outcome::failed) ec = p.ec;
        if (!ec) session_.sent(send_without_waiting(socket_, asio::buffer(session_.output()), ec));
        if (ec) session_.sent(); // the peer received none of it, and may still send
        gone = !ec && p.bytes == from.size() && session_.output().empty();
        return ec ? 0 : p.bytes;
    }
    bool is_quiet() noexcept override { return session_.is_quiet() && detail::is_quiet(socket_); }
    void handshake(any_handler<void(error_code)> handler) override {
        auto const slot = asio::get_associated_cancellation_slot(handler);
        start([](tls_session& s) { return s.handshake(); },
              [h = std::move(handler)](error_code ec, std::size_t) mutable { std::move(h)(ec); }, slot);
    }
    void must_be(std::string name) {
        check_.name = std::move(name);
        explain_refusal(session_.native(), check_);
    }
    std::string const& refusal() const noexcept override { return check_.why; }
    bool offers_ticket() const noexcept override { return resumption_ && resumption_->is_offered(); }
    tcp::socket& socket() noexcept override { return socket_; }
    SSL* native() noexcept { return session_.native(); }

private:
    template <class Step> void run(Step step, size_handler handler) {
        auto const slot = asio::get_associated_cancellation_slot(handler);
        start(std::move(step), std::move(handler), slot);
    }
    template <class Step, class Finish> void start(Step step, Finish finish, asio::cancellation_slot slot) {
        tls_operation<Step, Finish>(session_, socket_, std::move(step), std::move(finish), slot).start();
    }

    std::shared_ptr<ssl::context> context_;
    tcp::socket socket_;
    server_check check_;
    std::optional<tls_resumption> resumption_;
    tls_session session_;
};

class tls_factory final : public stream_factory {
public:
    tls_factory(std::shared_ptr<ssl::context> context, std::string name)
        : context_(std::move(context)), name_(std::move(name)) {
        error_code ec;
        asio::ip::make_address(name_, ec);
        is_address_ = !ec;
    }

    /// Not for servers whose certificate is not checked: they have no proof that a ticket could replace.
    void resume_sessions() {
        tickets_ = std::make_shared<tls_tickets>();
        tls_tickets::collect(context_->native_handle());
    }

    /// Makes the handshake demand the name; false if OpenSSL cannot look for such a name.
    bool demand_name(SSL* handle) const {
        if (is_address_) return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(handle), name_.c_str()) == 1;
        SSL_set_hostflags(handle, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
        return SSL_set_tlsext_host_name(handle, name_.c_str()) == 1 && SSL_set1_host(handle, name_.c_str()) == 1;
    }

    std::unique_ptr<byte_stream> wrap(tcp::socket s) const override {
        auto stream = std::make_unique<tls_stream>(std::move(s), context_);
        if (!demand_name(stream->native())) throw std::bad_alloc(); // make_tls_factory() has tried the name
        stream->must_be(name_);
        if (tickets_) stream->resume_with(tickets_);
        return stream;
    }
    bool wants_ticket() const override { return tickets_ && tickets_->empty(); }
    void on_ticket(std::function<void()> f) override {
        if (tickets_) tickets_->on_first(std::move(f));
    }
    void forget_tickets() noexcept override {
        if (tickets_) tickets_->forget();
    }

private:
    std::shared_ptr<ssl::context> context_;
    std::shared_ptr<tls_tickets> tickets_; // null: each handshake is a whole one
    std::string name_;
    bool is_address_ = false;
};

openssl_ptr<BIO> reader(std::string const& pem) {
    return openssl_ptr<BIO>(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
}

openssl_ptr<X509> next_certificate(BIO* from) {
    return openssl_ptr<X509>(PEM_read_bio_X509(from, nullptr, nullptr, nullptr));
}

failure unusable(std::string field, std::string const& message) {
    diagnostics d;
    d.path = std::move(field);
    d.message = message;
    if (unsigned long const e = ERR_peek_last_error(); e != 0) {
        char const* const why = ERR_reason_error_string(e);
        if (why != nullptr) d.message.append(": ").append(why);
    }
    ERR_clear_error();
    return {errc::invalid_argument, std::move(d)};
}

result<void> identify(SSL_CTX* context, config const& c) {
    auto const from = reader(c.client_certificate_pem);
    auto const leaf = next_certificate(from.get());
    if (!leaf || SSL_CTX_use_certificate(context, leaf.get()) != 1)
        return unusable("client_certificate_pem", "expected a PEM certificate");
    while (auto const link = next_certificate(from.get())) SSL_CTX_add1_chain_cert(context, link.get());
    ERR_clear_error();
    auto const key_from = reader(c.client_key_pem);
    // Without a callback OpenSSL would ask for a pass phrase on the terminal.
    auto const no_phrase = [](char*, int, int, void*) { return -1; };
    openssl_ptr<EVP_PKEY> const key(PEM_read_bio_PrivateKey(key_from.get(), nullptr, no_phrase, nullptr));
    // OpenSSL keeps one pair of each type of key: it would take two halves of different types and show no certificate.
    if (key && X509_check_private_key(leaf.get(), key.get()) != 1)
        return unusable("client_key_pem", "the key does not match the client certificate");
    if (!key || SSL_CTX_use_PrivateKey(context, key.get()) != 1)
        return unusable("client_key_pem", "expected the unencrypted PEM key of the client certificate");
    return {};
}

} // namespace

result<std::unique_ptr<stream_factory>> make_tls_factory(config const& c, std::string const& host) {
    auto context = std::make_shared<ssl::context>(ssl::context::tls_client);
    SSL_CTX* const handle = context->native_handle();
    SSL_CTX_set_min_proto_version(handle, TLS1_2_VERSION);
    static constexpr unsigned char protocols[] = "\x08http/1.1";
    SSL_CTX_set_alpn_protos(handle, protocols, sizeof(protocols) - 1);
    SSL_CTX_set_verify(handle, c.insecure_skip_tls_verify ? SSL_VERIFY_NONE : SSL_VERIFY_PEER, nullptr);
    set_chain_rules(handle);
    if (c.ca_pem.empty())
        trust_system(handle);
    else if (trust_bundle(handle, c.ca_pem) == 0) // no other one is trusted then
        return unusable("ca_pem", "expected PEM certificates, found none");
    if (c.client_certificate_pem.empty() != c.client_key_pem.empty())
        return unusable(c.client_key_pem.empty() ? "client_key_pem" : "client_certificate_pem",
                        "expected a client certificate and its key, got only one of them");
    if (!c.client_certificate_pem.empty())
        if (auto ok = identify(handle, c); !ok) return ok.error();
    auto const& name = c.tls_server_name.empty() ? host : c.tls_server_name;
    auto factory = std::make_unique<tls_factory>(std::move(context), name);
    std::unique_ptr<SSL, decltype(&SSL_free)> const trial(SSL_new(handle), &SSL_free);
    if (!trial || !factory->demand_name(trial.get()))
        return unusable(c.tls_server_name.empty() ? "server" : "tls_server_name",
                        "certificates cannot be checked for the name \"" + name + "\"");
    if (!c.insecure_skip_tls_verify) factory->resume_sessions();
    return std::unique_ptr<stream_factory>(std::move(factory));
}

} // namespace kftrain::kube::detail
