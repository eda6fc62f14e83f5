#ifndef KFTRAIN_SRC_KUBE_WARNINGS_HPP
#define KFTRAIN_SRC_KUBE_WARNINGS_HPP

#include <kftrain/kube/message.hpp>

#include <string>
#include <vector>

namespace kftrain::kube::detail {

/** The texts of the `Warning` fields of an answer that come from an API server, which are those of code 299; several may stand in one
    field. What cannot be read of a field is passed over.
    @par Upstream RFC 7234, 5.5; apimachinery `pkg/util/net/http.go`, `ParseWarningHeader` */
std::vector<std::string> read_warnings(http_fields const& fields);

} // namespace kftrain::kube::detail

#endif
