#ifndef KFTRAIN_SRC_APISERVER_REST_REQUEST_TARGET_HPP
#define KFTRAIN_SRC_APISERVER_REST_REQUEST_TARGET_HPP

#include "apiserver/access/access_request.hpp"

#include <kftrain/apiserver/refusal.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain::apiserver {

/// The target of a request, decoded.
class request_target {
public:
    request_target() = default;

    /// 400 for bad percent-encoding or a target that is no absolute path.
    static answer<request_target> parse(std::string_view target);

    /// Segments between slashes; empty ones are left out.
    std::vector<std::string> const& path() const noexcept { return path_; }
    /// The first parameter of this name, or an empty text.
    std::string_view get(std::string_view name) const noexcept;
    /// All parameters of this name, in their order.
    std::vector<std::string> get_all(std::string_view name) const;
    bool has(std::string_view name) const noexcept;
    /// As Go clients are read: absent, `false` and `0` are false, everything else is true.
    bool flag(std::string_view name) const noexcept;
    /// 400 unless it is a whole number; empty when absent.
    answer<std::optional<std::int64_t>> number(std::string_view name) const;

private:
    std::vector<std::string> path_;
    std::vector<std::pair<std::string, std::string>> query_;
};

/// Replaces `%XX` by bytes, and `+` by a space if `plus_is_space`; nothing for bad encoding or no UTF-8.
std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_space);

/** Reads the path of a request, also of one that is not served.
    @par Upstream apiserver `pkg/endpoints/request/requestinfo.go`, v0.31 */
access_request access_request_of(std::string_view method, request_target const&);

} // namespace kftrain::apiserver

#endif
