#include "golden/kinds/secret_description.hpp"

#include "model/scalars/base64.hpp"

#include <stdexcept>

namespace golden {
namespace {

std::string decoded(std::string_view base64) {
    auto const bytes = kftrain::base64_decode(base64);
    if (!bytes) throw std::runtime_error("a value of a Secret is no base64");
    return *bytes;
}

/// DER of the object identifier 1.3.132.0.35, which names the curve.
constexpr std::string_view p521("\x06\x05\x2b\x81\x04\x00\x23", 7);

std::string describe_pem(std::string_view text) {
    auto const label_at = text.find("BEGIN ") + 6;
    std::string const label(text.substr(label_at, text.find("-----", label_at) - label_at));
    auto const from = text.find('\n') + 1;
    auto const der = decoded(text.substr(from, text.find("-----END") - from));
    // The numbers in a key of RSA are now and then a byte shorter.
    if (label == "RSA PRIVATE KEY") return "<pem " + label + " der~" + std::to_string((der.size() + 5) / 10 * 10) + ">";
    return "<pem " + label + " der=" + std::to_string(der.size()) +
           (der.find(p521) != std::string::npos ? " P-521" : "") + ">";
}

std::string describe(std::string const& text) {
    if (text.starts_with("-----BEGIN ")) return describe_pem(text);
    auto const space = text.find(' ');
    if (space == std::string::npos || !(text.starts_with("ecdsa-") || text.starts_with("ssh-"))) return "text:" + text;
    auto const blob = decoded(text.substr(space + 1, text.find_first_of(" \n", space + 1) - space - 1));
    return "<authorized_keys " + text.substr(0, space) + " blob=" + std::to_string(blob.size()) +
           " line=" + std::to_string(text.size()) + ">";
}

} // namespace

void describe_secret(json::value& body) {
    auto* object = body.if_object();
    if (object == nullptr || text(*object, "kind") != "Secret") return;
    auto* data = object->if_contains("data");
    if (data == nullptr || !data->is_object()) return;
    for (auto& [key, value] : data->get_object()) value = describe(decoded(std::string_view(value.as_string())));
}

} // namespace golden
