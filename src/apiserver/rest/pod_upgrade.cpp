#include "apiserver/rest/pod_upgrade.hpp"

#include "apiserver/refusals/refusals.hpp"
#include "base/ascii.hpp"
#include "base/joined.hpp"
#include "kube/exec/exec_protocol.hpp"
#include "kube/streams/websocket_frames.hpp"

#include <algorithm>
#include <charconv>
#include <span>

namespace kftrain::apiserver {
namespace {

using kube::detail::list_of;

/// A subprotocol of WebSocket and what it carries, the preferred one first.
struct subprotocol {
    std::string_view name;
    upgrade_protocol protocol;
};

constexpr subprotocol of_command[] = {{kube::detail::exec_v5, upgrade_protocol::channels},
                                      {kube::detail::exec_v4, upgrade_protocol::channels}};
constexpr subprotocol of_ports[] = {{kube::detail::ports_tunnel, upgrade_protocol::tunnel},
                                    {kube::detail::exec_v4, upgrade_protocol::channels}};
constexpr std::string_view spdy_ports = "portforward.k8s.io";
constexpr std::size_t most_ports = 100; ///< two channels each, with numbers below 255

bool has_token(kube::http_fields const& fields, std::string_view name, std::string_view token) {
    auto const all = list_of(fields, name);
    return std::ranges::any_of(all, [&](std::string const& t) { return to_lower(t) == token; });
}

refusal unsupported(std::vector<std::string> const& offered, std::vector<std::string> const& known) {
    return {403, reason::forbidden,
            "requested protocol(s) are not supported: [" + joined(offered, " ") + "]; supports [" + joined(known, " ") +
                "]"};
}

answer<accepted_upgrade> accept_websocket(kube::http_request const& request, std::span<subprotocol const> known) {
    auto const& fields = request.fields;
    if (request.method != "GET") return bad_request("a WebSocket request must use the method GET");
    if (fields.get("Sec-WebSocket-Version") != "13") return bad_request("missing or bad WebSocket Version");
    if (fields.get("Sec-WebSocket-Key").empty()) return bad_request("mismatch challenge/response");
    auto const offered = list_of(fields, "Sec-WebSocket-Protocol");
    std::vector<std::string> names;
    for (auto const& p : known) {
        names.emplace_back(p.name);
        if (std::ranges::find(offered, p.name) == offered.end()) continue;
        accepted_upgrade out;
        out.protocol = p.protocol;
        out.fields.add("Upgrade", "websocket");
        out.fields.add("Connection", "Upgrade");
        out.fields.add("Sec-WebSocket-Accept", kube::detail::websocket_accept(fields.get("Sec-WebSocket-Key")));
        out.fields.add("Sec-WebSocket-Protocol", std::string(p.name));
        return out;
    }
    return unsupported(offered, names);
}

answer<accepted_upgrade> accept_spdy(kube::http_request const& request, std::string_view known) {
    auto const offered = list_of(request.fields, "X-Stream-Protocol-Version");
    if (std::ranges::find(offered, known) == offered.end()) return unsupported(offered, {std::string(known)});
    accepted_upgrade out;
    out.protocol = upgrade_protocol::spdy;
    out.fields.add("Connection", "Upgrade");
    out.fields.add("Upgrade", "SPDY/3.1");
    out.fields.add("X-Stream-Protocol-Version", std::string(known));
    return out;
}

answer<accepted_upgrade> accept(kube::http_request const& request, std::span<subprotocol const> over_websocket,
                                std::string_view over_spdy) {
    if (!has_token(request.fields, "Connection", "upgrade")) return bad_request("Upgrade request required");
    if (has_token(request.fields, "Upgrade", "websocket")) return accept_websocket(request, over_websocket);
    if (has_token(request.fields, "Upgrade", "spdy/3.1")) return accept_spdy(request, over_spdy);
    return bad_request("unable to upgrade: expected the protocol websocket or SPDY/3.1, got " +
                       in_quotes(request.fields.get("Upgrade")));
}

} // namespace

answer<accepted_upgrade> accept_for_command(kube::http_request const& request) {
    return accept(request, of_command, kube::detail::exec_v4);
}

answer<accepted_upgrade> accept_for_ports(kube::http_request const& request) {
    return accept(request, of_ports, spdy_ports);
}

answer<std::vector<std::uint16_t>> read_ports(request_target const& target) {
    std::vector<std::uint16_t> ports;
    for (auto const& list : target.get_all("ports"))
        for (std::string_view rest = list; !rest.empty();) {
            auto const comma = rest.find(',');
            auto const text = rest.substr(0, comma);
            rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
            std::uint16_t port = 0;
            auto const read = std::from_chars(text.data(), text.data() + text.size(), port);
            if (read.ec != std::errc() || read.ptr != text.data() + text.size() || port == 0)
                return bad_request("ports: expected numbers from 1 to 65535, got " + in_quotes(text));
            ports.push_back(port);
        }
    if (ports.size() > most_ports)
        return bad_request("ports: expected at most " + std::to_string(most_ports) + ", got " +
                           std::to_string(ports.size()));
    return ports;
}

answer<std::shared_ptr<exec_process>> pod_exec_source::start_attach(exec_request const&) {
    return refusal(501, reason::unknown, "this server does not attach to containers");
}

answer<std::shared_ptr<port_connection>> pod_exec_source::open_port(port_request const&) {
    return refusal(501, reason::unknown, "this server does not forward ports");
}

} // namespace kftrain::apiserver
