// Every type of the library, reached through views alone: each member is set, written, read and compared.
#include "support/filled_value.hpp"

#include <kftrain/kinds/types.hpp>
#include <kftrain/model/codec.hpp>

BOOST_AUTO_TEST_SUITE(schemas_every_type)

using namespace kftrain;
using namespace kftrain::test;

BOOST_AUTO_TEST_CASE(every_type_survives_setting_writing_reading_and_comparing) {
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
