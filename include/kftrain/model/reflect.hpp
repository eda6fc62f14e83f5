#ifndef KFTRAIN_MODEL_REFLECT_HPP
#define KFTRAIN_MODEL_REFLECT_HPP

/** @file Builds descriptor tables. Include it only where tables are instantiated: in the library's `*_tables.cpp`,
    and in one source of a program that describes its own types. */

#include <kftrain/model/boxed.hpp>
#include <kftrain/model/descriptor.hpp>
#include <kftrain/model/detail/descriptor_table.hpp>
#include <kftrain/model/detail/reflect_map.hpp>
#include <kftrain/model/raw_json.hpp>
#include <kftrain/model/scalars.hpp>

#include <boost/describe/members.hpp>
#include <boost/mp11/algorithm.hpp>
#include <boost/mp11/list.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

namespace kftrain::detail {

namespace mp11 = boost::mp11;

template <class T> constexpr model::descriptor describe_text(std::string_view name, bool takes_numbers) {
    model::descriptor d{model::shape::text, name, &reset_value<T>, &take_value<T>};
    d.takes_numbers = takes_numbers;
    d.parse = [](void* p, std::string_view s) { return parse_scalar(s, *static_cast<T*>(p)); };
    d.print = [](void const* p, std::string& out) { print_scalar(*static_cast<T const*>(p), out); };
    d.same = [](void const* a, void const* b) { return *static_cast<T const*>(a) == *static_cast<T const*>(b); };
    d.same_text = [](std::string_view a, std::string_view b) {
        T x{}, y{};
        return parse_scalar(a, x) && parse_scalar(b, y) && x == y;
    };
    if constexpr (requires(T t) { t.canonical(); })
        d.make_canonical = [](void* p) { *static_cast<T*>(p) = T(static_cast<T*>(p)->canonical()); };
    return d;
}

template <> struct describe<bool> {
    static constexpr model::descriptor make() {
        return {model::shape::boolean, "bool", &reset_value<bool>, &take_value<bool>};
    }
};

template <> struct describe<std::string> {
    static constexpr model::descriptor make() {
        return {model::shape::string, "string", &reset_value<std::string>, &take_value<std::string>};
    }
};

template <> struct describe<double> {
    static constexpr model::descriptor make() {
        return {model::shape::number, "number", &reset_value<double>, &take_value<double>};
    }
};

template <> struct describe<raw_json> {
    static constexpr model::descriptor make() {
        return {model::shape::raw, "any value", &reset_value<raw_json>, &take_value<raw_json>};
    }
};

template <class T>
requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
struct describe<T> {
    static constexpr model::descriptor make() {
        model::descriptor d{model::shape::integer,
                            sizeof(T) == 8   ? "int64"
                            : sizeof(T) == 4 ? "int32"
                                             : "int16",
                            &reset_value<T>, &take_value<T>};
        d.store_integer = [](void* p, std::int64_t v) {
            if (v < std::numeric_limits<T>::min() || v > std::numeric_limits<T>::max()) return false;
            *static_cast<T*>(p) = static_cast<T>(v);
            return true;
        };
        d.load_integer = [](void const* p) { return static_cast<std::int64_t>(*static_cast<T const*>(p)); };
        return d;
    }
};

template <> struct describe<time_point> {
    static constexpr model::descriptor make() { return describe_text<time_point>("RFC 3339 time", false); }
};

template <> struct describe<micro_time> {
    static constexpr model::descriptor make() { return describe_text<micro_time>("RFC 3339 time", false); }
};

template <> struct describe<duration> {
    static constexpr model::descriptor make() { return describe_text<duration>("duration", false); }
};

template <> struct describe<quantity> {
    static constexpr model::descriptor make() { return describe_text<quantity>("quantity", true); }
};

template <> struct describe<int_or_string> {
    static constexpr model::descriptor make() {
        model::descriptor d = describe_text<int_or_string>("an integer or a string", false);
        d.store_integer = [](void* p, std::int64_t v) {
            if (v < std::numeric_limits<std::int32_t>::min() || v > std::numeric_limits<std::int32_t>::max())
                return false;
            *static_cast<int_or_string*>(p) = int_or_string(static_cast<std::int32_t>(v));
            return true;
        };
        d.is_bare = [](void const* p) { return !static_cast<int_or_string const*>(p)->is_string(); };
        d.quotes_empty = true;
        return d;
    }
};

template <> struct describe<bytes> {
    static constexpr model::descriptor make() {
        model::descriptor d = describe_text<bytes>("base64", false);
        d.quotes_empty = true;
        return d;
    }
};

template <class T> struct describe<std::optional<T>> {
    static constexpr model::descriptor make() {
        using optional = std::optional<T>;
        model::descriptor d{model::shape::optional, "optional", &reset_value<optional>, &take_value<optional>};
        d.element = &table_of<T>::value;
        d.engage = [](void* p) -> void* { return &static_cast<optional*>(p)->emplace(); };
        d.peek = [](void const* p) -> void const* {
            auto const& o = *static_cast<optional const*>(p);
            return o ? &*o : nullptr;
        };
        return d;
    }
};

template <class T> struct describe<boxed<T>> {
    static constexpr model::descriptor make() {
        model::descriptor d{model::shape::optional, "optional", &reset_value<boxed<T>>, &take_value<boxed<T>>};
        d.element = &table_of<T>::value;
        d.engage = [](void* p) -> void* { return &static_cast<boxed<T>*>(p)->emplace(); };
        d.peek = [](void const* p) -> void const* {
            auto const& o = *static_cast<boxed<T> const*>(p);
            return o ? &*o : nullptr;
        };
        return d;
    }
};

template <class T> struct describe<std::vector<T>> {
    static constexpr model::descriptor make() {
        using array = std::vector<T>;
        model::descriptor d{model::shape::array, "array", &reset_value<array>, &take_value<array>};
        d.element = &table_of<T>::value;
        d.item_size = sizeof(T);
        d.append = [](void* p) -> void* { return &static_cast<array*>(p)->emplace_back(); };
        d.drop_last = [](void* p) { static_cast<array*>(p)->pop_back(); };
        d.reserve = [](void* p, std::size_t n) { static_cast<array*>(p)->reserve(n); };
        d.shrink = [](void* p) { static_cast<array*>(p)->shrink_to_fit(); };
        d.size = [](void const* p) { return static_cast<array const*>(p)->size(); };
        d.at = [](void const* p, std::size_t i) -> void const* { return &(*static_cast<array const*>(p))[i]; };
        return d;
    }
};

/// `pytorch_replica_specs` → `pytorchReplicaSpecs`; removes a trailing underscore (as in `namespace_`).
template <std::size_t N> struct camel_name {
    std::array<char, N + 1> text{};
    std::size_t size = 0;

    constexpr explicit camel_name(std::string_view member) {
        bool upper = false;
        for (char c : member) {
            if (c == '_') {
                upper = true;
                continue;
            }
            text[size++] = upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
            upper = false;
        }
    }
    constexpr std::string_view view() const { return {text.data(), size}; }
};

template <class T> constexpr auto rules_of() noexcept {
    if constexpr (requires { kftrain_field_rules(type_tag<T>()); })
        return kftrain_field_rules(type_tag<T>());
    else
        return std::array<model::field_rule, 0>();
}

template <class T> constexpr auto required_members_of() noexcept {
    if constexpr (requires { kftrain_required(type_tag<T>()); })
        return kftrain_required(type_tag<T>());
    else
        return std::array<std::string_view, 0>();
}

template <class T, class Member> struct member_table {
    using type = std::remove_reference_t<decltype(std::declval<T&>().*Member::pointer)>;
    static constexpr camel_name<std::string_view(Member::name).size()> camel{Member::name};

    static constexpr std::string_view name() {
        for (auto const& rule : rules_of<T>())
            if (rule.member == Member::name && !rule.json_name.empty()) return rule.json_name;
        return camel.view();
    }
    static constexpr auto quoted = [] {
        std::array<char, (name().size() + 3 + 15) / 16 * 16> text{'"'};
        std::copy(name().begin(), name().end(), text.begin() + 1);
        text[name().size() + 1] = '"';
        text[name().size() + 2] = ':';
        return text;
    }();

    static constexpr model::field make() {
        model::field f{name(), Member::name, &table_of<type>::value,
                       [](void* o) -> void* { return &(static_cast<T*>(o)->*Member::pointer); }, false};
        for (auto const& rule : rules_of<T>()) {
            if (rule.member != Member::name) continue;
            f.merge_key = rule.merge_key;
            f.list_keys = rule.list_keys;
            f.retain_keys = rule.retain_keys;
            f.bookkeeping = rule.bookkeeping;
        }
        constexpr auto required = required_members_of<T>();
        f.always = std::ranges::find(required, std::string_view(Member::name)) != required.end();
        f.key = model::name_key(f.name);
        f.quoted = {quoted.data(), name().size() + 3};
        return f;
    }
};

template <class T> struct object_table {
    using members = boost::describe::describe_members<T, boost::describe::mod_any_access>;
    static constexpr std::size_t count = mp11::mp_size<members>::value;
    static constexpr std::size_t slot_count = std::bit_ceil(2 * count + 1);
    static_assert(count < 255);

    template <class... Members>
    static constexpr std::array<model::field, count> make_fields(mp11::mp_list<Members...>) {
        return {member_table<T, Members>::make()...};
    }
    static constexpr auto fields = make_fields(mp11::mp_rename<members, mp11::mp_list>{});
    static constexpr auto slots = [] {
        std::array<std::uint8_t, slot_count> s{};
        s.fill(255);
        for (std::size_t i = 0; i < count; ++i) {
            std::size_t at = fields[i].key.hash() & (slot_count - 1);
            while (s[at] != 255) at = (at + 1) & (slot_count - 1);
            s[at] = static_cast<std::uint8_t>(i);
        }
        return s;
    }();
    static inline constinit std::atomic<void const*> layout{nullptr};
};

template <class T> constexpr bool rules_name_members() {
    auto const is_member = [](std::string_view name) {
        bool known = false;
        mp11::mp_for_each<typename object_table<T>::members>([&](auto m) { known = known || name == m.name; });
        return known;
    };
    return std::ranges::all_of(rules_of<T>(), is_member, &model::field_rule::member) &&
           std::ranges::all_of(required_members_of<T>(), is_member);
}

/// The qualified name of a type, as the compiler spells it.
template <class T> constexpr std::string_view type_name() {
    std::string_view const f = __PRETTY_FUNCTION__; // `... [with T = kftrain::core::pod; ...]` or `... [T = ...]`
    auto const begin = f.find("T = ") + 4;
    return f.substr(begin, f.find_first_of(";]", begin) - begin);
}

/// Does not compile if KFTRAIN_DESCRIBE lists too few members; Boost.Describe alone cannot be checked.
template <class T> constexpr bool lists_all_members() {
    if constexpr (requires(T const& t) { kftrain_lists_all_members(type_tag<T>(), t); })
        return decltype(kftrain_lists_all_members(type_tag<T>(), std::declval<T const&>()))::value;
    else
        return true;
}

template <class T>
requires described<T>
struct describe<T> {
    static_assert(boost::describe::has_describe_members<T>::value,
                  "define KFTRAIN_DESCRIBE_MEMBERS before the first header of this source");
    static_assert(rules_name_members<T>(), "a field_rule or KFTRAIN_REQUIRED names no member of the struct");
    static_assert(lists_all_members<T>(), "KFTRAIN_DESCRIBE does not list every member of the struct");

