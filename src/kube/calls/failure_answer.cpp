#include "base/ascii.hpp"
#include "kube/calls/client_state.hpp"
#include "kube/http/header_fields.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/meta.hpp>

#include <algorithm>

namespace kftrain::kube::detail {
namespace {

constexpr std::size_t longest_message = 2048;

std::string request_line(http_request const& r) { return r.method + " " + r.target; }

void note(std::optional<std::chrono::seconds> wait, call_report& report) {
    if (!wait) return;
    report.has_retry_after = true;
    report.retry_after = std::max<std::chrono::milliseconds>(report.retry_after, *wait);
    report.detail.retry_after = report.retry_after;
}

void take(meta::api_status const& status, unsigned http, call_report& report) {
    report.detail.message = status.message;
    report.detail.server_reason = status.reason;
    report.detail.http_status = http;
    report.detail.continue_ = status.metadata.continue_;
    if (!status.details) return;
    auto const& d = *status.details;
    note(retry_after(d.retry_after_seconds), report);
    for (auto const& c : d.causes) {
        report.detail.causes.emplace_back(c.reason, c.field, c.message);
        report.resource_version_too_large |= c.reason == "ResourceVersionTooLarge";
        report.disruption_budget |= c.reason == "DisruptionBudget";
    }
}

bool is_readable(http_fields const& fields) {
    return to_lower(fields.get("Content-Type")).starts_with("text/") || is_json(fields);
}

bool is_status(meta::api_status const& s) { return !s.status.empty() || !s.reason.empty() || !s.message.empty(); }

} // namespace

void hide_in(diagnostics& d, hide_function const& hide) {
    // The continue token goes back to the server: what merely resembles a part of a secret must stay.
    for (auto* text : {&d.message, &d.path, &d.server_reason, &d.audit_id}) *text = hide(std::move(*text));
    for (auto& c : d.causes)
        for (auto* text : {&c.reason, &c.field, &c.message}) *text = hide(std::move(*text));
    for (auto& text : d.warnings) text = hide(std::move(text));
}

error_code decode_failure(http_request const& request, http_response const& answer, hide_function const& hide,
                          call_report& report) {
    report = call_report();
    note(retry_after(answer.fields), report);
    unsigned http = answer.status;
    if (auto status = from_json<meta::api_status>(answer.body); status && is_status(*status)) {
        bool const has_success_status = http < 300; // only in the HTTP status
        if (has_success_status && status->code > 0) http = static_cast<unsigned>(status->code);
        take(*status, http, report);
        hide_in(report.detail, hide);
        if (report.detail.message.empty())
            report.detail.message = request_line(request) + ": HTTP status " + std::to_string(http);
    } else {
        report.detail.http_status = answer.status;
        report.detail.message = request_line(request) + ": HTTP status " + std::to_string(answer.status);
        if (!answer.body.empty() && is_readable(answer.fields))
            report.detail.message += ": " + hide(answer.body).substr(0, longest_message);
    }
    report.detail.audit_id = hide(std::string(answer.fields.get("Audit-Id")));
    // Only a creation can collide with an object that exists.
    if (http == 409 && report.detail.server_reason.empty() && request.method == "POST") return reason::already_exists;
    return to_reason(report.detail.server_reason, http);
}

error_code decode_status(std::string_view text, call_report& report) {
    report = call_report();
    auto status = from_json<meta::api_status>(text);
    if (!status) {
        report.detail = std::move(status.error().detail);
        return status.error().code;
    }
    auto const http = static_cast<unsigned>(std::max(status->code, 0));
    take(*status, http, report);
    return to_reason(status->reason, http);
}

bool is_json(http_fields const& fields) {
    return to_lower(fields.get("Content-Type")).find("json") != std::string::npos;
}

} // namespace kftrain::kube::detail
