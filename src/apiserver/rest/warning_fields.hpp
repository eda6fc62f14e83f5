#ifndef KFTRAIN_SRC_APISERVER_REST_WARNING_FIELDS_HPP
#define KFTRAIN_SRC_APISERVER_REST_WARNING_FIELDS_HPP

#include <kftrain/kube/message.hpp>

#include <string>
#include <vector>

namespace kftrain::apiserver {

/** Adds a `Warning` field for each text, except for repeated texts and those that a field cannot hold. If all of them
    together are longer than 4096 characters, each is cut to 256, and texts after the first 4096 characters are dropped,
    because clients limit the size of a head.
    @par Upstream apiserver `pkg/endpoints/filters/warning.go`, apimachinery `pkg/util/net/http.go`, v0.31 */
void add_warnings(kube::http_fields& to, std::vector<std::string> const& warnings);

} // namespace kftrain::apiserver

#endif
