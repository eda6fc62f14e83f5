#include "local/sandbox/run_directory.hpp"
#include "support/temporary_directory.hpp"

#include <kftrain/local/leftovers.hpp>

#include <boost/test/unit_test.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

BOOST_AUTO_TEST_SUITE(local_run_directory)

using namespace kftrain::local::sandbox;
namespace fs = std::filesystem;

namespace {

/// A directory of nodes, with files in each.
struct nodes {
    std::string make(std::string const& name, bool marked = true) const {
        auto path = parent + "/" + name;
        fs::create_directories(path + "/logs");
        std::ofstream(path + "/logs/id_rsa") << "secret";
        if (marked) BOOST_REQUIRE(mark_run_directory(path));
        return path;
    }
    using paths = std::vector<std::string>;

    kftrain::test::temporary_directory top;
    std::string parent = top.path.string();
};

} // namespace

BOOST_FIXTURE_TEST_CASE(an_unused_directory_is_removed, nodes) {
    auto const path = make("kftrain-abcdef");
    BOOST_TEST(remove_dead_run_directories(parent) == paths{path}, boost::test_tools::per_element());
    BOOST_TEST(!fs::exists(path));
}

BOOST_FIXTURE_TEST_CASE(a_directory_in_use_is_kept_until_its_last_user_ends, nodes) {
    auto const path = make("kftrain-abcdef");
    auto server = lock_run_directory(path);
    auto helper = lock_run_directory(path);
    BOOST_REQUIRE(static_cast<bool>(server));
    BOOST_REQUIRE(static_cast<bool>(helper));
    BOOST_TEST(remove_dead_run_directories(parent).empty());
    server.reset();
    BOOST_TEST(!remove_dead_run_directory(path));
    helper.reset();
    BOOST_TEST(remove_dead_run_directory(path));
    BOOST_TEST(!fs::exists(path));
}

BOOST_FIXTURE_TEST_CASE(the_lock_of_a_killed_process_does_not_count, nodes) {
    auto const path = make("kftrain-abcdef");
    int locked[2];
    BOOST_REQUIRE(::pipe(locked) == 0);
    pid_t const child = ::fork();
    if (child == 0) {
        auto const lock = lock_run_directory(path);
        char const reply = lock ? 'y' : 'n';
        if (::write(locked[1], &reply, 1) != 1) ::_exit(1);
        for (;;) ::pause();
    }
    char reply = 0;
    BOOST_REQUIRE(::read(locked[0], &reply, 1) == 1);
    BOOST_TEST(reply == 'y');
    BOOST_TEST(!remove_dead_run_directory(path));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    BOOST_TEST(remove_dead_run_directory(path));
}

BOOST_FIXTURE_TEST_CASE(files_that_no_node_made_are_kept, nodes) {
    auto const unmarked = make("kftrain-abcdef", false);
    auto const elsewhere = make("somewhere");
    auto const shared = make("kftrain-shared");
    fs::permissions(shared, fs::perms::others_write, fs::perm_options::add);
    fs::create_directory_symlink(elsewhere, parent + "/kftrain-linked");
    auto const linked_mark = make("kftrain-marked", false);
    fs::create_symlink(elsewhere + "/.node", linked_mark + "/.node");
    BOOST_TEST(remove_dead_run_directories(parent).empty());
    for (auto const& path : {unmarked, elsewhere, shared, linked_mark}) BOOST_TEST(fs::exists(path + "/logs/id_rsa"));
}

BOOST_FIXTURE_TEST_CASE(leftovers_of_a_directory_are_removed_if_a_killed_node_made_it, nodes) {
    auto const dead = make("kftrain-killed");
    auto const unmarked = make("kftrain-abcdef", false);
    auto const used = make("kftrain-in-use");
    auto const lock = lock_run_directory(used);
    BOOST_REQUIRE(static_cast<bool>(lock));
    BOOST_TEST(kftrain::local::remove_leftovers_of(dead));
    BOOST_TEST(!fs::exists(dead));
    for (auto const& path : {unmarked, used}) {
        BOOST_TEST(!kftrain::local::remove_leftovers_of(path));
        BOOST_TEST(fs::exists(path + "/logs/id_rsa"));
    }
    BOOST_TEST(!kftrain::local::remove_leftovers_of(dead));
}

BOOST_FIXTURE_TEST_CASE(a_parent_that_is_not_there_has_none, nodes) {
    BOOST_TEST(remove_dead_run_directories(parent + "/none").empty());
    BOOST_TEST(!remove_dead_run_directory(parent + "/none"));
}

BOOST_AUTO_TEST_SUITE_END()
