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

/** Contains the descriptor of a `T` without a table of its own: of lists, maps, numbers, and of structs described by
    Boost.Describe alone. Defined in `model/reflect.hpp`. */
template <class T> struct table {
    static descriptor const value;
};

/// A field whose JSON name differs from the member name in camelCase, or whose list has merge rules.
struct field_rule {
    std::string_view member;      ///< C++ name of the member
    std::string_view json_name{}; ///< empty: the default name
    /// For a list: the JSON name of the field that identifies an item in strategic merge patches; `*` for a set of
    /// scalars; empty for a list that is replaced as a whole. Upstream: `patchMergeKey` in k8s.io/api.
    std::string_view merge_key{};
    /// For a list: the fields that identify an item if these are more than `merge_key`, comma-separated, e.g.
    /// `containerPort,protocol`; `*` for a set of scalars. Upstream: `x-kubernetes-list-map-keys`.
    std::string_view list_keys{};
    /// A strategic merge patch clears the fields that it does not contain. Upstream: `patchStrategy=retainKeys`.
    bool retain_keys = false;
    /// Decoding skips the field unless `decode_options::keep_managed_fields` is set: internal records of the server,
    /// which are longer than the rest and rarely read.
    bool bookkeeping = false;
};

} // namespace model

/// The tag by which argument-dependent lookup finds functions about a type: it searches the namespace of `T`.
template <class T> struct type_tag {};

/// A struct followed by KFTRAIN_DESCRIBE in its namespace; its table is compiled in some source.
template <class T>
concept has_compiled_table = requires { kftrain_table(type_tag<T>()); };

/// A struct described by KFTRAIN_DESCRIBE, or by Boost.Describe alone.
template <class T>
concept described = has_compiled_table<T> || boost::describe::has_describe_members<T>::value;

namespace detail {

/// False for types that certainly have no table: undescribed structs, pointers, enumerations. Does not check the items
/// of lists, maps and times.
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

/// A struct with a member `unknown` for the fields that it does not have.
template <class T>
concept has_unknown_fields =
    requires(T& t) { requires std::is_same_v<unknown_fields, std::remove_cvref_t<decltype(t.unknown)>>; };

} // namespace detail

/** The table of a type. A struct must be described in one of two ways. With KFTRAIN_DESCRIBE after it, in its
    namespace, and KFTRAIN_TABLE in one source. Or with `BOOST_DESCRIBE_STRUCT(T, (), (members))` alone; then one
    source of the program includes `kftrain/model/reflect.hpp` and contains `template struct
    kftrain::model::table<T>;`, and for an object that a server stores also `template struct
    kftrain::model::table<kftrain::object_list<T>>;`. Without it the program does not link. */
template <class T> constexpr model::descriptor const& descriptor_of() noexcept {
    static_assert(detail::may_have_table<T>(),
                  "the type is not described: write KFTRAIN_DESCRIBE(T, (members)) behind the struct");
    if constexpr (has_compiled_table<T>)
        return kftrain_table(type_tag<T>());
    else
        return model::table<T>::value;
}

/// Compares by the table, as equal() below.
bool equal(model::descriptor const&, void const* a, void const* b);

/// Compares described structs, including unknown fields; absent equals empty.
template <described T> bool operator==(T const& a, T const& b) { return equal(descriptor_of<T>(), &a, &b); }

} // namespace kftrain

/** Defines rules for fields with exceptional names or lists, one braced `field_rule` each. Place it before
    KFTRAIN_DESCRIBE, in the namespace of the struct. */
#define KFTRAIN_FIELD_RULES(Type, ...)                                                                                 \
    template <int = 0> constexpr auto kftrain_field_rules(::kftrain::type_tag<Type>) noexcept {                        \
        return std::to_array<::kftrain::model::field_rule>({__VA_ARGS__});                                             \
    }

