// Every type of the library, reached through views alone: each member is set, written, read and compared.
#include <kftrain/kinds/types.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/model/value_ref.hpp>

#include <boost/test/unit_test.hpp>

#include <map>
#include <set>
#include <string>

BOOST_AUTO_TEST_SUITE(schemas_every_type)

using namespace kftrain;

namespace {

std::string sample_text(std::string_view type) {
    static std::map<std::string_view, char const*> const samples = {{"RFC 3339 time", "2026-01-02T03:04:05Z"},
                                                                    {"duration", "1h0m0s"},
                                                                    {"quantity", "1500m"},
                                                                    {"an integer or a string", "http"},
                                                                    {"base64", "a2Z0cmFpbg=="}};
    auto const found = samples.find(type);
    BOOST_REQUIRE_MESSAGE(found != samples.end(), "no sample of the type " << type);
    return found->second;
}

struct filled {
    std::size_t scalars = 0;
    std::set<model::descriptor const*> open; ///< a type inside itself stays empty
};

void fill(value_ref value, filled& count) {
    switch (value.kind()) {
    case value_kind::boolean: BOOST_REQUIRE(value.set(true).has_value()); break;
    case value_kind::integer: BOOST_REQUIRE(value.set(std::int64_t{7}).has_value()); break;
    case value_kind::number: BOOST_REQUIRE(value.set(0.25).has_value()); break;
    case value_kind::string: BOOST_REQUIRE(value.set("text").has_value()); break;
    case value_kind::text: BOOST_REQUIRE(value.set(sample_text(value.type().name())).has_value()); break;
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
            fill(own.at(member.name).value(), count);
        }
        count.open.erase(table);
        return;
    }
    }
    ++count.scalars;
}

} // namespace

BOOST_AUTO_TEST_CASE(is_set_written_read_and_compared) {
    std::size_t types = 0, scalars = 0;
    for (auto const* const type : known_types()) {
        auto const object = type->make();
        filled count;
        fill(value_ref(*type->model, object.get()), count);
        const_value_ref const written(*type->model, object.get());
        BOOST_TEST_CONTEXT(written.type().name()) {
            BOOST_TEST(count.scalars > 0U);
            decode_options strict;
            strict.strict = true;
            auto const from_json = type->make(), from_yaml = type->make();
            auto const read = decode_json(written.to_json(), *type->model, from_json.get(), strict);
            BOOST_TEST(read.has_value(), (read ? "" : read.error().to_string()));
            BOOST_TEST((const_value_ref(*type->model, from_json.get()) == written));
            std::string yaml;
            encode_yaml(*type->model, object.get(), yaml);
            BOOST_TEST(decode_yaml(yaml, *type->model, from_yaml.get(), strict).has_value());
            BOOST_TEST((const_value_ref(*type->model, from_yaml.get()) == written));
        }
        ++types;
        scalars += count.scalars;
    }
    BOOST_TEST(types > 70U);
    BOOST_TEST(scalars > 10000U);
}

BOOST_AUTO_TEST_SUITE_END()
