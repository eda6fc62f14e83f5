#include "local/kubelet/volumes/machine_folders.hpp"
#include "support/temporary_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>

BOOST_AUTO_TEST_SUITE(local_machine_folders)

using namespace kftrain;
using local::creation;
namespace fs = std::filesystem;

namespace {

/// A directory of a volume and one beside it.
struct folders {
    folders() {
        fs::create_directory(root / "volume");
        fs::create_directory(root / "other");
        std::error_code failed;
        volume = local::open_real(root / "volume", failed);
        BOOST_REQUIRE(!failed);
    }
    /// The path that was opened, relative to the volume; or the error.
    std::string open(fs::path const& path, creation missing = creation::directories) const {
        std::error_code failed;
        auto const real = local::open_within(volume, path, missing, failed);
        if (local::leads_out(failed)) return "out";
        if (failed) return failed.message();
        struct stat opened{};
        struct stat named{};
        BOOST_TEST(::fstat(real.descriptor.get(), &opened) == 0);
        BOOST_TEST(::lstat(real.path.c_str(), &named) == 0);
        BOOST_TEST(opened.st_ino == named.st_ino);
        return real.path.lexically_relative(volume.path).string();
    }

    test::temporary_directory top;
    fs::path root = top.path;
    local::real_path volume;
};

} // namespace

BOOST_AUTO_TEST_CASE(missing_directories_are_created_in_the_volume) {
    folders const f;
    BOOST_TEST(f.open("a/b/", creation::none) == "No such file or directory");
    BOOST_TEST(f.open("a/b/") == "a/b");
    BOOST_TEST(fs::is_directory(f.root / "volume/a/b"));
    BOOST_TEST(f.open("a/b/", creation::none) == "a/b");
    BOOST_TEST(f.open(".") == ".");
    BOOST_TEST(f.open("a/file", creation::file) == "a/file");
    BOOST_TEST(fs::is_regular_file(f.root / "volume/a/file"));
    BOOST_TEST(f.open("a/file/x") == "Not a directory");
    BOOST_TEST(f.open("c/file", creation::file) == "No such file or directory");
}

BOOST_AUTO_TEST_CASE(links_are_followed_in_the_volume_only) {
    folders const f;
    fs::create_directories(f.root / "volume/in/side");
    fs::create_symlink("in", f.root / "volume/relative");
    fs::create_symlink(f.volume.path / "in", f.root / "volume/absolute");
    fs::create_symlink(f.root / "other", f.root / "volume/out");
    fs::create_symlink("../other", f.root / "volume/up");
    fs::create_symlink("../other/new", f.root / "volume/dangling");
    BOOST_TEST(f.open("relative/side") == "in/side");
    BOOST_TEST(f.open("absolute/new") == "in/new");
    for (auto const* path : {"out", "out/new", "up/new", "../other/new", "..", "/etc"})
        BOOST_TEST(f.open(path) == "out", path);
    for (auto const missing : {creation::none, creation::file, creation::directories})
        for (auto const* path : {"dangling", "dangling/x"})
            BOOST_TEST(f.open(path, missing) == "Too many levels of symbolic links", path);
    BOOST_TEST(fs::is_empty(f.root / "other"));
}

// As if a container put the link there after the check of the path.
BOOST_AUTO_TEST_CASE(a_link_that_appears_after_the_check_is_not_followed) {
    folders const f;
    fs::create_symlink("../other", f.root / "volume/a");
    for (auto const missing : {creation::none, creation::file, creation::directories})
        for (auto const* path : {"a", "a/b"}) {
            std::error_code failed;
            auto const opened = local::sandbox::open_without_links(f.volume.descriptor.get(), path, missing, failed);
            BOOST_TEST(!opened);
            BOOST_TEST(bool(failed == std::errc::too_many_symbolic_link_levels), failed.message());
        }
    std::error_code failed;
    BOOST_TEST(!local::sandbox::open_without_links(f.volume.descriptor.get(), "../other", creation::none, failed));
    BOOST_TEST(bool(failed == std::errc::invalid_argument));
    BOOST_TEST(fs::is_empty(f.root / "other"));
}

BOOST_AUTO_TEST_CASE(a_directory_that_is_replaced_by_a_link_is_not_entered) {
    folders const f;
    fs::rename(f.root / "volume", f.root / "moved");
    fs::create_directory_symlink("other", f.root / "volume");
    BOOST_TEST(f.open("new") == "out");
    BOOST_TEST(fs::is_empty(f.root / "other"));
}

BOOST_AUTO_TEST_SUITE_END()
