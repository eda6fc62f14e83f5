#ifndef KFTRAIN_MODEL_DETAIL_REFLECT_SCALARS_HPP
#define KFTRAIN_MODEL_DETAIL_REFLECT_SCALARS_HPP

/** @file The descriptors of scalars and enumerations; part of `model/reflect.hpp`, which is the header to include. */

#include <kftrain/model/detail/reflect_map.hpp>
#include <kftrain/model/raw_json.hpp>
#include <kftrain/model/scalars.hpp>

#include <array>
#include <chrono>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace kftrain::detail {

/// How a scalar is written: `parse` returns false for a text that it does not take.
struct scalar_text {
    template <class T> static bool parse(std::string_view s, T& to) { return parse_scalar(s, to); }
    template <class T> static void print(T const& t, std::string& out) { print_scalar(t, out); }
};

template <class T, class Text = scalar_text>
constexpr model::descriptor describe_text(std::string_view name, bool takes_numbers = false) {
    model::descriptor d{model::shape::text, name, &reset_value<T>, &take_value<T>};
    d.takes_numbers = takes_numbers;
    d.parse = [](void* p, std::string_view s) { return Text::parse(s, *static_cast<T*>(p)); };
    d.print = [](void const* p, std::string& out) { Text::print(*static_cast<T const*>(p), out); };
    d.same = [](void const* a, void const* b) { return *static_cast<T const*>(a) == *static_cast<T const*>(b); };
    d.same_text = [](std::string_view a, std::string_view b) {
        T x{}, y{};
        return Text::parse(a, x) && Text::parse(b, y) && x == y;
    };
    if constexpr (requires(T t) { t.canonical(); })
        d.make_canonical = [](void* p) { *static_cast<T*>(p) = T(static_cast<T*>(p)->canonical()); };
    return d;
}

/// The qualified name of a type, as the compiler spells it.
template <class T> constexpr std::string_view type_name() {
    std::string_view const f = __PRETTY_FUNCTION__; // `... [with T = kftrain::core::pod; ...]` or `... [T = ...]`
    auto const begin = f.find("T = ") + 4;
    return f.substr(begin, f.find_first_of(";]", begin) - begin);
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
        constexpr std::array<std::string_view, 6> names{"int16", "uint16", "int32", "uint32", "int64", "uint64"};
        constexpr std::size_t size = sizeof(T) == 8 ? 4 : sizeof(T) == 4 ? 2 : 0;
        model::descriptor d{model::shape::integer, names[size + std::is_unsigned_v<T>], &reset_value<T>,
                            &take_value<T>};
        d.store_integer = [](void* p, std::int64_t v) {
            if (!std::in_range<T>(v)) return false;
            *static_cast<T*>(p) = static_cast<T>(v);
            return true;
        };
        d.load_integer = [](void const* p) { return static_cast<std::int64_t>(*static_cast<T const*>(p)); };
        return d;
    }
};

/// The name of an enumerator, by the function `to_string` of the enumeration; empty behind the last one. Enumerators
/// are numbered from 0.
template <class E> std::string_view enumerator_name(std::size_t index) noexcept {
    auto const name = to_string(static_cast<E>(index));
    for (std::size_t i = 0; i != index; ++i)
        if (to_string(static_cast<E>(i)) == name) return {}; // what `to_string` returns for other numbers
    return name;
}

template <class E>
requires std::is_enum_v<E>
struct describe<E> {
    static bool parse(std::string_view s, E& to) {
        for (std::size_t i = 0; !enumerator_name<E>(i).empty(); ++i)
            if (enumerator_name<E>(i) == s) return to = static_cast<E>(i), true;
        return false;
    }
    static void print(E e, std::string& out) { out += to_string(e); }

    static constexpr model::descriptor make() {
        constexpr auto name = type_name<E>();
        model::descriptor d = describe_text<E, describe>(name.substr(name.rfind(':') + 1));
        d.enumerator = &enumerator_name<E>;
        return d;
    }
};

template <> struct describe<time_point> {
    static constexpr model::descriptor make() { return describe_text<time_point>("RFC 3339 time"); }
};

template <> struct describe<micro_time> {
    static constexpr model::descriptor make() { return describe_text<micro_time>("RFC 3339 time"); }
};

template <> struct describe<duration> {
    static constexpr model::descriptor make() { return describe_text<duration>("duration"); }
};

/// A limit of options: a number is in seconds. A limit between two units is rounded up, because 0 is often none.
template <class Rep, class Period> struct describe<std::chrono::duration<Rep, Period>> {
    using limit = std::chrono::duration<Rep, Period>;
    static bool parse(std::string_view s, limit& to) {
        duration exact{};
        bool const bare = !s.empty() && s.back() >= '0' && s.back() <= '9';
        if (!parse_scalar(bare ? std::string(s) + 's' : std::string(s), exact)) return false;
        to = std::chrono::ceil<limit>(exact);
        return true;
    }
    static void print(limit t, std::string& out) { print_scalar(duration(t), out); }

    static constexpr model::descriptor make() { return describe_text<limit, describe>("duration", true); }
};

/// Constant text, which is written but cannot be read.
template <> struct describe<std::string_view> {
    static bool parse(std::string_view, std::string_view&) { return false; }
    static void print(std::string_view s, std::string& out) { out += s; }

    static constexpr model::descriptor make() { return describe_text<std::string_view, describe>("constant text"); }
};

template <> struct describe<quantity> {
    static constexpr model::descriptor make() { return describe_text<quantity>("quantity", true); }
};

template <> struct describe<int_or_string> {
    static constexpr model::descriptor make() {
        model::descriptor d = describe_text<int_or_string>("an integer or a string");
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
        model::descriptor d = describe_text<bytes>("base64");
        d.quotes_empty = true;
        return d;
    }
};

} // namespace kftrain::detail

#endif
