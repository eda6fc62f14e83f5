#include "local/sandbox/processes.hpp"

#include <boost/test/unit_test.hpp>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>

BOOST_AUTO_TEST_SUITE(local_processes)

using namespace kftrain::local::sandbox;

namespace {

/// A child of this process with a child of its own.
struct family {
    family() {
        std::array<int, 2> pipe_ends{};
        BOOST_REQUIRE(::pipe(pipe_ends.data()) == 0);
        child = ::fork();
        if (child == 0) {
            pid_t const below = ::fork();
            if (below != 0 && ::write(pipe_ends[1], &below, sizeof below) != sizeof below) ::_exit(1);
            for (;;) ::pause();
        }
        BOOST_REQUIRE(::read(pipe_ends[0], &grandchild, sizeof grandchild) == sizeof grandchild);
        for (int const fd : pipe_ends) ::close(fd);
    }
    family(family const&) = delete;
    family& operator=(family const&) = delete;
    ~family() {
        ::kill(grandchild, SIGKILL);
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
    }

    pid_t child = 0;
    pid_t grandchild = 0;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(the_kernel_lists_children, family) {
    auto const children = children_of(::getpid());
    BOOST_REQUIRE(children.has_value());
    BOOST_TEST((std::ranges::find(*children, child) != children->end()));
    BOOST_TEST((std::ranges::find(*children, grandchild) == children->end()));
    BOOST_TEST((children_of(child) == std::vector{grandchild}));
}

BOOST_FIXTURE_TEST_CASE(descendants_are_found_at_each_depth, family) {
    BOOST_TEST((descendants_of(::getpid()) == std::set{child, grandchild}));
    BOOST_TEST((descendants_of(::getpid(), {grandchild}) == std::set{child}));
    BOOST_TEST(descendants_of(::getpid(), {child}).empty());
}

BOOST_FIXTURE_TEST_CASE(a_process_that_has_ended_is_no_descendant, family) {
    ::kill(grandchild, SIGKILL);
    ::kill(child, SIGKILL);
    siginfo_t seen{};
    BOOST_REQUIRE(::waitid(P_PID, static_cast<id_t>(child), &seen, WEXITED | WNOWAIT) == 0);
    BOOST_TEST(descendants_of(::getpid()).empty());
    BOOST_TEST(children_of(child).value_or(std::vector<pid_t>()).empty());
}

BOOST_AUTO_TEST_SUITE_END()
