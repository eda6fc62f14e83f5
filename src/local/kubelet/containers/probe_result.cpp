#include "local/kubelet/containers/probe_result.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <charconv>

namespace kftrain::local {
namespace {

std::int32_t at_least_one(std::int32_t value, std::int32_t otherwise) { return value > 0 ? value : otherwise; }

bool is_header_text(std::string_view text) {
    return std::ranges::none_of(text, [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

/// What cannot stand in the line of a request is escaped.
std::string target_of(std::string_view path) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string out = path.starts_with('/') ? "" : "/";
    for (char const c : path) {
        auto const byte = static_cast<unsigned char>(c);
        if (byte > ' ' && byte < 0x7f) {
            out += c;
            continue;
        }
        out += '%';
        out += digits[byte >> 4U];
        out += digits[byte & 15U];
    }
    return out;
}

} // namespace

std::string_view name_of(probe_kind k) noexcept {
    if (k == probe_kind::startup) return "Startup";
    return k == probe_kind::liveness ? "Liveness" : "Readiness";
}

probe_judge::probe_judge(core::probe const& p)
    : successes_(at_least_one(p.success_threshold, 1)), failures_(at_least_one(p.failure_threshold, 3)) {}

std::optional<bool> probe_judge::count(bool success) noexcept {
    in_a_row_ = last_ == success ? in_a_row_ + 1 : 1;
    last_ = success;
    auto const needed = success ? successes_ : failures_;
    in_a_row_ = std::min(in_a_row_, needed);
    return in_a_row_ == needed ? last_ : std::nullopt;
}

std::chrono::seconds initial_delay(core::probe const& p) noexcept {
    return std::chrono::seconds(std::max(p.initial_delay_seconds, 0));
}
std::chrono::seconds period(core::probe const& p) noexcept {
    return std::chrono::seconds(at_least_one(p.period_seconds, 10));
}
std::chrono::seconds timeout(core::probe const& p) noexcept {
    return std::chrono::seconds(at_least_one(p.timeout_seconds, 1));
}

std::uint16_t port_of(int_or_string const& port, core::container const& c) noexcept {
    std::int32_t number = port.number();
    if (port.is_string()) {
        auto const named = std::ranges::find(c.ports, port.text(), &core::container_port::name);
        if (named != c.ports.end()) {
            number = named->container_port_;
        } else {
            auto const* end = port.text().data() + port.text().size();
            if (std::from_chars(port.text().data(), end, number).ptr != end) return 0;
        }
    }
    return number > 0 && number < 65'536 ? static_cast<std::uint16_t>(number) : std::uint16_t(0);
}

std::string request_of(core::http_get_action const& get, std::string_view host, std::uint16_t port,
                       std::string_view user_agent) {
    auto text = "GET " + target_of(get.path) + " HTTP/1.1\r\n";
    bool named = false;
    bool agent = false;
    bool accepts = false;
    for (auto const& h : get.http_headers) {
        if (!is_header_text(h.name) || !is_header_text(h.value) || h.name.empty()) return {};
        auto const name = to_lower(h.name);
        named = named || name == "host";
        agent = agent || name == "user-agent";
        accepts = accepts || name == "accept";
        if (name == "accept" && h.value.empty()) continue;
        text.append(h.name).append(": ").append(h.value).append("\r\n");
    }
    if (!named) text.append("Host: ").append(host).append(":").append(std::to_string(port)).append("\r\n");
    if (!agent) text.append("User-Agent: ").append(user_agent).append("\r\n");
    if (!accepts) text += "Accept: */*\r\n";
    return text + "Connection: close\r\n\r\n";
}

std::optional<int> status_of(std::string_view answer) {
    constexpr std::size_t place = 9; // behind `HTTP/1.1 `
    int status = 0;
    auto const digits = answer.starts_with("HTTP/1.") && answer.size() >= place + 3 ? answer.substr(place, 3) : "";
    if (digits.empty() || std::from_chars(digits.data(), digits.data() + 3, status).ptr != digits.data() + 3)
        return std::nullopt;
    return status;
}

probe_result judge_answer(std::string_view answer) {
    auto const status = status_of(answer);
    if (!status) return {false, "malformed HTTP response"};
    if (*status >= 200 && *status < 400) return {true, {}};
    return {false, "HTTP probe failed with statuscode: " + std::to_string(*status)};
}

} // namespace kftrain::local
