#ifndef KFTRAIN_SRC_APISERVER_REST_MEDIA_TYPE_HPP
#define KFTRAIN_SRC_APISERVER_REST_MEDIA_TYPE_HPP

#include <string>
#include <string_view>

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

} // namespace kftrain::apiserver

#endif
