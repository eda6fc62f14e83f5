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

/** The input of the admission of an object. The server passes values that it has already parsed: hooks read structs
    from these, and texts are written only on request. Everything lives as long as the call. */
class admission_request {
public:
    /// Finds another stored object, as JSON; returns an empty text if there is none.
    using finder = std::function<std::string(resource_info const&, std::string_view ns, std::string_view name)>;

    /** @param object the object as it would be stored
        @param old_object JSON of the stored object; empty for a creation */
    explicit admission_request(boost::json::object const& object, std::string_view old_object = {}, finder find = {});

    /// Returns whether a stored object is being changed.
    bool is_update() const noexcept { return !old_object_.empty(); }
    /// Reads the object as it would be stored into a new struct of this type. @par Errors Those of decode_json().
    [[nodiscard]] result<void> read(model::descriptor const& type, void* target) const;
    /// The same for the stored object; requires is_update().
    [[nodiscard]] result<void> read_old(model::descriptor const& type, void* target) const;
    /// Returns JSON of the object as it would be stored.
    std::string text() const;
    /// Returns JSON of the stored object; empty for a creation.
    std::string_view old_text() const noexcept { return old_object_; }
    /// Returns JSON of another stored object; empty if there is none.
    std::string look_up(resource_info const& type, std::string_view ns, std::string_view name) const;

private:
    boost::json::object const* object_;
    std::string_view old_object_;
    finder find_;
};

/// Rejects a request; the message follows `admission webhook "<webhook>" denied the request: `.
struct admission_denial {
    admission_denial() = default;
    explicit admission_denial(std::string text) : message(std::move(text)) {}

    std::string message;
    unsigned code = 403;
    kftrain::reason why = kftrain::reason::forbidden;
    std::string webhook; ///< empty: resource_definition::admission_name
};

/// The result of an admission hook; by default it allows the request.
struct admission_verdict {
    admission_verdict() = default;

    std::optional<admission_denial> denied;
    std::vector<std::string> warnings; ///< sent as `Warning` fields of the response
    std::string patch;                 ///< JSON patch (RFC 6902) of the object to store; empty: it is stored unchanged
};

/// Must be pure: it runs inside the request, on the executor of the server.
using admission_hook = std::function<admission_verdict(admission_request const&)>;

/// The required syntax of `metadata.name`.
enum class name_syntax { dns_subdomain, dns_label, dns_1035_label };

using field_validation = meta::field_validation;

/// A kind of object that the server serves. Two versions of one kind are two kinds here, without conversion.
struct resource_definition {
    resource_definition() = default;
    /// A custom resource with a status subresource and the names of the model.
    explicit resource_definition(resource_info const& info)
        : group(info.group), version(info.version), kind(info.kind), plural(info.plural), where(info.where) {}

    std::string group; ///< empty for the core group
    std::string version;
    std::string kind;
    std::string plural;
    std::string singular;  ///< empty: the lower-case kind
    std::string list_kind; ///< empty: the kind and `List`
    std::vector<std::string> short_names;
    std::vector<std::string> categories;
    resource_scope where = resource_scope::namespaced;

    /** Custom resources reject an update without `metadata.resourceVersion` and bodies without `kind`, and have
        apiVersion and kind in lists; built-in kinds do not. */
    bool custom = true;
    /** For built-in kinds: the type that objects must fit (otherwise 400), and whose merge keys strategic merge
        patches use. Null: every object is accepted, and strategic merge patches give 415, as a server does for
        custom resources. */
    object_type const* type = nullptr;
    bool has_status = true;     ///< `status` changes only through its subresource
    bool has_generation = true; ///< `metadata.generation` counts the changes of the spec
    bool graceful = false;      ///< pods: deletion of a bound, unfinished object waits for the kubelet
    name_syntax names = name_syntax::dns_subdomain;

    /** The schema of the CRD. Bodies are pruned, defaulted and checked against it, with the messages of a real
        server; an empty schema accepts everything and prunes nothing. */
    resource_schema schema;
    std::optional<scale_paths> scale; ///< for the subresource `scale`; absent: none

    std::vector<printer_column> columns; ///< after NAME; empty: Age
    /// For field selectors, in addition to metadata.name and metadata.namespace.
    std::vector<std::string> selectable_fields;

    std::string deprecation; ///< sent as a `Warning` field with every response; empty: none

    std::string admission_name; ///< e.g. `validator.pytorchjob.training-operator.kubeflow.org`
    admission_hook admission;   ///< called on create and update of the object itself, not of its status

    /// Returns `group/version`, or `version` alone for the core group.
    std::string api_version() const { return group.empty() ? version : group + "/" + version; }
    /// Returns `pods`, `pytorchjobs.kubeflow.org`: the name of the resource in error messages.
    std::string qualified_plural() const { return group.empty() ? plural : plural + "." + group; }
    /// Returns `Pod`, `PyTorchJob.kubeflow.org`.
    std::string qualified_kind() const { return group.empty() ? kind : kind + "." + group; }
};

} // namespace kftrain::apiserver

#endif
