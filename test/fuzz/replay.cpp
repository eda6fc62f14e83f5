#include "fuzz/documents.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

BOOST_AUTO_TEST_SUITE(fuzz_replay)

namespace {

namespace fs = std::filesystem;

void replay(std::string const& target, void (*run)(std::string_view)) {
    std::size_t count = 0;
    for (auto const& entry : fs::directory_iterator(fs::path(KFTRAIN_SOURCE_DIR) / "test/fuzz/corpus" / target)) {
        std::ifstream in(entry.path(), std::ios::binary);
        std::string const text{std::istreambuf_iterator<char>(in), {}};
        BOOST_TEST_CONTEXT(entry.path().string()) {
            try {
                run(text);
            } catch (std::exception const& e) {
                BOOST_ERROR(e.what());
            }
        }
        ++count;
    }
    BOOST_TEST(count > 0U, "no corpus of " << target);
}

} // namespace

BOOST_AUTO_TEST_CASE(json_texts_hold) { replay("json", fuzz::try_json); }
BOOST_AUTO_TEST_CASE(yaml_texts_hold) { replay("yaml", fuzz::try_yaml); }
BOOST_AUTO_TEST_CASE(quantities_hold) { replay("quantity", fuzz::try_quantity); }
BOOST_AUTO_TEST_CASE(selectors_hold) { replay("selector", fuzz::try_selector); }
BOOST_AUTO_TEST_CASE(manifests_hold) { replay("manifest", fuzz::try_manifest); }

BOOST_AUTO_TEST_SUITE_END()
