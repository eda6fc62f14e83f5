#ifndef KFTRAIN_SRC_APISERVER_REST_PROTOBUF_REVIEW_HPP
#define KFTRAIN_SRC_APISERVER_REST_PROTOBUF_REVIEW_HPP

#include <optional>
#include <string>
#include <string_view>

namespace kftrain::apiserver {

/** Converts a SelfSubjectAccessReview in Protocol Buffers to JSON; returns nothing for other texts. `kubectl auth
    can-i` sends only this form from 1.33 on.
    @par Upstream apimachinery `pkg/runtime/generated.proto`, k8s.io/api `authorization/v1/generated.proto`, v0.31.3 */
std::optional<std::string> read_protobuf_review(std::string_view bytes);

} // namespace kftrain::apiserver

#endif
