#include "local/kubelet/containers/probe_result.hpp"

#include "base/ascii.hpp"
#include "model/json/go_text.hpp"
#include "model/rules/value_syntax.hpp"

#include <boost/url/parse.hpp>
#include <boost/url/url.hpp>

#include <algorithm>
#include <charconv>

namespace kftrain::local {
namespace {

std::int32_t at_least_one(std::int32_t value, std::int32_t otherwise) { return value > 0 ? value : otherwise; }

bool is_header_text(std::string_view text) {
    return std::ranges::none_of(text, [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

/// Escapes the characters that the target of a request cannot contain (RFC 3986, section 3), except `%`.
std::string target_of(std::string_view path) {
    constexpr std::string_view digits = "0123456789ABCDEF", others = "\"<>\\^`{|}#[]";
    std::string out = path.starts_with('/') ? "" : "/";
    for (char const c : path) {
        auto const byte = static_cast<unsigned char>(c);
        if (byte > ' ' && byte < 0x7f && others.find(c) == others.npos) {
            out += c;
            continue;
        }
        out += '%';
        out += digits[byte >> 4U];
        out += digits[byte & 15U];
    }
    return out;
}

constexpr std::string_view head_end = "\r\n\r\n";

/// The value of a field of a response; empty if it has none.
std::string_view field_of(std::string_view answer, std::string_view name) {
    auto head = answer.substr(0, answer.find(head_end));
    while (!head.empty()) {
        auto const line = head.substr(0, head.find("\r\n"));
        head.remove_prefix(std::min(head.size(), line.size() + 2));
        auto const colon = line.find(':');
        if (colon == line.npos || to_lower(line.substr(0, colon)) != name) continue;
        auto const begin = line.find_first_not_of(" \t", colon + 1);
        auto const last = line.find_last_not_of(" \t");
        return begin == line.npos ? std::string_view() : line.substr(begin, last + 1 - begin);
    }
    return {};
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

std::string probe_url::text() const {
    return (tls ? "https://" : "http://") + host + ":" + std::to_string(port) + target;
}

probe_url url_of(core::http_get_action const& get, std::string_view host, std::uint16_t port) {
    probe_url url;
    url.tls = to_lower(get.scheme) == "https";
    url.host = host;
    url.port = port;
    url.target = target_of(get.path);
    return url;
}

std::string header_fault(core::http_get_action const& get) {
    for (auto const& h : get.http_headers) {
        if (!header_name_faults(h.name).empty())
            return "net/http: invalid header field name " + go_text::quoted(h.name);
        if (!is_header_text(h.value)) return "net/http: invalid header field value for " + go_text::quoted(h.name);
    }
    return {};
}

std::string request_of(probe_url const& url, core::http_get_action const& get, std::string_view user_agent) {
    auto text = "GET " + url.target + " HTTP/1.1\r\n";
    bool named = false;
    bool agent = false;
    bool accepts = false;
    for (auto const& h : get.http_headers) {
        auto const name = to_lower(h.name);
        named = named || name == "host";
        agent = agent || name == "user-agent";
        accepts = accepts || name == "accept";
        if (name == "accept" && h.value.empty()) continue;
        text.append(h.name).append(": ").append(h.value).append("\r\n");
    }
    if (!named) text.append("Host: ").append(url.host).append(":").append(std::to_string(url.port)).append("\r\n");
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

bool has_head(std::string_view answer) { return status_of(answer) && answer.find(head_end) != answer.npos; }

bool has_length(std::string_view answer) { return !field_of(answer, "content-length").empty(); }

void drop_informational(std::string& answer) {
    constexpr int least_final = 200;
    while (has_head(answer) && *status_of(answer) < least_final)
        answer.erase(0, answer.find(head_end) + head_end.size());
}

bool is_whole(std::string_view answer) {
    auto const end = answer.find(head_end);
    std::size_t size = 0;
    auto const length = field_of(answer, "content-length");
    auto const* const last = length.data() + length.size();
    if (end != answer.npos && field_of(answer, "transfer-encoding") == "chunked")
        return answer.ends_with("\r\n0\r\n\r\n");
    return end != answer.npos && !length.empty() && std::from_chars(length.data(), last, size).ptr == last &&
           answer.size() - end - head_end.size() >= size;
}

/// Upstream: Go `net/http/client.go`, `redirectBehavior`.
std::optional<probe_url> redirect_of(std::string_view answer, probe_url const& from) {
    auto const status = status_of(answer).value_or(0);
    bool const redirects = (status >= 301 && status <= 303) || status == 307 || status == 308;
    auto const location = field_of(answer, "location");
    auto const text = from.text(); // the parsed form refers to it
    auto const base = boost::urls::parse_uri(text);
    auto const reference = boost::urls::parse_uri_reference(location);
    boost::urls::url to;
    if (!redirects || location.empty() || !base || !reference || !boost::urls::resolve(*base, *reference, to))
        return std::nullopt;
    probe_url url;
    url.tls = to.scheme() == "https";
    url.host = to.host();
    url.port = to.has_port() ? to.port_number() : url.tls ? 443 : 80;
    url.target = to.encoded_target();
    if (url.target.empty() || url.target.front() == '?') url.target.insert(0, "/");
    return url;
}

probe_result judge_answer(std::string_view answer) {
    auto const status = status_of(answer);
    if (!status) return {false, "malformed HTTP response"};
    if (*status < 200 || *status >= 400)
        return {false, "HTTP probe failed with statuscode: " + std::to_string(*status)};
    probe_result good(true, {});
    good.warns = *status >= 300;
    auto const end = answer.find(head_end);
    if (good.warns)
        good.output = "Probe terminated redirects, Response body: " +
                      std::string(end == answer.npos ? "" : answer.substr(end + head_end.size()));
    return good;
}

} // namespace kftrain::local
