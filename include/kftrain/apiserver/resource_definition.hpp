#ifndef KFTRAIN_APISERVER_RESOURCE_DEFINITION_HPP
#define KFTRAIN_APISERVER_RESOURCE_DEFINITION_HPP

#include <kftrain/base/error.hpp>
#include <kftrain/model/resource.hpp>
#include <kftrain/model/schema.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain {
struct known_type;
}

namespace kftrain::apiserver {

/** One column of `kubectl get`. `path` is the part of JSONPath that CRDs use: `.status.conditions[-1:].type`,
    `.status.conditions[?(@.type=="Ready")].status`, `.metadata.labels.app\.kubernetes\.io/name`.
    @par Upstream apiextensions-apiserver `pkg/apis/apiextensions/v1/types.go`, `CustomResourceColumnDefinition` */
struct printer_column {
    printer_column() = default;
    printer_column(std::string n, std::string t, std::string p)
        : name(std::move(n)), type(std::move(t)), path(std::move(p)) {}

    std::string name;
    std::string type = "string"; ///< string, integer, number, boolean or date; a date is shown as an age
    std::string path;
    std::string description;
    int priority = 0; ///< above 0: only with `-o wide`
};

/// What the admission of an object is asked. The texts live as long as the call.
struct admission_request {
    admission_request() = default;

    std::string_view object;     ///< JSON of the object as it would be stored
    std::string_view old_object; ///< JSON of the stored object; empty when it is being created
};

/// Turns a request down; the message follows `admission webhook "<name>" denied the request: `.
struct admission_denial {
    admission_denial() = default;
    explicit admission_denial(std::string text) : message(std::move(text)) {}

    std::string message;
    unsigned code = 403;
    kftrain::reason why = kftrain::reason::forbidden;
};

/// The answer of an admission hook; by default it lets the request pass.
struct admission_verdict {
    admission_verdict() = default;

    std::optional<admission_denial> denied;
    std::vector<std::string> warnings; ///< sent as `Warning` fields of the response
    std::optional<std::string> object; ///< JSON of an object to store instead (mutating admission, defaults of a CRD)
};

/// Must be pure: it runs inside the request, on the server's executor.
using admission_hook = std::function<admission_verdict(admission_request const&)>;

/// The syntax that `metadata.name` must have.
enum class name_syntax { dns_subdomain, dns_label, dns_1035_label };

/** A kind of object that the server serves. Two versions of one kind are two kinds here: nothing is converted. */
struct resource_definition {
    resource_definition() = default;
    /// A custom resource with a status subresource, named as the model names it.
    explicit resource_definition(resource_info const& info)
        : group(info.group), version(info.version), kind(info.kind), plural(info.plural), where(info.where) {}

    std::string group; ///< empty for the core group
    std::string version;
    std::string kind;
    std::string plural;
    std::string singular; ///< empty: the lower-case kind
    std::vector<std::string> short_names;
    std::vector<std::string> categories;
    scope where = scope::namespaced;

    /** Custom resources refuse an update without `metadata.resourceVersion` and bodies without `kind`, and carry
        apiVersion and kind in lists; built-in kinds do not. */
    bool custom = true;
    /** Of built-in kinds: the type that objects must fit, 400 otherwise, and whose merge keys strategic merge patches
        follow. Null: anything fits, and strategic merge patches are refused with 415, as a server does for custom resources. */
    known_type const* type = nullptr;
    bool has_status = true;     ///< `status` changes only through its subresource
    bool has_generation = true; ///< `metadata.generation` counts the changes of the specification
    bool graceful = false;      ///< pods: deletion of a bound, unfinished object waits for the kubelet
    name_syntax names = name_syntax::dns_subdomain;

    /** Of the CRD. Bodies are pruned, defaulted and checked against it, with the server's own answers; an empty one lets
        everything pass, and nothing is pruned. */
    resource_schema schema;
    std::optional<scale_paths> scale; ///< of the subresource `scale`; absent: there is none

    std::vector<printer_column> columns;        ///< after NAME; empty: Age
    std::vector<std::string> selectable_fields; ///< for field selectors, besides metadata.name and metadata.namespace

    std::string admission_name; ///< e.g. `validator.pytorchjob.training-operator.kubeflow.org`
    admission_hook admission;   ///< asked on create and update of the object itself, not of its status

    /// `group/version`, or `version` alone for the core group.
    std::string api_version() const { return group.empty() ? version : group + "/" + version; }
    /// `pods`, `pytorchjobs.kubeflow.org`: as error messages name the resource.
    std::string qualified_plural() const { return group.empty() ? plural : plural + "." + group; }
    /// `Pod`, `PyTorchJob.kubeflow.org`.
    std::string qualified_kind() const { return group.empty() ? kind : kind + "." + group; }
};

} // namespace kftrain::apiserver

#endif
