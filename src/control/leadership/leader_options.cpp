#include <kftrain/control/leader_election.hpp>

#include "base/failure_at.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <utility>

namespace kftrain::control {
namespace {

using std::chrono::milliseconds;

std::string in_ms(milliseconds t) { return std::to_string(t.count()) + " ms"; }

} // namespace

result<void> check(leader_election_options const& o) {
    constexpr milliseconds second(1000);
    constexpr milliseconds longest = std::chrono::seconds(std::numeric_limits<std::int32_t>::max());
    for (auto const& [option, value] : {std::pair("name", &o.name), {"namespace_", &o.namespace_}})
        if (value->empty()) return failure_at(option, "expected the value of a Lease, got \"\"");
    if (o.identity.empty())
        return failure_at("identity",
                          "expected a name that no other process has, for example from make_identity(), got \"\"");
    for (auto const& [option, value] : {std::pair("lease_duration", o.lease_duration),
                                        {"renew_deadline", o.renew_deadline},
                                        {"retry_period", o.retry_period}})
        if (value < second || value > longest)
            return failure_at(option, "expected a duration from one second to 2147483647 seconds, got " + in_ms(value));
    if (o.lease_duration % second != milliseconds(0))
        return failure_at("lease_duration", "expected whole seconds, got " + in_ms(o.lease_duration));
    if (o.lease_duration <= o.renew_deadline)
        return failure_at("lease_duration", "expected more than renew_deadline, " + in_ms(o.renew_deadline) + ", got " +
                                                in_ms(o.lease_duration));
    if (!std::isfinite(o.jitter) || o.jitter < 0)
        return failure_at("jitter", "expected a factor of at least 0, got " + std::to_string(o.jitter));
    auto const waits = static_cast<double>(o.retry_period.count()) * std::max(o.jitter, 1.0);
    if (static_cast<double>(o.renew_deadline.count()) <= waits)
        return failure_at("renew_deadline", "expected more than retry_period, " + in_ms(o.retry_period) +
                                                ", times the jitter, got " + in_ms(o.renew_deadline));
    return {};
}

std::string make_identity(std::string_view host) {
    std::random_device random;
    std::array<unsigned, 4> words{};
    for (auto& w : words) w = random();
    words[1] = (words[1] & 0xFFFF0FFFU) | 0x4000U;     // version 4: random
    words[2] = (words[2] & 0x3FFFFFFFU) | 0x80000000U; // the variant of RFC 9562
    char text[37];
    std::snprintf(text, sizeof text, "%08x-%04x-%04x-%04x-%04x%08x", words[0], words[1] >> 16U, words[1] & 0xFFFFU,
                  words[2] >> 16U, words[2] & 0xFFFFU, words[3]);
    return std::string(host).append("_").append(text);
}

} // namespace kftrain::control
