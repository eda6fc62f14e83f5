#ifndef KFTRAIN_TEST_SUPPORT_FILLED_VALUE_HPP
#define KFTRAIN_TEST_SUPPORT_FILLED_VALUE_HPP

#include <kftrain/model/value_ref.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace kftrain::test {

/// A text of a type that has one.
inline std::string sample_text(described_type type) {
    if (auto const names = type.enumerators(); !names.empty()) return std::string(names.back());
    static std::map<std::string_view, char const*> const samples = {{"RFC 3339 time", "2026-01-02T03:04:05Z"},
                                                                    {"duration", "1h0m0s"},
                                                                    {"quantity", "1500m"},
                                                                    {"an integer or a string", "http"},
                                                                    {"base64", "a2Z0cmFpbg=="},
                                                                    {"apiVersion", "kubeflow.org/v1"},
                                                                    {"job kind", "PyTorchJob.v1"},
                                                                    {"log position", R"({"version":1})"}};
    auto const found = samples.find(type.name());
    BOOST_REQUIRE_MESSAGE(found != samples.end(), "no sample of the type " << type.name());
    return found->second;
}

/// The counts of the values that fill() has set.
struct filled {
    std::size_t scalars = 0;
    std::set<model::descriptor const*> open; ///< a type inside itself stays empty
};

/// Sets every member of a value through views alone; lists and maps get one item.
inline void fill(value_ref value, filled& count) {
    switch (value.kind()) {
    case value_kind::boolean: BOOST_REQUIRE(value.set(true).has_value()); break;
    case value_kind::integer: BOOST_REQUIRE(value.set(std::int64_t{7}).has_value()); break;
    case value_kind::number: BOOST_REQUIRE(value.set(0.25).has_value()); break;
    case value_kind::string: BOOST_REQUIRE(value.set("text").has_value()); break;
    case value_kind::text: BOOST_REQUIRE(value.set(sample_text(value.type())).has_value()); break;
    case value_kind::json: BOOST_REQUIRE(value.set_json(R"({"a":1})").has_value()); break;
    case value_kind::list: return fill(value.append().value(), count);
    case value_kind::map: return fill(value.insert("key").value(), count);
    case value_kind::object: {
        auto const own = value.emplace();
        auto const* const table = &own.type().table();
        if (!count.open.insert(table).second) return value.reset();
        for (std::size_t i = 0; i < own.type().member_count(); ++i) {
            auto const member = own.type().member(i);
            BOOST_TEST(!member.name.empty());
            BOOST_TEST((own.type().find_member(member.json_name)->type == member.type));
            fill(own.at(member.json_name).value(), count);
        }
        count.open.erase(table);
        return;
    }
    }
    ++count.scalars;
}

} // namespace kftrain::test

#endif