/** Lists members that are written even if they are empty; all other empty members are omitted. Place it before
    KFTRAIN_DESCRIBE, in the namespace of the struct. Kubernetes writes its own types like this if they lack
    `omitempty`, and CustomResourceDefinitions require these fields: a header with `value: ""` is accepted, a header
    without `value` is not. Do not list lists, maps and optional members: the struct cannot distinguish absent from
    empty. */
#define KFTRAIN_REQUIRED(Type, ...)                                                                                    \
    template <int = 0> constexpr auto kftrain_required(::kftrain::type_tag<Type>) noexcept {                           \
        return std::to_array<std::string_view>({__VA_ARGS__});                                                         \
    }

/** Describes a struct of any namespace, in that namespace: declares its table and makes its objects comparable.
    Every member but `unknown` must be listed: a member that is left out would not be read, written or compared, so
    KFTRAIN_TABLE does not compile then. All members must be public. One source defines the table by KFTRAIN_TABLE.
    Boost.Describe describes the members only if KFTRAIN_DESCRIBE_MEMBERS is defined, as in the sources that define
    tables: the descriptions of two hundred structs take longer to compile than the structs. */
#ifdef KFTRAIN_DESCRIBE_MEMBERS
#define KFTRAIN_DESCRIBE(Type, Members)                                                                                \
    BOOST_DESCRIBE_STRUCT(Type, (), Members)                                                                           \
    KFTRAIN_DECLARE_TABLE(Type, Type)                                                                                  \
    KFTRAIN_CHECK_MEMBERS(Type, Members)

/// Defines a function template that compiles only if `Members` are all members of the struct: a structured binding
/// must name each one.
#define KFTRAIN_CHECK_MEMBERS(Type, Members)                                                                           \
    template <class Object> constexpr auto kftrain_lists_all_members(::kftrain::type_tag<Type>, Object const& o_) {    \
        if constexpr (::kftrain::detail::has_unknown_fields<Object>) {                                                 \
            [[maybe_unused]] auto const& [KFTRAIN_BINDINGS Members kftrain_unknown_] = o_;                             \
        } else {                                                                                                       \
            KFTRAIN_BIND_ALL Members                                                                                   \
        }                                                                                                              \
        return std::true_type();                                                                                       \
    }
#define KFTRAIN_BINDINGS(...) __VA_ARGS__ __VA_OPT__(, )
#define KFTRAIN_BIND_ALL(...) __VA_OPT__([[maybe_unused]] auto const& [__VA_ARGS__] = o_;)
#else
#define KFTRAIN_DESCRIBE(Type, Members) KFTRAIN_DECLARE_TABLE(Type, Type)
#endif

#define KFTRAIN_DECLARE_TABLE(Type, Name)                                                                              \
    using ::kftrain::operator==;                                                                                       \
    extern ::kftrain::model::descriptor const kftrain_table_of_##Name;                                                 \
    constexpr ::kftrain::model::descriptor const& kftrain_table(::kftrain::type_tag<Type>) noexcept {                  \
        return kftrain_table_of_##Name;                                                                                \
    }

/// Describes options, which may have base classes. Members that are no values, such as `detail`, are not listed.
#ifdef KFTRAIN_DESCRIBE_MEMBERS
#define KFTRAIN_DESCRIBE_OPTIONS(Type, Bases, Members)                                                                 \
    BOOST_DESCRIBE_STRUCT(Type, Bases, Members)                                                                        \
    KFTRAIN_DECLARE_TABLE(Type, Type)
#else
#define KFTRAIN_DESCRIBE_OPTIONS(Type, Bases, Members) KFTRAIN_DECLARE_TABLE(Type, Type)
#endif

/// Like KFTRAIN_DESCRIBE, for a type with `metadata` that an API server stores; also declares the table of its list.
#define KFTRAIN_DESCRIBE_RESOURCE(Type, Members)                                                                       \
    KFTRAIN_DESCRIBE(Type, Members)                                                                                    \
    KFTRAIN_DECLARE_TABLE(::kftrain::object_list<Type>, Type##_list)

#endif
