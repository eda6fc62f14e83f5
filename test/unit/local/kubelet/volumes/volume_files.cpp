#include "local/kubelet/volumes/volume_files.hpp"
#include "support/temporary_directory.hpp"

#include <kftrain/model/codec.hpp>

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iterator>
#include <unistd.h>

BOOST_AUTO_TEST_SUITE(local_volume_files)

using namespace kftrain;
using namespace kftrain::local;
namespace fs = std::filesystem;

// Expected: kubernetes pkg/volume/configmap/configmap.go, pkg/volume/secret/secret.go,
// pkg/volume/util/atomic_writer.go, v1.31.
namespace {

struct folder : test::temporary_directory {
    folder() { fs::remove(path); } // the code under test creates it

    std::string text(std::string const& name) const { return has(name) ? read(name) : "(absent)"; }
    unsigned mode(std::string const& name) const {
        return static_cast<unsigned>(fs::status(path / name).permissions());
    }
    std::vector<std::string> names() const {
        std::vector<std::string> found;
        for (auto const& e : fs::directory_iterator(path))
            if (!e.path().filename().string().starts_with("..")) found.push_back(e.path().filename());
        std::sort(found.begin(), found.end());
        return found;
    }
    std::size_t versions() const {
        std::size_t n = 0;
        for (auto const& e : fs::directory_iterator(path)) n += e.is_directory() && !e.is_symlink() ? 1 : 0;
        return n;
    }
};

core::config_map map_of(string_map data) {
    core::config_map m;
    m.data = std::move(data);
    return m;
}

std::vector<volume_file> files(std::string const& source, core::config_map const& object) {
    return files_of(from_json<core::config_map_volume_source>(source).value(), &object).value();
}

template <class Source, class Object> std::string fault(std::string const& source, Object const* object) {
    auto const made = files_of(from_json<Source>(source).value(), object);
    return made ? "" : made.error().detail.message;
}

} // namespace

BOOST_AUTO_TEST_CASE(every_key_is_a_file_unless_items_name_some) {
    auto object = map_of({{"a", "1"}, {"b", "2"}});
    object.binary_data = {{"c", bytes("3")}};
    auto const all = files(R"({"name":"m","defaultMode":256})", object);
    BOOST_TEST_REQUIRE(all.size() == 3u);
    BOOST_TEST(all[2].path == "c");
    BOOST_TEST(all[2].data == "3");
    BOOST_TEST(all[2].mode == 0400);
    auto const some =
        files(R"({"name":"m","items":[{"key":"b","path":"x/y","mode":365},{"key":"a","path":"h"}]})", object);
    BOOST_TEST_REQUIRE(some.size() == 2u);
    BOOST_TEST(some[0].path == "h");
    BOOST_TEST(some[0].mode == 0644);
    BOOST_TEST(some[1].path == "x/y");
    BOOST_TEST(some[1].mode == 0555);
}

BOOST_AUTO_TEST_CASE(missing_references_are_named_unless_optional) {
    using map_source = core::config_map_volume_source;
    using secret_source = core::secret_volume_source;
    auto const object = map_of({{"a", "1"}});
    core::config_map const* const no_map = nullptr;
    core::secret const* const no_secret = nullptr;
    core::secret const empty;
    BOOST_TEST(fault<map_source>(R"({"name":"m"})", no_map) == "configmap \"m\" not found");
    BOOST_TEST(fault<map_source>(R"({"name":"m","optional":true})", no_map) == "");
    BOOST_TEST(fault<secret_source>(R"({"secretName":"s"})", no_secret) == "secret \"s\" not found");
    BOOST_TEST(fault<map_source>(R"({"name":"m","items":[{"key":"b","path":"b"}]})", &object) ==
               "configmap references non-existent config key: b");
    BOOST_TEST(fault<map_source>(R"({"name":"m","optional":true,"items":[{"key":"b","path":"b"}]})", &object) == "");
    BOOST_TEST(fault<secret_source>(R"({"secretName":"s","items":[{"key":"b","path":"b"}]})", &empty) ==
               "references non-existent secret key: b");
}

// A server refuses such paths.
BOOST_AUTO_TEST_CASE(paths_that_lead_out_of_the_volume_are_refused) {
    auto const object = map_of({{"a", "1"}});
    for (std::string const path : {"../x", "/x", "a/../../x", "..data", ".", ""})
        BOOST_TEST(fault<core::config_map_volume_source>(R"({"name":"m","items":[{"key":"a","path":")" + path + "\"}]}",
                                                         &object) == "path \"" + path + "\" leads out of the volume");
}

BOOST_AUTO_TEST_CASE(files_have_their_modes_and_change_together) {
    folder const f;
    auto const source = R"({"name":"m","items":[{"key":"hostfile","path":"hostfile","mode":292},
                                               {"key":"script","path":"bin/discover","mode":365}]})";
    BOOST_TEST(!write_volume(f.path, files(source, map_of({{"hostfile", "a\n"}, {"script", "#!/bin/sh\n"}}))));
    BOOST_TEST(f.text("hostfile") == "a\n");
    BOOST_TEST(f.mode("hostfile") == 0444u);
    BOOST_TEST(f.mode("bin/discover") == 0555u);
    BOOST_TEST(fs::read_symlink(f.path / "hostfile") == "..data/hostfile");
    auto const before = fs::read_symlink(f.path / "..data");
    // A file that was opened before stays whole.
    std::ifstream open(f.path / "hostfile");
    BOOST_TEST(
        !write_volume(f.path, files(source, map_of({{"hostfile", "a\nb\n"}, {"script", "#!/bin/sh\necho a\n"}}))));
    BOOST_TEST(std::string(std::istreambuf_iterator<char>(open), {}) == "a\n");
    BOOST_TEST(f.text("hostfile") == "a\nb\n");
    BOOST_TEST(f.text("bin/discover") == "#!/bin/sh\necho a\n");
    BOOST_TEST(fs::read_symlink(f.path / "..data") != before);
    BOOST_TEST(f.versions() == 1u);
}

BOOST_AUTO_TEST_CASE(nothing_is_written_when_nothing_changes) {
    folder const f;
    auto const all = files(R"({"name":"m"})", map_of({{"a", "1"}, {"empty", ""}}));
    BOOST_TEST(!write_volume(f.path, all));
    auto const version = fs::read_symlink(f.path / "..data");
    BOOST_TEST(!write_volume(f.path, all));
    BOOST_TEST(fs::read_symlink(f.path / "..data") == version);
    auto other = all;
    other[0].mode = 0600;
    BOOST_TEST(!write_volume(f.path, other));
    BOOST_TEST(fs::read_symlink(f.path / "..data") != version);
    BOOST_TEST(f.mode("a") == 0600u);
}

BOOST_AUTO_TEST_CASE(files_are_added_and_removed_with_their_keys) {
    folder const f;
    BOOST_TEST(!write_volume(f.path, files(R"({"name":"m"})", map_of({{"a", "1"}, {"b", "2"}}))));
    BOOST_TEST(!write_volume(f.path, files(R"({"name":"m"})", map_of({{"b", "2"}, {"c", "3"}}))));
    std::vector<std::string> const expected{"b", "c"};
    BOOST_TEST(f.names() == expected, boost::test_tools::per_element());
    BOOST_TEST(!write_volume(f.path, {}));
    BOOST_TEST(f.names().empty());
}

BOOST_AUTO_TEST_SUITE_END()
