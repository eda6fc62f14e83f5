#ifndef KFTRAIN_SRC_APISERVER_REST_DISCOVERY_HPP
#define KFTRAIN_SRC_APISERVER_REST_DISCOVERY_HPP

#include <kftrain/apiserver/object_store.hpp>

#include <optional>
#include <string>
#include <vector>

namespace kftrain::apiserver {

/** What `/version`, `/api`, `/apis` and the paths below them answer, in the form of before aggregated discovery, which
    every client falls back to. Empty for other paths.
    @par Upstream apiserver `pkg/endpoints/discovery` */
std::optional<std::string> discover(object_store const&, std::vector<std::string> const& path);

} // namespace kftrain::apiserver

#endif
