#include "kube/transport/transport_open.hpp"

#include "kube/async/operation.hpp"
#include "kube/transport/transport_exchange.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace kftrain::kube::detail {
namespace {

using open_handler = any_handler<void(error_code, streamed_response)>;

/** A request on its way to the head of its answer. No coroutine: with one the steps cost more than what is done in
    them. Its steps hold it, so that it ends with the io_context at the latest. */
class opening final : public operation {
public:
    opening(std::shared_ptr<link_state> link, http_request request, open_handler handler)
        : operation(link->pool->executor(), any_cancellation),
          state_(std::move(link)),
          request_(std::move(request)),
          caller_(std::move(handler), state_->pool->completion_executor()),
          brings_own_(!request_.fields.get("Authorization").empty()),
          upgrades_(!request_.fields.get("Upgrade").empty()),
          tried_(upgrades_) {}

    void start(asio::cancellation_slot caller) {
        listen_to(caller);
        asio::dispatch(executor(), [self = self()] { self->begin(); });
    }

private:
    enum class stage { writing, reading };

    /// The handler of what is done with the connection.
    struct step {
        using cancellation_slot_type = asio::cancellation_slot;

        cancellation_slot_type get_cancellation_slot() const noexcept { return self->slot(); }
        void operator()(error_code ec, std::size_t bytes) const { self->go_on(ec, bytes); }

        std::shared_ptr<opening> self;
    };
    /// The handler of the wait for credentials.
    struct informed {
        using cancellation_slot_type = asio::cancellation_slot;

        cancellation_slot_type get_cancellation_slot() const noexcept { return self->slot(); }
        void operator()(error_code) const {
            auto const ended = self->guarded([this] { return self->credentials_changed(); });
            if (ended) self->end(*ended);
        }

        std::shared_ptr<opening> self;
    };
    /// The handler of the search for a connection.
    struct connected {
        using cancellation_slot_type = asio::cancellation_slot;

        cancellation_slot_type get_cancellation_slot() const noexcept { return self->slot(); }
        void operator()(std::exception_ptr e, std::unique_ptr<connection> c) const {
            self->reached(e ? code_of(e) : error_code(), std::move(c));
        }

        std::shared_ptr<opening> self;
    };

    std::shared_ptr<opening> self() { return std::static_pointer_cast<opening>(shared_from_this()); }

    void begin() {
        auto const ended = guarded([this]() -> std::optional<error_code> {
            if (is_cancelled()) return asio::error::operation_aborted;
            return identify();
        });
        if (ended) caller_.fail_later(executor(), finish(*ended));
    }

    /// Finds what makes the server believe, which may take a while.
    std::optional<error_code> identify() {
        if (state_->certificates) state_->certificates->look(*state_->pool, false);
        if (brings_own_ || state_->credentials->is_fresh()) return compose();
        news_ = state_->credentials->await();
        news_->async_wait(informed{self()});
        return {};
    }

    std::optional<error_code> credentials_changed() {
        news_.reset();
        if (is_cancelled()) return asio::error::operation_aborted;
        auto const fault = state_->credentials->why();
        return fault.code ? refuse(fault) : compose();
    }

    std::optional<error_code> compose() {
        auto const& shown = state_->credentials->current();
        number_ = shown.number;
        if (state_->certificates)
            if (auto ok = state_->certificates->take(*state_->pool, shown); !ok) {
                state_->credentials->refused(number_); // no server will see them: others are got
                return refuse(ok.error());
            }
        state_->remember_news(number_);
        auto text = write_request(request_, state_->server, shown.authorization, state_->impersonated);
        if (!text) return refuse(failure(text.error().code, text.error().detail));
        text_ = std::move(*text);
        if (!state_->may_change()) request_.body = {};
        find_connection();
        return {};
    }

    error_code refuse(failure const& f) {
        state_->remember();
        answer_.why = state_->redact(f.detail.message);
        return f.code;
    }

    void find_connection() {
        exchange_.reset();
        bool const fresh = std::exchange(tried_, true);
        auto link = fresh ? nullptr : state_->pool->take();
        reused_ = link != nullptr;
        if (link) return send(std::move(link));
        asio::co_spawn(executor(), state_->pool->connect(fault_, fresh ? nullptr : &reused_), connected{self()});
    }

    void reached(error_code ec, std::unique_ptr<connection> link) {
        if (is_cancelled()) ec = asio::error::operation_aborted;
        if (ec || !link) answer_.why = fault_.why;
        if ((!ec && !link) || ec == errc::tls_failed) answer_.cause = fault_.ec;
        suspect(ec == errc::tls_failed ? fault_.ec : ec);
        if (!ec && !link) return end(errc::unreachable);
        if (ec) return end(ec);
        auto const ended = guarded([&]() -> std::optional<error_code> { return send(std::move(link)), std::nullopt; });
        if (ended) end(*ended);
    }

