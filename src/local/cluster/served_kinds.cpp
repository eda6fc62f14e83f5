#include <kftrain/local/served_kinds.hpp>

#include "local/cluster/job_resources.hpp"

#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>

namespace kftrain::local {

void serve_job_kinds(apiserver::api_server& server) {
    for (auto const* kind : known_job_rules()) {
        // The definitions are the library's own, so none can be refused.
        server.register_resource(resource_for(*kind)).value();
        for (auto& d : child_resources_for(*kind)) server.register_resource(std::move(d)).value();
    }
    add_installed_objects(server);
}

} // namespace kftrain::local
