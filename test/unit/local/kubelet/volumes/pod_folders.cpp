#include "local/kubelet/volumes/machine_folders.hpp"
#include "local/kubelet/volumes/volume_files.hpp"
#include "support/temporary_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <fstream>

BOOST_AUTO_TEST_SUITE(local_pod_folders)

using namespace kftrain;
namespace fs = std::filesystem;

namespace {

using folder = test::temporary_directory;

local::pod_options allowing(std::string path) {
    local::pod_options o;
    o.host_paths.push_back(std::move(path));
    return o;
}

core::host_path_volume_source at(fs::path const& path, std::string const& type = "") {
    core::host_path_volume_source v;
    v.path = path.string();
    if (!type.empty()) v.type = type;
    return v;
}

std::string why_not(core::host_path_volume_source const& v, local::pod_options const& o) {
    auto const path = local::prepare_host_path(v, o);
    return path ? std::string() : path.error().detail.message;
}

} // namespace

BOOST_AUTO_TEST_CASE(only_paths_in_an_allowed_directory_are_allowed) {
    auto const o = allowing("/srv/data/");
    for (auto const* path : {"/srv/data", "/srv/data/", "/srv/data/a/b", "/srv//data/./a", "/srv/data/a/../b"})
        BOOST_TEST(local::is_allowed_path(path, o), path);
    for (auto const* path : {"", "/", "/srv", "/srv/database", "srv/data", "/srv/data/..", "/srv/data/../x"})
        BOOST_TEST(!local::is_allowed_path(path, o), path);
    BOOST_TEST(!local::is_allowed_path("/srv/data", local::pod_options()));
    BOOST_TEST(local::is_allowed_path("/x", allowing("/")));
}

// Expected: kubelet v1.31, pkg/volume/hostpath/host_path.go
BOOST_AUTO_TEST_CASE(a_host_path_is_what_its_type_requires) {
    folder const f;
    auto const o = allowing(f.path.string());
    BOOST_TEST(why_not(at(f.path / "none", "Directory"), o) ==
               "hostPath type check failed: " + (f.path / "none").string() + " is not a directory");
    BOOST_TEST(why_not(at(f.path / "none", "File"), o) ==
               "hostPath type check failed: " + (f.path / "none").string() + " is not a file");
    BOOST_TEST(!fs::exists(f.path / "none"));
    BOOST_TEST(why_not(at(f.path / "file", "FileOrCreate"), o) == "");
    BOOST_TEST(fs::is_regular_file(f.path / "file"));
    BOOST_TEST(why_not(at(f.path / "a/b/", "DirectoryOrCreate"), o) == "");
    BOOST_TEST(fs::is_directory(f.path / "a/b"));
    BOOST_TEST(why_not(at(f.path / "file", "Directory"), o) ==
               "hostPath type check failed: " + (f.path / "file").string() + " is not a directory");
}

BOOST_AUTO_TEST_CASE(a_refused_host_path_has_a_message_with_the_option) {
    folder const f;
    BOOST_TEST(why_not(at("/elsewhere"), allowing(f.path.string())) ==
               "hostPath \"/elsewhere\" is in no directory that pods may mount; allow it with --host-path /elsewhere "
               "(host_paths in C++ and Python)");
}

BOOST_AUTO_TEST_CASE(a_link_does_not_lead_out_of_an_allowed_directory) {
    folder const f, other;
    fs::create_symlink(other.path, f.path / "out");
    fs::create_directory(f.path / "in");
    fs::create_symlink("in", f.path / "inner");
    auto const o = allowing(f.path.string());
    for (auto const* path : {"out", "out/new"})
        BOOST_TEST(why_not(at(f.path / path), o).ends_with("leads out of the directories that pods may mount"));
    BOOST_TEST(fs::is_empty(other.path));
    auto const inner = local::prepare_host_path(at(f.path / "inner"), o);
    BOOST_TEST_REQUIRE(inner.has_value());
    BOOST_TEST(inner->path == fs::canonical(f.path / "in"));
    // The allowed directory itself may be a link.
    BOOST_TEST(why_not(at(f.path / "out/new"), allowing((f.path / "out").string())) == "");
}

