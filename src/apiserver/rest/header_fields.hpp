#ifndef KFTRAIN_SRC_APISERVER_REST_HEADER_FIELDS_HPP
#define KFTRAIN_SRC_APISERVER_REST_HEADER_FIELDS_HPP

#include <kftrain/kube/message.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace kftrain::apiserver {

enum class media { json, table, none };

/** The media type for an `Accept` field: the first range that the server can serve; `none` if there is none.
    Metadata-only forms and tables of other versions are passed over. */
media negotiate(std::string_view accept);

/// The version of aggregated discovery that an `Accept` field prefers to plain JSON; empty if it prefers none that is
/// served.
std::string_view aggregated_discovery_version(std::string_view accept);

/// The type of a `Content-Type` field in lower case, without parameters.
std::string media_type(std::string_view content_type);

/** Adds a `Warning` field for each text, except for repeated texts and those that a field cannot hold. If all of them
    together are longer than 4096 characters, each is cut to 256, and texts after the first 4096 characters are dropped,
    because clients limit the size of a head.
    @par Upstream apiserver `pkg/endpoints/filters/warning.go`, apimachinery `pkg/util/net/http.go`, v0.31 */
void add_warnings(kube::http_fields& to, std::vector<std::string> const& warnings);

} // namespace kftrain::apiserver

#endif