    void send(std::unique_ptr<connection> link) {
        generation_ = link->generation;
        exchange_ = std::make_shared<exchange>(state_->pool, std::move(link), state_->options.header_limit,
                                               request_.method == "HEAD", upgrades_);
        write_ec_ = {};
        bool gone = false;
        written_ = exchange_->link->stream.send_now(asio::buffer(text_), gone, write_ec_);
        // A broken socket may have received a response; if the encryption failed, there is none.
        if (write_ec_ && write_ec_.category() != boost::system::system_category()) fail(write_ec_);
        if (gone || write_ec_) return receive();
        write();
    }

    void write() {
        stage_ = stage::writing;
        exchange_->link->stream.async_write_some(asio::buffer(text_) + written_, step{self()});
    }
    void receive() {
        stage_ = stage::reading;
        exchange_->link->stream.async_read_some(exchange_->room(), step{self()});
    }

    void go_on(error_code ec, std::size_t bytes) {
        auto const ended = guarded([&] { return stage_ == stage::writing ? wrote(ec, bytes) : received(ec, bytes); });
        if (ended) end(*ended);
    }

    std::optional<error_code> wrote(error_code ec, std::size_t bytes) {
        if (!ec && is_cancelled()) ec = asio::error::operation_aborted;
        if (ec == asio::error::operation_aborted) return ec;
        written_ += bytes;
        // A server may refuse a large request early and close: its response is more specific than the broken pipe.
        write_ec_ = ec;
        if (ec || written_ == text_.size())
            receive();
        else
            write();
        return {};
    }

    std::optional<error_code> received(error_code ec, std::size_t bytes) {
        exchange_->buffer.commit(bytes);
        auto found = exchange_->look_for_head(ec);
        if (!found && is_cancelled()) found = asio::error::operation_aborted;
        if (!found) return receive(), std::nullopt;
        if (*found) return lost(*found);
        bool const refused = exchange_->head->head().status == 401;
        if (!refused && !brings_own_) state_->credentials->accepted(number_);
        if (refused && !brings_own_ && is_worth_repeating()) {
            exchange_->whole(); // then its connection is kept
            exchange_.reset();
            tried_ = upgrades_;
            return identify();
        }
        answer_.head = std::move(exchange_->head->head());
        answer_.body = answer_.head.status == 101 ? upgraded_body_of(*exchange_, answer_.head.fields)
                                                  : body_of(std::move(exchange_));
        return error_code();
    }

    /// Once, with other credentials: the server has not carried out the request.
    bool is_worth_repeating() {
        bool const others = state_->refused(number_, generation_);
        return others && !std::exchange(repeated_, true);
    }

    /// Where TLS ended, certificates may have been changed.
    void suspect(error_code ec) {
        if (state_->certificates && ec.category() == asio::error::get_ssl_category()) state_->certificates->look_soon();
    }

    /// There is no response; nothing if the request is repeated.
    std::optional<error_code> lost(error_code ec) {
        if (is_cancelled()) return asio::error::operation_aborted; // a new connection would not see it
        bool const unanswered = exchange_->is_unanswered();
        bool const untouched =
            write_ec_ && written_ == 0 && unanswered; // the server cannot have acted upon the request
        suspect(ec);
        answer_.why = state_->pool->place();
        if (write_ec_) ec = write_ec_;
        // The server may have closed the kept connection while the request was under way to it.
        bool const safe = request_.method == "GET" || request_.method == "HEAD";
        if (reused_ && is_lost(ec) && (untouched || (safe && unanswered))) {
            answer_.why.clear();
            return find_connection(), std::nullopt;
        }
        if (!untouched) return public_code(ec);
        answer_.cause = ec;
        return errc::unreachable;
    }

    /// Runs a step. What it hands back, or throws, is the end.
    template <class Step> std::optional<error_code> guarded(Step run) {
        try {
            return run();
        } catch (...) {
            return code_of(std::current_exception());
        }
    }

    void end(error_code ec) {
        exchange_.reset();
        caller_.complete(finish(ec), std::move(answer_));
    }

    std::shared_ptr<link_state> state_;
    http_request request_;
    waiting_caller<streamed_response> caller_;
    std::string text_;
    std::size_t written_ = 0;
    error_code write_ec_;
    std::uint64_t number_ = 0;     // of the credentials that were shown
    std::uint64_t generation_ = 0; // of the connection that serves
    std::shared_ptr<asio::steady_timer> news_;
    connect_fault fault_;
    bool brings_own_ = false; // an Authorization field that the caller wrote
    bool repeated_ = false;
    // A request to switch protocols gets a new connection: were it lost, it could not be repeated.
    bool upgrades_ = false;
    bool tried_ = false;  // a kept connection
    bool reused_ = false; // the one that serves now was kept
    stage stage_ = stage::writing;
    std::shared_ptr<exchange> exchange_;
    streamed_response answer_;
};

} // namespace

void open(std::shared_ptr<link_state> link, http_request request, open_handler handler) {
    auto const caller = asio::get_associated_cancellation_slot(handler);
    std::make_shared<opening>(std::move(link), std::move(request), std::move(handler))->start(caller);
}

} // namespace kftrain::kube::detail