BOOST_AUTO_TEST_CASE(nothing_is_created_through_a_link_to_a_missing_place) {
    folder const f, other;
    fs::create_symlink(other.path / "new", f.path / "out");
    fs::create_symlink("new", f.path / "in");
    auto const o = allowing(f.path.string());
    for (auto const* type : {"", "FileOrCreate", "DirectoryOrCreate", "File", "Directory"})
        for (auto const* path : {"out", "out/below", "in"})
            BOOST_TEST(why_not(at(f.path / path, type), o).ends_with(": a link on the way leads to no existing place"),
                       type << " " << path);
    BOOST_TEST(fs::is_empty(other.path));
    BOOST_TEST(!fs::exists(f.path / "new"));
}

BOOST_AUTO_TEST_CASE(a_claim_with_a_namespace_comes_before_one_without) {
    local::pod_options o;
    o.volumes = {{"data", "/a"}, {"team/data", "/b"}};
    BOOST_TEST(local::directory_of_claim("team", "data", o) == "/b");
    BOOST_TEST(local::directory_of_claim("default", "data", o) == "/a");
    BOOST_TEST(local::directory_of_claim("default", "other", o) == "");
}

// Expected: kubernetes v1.31, pkg/fieldpath/fieldpath.go, FormatMap and ExtractFieldPathAsString
BOOST_AUTO_TEST_CASE(fields_of_a_pod_are_files) {
    pod p;
    p.metadata.name = "a";
    p.metadata.uid = "12";
    p.metadata.labels = {{"b", "two\n\"2\""}, {"a", "one\\"}};
    std::vector<core::downward_api_volume_file> items;
    auto const add = [&](std::string path, std::string field, std::optional<std::int32_t> mode = {}) {
        auto& item = items.emplace_back();
        item.path = std::move(path);
        item.field_ref.emplace().field_path = std::move(field);
        item.mode = mode;
    };
    add("labels", "metadata.labels");
    add("annotations", "metadata.annotations");
    add("sub/name", "metadata.name", 0400);
    add("b", "metadata.labels['b']");
    auto const files = local::field_files(items, 0640, p);
    BOOST_TEST_REQUIRE(files.has_value());
    BOOST_TEST_REQUIRE(files->size() == 4u);
    BOOST_TEST(files->at(0).data == "a=\"one\\\\\"\nb=\"two\\n\\\"2\\\"\"");
    BOOST_TEST(files->at(0).mode == 0640);
    BOOST_TEST(files->at(1).data == "");
    BOOST_TEST(files->at(2).data == "a");
    BOOST_TEST(files->at(2).mode == 0400);
    BOOST_TEST(files->at(3).data == "two\n\"2\"");
    // Expected: the escapes of %q in Go's strconv
    p.metadata.labels = {{"a", "\a\b\f\r\t\v\x01\x7f\xff \xc2\xa0\xc3\xa9"}};
    BOOST_TEST(local::field_files(items, {}, p)->at(0).data ==
               "a=\"\\a\\b\\f\\r\\t\\v\\x01\\x7f\\xff \\u00a0\xc3\xa9\"");
    add("../out", "metadata.name");
    BOOST_TEST(!local::field_files(items, {}, p).has_value());
    for (auto const* field : {"status.podIP", "spec.nodeName", "metadata.x", ""})
        BOOST_TEST(!local::is_known_file_field(field), field);
}

BOOST_AUTO_TEST_CASE(later_files_replace_files_of_the_same_path) {
    auto const file = [](std::string path, std::string data) {
        local::volume_file f;
        f.path = std::move(path);
        f.data = std::move(data);
        return f;
    };
    std::vector files{file("a", "1"), file("b", "1")};
    local::merge_files(files, {file("a", "2"), file("c", "2")});
    BOOST_TEST(files.size() == 3u);
    for (auto const& f : files) BOOST_TEST(f.data == (f.path == "b" ? "1" : "2"));
}

BOOST_AUTO_TEST_SUITE_END()
