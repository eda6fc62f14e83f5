#ifndef KFTRAIN_PYTHON_API_HPP
#define KFTRAIN_PYTHON_API_HPP

#include "engine.hpp"

#include <kftrain/kube/any_api.hpp>
#include <kftrain/kube/discovery.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kftrain::python {

/// Returns the type with a name such as `pods` or `apps/v1/Deployment`, or null if the library models none or several.
object_type const* find_known_type(std::string const& name);

/** A type of object that a caller names, e.g. `pods`, `deployments.apps`, `v1/Pod`. The type is looked up when it is
    used first; the client reads the types of the server only for names without a model.
    @par Thread safety Unsafe: used on the thread of the engine. */
class named_type : public std::enable_shared_from_this<named_type> {
public:
    named_type(kube::client c, kube::discovery known, std::string name)
        : client_(std::move(c)), discovery_(std::move(known)), name_(std::move(name)) {}

    using use_api = std::function<void(kube::any_api const&, time_limit left)>;

    /// Calls `use` with an api in a namespace, or in all namespaces if `ns` is empty, and with the time that is left.
    void resolve(std::string ns, time_limit limit, std::shared_ptr<call> const& c, use_api use);

private:
    void find(kube::api_catalog const& catalog);
    kube::any_api api_in(std::string ns) const { return kube::any_api(client_, *type_, std::move(ns)); }

    kube::client client_;
    kube::discovery discovery_;
    std::string name_;
    std::shared_ptr<object_type const> type_;
};

/// The arguments of make_api() that the apis of one client share.
struct api_source {
    std::shared_ptr<engine> where;
    kube::client link;
    kube::discovery known;
};

/// Returns a `CoreApi`.
py::object make_api(api_source from, std::string type);

/// Returns a `CommandStream` of a command in a container, or without a command of its program.
py::object make_command(api_source const& from, std::string const& ns, std::string const& pod,
                        std::optional<std::vector<std::string>> const& command, py::kwargs const& given);

/// Returns a `Forwarder` of ports of a pod.
py::object make_forwarder(api_source const& from, std::string const& ns, std::string const& pod);

void bind_api(py::module_& m);
void bind_commands(py::module_& m);

} // namespace kftrain::python

#endif
