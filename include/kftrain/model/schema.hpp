#ifndef KFTRAIN_MODEL_SCHEMA_HPP
#define KFTRAIN_MODEL_SCHEMA_HPP

#include <kftrain/base/diagnostics.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain {

/// The paths of the numbers of the subresource `scale` in a custom resource, in the JSONPath of CRDs: `.spec.replicas`.
struct scale_paths {
    scale_paths() = default;

    std::string spec_replicas;   ///< path of the desired number
    std::string status_replicas; ///< path of the observed number
    std::string label_selector;  ///< path of the selector of the pods, as text; empty: none

    friend bool operator==(scale_paths const&, scale_paths const&) = default;
};

/** A violation of a schema by an object: one of the `causes` of the `Status` from a server.
    @par Upstream apimachinery `pkg/util/validation/field/errors.go`, v0.31.3 */
struct schema_violation {
    schema_violation() = default;
    schema_violation(std::string r, std::string f, std::string m)
        : reason(std::move(r)), field(std::move(f)), message(std::move(m)) {}

    std::string reason;  ///< `FieldValueRequired`, `FieldValueTypeInvalid`, ...
    std::string field;   ///< in the spelling of the server; `<nil>` for the whole object
    std::string message; ///< without the field, e.g. `Required value`

    /// Returns `field: message`, as in the message of the server.
    std::string text() const { return field + ": " + message; }
    /// Returns the violation as an issue; its rule follows the reason: `schema.required`, `schema.type`, ...
    issue to_issue() const;

    friend bool operator==(schema_violation const&, schema_violation const&) = default;
};

/// A schema document that other documents refer to: `{"$ref": "NAME#/$defs/..."}`. Both texts need to live only during
/// the compilation.
struct schema_file {
    constexpr schema_file() = default;
    constexpr schema_file(std::string_view n, std::string_view t) : name(n), text(t) {}

    std::string_view name; ///< name by which references find it
    std::string_view text; ///< the document, as JSON
};

/// Returns whether a text has some form.
using text_predicate = std::function<bool(std::string_view)>;

/** Compiles schema patterns that kftrain does not support: takes an RE2 regular expression, as in `pattern`, and
    returns a predicate for whether it matches a part of a text; an empty predicate if it cannot. Every thread that
    uses the schema calls the predicate, with texts from untrusted clients of a server. */
using pattern_judge = std::function<text_predicate(std::string_view pattern)>;

/** The schema of a custom resource, compiled from the form that test/data/schemas/README.md describes. Immutable;
    copies share.
    @par Thread safety Distinct and shared objects: safe. */
class resource_schema {
public:
    /// The empty schema, as empty() reports. Every object is valid.
    resource_schema() = default;

    /** Compiles a document.
        @par Errors `errc::syntax` for invalid JSON; `errc::not_supported` for features that kftrain cannot check: an
        expression in `x-kubernetes-validations` or a pattern outside the table of known ones, a format, an embedded
        resource. The path locates it, and the message contains the pattern.
        @param judge Called for patterns outside the table, only during this call. */
    [[nodiscard]] static result<resource_schema> parse(std::string_view text, std::span<schema_file const> files = {},
                                                       pattern_judge const& judge = {});

    bool empty() const noexcept { return compiled_ == nullptr; }
    /// Absent: the resource has no subresource `scale`.
    std::optional<scale_paths> const& scale() const noexcept;

    struct compiled;
    /// For the implementation; null if empty.
    compiled const* get() const noexcept { return compiled_.get(); }

private:
    std::shared_ptr<compiled const> compiled_;
};

/// The result of pruning an object.
struct pruned_object {
    pruned_object() = default;

    std::string json; ///< the object without these fields
    /// The removed fields, sorted: `spec.bogus`, `spec.list[0].x`. A server warns about them: `unknown field
    /// "spec.bogus"`.
    std::vector<std::string> unknown_fields;
};

/** Removes the fields that the schema does not define; keeps apiVersion, kind and metadata.
    @par Errors `errc::syntax`, `errc::too_deep`, `errc::type_mismatch` if the text is not a JSON object; as for all
    functions below
    @par Upstream apiextensions-apiserver `pkg/apiserver/schema/pruning/algorithm.go`, v0.31.3 */
[[nodiscard]] result<pruned_object> prune(resource_schema const&, std::string_view json);

/** Sets the defaults of the schema. A null that the schema does not allow is removed or replaced by its default; in
    a list it is kept.
    @par Upstream apiextensions-apiserver `pkg/apiserver/schema/defaulting/{prunenulls,algorithm}.go`, v0.31.3 */
[[nodiscard]] result<std::string> set_schema_defaults(resource_schema const&, std::string_view json);

/** Returns every violation of the schema by an object, with the messages of the server: structure, the paths of
    `scale`, uniqueness in lists that are maps or sets, expressions. Call it after prune() and set_schema_defaults(), in
    this order, which a server follows when it decodes a request. Checks only the type of the metadata.

    The order is that of the names where upstream has the random order of a Go map.
    @param old_json The stored object for an update: faults that existed before and did not change are allowed.
    @par Upstream apiextensions-apiserver `pkg/registry/customresource/{strategy,validator}.go`, v0.31.3;
    kube-openapi `pkg/validation/validate/` */
[[nodiscard]] result<std::vector<schema_violation>> validate(resource_schema const&, std::string_view json,
                                                             std::string_view old_json = {});

/** Returns what a server reports for the creation of this object before it calls any webhook: pruned fields, as
    warnings of the rule `schema.unknown-field`, then every violation. */
[[nodiscard]] result<issues> schema_issues(resource_schema const&, std::string_view json);

} // namespace kftrain

#endif
