#ifndef KFTRAIN_MODEL_REFLECT_HPP
#define KFTRAIN_MODEL_REFLECT_HPP

/** @file Builds descriptor tables. Include it only where tables are instantiated: in the sources that the build
    of the library generates, and in one source of a program that describes its own types. */

#include <kftrain/model/boxed.hpp>
#include <kftrain/model/descriptor.hpp>
#include <kftrain/model/detail/descriptor_table.hpp>
#include <kftrain/model/detail/reflect_map.hpp>
#include <kftrain/model/detail/reflect_scalars.hpp>

#include <boost/describe/members.hpp>
#include <boost/mp11/algorithm.hpp>
#include <boost/mp11/list.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <type_traits>
#include <vector>

namespace kftrain::detail {

namespace mp11 = boost::mp11;

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
        d.item_size = sizeof(T); // NOLINT(bugprone-sizeof-expression): an item may be a pointer
        d.append = [](void* p) { return static_cast<void*>(&static_cast<array*>(p)->emplace_back()); };
        d.drop_last = [](void* p) { static_cast<array*>(p)->pop_back(); };
        d.reserve = [](void* p, std::size_t n) { static_cast<array*>(p)->reserve(n); };
        d.shrink = [](void* p) { static_cast<array*>(p)->shrink_to_fit(); };
        d.size = [](void const* p) { return static_cast<array const*>(p)->size(); };
        d.at = [](void const* p, std::size_t i) {
            return static_cast<void const*>(&(*static_cast<array const*>(p))[i]);
        };
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

template <class T> constexpr bool is_inlined(std::string_view member) noexcept {
    if constexpr (requires { kftrain_inlined(type_tag<T>()); })
        return std::ranges::count(kftrain_inlined(type_tag<T>()), member) != 0;
    else
        return false;
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
        auto const word = name(); // once: each call may have a literal of its own, and Clang 22 rejects a range of two
        std::copy(word.begin(), word.end(), text.begin() + 1);
        text[word.size() + 1] = '"';
        text[word.size() + 2] = ':';
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

template <class T> struct object_table;

/// The fields that a member becomes: one, or those of the member if it is inlined.
template <class T, class Member, bool Inlined = is_inlined<T>(Member::name)> struct fields_of_member {
    static constexpr std::array<model::field, 1> value{member_table<T, Member>::make()};
};
template <class T, class Member> struct fields_of_member<T, Member, true> {
    using part = typename member_table<T, Member>::type;
    template <std::size_t I> static void* get(void* object) {
        return object_table<part>::fields[I].get(static_cast<void*>(&(static_cast<T*>(object)->*Member::pointer)));
    }
    template <std::size_t... I> static constexpr auto make(std::index_sequence<I...>) {
        auto fields = object_table<part>::fields;
        ((fields[I].get = &get<I>), ...);
        return fields;
    }
    static constexpr auto value = make(std::make_index_sequence<object_table<part>::count>());
};

template <class T> struct object_table {
    using members =
        boost::describe::describe_members<T, boost::describe::mod_any_access | boost::describe::mod_inherited>;

    template <class... Members> static constexpr auto make_fields(mp11::mp_list<Members...>) {
        std::array<model::field, (std::size_t(0) + ... + fields_of_member<T, Members>::value.size())> all;
        [[maybe_unused]] auto to = all.begin(); // a struct may have no members
        ((to = std::ranges::copy(fields_of_member<T, Members>::value, to).out), ...);
        return all;
    }
    static constexpr auto fields = make_fields(mp11::mp_rename<members, mp11::mp_list>{});
    static constexpr std::size_t count = fields.size();
    static constexpr std::size_t slot_count = std::bit_ceil(2 * count + 1);
    static_assert(count < 255);
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

/** Lists members that are structs and whose members are written as members of this struct, as Go's `inline` does. Place
    it before KFTRAIN_TABLE, in the namespace of the struct. */
#define KFTRAIN_INLINED(Type, ...)                                                                                     \
    template <int = 0> constexpr auto kftrain_inlined(::kftrain::type_tag<Type>) noexcept {                            \
        return std::to_array<std::string_view>({__VA_ARGS__});                                                         \
    }

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
