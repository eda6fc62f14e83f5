#ifndef KFTRAIN_SRC_KUBE_CALLS_RETRY_AFTER_HPP
#define KFTRAIN_SRC_KUBE_CALLS_RETRY_AFTER_HPP

#include <kftrain/kube/message.hpp>

#include <chrono>
#include <cstdint>
#include <optional>

namespace kftrain::kube::detail {

/// The longest time that a server can make a client wait. Deadlines of calls end most waits long before.
inline constexpr std::chrono::seconds longest_retry_after{3600};

/** The delay of a `Retry-After` field: seconds, or a date compared with the `Date` of the answer; 0 s if the answer has
    no `Date`. At most longest_retry_after, also for numbers that overflow. Nothing without the field, or for other
    values such as negative numbers and fractions.
    @par Upstream RFC 9110, 10.2.3; client-go `rest/request.go` knows seconds only */
std::optional<std::chrono::seconds> retry_after(http_fields const& fields);
/// The same for `retryAfterSeconds` of a Status; nothing unless it is positive.
std::optional<std::chrono::seconds> retry_after(std::int64_t seconds);

} // namespace kftrain::kube::detail

#endif
