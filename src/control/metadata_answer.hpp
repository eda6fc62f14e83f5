#ifndef KFTRAIN_SRC_CONTROL_METADATA_ANSWER_HPP
#define KFTRAIN_SRC_CONTROL_METADATA_ANSWER_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/kube/request.hpp>

#include <utility>

namespace kftrain::control {

/** A write of whose answer only the metadata is looked at. A pod that a server has filled with its defaults is several times
    as long as what was sent: nobody has to write, encrypt and read that. Servers that do not know this form send the object. */
inline result<kube::http_request> answered_with_metadata(result<kube::http_request> r) {
    if (r) r->fields.add("Accept", "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json");
    return r;
}

} // namespace kftrain::control

#endif
