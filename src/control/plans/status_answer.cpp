#include "control/plans/status_answer.hpp"

#include <kftrain/control/operator_metrics.hpp>

#include <exception>

namespace kftrain::control {
namespace {

struct status_line {
    unsigned code;
    std::string_view reason;
};

constexpr std::string_view plain_text_type = "text/plain; charset=utf-8";

std::string http_answer(status_line status, std::string const& body, std::string_view type = plain_text_type,
                        std::string_view more = {}) {
    std::string text = "HTTP/1.1 " + std::to_string(status.code);
    text.append(" ").append(status.reason).append("\r\nContent-Type: ").append(type);
    text.append("\r\nContent-Length: ").append(std::to_string(body.size()));
    text.append("\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n")
        .append(more)
        .append("\r\n")
        .append(body);
    return text;
}

std::string bad_request() { return http_answer({400, "Bad Request"}, "bad request\n"); }

std::string check_answer(std::function<bool()> const& holds, std::string_view what) {
    if (!holds || holds()) return http_answer({200, "OK"}, "ok");
    return http_answer({503, "Service Unavailable"}, std::string(what).append(" check failed\n"));
}

/// Takes the next token of the request line.
std::string_view take_token(std::string_view& line) {
    auto const word = line.substr(0, line.find(' '));
    line.remove_prefix(std::min(word.size() + 1, line.size()));
    return word;
}

std::string answer_for(status_listener_options const& options, std::string_view path) {
    if (path == "/healthz") return check_answer(options.healthy, "healthz");
    if (path == "/readyz") return check_answer(options.ready, "readyz");
    if (path == "/metrics" && options.metrics)
        return http_answer({200, "OK"}, options.metrics(), prometheus_content_type);
    return http_answer({404, "Not Found"}, "not found: expected /metrics, /healthz or /readyz\n");
}

std::string failed_answer(status_listener_options const& options, std::string_view path, std::string why) {
    options.logger(log_level::error, "a function of the status listener threw an exception",
                   {{"path", std::string(path)}, {"error", std::move(why)}});
    return http_answer({500, "Internal Server Error"}, "internal error\n");
}

} // namespace

std::optional<std::size_t> end_of_head(std::string_view text) {
    auto const at = text.find("\r\n\r\n");
    if (at == text.npos) return std::nullopt;
    return at + 4;
}

std::string too_long_answer() { return http_answer({431, "Request Header Fields Too Large"}, "too long\n"); }

std::string status_answer(status_listener_options const& options, std::string_view head) {
    auto line = head.substr(0, head.find("\r\n"));
    auto const method = take_token(line);
    auto const target = take_token(line);
    if (method.empty() || !target.starts_with('/') || (line != "HTTP/1.1" && line != "HTTP/1.0")) return bad_request();
    if (method.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ-") != method.npos) return bad_request();
    if (method != "GET")
        return http_answer({405, "Method Not Allowed"}, "expected GET\n", plain_text_type, "Allow: GET\r\n");
    auto const path = target.substr(0, target.find('?'));
    try {
        return answer_for(options, path);
    } catch (std::exception const& e) {
        return failed_answer(options, path, e.what());
    } catch (...) {
        return failed_answer(options, path, "not a std::exception");
    }
}

} // namespace kftrain::control
