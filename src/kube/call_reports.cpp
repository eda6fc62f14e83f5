#include "kube/call_reports.hpp"

#include <exception>
#include <utility>

namespace kftrain::kube::detail {
namespace {

/// Calls a hook: what it throws would end a call that went well.
template <class Call> void call_hook(client::state const& s, std::string_view name, Call call) {
    try {
        call();
    } catch (std::exception const& e) {
        s.options.logger(log_level::error, "a hook of the client threw an exception",
                         {{"hook", std::string(name)}, {"error", e.what()}});
    } catch (...) {
        s.options.logger(log_level::error, "a hook of the client threw an exception", {{"hook", std::string(name)}});
    }
}

} // namespace

struct call_reports::notes {
    using clock = std::chrono::steady_clock;

    request_report report_of(clock::time_point since, error_code ec, unsigned status, diagnostics const& why) const {
        request_report r = common;
        r.attempts = attempts;
        r.error = ec;
        r.status = status;
        if (ec) r.message = why.message;
        if (ec) r.audit_id = why.audit_id;
        r.duration = clock::now() - since;
        return r;
    }

    request_report common;
    clock::time_point begun = clock::now();
    clock::time_point attempt_begun;
    unsigned attempts = 0;
    bool under_way = false;
    std::size_t sent = 0;     // by this attempt
    std::size_t received = 0; // by this attempt
    std::size_t all_sent = 0;
    std::size_t all_received = 0;
};

call_reports::call_reports(client::state const& s, http_request const& request) {
    if (!s.options.on_request && !s.options.on_attempt) return;
    notes_ = std::make_unique<notes>();
    auto& c = notes_->common;
    c.subject = subject_of(request.method, request.target);
    c.method = request.method;
    c.target = request.target;
    c.user_agent = request.fields.get("User-Agent");
}

call_reports::~call_reports() = default;

void call_reports::sending(client::state const& s, http_request& request) {
    if (s.options.before_request) {
        http_request changed = request;
        call_hook(s, "before_request", [&] {
            s.options.before_request(changed);
            request = std::move(changed);
        });
    }
    if (!notes_) return;
    auto& n = *notes_;
    n.attempt_begun = notes::clock::now();
    n.under_way = true;
    ++n.attempts;
    n.sent = request.body.size();
    n.received = 0;
    n.all_sent += n.sent;
}

void call_reports::received(std::size_t bytes) noexcept {
    if (!notes_) return;
    notes_->received += bytes;
    notes_->all_received += bytes;
}

void call_reports::attempt_ended(client::state const& s, error_code ec, unsigned status, diagnostics const& why) {
    if (!notes_ || !std::exchange(notes_->under_way, false) || !s.options.on_attempt) return;
    request_report r = notes_->report_of(notes_->attempt_begun, ec, status, why);
    r.bytes_sent = notes_->sent;
    r.bytes_received = notes_->received;
    call_hook(s, "on_attempt", [&] { s.options.on_attempt(r); });
}

void call_reports::call_ended(client::state const& s, error_code ec, unsigned status, diagnostics const& why) {
    if (!notes_) return;
    attempt_ended(s, ec, status, why);
    if (!s.options.on_request) return;
    request_report r = notes_->report_of(notes_->begun, ec, status, why);
    r.bytes_sent = notes_->all_sent;
    r.bytes_received = notes_->all_received;
    call_hook(s, "on_request", [&] { s.options.on_request(r); });
}

void log_repair(client const& c, resource_info const& followed, error_code ec, diagnostics const& why) {
    auto const& s = state_of(c);
    if (s.options.on_repair) call_hook(s, "on_repair", [&] { s.options.on_repair(followed, failure(ec, why)); });
}

} // namespace kftrain::kube::detail
