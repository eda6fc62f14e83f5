#ifndef KFTRAIN_TEST_ASYNC_FAULTY_TRANSPORT_HPP
#define KFTRAIN_TEST_ASYNC_FAULTY_TRANSPORT_HPP

#include "async/probe.hpp"

#include <kftrain/kube/transport.hpp>

#include <boost/asio/append.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kftrain::test {

/// What becomes of one request instead of what would.
struct fault {
    /// The server answers this and does nothing.
    static fault answer(unsigned status, std::string const& reason, std::string const& message,
                        std::string const& details = "") {
        fault f;
        f.status = status;
        f.text = status_text(reason, status, message, details);
        constexpr std::string_view failed = "\"Failure\"";
        if (status < 300) f.text.replace(f.text.find(failed), failed.size(), "\"Success\"");
        return f;
    }
    /// Nothing is done and nothing comes.
    static fault error(error_code ec) {
        fault f;
        f.ec = ec;
        return f;
    }
    /// All is done and nothing comes.
    static fault lost_answer() {
        auto f = error(errc::connection_lost);
        f.carried_out = true;
        return f;
    }
    fault& field(std::string name, std::string value) { return fields.add(std::move(name), std::move(value)), *this; }

    error_code ec;
    bool carried_out = false; ///< whatever is answered
    unsigned status = 0;
    std::string text;
    kube::http_fields fields;
};

/// A body that is there already.
class ready_body final : public kube::body_stream {
public:
    ready_body(asio::any_io_executor ex, std::string text) : executor_(std::move(ex)), text_(std::move(text)) {}

    void async_read(kube::any_handler<void(error_code, std::string)> handler) override {
        error_code const ec = text_.empty() ? error_code(asio::error::eof) : error_code();
        asio::post(executor_, asio::append(std::move(handler), ec, std::exchange(text_, {})));
    }

private:
    asio::any_io_executor executor_;
    std::string text_;
};

/// A server that is restarted, refuses or breaks off when the test says so.
class faulty_transport final : public kube::transport, public std::enable_shared_from_this<faulty_transport> {
    using open_handler = kube::any_handler<void(error_code, kube::streamed_response)>;
    using signals = std::list<asio::cancellation_signal>;
    /// What watches have read and is not delivered yet.
    struct lag {
        bool on = false;
        std::vector<std::function<void()>> deliveries;
    };

    /// A watch, whose connection may break.
    class watch_body final : public kube::body_stream {
    public:
        watch_body(std::unique_ptr<kube::body_stream> b, std::shared_ptr<signals> s, std::shared_ptr<lag> l)
            : body_(std::move(b)), all_(std::move(s)), mine_(all_->emplace(all_->end())), lag_(std::move(l)) {}
        watch_body(watch_body const&) = delete;
        watch_body& operator=(watch_body const&) = delete;
        ~watch_body() override { all_->erase(mine_); }

        void async_read(kube::any_handler<void(error_code, std::string)> handler) override {
            auto const asked = std::make_shared<bool>(false);
            if (auto slot = asio::get_associated_cancellation_slot(handler); slot.is_connected())
                slot.assign([this, asked](asio::cancellation_type type) {
                    *asked = true;
                    mine_->emit(type);
                });
            auto done = [asked, late = lag_, h = std::move(handler)](error_code ec, std::string piece) mutable {
                if (late->on) {
                    auto const kept = std::make_shared<decltype(h)>(std::move(h));
                    late->deliveries.push_back([kept, ec, piece] { std::move (*kept)(ec, piece); });
                    return;
                }
                bool const cut = ec == asio::error::operation_aborted && !*asked;
                std::move(h)(cut ? make_error_code(errc::connection_lost) : ec, std::move(piece));
            };
            body_->async_read(asio::bind_cancellation_slot(mine_->slot(), std::move(done)));
        }

    private:
        std::unique_ptr<kube::body_stream> body_;
        std::shared_ptr<signals> all_;
        signals::iterator mine_;
        std::shared_ptr<lag> lag_;
    };

public:
    explicit faulty_transport(std::shared_ptr<kube::transport> t) : inner(std::move(t)) {}

    asio::any_io_executor get_executor() const noexcept override { return inner->get_executor(); }
    void async_open(kube::http_request request, open_handler handler) override {
        auto const f = judge ? judge(request) : std::nullopt;
        if (!f) {
            auto const slot = asio::get_associated_cancellation_slot(handler);
            auto note = request.method == "GET" ? std::string() : request.method + " " + request.target;
            bool const watch = request.target.find("watch=") != std::string::npos;
            auto done = [self = shared_from_this(), watch, note = std::move(note),
                         h = std::move(handler)](error_code ec, kube::streamed_response r) mutable {
                if (!note.empty() && !ec && r.head.status < 300) self->acknowledged.push_back(std::move(note));
                if (watch && r.body)
                    r.body = std::make_unique<watch_body>(std::move(r.body), self->watches_, self->lag_);
                std::move(h)(ec, std::move(r));
            };
            return inner->async_open(std::move(request), asio::bind_cancellation_slot(slot, std::move(done)));
        }
        kube::streamed_response answer;
        answer.head.status = f->status;
        answer.head.fields = f->fields;
        if (!f->ec) answer.body = std::make_unique<ready_body>(get_executor(), f->text);
        if (!f->carried_out)
            return asio::post(get_executor(), asio::append(std::move(handler), f->ec, std::move(answer)));
        auto const slot = asio::get_associated_cancellation_slot(handler);
        auto lose = [ec = f->ec, a = std::move(answer), h = std::move(handler)](
                        error_code, kube::streamed_response const&) mutable { std::move(h)(ec, std::move(a)); };
        inner->async_open(std::move(request), asio::bind_cancellation_slot(slot, std::move(lose)));
    }

    /// Breaks every watch.
    void cut() {
        for (auto& s : *watches_) s.emit(asio::cancellation_type::terminal);
    }

    /// Keeps back what watches bring, or delivers it.
    void hold_watches(bool on) {
        lag_->on = on;
        if (on) return;
        for (auto& deliver : std::exchange(lag_->deliveries, {})) asio::post(get_executor(), std::move(deliver));
    }

    std::shared_ptr<kube::transport> inner;
    std::function<std::optional<fault>(kube::http_request const&)> judge;
    std::vector<std::string> acknowledged; ///< writes that were carried out and answered

private:
    std::shared_ptr<signals> watches_ = std::make_shared<signals>();
    std::shared_ptr<lag> lag_ = std::make_shared<lag>();
};

} // namespace kftrain::test

#endif
