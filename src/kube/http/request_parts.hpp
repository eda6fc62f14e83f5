#ifndef KFTRAIN_SRC_KUBE_HTTP_REQUEST_PARTS_HPP
#define KFTRAIN_SRC_KUBE_HTTP_REQUEST_PARTS_HPP

#include <string_view>

namespace kftrain::kube::detail {

/// Views of the parts of a method and target, which must outlive them. subject_of() returns copies.
struct request_parts {
    request_parts() = default;

    std::string_view path; ///< without the query
    std::string_view api;  ///< the front of the path, e.g. `/apis/kubeflow.org/v1`
    std::string_view verb; ///< empty if the request is about no object, or its method has none
    std::string_view group;
    std::string_view version;
    std::string_view namespace_;
    std::string_view resource;
    std::string_view subresource;
    std::string_view name;
    bool in_namespace = false; ///< the object is in a namespace, and is not one
    bool continues = false;    ///< the path continues after the subresource
};

request_parts parts_of(std::string_view method, std::string_view target);

} // namespace kftrain::kube::detail

#endif
