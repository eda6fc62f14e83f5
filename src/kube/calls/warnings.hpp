#ifndef KFTRAIN_SRC_KUBE_CALLS_WARNINGS_HPP
#define KFTRAIN_SRC_KUBE_CALLS_WARNINGS_HPP

#include <kftrain/kube/message.hpp>

#include <string>
#include <vector>

namespace kftrain::kube::detail {

/** The texts of the `Warning` fields of an answer that come from an API server, which have code 299; a field may
    contain several. Unreadable parts are skipped.
    @par Upstream RFC 7234, 5.5; apimachinery `pkg/util/net/http.go`, `ParseWarningHeader` */
std::vector<std::string> read_warnings(http_fields const& fields);

} // namespace kftrain::kube::detail

#endif
