#ifndef KFTRAIN_SRC_LOCAL_DNS_DNS_MESSAGE_HPP
#define KFTRAIN_SRC_LOCAL_DNS_DNS_MESSAGE_HPP

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::local {

using ipv4 = std::array<std::uint8_t, 4>;

/// Finds the addresses of a lower-case name without trailing dot: absent if the name does not exist.
using dns_lookup = std::function<std::optional<std::vector<ipv4>>(std::string_view name)>;

/** Answers one DNS query: A records from `lookup`, no other types, no recursion; names that do not exist get NXDOMAIN.
    Empty for a datagram that deserves no answer. Pure.
    @par Upstream RFC 1035 §4; Kubernetes DNS-based service discovery for the names */
std::string answer_dns(std::string_view query, dns_lookup const& lookup);

/// `10.244.0.7` as bytes; absent if the text is none.
std::optional<ipv4> parse_ipv4(std::string_view text) noexcept;

} // namespace kftrain::local

#endif
