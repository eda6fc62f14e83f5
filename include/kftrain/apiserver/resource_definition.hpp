#ifndef KFTRAIN_APISERVER_RESOURCE_DEFINITION_HPP
#define KFTRAIN_APISERVER_RESOURCE_DEFINITION_HPP

#include <kftrain/base/error.hpp>
#include <kftrain/model/resource.hpp>
#include <kftrain/model/schema.hpp>

#include <boost/json/fwd.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain {
struct object_type;
namespace model {
struct descriptor;
}
} // namespace kftrain

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

/** What the admission of an object is asked. The server hands over trees that it has read already: a hook that wants structs reads them
    from these, and texts are only written for those that ask. Everything lives as long as the call. */
class admission_request {
public:
    /// Finds another object that the server stores, as JSON; empty if there is none.
    using finder = std::function<std::string(resource_info const&, std::string_view ns, std::string_view name)>;

    /** @param object the object as it would be stored
        @param old_object JSON of the stored object; empty when it is being created */
    explicit admission_request(boost::json::object const& object, std::string_view old_object = {}, finder find = {});

    /// Whether a stored object is being changed.
    bool is_update() const noexcept { return !old_object_.empty(); }
    /// Reads the object as it would be stored into a fresh struct of this type. @par Errors Those of decode_json().
    result<void> read(model::descriptor const& type, void* target) const;
    /// The same of the stored object, which is_update() must say there is.
    result<void> read_old(model::descriptor const& type, void* target) const;
    /// JSON of the object as it would be stored.
    std::string text() const;
    /// JSON of the stored object; empty when it is being created.
    std::string_view old_text() const noexcept { return old_object_; }
    /// JSON of another object that the server stores; empty if there is none.
    std::string look_up(resource_info const& type, std::string_view ns, std::string_view name) const;

private:
    boost::json::object const* object_;
    std::string_view old_object_;
    finder find_;
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
    std::string patch; ///< JSON patch (RFC 6902) of the object that is to be stored; empty: it is stored as it is
};

/// Must be pure: it runs inside the request, on the server's executor.
using admission_hook = std::function<admission_verdict(admission_request const&)>;

/// The syntax that `metadata.name` must have.
enum class name_syntax { dns_subdomain, dns_label, dns_1035_label };

/// What happens to fields that the schema of a kind does not know: they are always pruned.
enum class field_validation {
    ignore,
    warn,  ///< each is a warning
    strict ///< the request is refused
};

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
    resource_scope where = resource_scope::namespaced;

    /** Custom resources refuse an update without `metadata.resourceVersion` and bodies without `kind`, and carry
        apiVersion and kind in lists; built-in kinds do not. */
    bool custom = true;
    /** Of built-in kinds: the type that objects must fit, 400 otherwise, and whose merge keys strategic merge patches
        follow. Null: anything fits, and strategic merge patches are refused with 415, as a server does for custom resources. */
    object_type const* type = nullptr;
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
