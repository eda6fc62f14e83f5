#include "local/simulation/pod_simulator.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(local_pod_simulator)

using namespace kftrain;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_CASE(annotations_override_the_defaults) {
    auto const plain = local::read_pod_script({}, 5s).value();
    BOOST_TEST(plain.run.count() == 5000);
    BOOST_TEST(plain.exit_code == 0);
    auto const own = local::read_pod_script({{"kftrain.local/run", "1m1.5s"}, {"kftrain.local/exit-code", "137"}}, 5s);
    BOOST_TEST(own.value().run.count() == 61500);
    BOOST_TEST(own.value().exit_code == 137);
}

BOOST_AUTO_TEST_CASE(invalid_annotations_are_named) {
    auto const message = [](std::string const& name, std::string const& value) {
        return local::read_pod_script({{"kftrain.local/" + name, value}}, 0s).error().detail.message;
    };
    for (auto const* value : {"5", "-1s", "soon", ""})
        BOOST_TEST(message("run", value) == "annotation kftrain.local/run: expected a duration such as 1m30s, got \"" +
                                                std::string(value) + "\"");
    for (auto const* value : {"256", "-1", "1x", ""})
        BOOST_TEST(message("exit-code", value) ==
                   "annotation kftrain.local/exit-code: expected 0 to 255, got \"" + std::string(value) + "\"");
}

BOOST_AUTO_TEST_SUITE_END()
