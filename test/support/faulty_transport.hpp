#ifndef KFTRAIN_TEST_SUPPORT_FAULTY_TRANSPORT_HPP
#define KFTRAIN_TEST_SUPPORT_FAULTY_TRANSPORT_HPP

#include "kube/async/timer.hpp"
#include "support/bodies.hpp"

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <algorithm>
#include <chrono>
#include <deque>
#include <list>
#include <optional>
#include <vector>

namespace kftrain::test {

/// A fault that replaces the usual handling of a request.
struct fault {
    /// The server responds with this and does nothing.
    static fault answer(unsigned status, std::string const& reason, std::string const& message,
                        std::string const& details = "") {
        fault f;
        f.status = status;
        f.text = status_text(reason, status, message, details);
        constexpr std::string_view failed = "\"Failure\"";
        if (status < 300) f.text.replace(f.text.find(failed), failed.size(), "\"Success\"");
        return f;
    }
    /// The server does nothing, and there is no response.
    static fault error(error_code ec) {
        fault f;
        f.ec = ec;
        return f;
    }
    /// The server carries out the request, but there is no response.
    static fault lost_answer() {
        auto f = error(errc::connection_lost);
        f.carried_out = true;
        return f;
    }
    fault& field(std::string name, std::string value) { return fields.add(std::move(name), std::move(value)), *this; }

    error_code ec;
    bool carried_out = false; ///< whatever the response is
    unsigned status = 0;
    std::string text;
    kube::http_fields fields;
};

/** Passes requests on to another transport and changes, delays, holds, answers or loses those that the test chooses.
    Everything is off until it is set. */
class faulty_transport final : public kube::transport, public std::enable_shared_from_this<faulty_transport> {
    using open_handler = kube::any_handler<void(error_code, kube::streamed_response)>;
    using read_handler = kube::any_handler<void(error_code, std::string)>;
    using milliseconds = std::chrono::milliseconds;

public:
    explicit faulty_transport(std::shared_ptr<kube::transport> t) : inner(std::move(t)) {}

    asio::any_io_executor get_executor() const noexcept override { return inner->get_executor(); }
    std::string redact(std::string text) const override {
        return hide ? hide(std::move(text)) : inner->redact(std::move(text));
    }
    void async_open(kube::http_request request, open_handler handler) override {
        if (before && !silent) before(request);
        if (ended_) return complete(std::move(handler), asio::error::operation_aborted, {});
        if (silent) return lost_.push_back(std::make_unique<open_handler>(std::move(handler)));
        if (holds && request.method != "GET" && holds(request)) {
            sent.push_back(describe_held ? describe_held(request) : what(request));
            held_.push_back(std::make_unique<held>(std::move(request), std::move(handler)));
            most = std::max(most, held_.size());
            return;
        }
        if (delay == milliseconds(0)) return send(std::move(request), std::move(handler));
        auto const timer = std::make_shared<kube::detail::timer>(get_executor(), delay);
        auto const slot = asio::get_associated_cancellation_slot(handler);
        auto then = [timer, self = shared_from_this(), r = std::move(request),
                     h = std::move(handler)](error_code ec) mutable {
            if (ec) return std::move(h)(ec, kube::streamed_response());
            self->send(std::move(r), std::move(h));
        };
        timer->async_wait(asio::bind_cancellation_slot(slot, std::move(then)));
    }

    /// Called first with each request, which it may change.
    std::function<void(kube::http_request&)> before;
    /// Chooses the fault of a request; `std::nullopt` for none.
    std::function<std::optional<fault>(kube::http_request const&)> judge;
    /// Called with each piece of a response body, which it may change. Pieces that it empties are left out.
    std::function<void(std::string&)> on_answer;
    milliseconds delay{0}; ///< before a request is sent
    /// How late the events of this watch arrive.
    std::function<milliseconds(kube::http_request const& watch)> lag;
    /// Implements redact().
    std::function<std::string(std::string)> hide;
    std::vector<std::string> acknowledged; ///< writes that were carried out and answered
    std::shared_ptr<kube::transport> inner;

    /// @name Watches
    /// Breaks every watch.
    void cut() {
        for (auto& s : watches_->signals) s.emit(asio::cancellation_type::terminal);
    }
    /// Holds the events of watches back, or delivers them.
    void hold_watches(bool on) {
        watches_->held = on;
        if (!on) release_watches();
    }
    /// Delivers the events that are held back now. False if there are none.
    bool release_watches() {
        auto const ready = std::exchange(watches_->deliveries, {});
        for (auto const& deliver : ready) asio::post(get_executor(), deliver);
        return !ready.empty();
    }

    /// @name Silence
    bool silent = false; ///< requests are lost, and their callers wait for ever
    /// Cancels the requests that were lost, if any, and all that follow.
    void end() {
        if (silent) ended_ = true;
        for (auto& h : std::exchange(lost_, {})) complete(std::move(*h), asio::error::operation_aborted, {});
    }

    /// @name Writes that wait for the test
    /// Which writes are held back until answer(). GET requests never are.
    std::function<bool(kube::http_request const&)> holds;
    static bool every_write(kube::http_request const&) { return true; }
    /// Sends the `at`th of the held writes, or answers it instead of the server.
    void answer(std::size_t at = 0, std::optional<fault> const& instead = std::nullopt) {
        auto const one = std::move(held_.at(at));
        held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(at));
        if (!instead) return send(std::move(one->request), std::move(one->handler));
        complete(std::move(one->handler), instead->ec, response_of(*instead));
    }
    std::size_t under_way() const { return held_.size(); }
    /// Drops held writes that no test will answer. Their handlers own their client, which owns this.
    void drop() { std::exchange(held_, {}).clear(); }
    std::function<std::string(kube::http_request const&)> describe_held; ///< the text in `sent`
    std::vector<std::string> sent; ///< held writes in order: `POST pods a`, `DELETE services b`
    std::size_t most = 0;          ///< the largest number that was held at once

private:
    struct held {
        held(kube::http_request r, open_handler h) : request(std::move(r)), handler(std::move(h)) {}

