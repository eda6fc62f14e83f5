#ifndef KFTRAIN_SRC_APISERVER_DEFINITIONS_CRD_RESOURCES_HPP
#define KFTRAIN_SRC_APISERVER_DEFINITIONS_CRD_RESOURCES_HPP

#include "apiserver/definitions/crd.hpp"

#include <kftrain/apiserver/refusal.hpp>

#include <string>
#include <vector>

namespace kftrain::apiserver {

/// One version of the resource that a definition describes.
struct crd_version {
    resource_definition resource;
    bool served = false;
    bool stored = false;
};

struct crd_resources {
    std::vector<crd_version> versions; ///< as in the definition
    /// Parts of the definition that the server does not check or print, as texts for `Warning` fields.
    std::vector<std::string> warnings;
};

/** Compiles a valid definition with its accepted names.
    @par Errors 422 for a schema that the server cannot compile */
answer<crd_resources> compile_crd(json::object const& crd);

} // namespace kftrain::apiserver

#endif