    static constexpr model::descriptor make() {
        model::descriptor d{model::shape::object, "object", &reset_value<T>, &take_value<T>};
        d.fields = object_table<T>::fields;
        d.slots = object_table<T>::slots;
        d.layout = &object_table<T>::layout;
        d.type_name = type_name<T>();
        if constexpr (has_unknown_fields<T>) d.unknown = [](void* o) { return &static_cast<T*>(o)->unknown; };
        if constexpr (requires { T::resource.kind; }) d.info = &T::resource;
        return d;
    }
};

} // namespace kftrain::detail

template <class T>
constinit kftrain::model::descriptor const kftrain::model::table<T>::value = kftrain::detail::describe<T>::make();

/// Defines the table of a struct that KFTRAIN_DESCRIBE declared. Place it in one source, in the namespace of the
/// struct.
#define KFTRAIN_TABLE(Type) KFTRAIN_DEFINE_TABLE(Type, Type)
/// The same for a struct of KFTRAIN_DESCRIBE_RESOURCE.
#define KFTRAIN_RESOURCE_TABLE(Type)                                                                                   \
    KFTRAIN_TABLE(Type)                                                                                                \
    KFTRAIN_DEFINE_TABLE(::kftrain::object_list<Type>, Type##_list)

#define KFTRAIN_DEFINE_TABLE(Type, Name)                                                                               \
    constinit ::kftrain::model::descriptor const kftrain_table_of_##Name = ::kftrain::detail::describe<Type>::make();

#endif
