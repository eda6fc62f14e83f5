#include "golden/recording_transport.hpp"

#include "golden/secret_description.hpp"

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>

namespace golden {

using namespace kftrain;
namespace asio = boost::asio;

namespace {

/// A body that has been read already.
class text_body final : public kube::body_stream {
public:
    text_body(asio::any_io_executor executor, std::string text)
        : executor_(std::move(executor)), text_(std::move(text)) {}

    void async_read(kube::any_handler<void(error_code, std::string)> handler) override {
        error_code const ec = text_.empty() ? error_code(asio::error::eof) : error_code();
        asio::post(executor_, [h = std::move(handler), ec, text = std::exchange(text_, {})]() mutable {
            std::move(h)(ec, std::move(text));
        });
    }

private:
    asio::any_io_executor executor_;
    std::string text_;
};

/// A watch whose moments are shown or not.
class watch_body final : public kube::body_stream {
public:
    watch_body(std::unique_ptr<kube::body_stream> b, std::shared_ptr<moments> m)
        : body_(std::move(b)), moments_(std::move(m)) {}

    void async_read(kube::any_handler<void(error_code, std::string)> handler) override {
        auto const slot = asio::get_associated_cancellation_slot(handler);
        body_->async_read(asio::bind_cancellation_slot(
            slot, [this, h = std::move(handler)](error_code ec, std::string piece) mutable {
                if (!ec && (piece = filtered(piece)).empty()) return async_read(std::move(h));
                std::move(h)(ec, std::move(piece));
            }));
    }

private:
    /// Pieces end with an event.
    std::string filtered(std::string const& piece) {
        std::string kept;
        for (std::size_t at = 0, end = 0; at < piece.size(); at = end) {
            end = std::min(piece.find('\n', at), piece.size() - 1) + 1;
            std::string_view const line(piece.data() + at, end - at);
            bool const moment = line.find(R"("type":"MODIFIED")") != line.npos &&
                                line.find(R"("deletionGracePeriodSeconds":0)") != line.npos;
            moments_->any = moments_->any || moment;
            if (!moment || moments_->shown) kept += line;
        }
        return kept;
    }

