#ifndef KFTRAIN_SRC_KUBE_HTTP_HEADER_FIELDS_HPP
#define KFTRAIN_SRC_KUBE_HTTP_HEADER_FIELDS_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/kube/config.hpp>
#include <kftrain/kube/message.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::kube::detail {

/** Adds the impersonation header fields, unless `fields` have them already.
    @par Errors `errc::invalid_argument` for an identity without a user.
    @par Upstream client-go `transport/round_trippers.go` */
result<void> add_impersonation(impersonation const& who, http_fields& fields);

/** The `User-Agent` of a program with the name `program`, for example `trainer/1.2`: its name, the platform and this
    library. A text with a parenthesis is already a whole User-Agent. Empty if `program` is.
    @par Upstream client-go `rest/config.go`, `DefaultKubernetesUserAgent` */
std::string user_agent_of(std::string_view program);
/// As Go names it: `linux/amd64`.
std::string_view own_platform() noexcept;

/// The longest time that a server can make a client wait. Deadlines of calls end most waits long before.
inline constexpr std::chrono::seconds longest_retry_after{3600};

/** The delay of a `Retry-After` field: seconds, or a date compared with the `Date` of the answer; 0 s if the answer has
    no `Date`. At most longest_retry_after, also for numbers that overflow. Nothing without the field, or for other
    values such as negative numbers and fractions.
    @par Upstream RFC 9110, 10.2.3; client-go `rest/request.go` knows seconds only */
std::optional<std::chrono::seconds> retry_after(http_fields const& fields);
/// The same for `retryAfterSeconds` of a Status; nothing unless it is positive.
std::optional<std::chrono::seconds> retry_after(std::int64_t seconds);

/** The texts of the `Warning` fields of an answer that come from an API server, which have code 299; a field may
    contain several. Unreadable parts are skipped.
    @par Upstream RFC 7234, 5.5; apimachinery `pkg/util/net/http.go`, `ParseWarningHeader` */
std::vector<std::string> read_warnings(http_fields const& fields);

} // namespace kftrain::kube::detail

#endif
