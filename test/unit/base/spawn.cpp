#include "base/spawn.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

BOOST_AUTO_TEST_SUITE(base_spawn)

using kftrain::spawn_request;

namespace {

/// Runs a shell script with a pipe as its standard output. Returns what it prints.
std::string output_of(std::string const& script, spawn_request r = {}) {
    std::array<int, 2> ends{};
    BOOST_REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
    r.arguments = {"sh", "-c", script};
    r.descriptors.emplace_back(ends[1], 1);
    pid_t pid = 0;
    BOOST_REQUIRE(kftrain::spawn(pid, r) == 0);
    ::close(ends[1]);
    std::string out;
    std::array<char, 4096> buffer{};
    for (ssize_t n = 0; (n = ::read(ends[0], buffer.data(), buffer.size())) > 0;)
        out.append(buffer.data(), static_cast<std::size_t>(n));
    ::close(ends[0]);
    ::waitpid(pid, nullptr, 0);
    return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_process_gets_its_variables_only) {
    ::setenv("KFTRAIN_TEST_SPAWN", "inherited", 1);
    std::string const script = "echo $KFTRAIN_TEST_SPAWN/$OTHER";
    BOOST_TEST(output_of(script) == "inherited/\n");
    spawn_request r;
    r.variables = {"OTHER=given"};
    BOOST_TEST(output_of(script, r) == "/given\n");
    ::unsetenv("KFTRAIN_TEST_SPAWN");
}

BOOST_AUTO_TEST_CASE(descriptors_get_their_numbers_and_others_are_closed) {
    int const inherited = ::open("/dev/zero", O_RDONLY); // without O_CLOEXEC
    std::string const has_it = "[ -e /proc/$$/fd/" + std::to_string(inherited) + " ]; echo $?";
    BOOST_TEST(output_of(has_it) == "0\n");
    spawn_request r;
    r.close_others = true;
    r.nowhere = {0};
    BOOST_TEST(output_of(has_it, r) == "1\n");
    BOOST_TEST(output_of("readlink /proc/self/fd/0", r) == "/dev/null\n");
    ::close(inherited);
}

BOOST_AUTO_TEST_CASE(a_process_can_have_a_group_or_a_session_of_its_own) {
    std::string const script = "read -r pid name state parent group session rest < /proc/self/stat; "
                               "[ $group = $pid ] && echo group; [ $session = $pid ] && echo session; true";
    spawn_request r;
    BOOST_TEST(output_of(script, r).empty());
    r.signals = spawn_request::group::own;
    BOOST_TEST(output_of(script, r) == "group\n");
    r.signals = spawn_request::group::session;
    BOOST_TEST(output_of(script, r) == "group\nsession\n");
}

BOOST_AUTO_TEST_CASE(ignored_and_blocked_signals_are_not_inherited) {
    auto const before = std::signal(SIGUSR1, SIG_IGN);
    sigset_t one;
    sigset_t old;
    ::sigemptyset(&one);
    ::sigaddset(&one, SIGUSR2);
    ::sigprocmask(SIG_BLOCK, &one, &old);
    auto const mask = [](std::string const& name) {
        return std::stoull(output_of("sed -n 's/^" + name + ":[^0-9a-f]*//p' /proc/self/status"), nullptr, 16);
    };
    auto const blocked = mask("SigBlk");
    auto const ignored = mask("SigIgn");
    ::sigprocmask(SIG_SETMASK, &old, nullptr);
    std::signal(SIGUSR1, before);
    BOOST_TEST((blocked >> (SIGUSR2 - 1) & 1U) == 0U);
    BOOST_TEST((ignored >> (SIGUSR1 - 1) & 1U) == 0U);
}

BOOST_AUTO_TEST_CASE(a_missing_program_is_an_error) {
    spawn_request r;
    r.arguments = {"/no/such/program"};
    pid_t pid = 0;
    BOOST_TEST(kftrain::spawn(pid, r) == ENOENT);
}

BOOST_AUTO_TEST_SUITE_END()
