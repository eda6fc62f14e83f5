#include "kube/exec/handshake.hpp"

#include "base/joined.hpp"
#include "kube/streams/websocket_frames.hpp"

#include <algorithm>

namespace kftrain::kube::detail {

void add_handshake(http_request& request, std::string const& key, std::span<std::string_view const> protocols) {
    auto& fields = request.fields;
    fields.add("Connection", "Upgrade");
    fields.add("Upgrade", "websocket");
    fields.add("Sec-WebSocket-Version", "13");
    fields.add("Sec-WebSocket-Key", key);
    fields.add("Sec-WebSocket-Protocol", joined(protocols, ", "));
}

std::unique_ptr<upgraded_stream> take_upgraded(std::unique_ptr<body_stream> body, std::string const& key,
                                               std::span<std::string_view const> protocols, std::string& why) {
    auto* const upgraded = dynamic_cast<upgraded_stream*>(body.get());
    if (upgraded == nullptr) {
        why = "the server did not switch to WebSocket";
        return nullptr;
    }
    auto const& fields = upgraded->fields();
    auto const chosen = fields.get("Sec-WebSocket-Protocol");
    if (fields.get("Sec-WebSocket-Accept") != websocket_accept(key))
        why = "the server did not accept the WebSocket handshake";
    else if (std::ranges::find(protocols, chosen) == protocols.end())
        why = "expected the protocol " + joined(protocols, " or ") + ", got \"" + std::string(chosen) + "\"";
    if (!why.empty()) return nullptr;
    body.release(); // NOLINT(bugprone-unused-return-value): `upgraded` is the same object
    return std::unique_ptr<upgraded_stream>(upgraded);
}

} // namespace kftrain::kube::detail
