#ifndef KFTRAIN_SRC_CONTROL_PLANS_METADATA_ANSWER_HPP
#define KFTRAIN_SRC_CONTROL_PLANS_METADATA_ANSWER_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/kube/request.hpp>

#include <utility>

namespace kftrain::control {

/** Requests only the metadata in the answer to a write. A pod with the defaults of a server is several times longer
    than the request; this saves writing, encrypting and reading it. Servers that do not know this form send the
    object. */
inline result<kube::http_request> answered_with_metadata(result<kube::http_request> r) {
    if (r) r->fields.add("Accept", "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json");
    return r;
}

} // namespace kftrain::control

#endif
