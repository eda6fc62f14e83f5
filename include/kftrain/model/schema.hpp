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

/// Where the subresource `scale` of a custom resource finds its numbers, in the JSONPath of CRDs: `.spec.replicas`.
struct scale_paths {
    scale_paths() = default;

    std::string spec_replicas;
    std::string status_replicas;
    std::string label_selector; ///< empty: there is none

    friend bool operator==(scale_paths const&, scale_paths const&) = default;
};

/** One fault that a schema finds in an object: one of the `causes` of the server's `Status`.
    @par Upstream apimachinery `pkg/util/validation/field/errors.go`, v0.31.3 */
struct schema_violation {
    schema_violation() = default;
    schema_violation(std::string r, std::string f, std::string m)
        : reason(std::move(r)), field(std::move(f)), message(std::move(m)) {}

    std::string reason;  ///< `FieldValueRequired`, `FieldValueTypeInvalid`, ...
    std::string field;   ///< in the server's spelling; `<nil>` for the whole object
    std::string message; ///< without the field, e.g. `Required value`

    /// `field: message`, as the server's message has it.
    std::string text() const { return field + ": " + message; }
    /// The violation as an issue; its rule is `schema.required`, `schema.type`, ... after the reason.
    issue to_issue() const;

    friend bool operator==(schema_violation const&, schema_violation const&) = default;
};

/// A schema document that others refer to: `{"$ref": "NAME#/$defs/..."}`. Both texts have to outlive the compilation only.
struct schema_file {
    constexpr schema_file() = default;
    constexpr schema_file(std::string_view n, std::string_view t) : name(n), text(t) {}

    std::string_view name;
    std::string_view text;
};

/// Whether a text is of some form.
using text_predicate = std::function<bool(std::string_view)>;

/** Judges the patterns of schemas that kftrain does not know: for a regular expression of RE2, as in `pattern`, what tells whether it
    matches a part of a text; empty if it cannot. What it hands out is called from every thread that uses the schema, and has to
    be fit for texts that anybody may send to a server. */
using pattern_judge = std::function<text_predicate(std::string_view pattern)>;

/** The schema of a custom resource, compiled from the form that test/data/schemas/README.md describes. Immutable; copies
    share.
    @par Thread safety Distinct and shared objects: safe. */
class resource_schema {
public:
    /// The schema that knows nothing: empty() says so. Everything passes.
    resource_schema() = default;

    /** Compiles a document.
        @par Errors `errc::syntax` if it is no JSON; `errc::not_supported` if it says what kftrain cannot check: an
        expression in `x-kubernetes-validations` or a pattern that is not in the table of known ones, a format, an embedded
        resource. The path tells where, and the message the pattern.
        @param judge Asked for patterns that are not in the table. Not called any more once this returns. */
    static result<resource_schema> parse(std::string_view text, std::span<schema_file const> files = {},
                                         pattern_judge const& judge = {});

    bool empty() const noexcept { return compiled_ == nullptr; }
    /// Absent: the resource has no subresource `scale`.
    std::optional<scale_paths> const& scale() const noexcept;

    struct compiled;
    /// Of the implementation; null when empty.
    compiled const* get() const noexcept { return compiled_.get(); }

private:
    std::shared_ptr<compiled const> compiled_;
};

/// What pruning leaves of an object.
struct pruned_object {
    pruned_object() = default;

    std::string json;
    /// What was taken out, sorted: `spec.bogus`, `spec.list[0].x`. A server warns of them: `unknown field "spec.bogus"`.
    std::vector<std::string> unknown_fields;
};

/** Takes out the fields that the schema does not know; apiVersion, kind and metadata stay.
    @par Errors `errc::syntax`, `errc::too_deep`, `errc::type_mismatch` if the text is no JSON object; as for all below
    @par Upstream apiextensions-apiserver `pkg/apiserver/schema/pruning/algorithm.go`, v0.31.3 */
result<pruned_object> prune(resource_schema const&, std::string_view json);

/** Fills in the defaults of the schema. A null that the schema does not allow is dropped, or replaced by its default; in
    a list it stays.
    @par Upstream apiextensions-apiserver `pkg/apiserver/schema/defaulting/{prunenulls,algorithm}.go`, v0.31.3 */
result<std::string> set_schema_defaults(resource_schema const&, std::string_view json);

/** Every fault that the schema finds in an object, in the server's words: structure, the paths of `scale`, uniqueness
    in lists that are maps or sets, expressions. Works on what prune() and set_schema_defaults() leave, in this order, as a
    server does while it decodes a request. Metadata is not examined beyond its type.

    Where upstream reports in the random order of a Go map, here the order is that of the names.
    @param old_json The stored object when this is an update of it: what was wrong before and did not change is let pass.
    @par Upstream apiextensions-apiserver `pkg/registry/customresource/{strategy,validator}.go`, v0.31.3; kube-openapi
    `pkg/validation/validate/` */
result<std::vector<schema_violation>> validate(resource_schema const&, std::string_view json,
                                               std::string_view old_json = {});

/** What a server would say to the creation of this object before any webhook is asked: what it prunes, as warnings of the
    rule `schema.unknown-field`, then every fault. */
result<issues> schema_issues(resource_schema const&, std::string_view json);

} // namespace kftrain

#endif
