#ifndef KFTRAIN_MODEL_DESCRIPTOR_HPP
#define KFTRAIN_MODEL_DESCRIPTOR_HPP

#include <kftrain/model/resource.hpp>

#include <boost/describe/class.hpp>
#include <boost/describe/members.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace kftrain {

class int_or_string;
class quantity;
class unknown_fields;
struct bytes;
struct raw_json;

namespace model {

/// The table of a type: `model/detail/descriptor_table.hpp`.
struct descriptor;

/** Holds the descriptor of a `T` that says nothing of a table of its own: of lists, maps, numbers, and of structs that
    Boost.Describe alone describes. Defined in `model/reflect.hpp`. */
template <class T> struct table {
    static descriptor const value;
};

/// An exception to the rule that the JSON name is the member's name in camelCase, or how a list merges.
struct field_rule {
    std::string_view member;
    std::string_view json_name{}; ///< empty: as the rule says
    /// Of a list: the JSON name of the field that identifies an item in strategic merge patches; `*` for a set of
    /// scalars; empty for a list that is replaced as a whole. Upstream: `patchMergeKey` in k8s.io/api.
    std::string_view merge_key{};
    /// Of a list: what identifies an item where it is more than `merge_key`, comma-separated, e.g.
    /// `containerPort,protocol`; `*` for a set of scalars. Upstream: `x-kubernetes-list-map-keys`.
    std::string_view list_keys{};
    /// Fields that a strategic merge patch does not name are cleared. Upstream: `patchStrategy=retainKeys`.
    bool retain_keys = false;
    /// Decoding passes over it unless `decode_options::keep_managed_fields` is set: the server's own notes, which are longer
    /// than the rest and which hardly anyone reads.
    bool bookkeeping = false;
};

} // namespace model

/// What functions about a type are found by: argument-dependent lookup on it looks into the namespace of `T`.
template <class T> struct type_tag {};

/// A struct with KFTRAIN_DESCRIBE behind it, in its namespace; its table is compiled somewhere.
template <class T>
concept has_compiled_table = requires { kftrain_table(type_tag<T>()); };

/// A struct described by KFTRAIN_DESCRIBE, or by Boost.Describe alone.
template <class T>
concept described = has_compiled_table<T> || boost::describe::has_describe_members<T>::value;

namespace detail {

/// False for what surely has no table: structs that nobody described, pointers, enumerations. Of lists, maps and times
/// it does not look at the items.
template <class T> constexpr bool may_have_table() {
    if constexpr (!std::is_class_v<T>)
        return std::is_integral_v<T> || std::is_same_v<T, double>;
    else if constexpr (
        requires { typename T::value_type; } || requires { typename T::duration; } || requires { typename T::period; })
        return true;
    else
        return described<T> || std::is_same_v<T, int_or_string> || std::is_same_v<T, quantity> ||
               std::is_same_v<T, raw_json> || std::is_same_v<T, bytes>;
}

} // namespace detail

/** The table of a type. A struct must be described: by KFTRAIN_DESCRIBE behind it, in its namespace, and KFTRAIN_TABLE in one
    source; or by `BOOST_DESCRIBE_STRUCT(T, (), (members))` alone, then one source of the program includes
    `kftrain/model/reflect.hpp` and says `template struct kftrain::model::table<T>;`, for an object that a server stores also
    `template struct kftrain::model::table<kftrain::object_list<T>>;`. A program in which none does is not linked. */
template <class T> constexpr model::descriptor const& descriptor_of() noexcept {
    static_assert(detail::may_have_table<T>(),
                  "the type is not described: write KFTRAIN_DESCRIBE(T, (members)) behind the struct");
    if constexpr (has_compiled_table<T>)
        return kftrain_table(type_tag<T>());
    else
        return model::table<T>::value;
}

/// Equality by the table, as equal() below.
bool equal(model::descriptor const&, void const* a, void const* b);

/// Equality of described structs, unknown fields included; absent and empty are the same.
template <described T> bool operator==(T const& a, T const& b) { return equal(descriptor_of<T>(), &a, &b); }

} // namespace kftrain

/** Rules for the fields of a struct whose names or lists are exceptional, one braced `field_rule` each. Stands above
    KFTRAIN_DESCRIBE, in the namespace of the struct. */
#define KFTRAIN_FIELD_RULES(Type, ...)                                                                                 \
    constexpr auto kftrain_field_rules(::kftrain::type_tag<Type>) noexcept {                                           \
        return std::to_array<::kftrain::model::field_rule>({__VA_ARGS__});                                             \
    }

/** Names members that are written even when they are empty; all others are left out then. Stands above KFTRAIN_DESCRIBE, in
    the namespace of the struct.
    Kubernetes' own types are written like that where they lack `omitempty`, and CustomResourceDefinitions require these
    fields: `value: ""` of a header is accepted, a header without `value` is not. Lists, maps and what is optional are not
    named: whether they are absent or empty, the struct cannot tell. */
#define KFTRAIN_REQUIRED(Type, ...)                                                                                    \
    constexpr auto kftrain_required(::kftrain::type_tag<Type>) noexcept {                                              \
        return std::to_array<std::string_view>({__VA_ARGS__});                                                         \
    }

/** Describes a struct of any namespace, in that namespace: says that there is a table of it, and lets its objects be compared.
    One source defines the table by KFTRAIN_TABLE. The members themselves are described by Boost.Describe where
    KFTRAIN_DESCRIBE_MEMBERS is defined, as it is for the sources that define tables: descriptions of two hundred structs take
    a compiler longer than the structs. */
#ifdef KFTRAIN_DESCRIBE_MEMBERS
#define KFTRAIN_DESCRIBE(Type, Members)                                                                                \
    BOOST_DESCRIBE_STRUCT(Type, (), Members)                                                                           \
    KFTRAIN_DECLARE_TABLE(Type, Type)
#else
#define KFTRAIN_DESCRIBE(Type, Members) KFTRAIN_DECLARE_TABLE(Type, Type)
#endif

#define KFTRAIN_DECLARE_TABLE(Type, Name)                                                                              \
    using ::kftrain::operator==;                                                                                       \
    extern ::kftrain::model::descriptor const kftrain_table_of_##Name;                                                 \
    constexpr ::kftrain::model::descriptor const& kftrain_table(::kftrain::type_tag<Type>) noexcept {                  \
        return kftrain_table_of_##Name;                                                                                \
    }

/// The same for a type with `metadata` that an API server stores; also declares the table of its list.
#define KFTRAIN_DESCRIBE_RESOURCE(Type, Members)                                                                       \
    KFTRAIN_DESCRIBE(Type, Members)                                                                                    \
    KFTRAIN_DECLARE_TABLE(::kftrain::object_list<Type>, Type##_list)

#endif