    std::unique_ptr<kube::body_stream> body_;
    std::shared_ptr<moments> moments_;
};

} // namespace

/// Reads a body to its end.
void read_all(std::shared_ptr<kube::body_stream> const& body, std::string text,
              std::function<void(std::string)> const& done) {
    body->async_read([body, text = std::move(text), done](error_code ec, std::string piece) mutable {
        if (ec) return done(std::move(text));
        read_all(body, text + piece, done);
    });
}

void recording_transport::async_open(kube::http_request request,
                                     kube::any_handler<void(error_code, kube::streamed_response)> handler) {
    if (request.method == "GET") {
        if (request.target.find("watch=") == std::string::npos)
            return inner_->async_open(std::move(request), std::move(handler));
        auto const slot = asio::get_associated_cancellation_slot(handler);
        return inner_->async_open(
            std::move(request),
            asio::bind_cancellation_slot(
                slot, [h = std::move(handler), m = leaving](error_code ec, kube::streamed_response r) mutable {
                    if (r.body) r.body = std::make_unique<watch_body>(std::move(r.body), m);
                    std::move(h)(ec, std::move(r));
                }));
    }
    auto const kept =
        std::make_shared<kube::any_handler<void(error_code, kube::streamed_response)>>(std::move(handler));
    inner_->async_open(request, [this, request, kept](error_code ec, kube::streamed_response r) {
        if (ec) return std::move(*kept)(ec, std::move(r));
        auto const head = r.head;
        read_all(std::move(r.body), "", [this, request, kept, head](std::string text) {
            note(request, head.status, text);
            kube::streamed_response whole;
            whole.head = head;
            whole.body = std::make_unique<text_body>(get_executor(), std::move(text));
            std::move (*kept)(error_code(), std::move(whole));
        });
    });
}

json::value recording_transport::told_status(json::object const& job) const {
    auto const& status = child_of(job, "status");
    return own_.told_status ? own_.told_status(status) : as_conditions(status);
}

std::string recording_transport::reported(std::string text) const {
    for (auto const& [uid, name] : uids_)
        for (std::size_t at = 0; (at = text.find(uid, at)) != text.npos; at += name.size())
            text.replace(at, uid.size(), name);
    return spell ? spell(std::move(text)) : text;
}

void recording_transport::tell(json::value& v) const {
    if (v.is_string()) v = reported(std::string(v.get_string()));
    if (v.is_array())
        for (auto& e : v.get_array()) tell(e);
    if (!v.is_object()) return;
    json::object all;
    for (auto& [key, value] : v.get_object()) {
        tell(value);
        all[reported(std::string(key))] = std::move(value);
    }
    v = std::move(all);
}

/// A phase that goes on is told once: how often a status is written that hardly differs is chance.
void recording_transport::note_status(json::object const& job) {
    auto reported = told_status(job);
    if (!own_.whole && reported.is_string() && reported.get_string() == phase_) return;
    if (reported.is_string()) phase_ = reported.get_string();
    seen.conditions.push_back(std::move(reported));
}

namespace {

bool is_apply(kube::http_request const& request) {
    return std::ranges::any_of(request.fields, [](auto const& field) {
        return field.first == "Content-Type" && field.second.starts_with("application/apply-patch");
    });
}

} // namespace

void recording_transport::note(kube::http_request const& sent, unsigned status, std::string const& answer) {
    auto path = reported(sent.target.substr(0, sent.target.find('?')));
    auto method = sent.method;
    if (is_apply(sent)) { // it creates what is not there
        method = "POST";
        path = path.substr(0, path.rfind('/'));
    }
    json::value body = sent.body.empty() ? json::value() : json::parse(sent.body);
    if (path.find("/events") != std::string::npos) {
        auto const& e = body.as_object();
        auto const reason = text(e, "reason"), message = text(e, "message");
        // Recordings do not keep failures that come from a name that is taken, or from an object that is gone.
        bool const left_out =
            reason.starts_with("Failed") && (message.ends_with("already exists") || message.ends_with("not found"));
        if (status < 300 && !left_out)
            seen.events.emplace(text(e, "type"), reason, names_.reported(message), told_object(e));
        return;
    }
    if (path.ends_with("/status")) {
        if (status < 300 && path == job_path_ + "/status") note_status(body.as_object());
        return;
    }
    bool const itself = own_.whole && path == job_path_;
    if (itself && own_.random_id)
        if (auto const id = text(child_of(body.as_object(), "spec"), "RuntimeId"); !id.empty()) names_.learn_id(id);
    if (own_.random_names && method == "POST" && path.ends_with("/pods"))
        names_.learn_pod(text(child_of(body.as_object(), "metadata"), "name"));
    if (itself && status < 300) note_status(body.as_object());
    names_.tell(body);
    describe_secret(body);
    tell(body);
    request r(method, path, "");
    if (method != "DELETE") r.body = normal_body(body);
    r.name =
        method == "POST" ? text(child_of(r.body.as_object(), "metadata"), "name") : path.substr(path.rfind('/') + 1);
    if (status < 300 && method == "POST") {
        auto const made = json::parse(answer).as_object();
        name_uid(text(child_of(made, "metadata"), "uid"), text(body.as_object(), "kind") + "/" + r.name);
    }
    if (status >= 400) {
        r.code = status;
        r.message = names_.reported(text(json::parse(answer).as_object(), "message"));
    }
    // What one's own cache was too old for is not kept in the recordings.
    if (r.code == 409 && method == "PUT") return;
    if (r.code == 404 && method == "DELETE") return;
    seen.requests.push_back(std::move(r));
}

} // namespace golden