        kube::http_request request;
        open_handler handler;
    };
    struct watches {
        std::list<asio::cancellation_signal> signals;
        bool held = false;
        std::vector<std::function<void()>> deliveries;
    };

    class body final : public kube::body_stream {
    public:
        body(faulty_transport const& t, std::unique_ptr<kube::body_stream> b, std::shared_ptr<watches> all,
             milliseconds lag)
            : inner_(std::move(b)),
              all_(std::move(all)),
              mine_(all_->signals.emplace(all_->signals.end())),
              on_answer_(t.on_answer),
              lag_(lag),
              timer_(std::make_shared<kube::detail::timer>(t.get_executor())) {}
        body(body const&) = delete;
        body& operator=(body const&) = delete;
        ~body() override { all_->signals.erase(mine_); }

        void async_read(read_handler handler) override {
            auto const cancelled = std::make_shared<bool>(false);
            if (auto slot = asio::get_associated_cancellation_slot(handler); slot.is_connected())
                slot.assign([this, cancelled](asio::cancellation_type type) {
                    *cancelled = true;
                    mine_->emit(type);
                });
            read(std::make_shared<read_handler>(std::move(handler)), cancelled);
        }

    private:
        void read(std::shared_ptr<read_handler> const& kept, std::shared_ptr<bool> const& cancelled) {
            auto done = [this, alive = std::weak_ptr(inner_), kept, cancelled, all = all_, change = on_answer_,
                         lag = lag_, timer = timer_](error_code ec, std::string piece) {
                if (change && !ec) {
                    change(piece);
                    if (piece.empty() && !alive.expired()) return read(kept, cancelled);
                }
                if (all->held) return all->deliveries.push_back([kept, ec, piece] { std::move (*kept)(ec, piece); });
                bool const cut = ec == asio::error::operation_aborted && !*cancelled;
                auto const code = cut ? make_error_code(errc::connection_lost) : ec;
                if (ec || lag == milliseconds(0)) return std::move(*kept)(code, std::move(piece));
                timer->expires_after(lag);
                timer->async_wait(
                    [kept, piece = std::move(piece)](error_code) { std::move (*kept)(error_code(), piece); });
            };
            inner_->async_read(asio::bind_cancellation_slot(mine_->slot(), std::move(done)));
        }

        std::shared_ptr<kube::body_stream> inner_;
        std::shared_ptr<watches> all_;
        std::list<asio::cancellation_signal>::iterator mine_;
        std::function<void(std::string&)> on_answer_;
        milliseconds lag_;
        std::shared_ptr<kube::detail::timer> timer_;
    };

    void complete(open_handler handler, error_code ec, kube::streamed_response r) const {
        asio::post(get_executor(), asio::append(std::move(handler), ec, std::move(r)));
    }
    kube::streamed_response response_of(fault const& f) const {
        kube::streamed_response r;
        r.head.status = f.status;
        r.head.fields = f.fields;
        if (!f.ec) r.body = std::make_unique<ready_body>(get_executor(), f.text);
        return r;
    }
    void send(kube::http_request request, open_handler handler) {
        auto const slot = asio::get_associated_cancellation_slot(handler);
        if (auto const f = judge ? judge(request) : std::nullopt) {
            if (!f->carried_out) return complete(std::move(handler), f->ec, response_of(*f));
            auto lose = [ec = f->ec, r = response_of(*f), h = std::move(handler)](
                            error_code, kube::streamed_response const&) mutable { std::move(h)(ec, std::move(r)); };
            return inner->async_open(std::move(request), asio::bind_cancellation_slot(slot, std::move(lose)));
        }
        auto note = request.method == "GET" ? std::string() : request.method + " " + request.target;
        bool const watch = request.target.find("watch=") != std::string::npos;
        auto const late = watch && lag ? lag(request) : milliseconds(0);
        auto done = [self = shared_from_this(), watch, late, note = std::move(note),
                     h = std::move(handler)](error_code ec, kube::streamed_response r) mutable {
            if (!note.empty() && !ec && r.head.status < 300) self->acknowledged.push_back(std::move(note));
            if (r.body && (watch || self->on_answer))
                r.body = std::make_unique<body>(*self, std::move(r.body),
                                                watch ? self->watches_ : std::make_shared<watches>(), late);
            std::move(h)(ec, std::move(r));
        };
        inner->async_open(std::move(request), asio::bind_cancellation_slot(slot, std::move(done)));
    }
    static std::string what(kube::http_request const& r) {
        static constexpr std::string_view before_names = "/namespaces/corpus/";
        auto target = r.target.substr(0, r.target.find('?'));
        if (auto const at = target.find(before_names); at != std::string::npos)
            target.erase(0, at + before_names.size());
        std::replace(target.begin(), target.end(), '/', ' ');
        if (r.method == "POST")
            if (auto const at = r.body.find(R"("name":")"); at != std::string::npos)
                target += " " + r.body.substr(at + 8, r.body.find('"', at + 8) - at - 8);
        return r.method + " " + target;
    }

    std::deque<std::unique_ptr<held>> held_;
    std::vector<std::unique_ptr<open_handler>> lost_;
    bool ended_ = false;
    std::shared_ptr<watches> watches_ = std::make_shared<watches>();
};

} // namespace kftrain::test

#endif
