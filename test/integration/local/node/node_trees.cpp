#include "integration/local/node/sandbox_node.hpp"

#include <sys/resource.h>

#include <filesystem>

BOOST_AUTO_TEST_SUITE(integration_node_trees)

using namespace node_tests;

// Process trees end as a whole, for every cause of an end and with every limit used up; the node continues or reports.

namespace {

constexpr std::array<isolation, 2> both{isolation::namespaces, isolation::processes};

node_options in_mode(isolation mode) {
    node_options o;
    o.mode = mode;
    return o;
}

/// The n-th address of pods.
std::string address(isolation mode, int n) {
    return (mode == isolation::namespaces ? "10.244.0." : "127.0.1.") + std::to_string(n + 2);
}

int parent_of(int pid) {
    auto const stat = slurp("/proc/" + std::to_string(pid) + "/stat");
    auto const end_of_name = stat.rfind(')');
    return end_of_name == std::string::npos ? 0 : std::stoi(stat.substr(end_of_name + 4));
}

/// Those of the family whose parent is this one.
std::vector<int> children_of(int parent, std::set<int> const& family) {
    std::vector<int> found;
    for (int const pid : family)
        if (parent_of(pid) == parent) found.push_back(pid);
    return found;
}

int only_child_of(int parent, std::set<int> const& family) {
    auto const found = children_of(parent, family);
    BOOST_REQUIRE(found.size() == 1U);
    return found[0];
}

struct tree : started {
    explicit tree(isolation mode) : started(in_mode(mode)), mode_(mode) {
        BOOST_REQUIRE_MESSAGE(!create("a", address(mode, 0)), detail.message);
        bare = family();
        first = only_child_of(n.helper_process(), bare);
        pod = only_child_of(first, bare);
    }
    /// Of the node.
    std::set<int> family() const { return family_of(n.helper_process()); }
    /// A container whose program has a daemon in a session of its own, which has a child.
    void start_with_daemon(std::string const& container) {
        auto const before = family().size();
        BOOST_REQUIRE(!shell("a", container, "setsid sh -c \"sleep 1000; :\" & exec sleep 1000"));
        // The process between, the program, the daemon, its child.
        BOOST_REQUIRE(eventually([&] { return family().size() == before + 4; }));
    }

    isolation mode_;
    std::set<int> bare; ///< without containers
    int first = 0;      ///< the node's first process
    int pod = 0;        ///< the pod's
};

/// Lets a process open no further file while it lives.
class no_files_for {
public:
    explicit no_files_for(int pid) : pid_(pid) {
        BOOST_REQUIRE(::prlimit(pid, RLIMIT_NOFILE, nullptr, &before_) == 0);
        rlimit none = before_;
        none.rlim_cur = 0;
        while (std::filesystem::exists(
            std::filesystem::symlink_status("/proc/" + std::to_string(pid) + "/fd/" + std::to_string(none.rlim_cur))))
            ++none.rlim_cur;
        BOOST_REQUIRE(::prlimit(pid, RLIMIT_NOFILE, &none, nullptr) == 0);
    }
    no_files_for(no_files_for const&) = delete;
    no_files_for& operator=(no_files_for const&) = delete;
    ~no_files_for() { ::prlimit(pid_, RLIMIT_NOFILE, &before_, nullptr); }

private:
    int pid_;
    rlimit before_{};
};

bool is_shortage_of_files(error_code ec) { return ec == boost::system::errc::too_many_files_open; }

} // namespace

BOOST_AUTO_TEST_CASE(daemons_of_a_container_end_with_its_program) {
    for (auto const mode : both) {
        tree t(mode);
        BOOST_REQUIRE(!t.shell("a", "main",
                               "setsid sh -c \"setsid sleep 1000 & sleep 1000\" >/dev/null 2>&1 & "
                               "trap \"exit 3\" TERM; echo up; while :; do sleep .02; done"));
        BOOST_REQUIRE(eventually([&] { return slurp(t.log("a", "main")) == "up\n"; }));
        BOOST_REQUIRE(eventually([&] { return t.family().size() >= t.bare.size() + 5; }));
        BOOST_TEST(!t.signal("a", "main", SIGTERM));
        BOOST_TEST(t.wait("a", "main").code == 3);
        BOOST_TEST((t.family() == t.bare), "something of the container outlived the report of its end");
    }
}

BOOST_AUTO_TEST_CASE(daemons_of_other_containers_keep_running) {
    for (auto const mode : both) {
        tree t(mode);
        t.start_with_daemon("stays");
        auto const before = t.family();
        t.start_with_daemon("goes");
        BOOST_TEST(!t.signal("a", "goes", SIGKILL));
        BOOST_TEST(t.wait("a", "goes").signal == 9);
        BOOST_TEST((t.family() == before));
    }
}

BOOST_AUTO_TEST_CASE(killing_the_parent_of_a_program_ends_the_container) {
    for (auto const mode : both) {
        tree t(mode);
        t.start_with_daemon("stays");
        auto const before = t.family();
        t.start_with_daemon("goes");
        auto added = t.family();
        for (int const pid : before) added.erase(pid);
        ::kill(only_child_of(t.pod, added), SIGKILL);
        BOOST_TEST(t.wait("a", "goes").signal == 9);
        BOOST_TEST((t.family() == before));
        BOOST_TEST(t.output("a", "next", "echo next") == "next\n");
    }
}

BOOST_AUTO_TEST_CASE(a_container_whose_processes_are_stopped_can_be_killed) {
    for (auto const mode : both) {
        tree t(mode);
        t.start_with_daemon("main");
        auto added = t.family();
        for (int const pid : t.bare) added.erase(pid);
        for (int const pid : added) ::kill(pid, SIGSTOP);
        BOOST_TEST(!t.signal("a", "main", SIGKILL));
        BOOST_TEST(t.wait("a", "main").signal == 9);
        BOOST_TEST((t.family() == t.bare));
    }
}

BOOST_AUTO_TEST_CASE(killing_the_first_process_of_a_pod_ends_the_pod) {
    for (auto const mode : both) {
        tree t(mode);
        BOOST_REQUIRE(!t.create("b", address(mode, 1)));
        BOOST_REQUIRE(!t.shell("b", "main", "exec sleep 1000"));
        auto before = t.family();
        before.erase(t.pod);
        t.start_with_daemon("main");
        ::kill(t.pod, SIGKILL);
        BOOST_TEST(t.wait("a", "main").signal == 9);
        BOOST_TEST(eventually([&] { return t.family() == before; }));
    }
}

BOOST_AUTO_TEST_CASE(killing_the_helper_or_its_child_ends_the_node_with_an_error) {
    for (auto const mode : both)
        for (bool const supervisor : {true, false}) {
            tree t(mode);
            auto const directory = t.n.run_directory();
            t.start_with_daemon("main");
            auto const all = t.family();
            ::kill(supervisor ? t.n.helper_process() : t.first, SIGKILL);
            auto const [ec, status] = t.call<exit_status>([&](auto h) { t.n.async_wait("a", "main", &t.detail, h); });
            BOOST_TEST(ec == make_error_code(errc::helper_failed), ec.message());
            BOOST_TEST(eventually([&] { return all_gone(all); }));
            BOOST_TEST(!std::filesystem::exists(directory));
        }
}

// SIGKILL is the only signal that a stopped process follows.
BOOST_AUTO_TEST_CASE(a_node_whose_processes_are_stopped_can_be_ended) {
    for (auto const mode : both) {
        tree t(mode);
        auto const directory = t.n.run_directory();
        t.start_with_daemon("main");
        auto const family = t.family();
        if (mode == isolation::namespaces)
            ::kill(t.n.helper_process(), SIGSTOP);
        else
            for (int const pid : family) ::kill(pid, SIGSTOP);
        BOOST_TEST(!t.stop(), t.detail.message);
        BOOST_TEST(eventually([&] { return all_gone(family); }));
        BOOST_TEST(!std::filesystem::exists(directory));
    }
}

BOOST_AUTO_TEST_CASE(destroying_a_node_that_is_stopped_leaves_nothing) {
    for (auto const mode : both) {
        std::set<int> family;
        std::filesystem::path directory;
        {
            tree t(mode);
            directory = t.n.run_directory();
            t.start_with_daemon("main");
            family = t.family();
            for (int const pid : family) ::kill(pid, SIGSTOP);
        }
        BOOST_TEST(eventually([&] { return all_gone(family); }));
        BOOST_TEST(!std::filesystem::exists(directory));
    }
}

BOOST_AUTO_TEST_CASE(a_shortage_of_descriptors_fails_requests_but_not_the_node) {
    for (auto const mode : both) {
        tree t(mode);
        {
            no_files_for const shortage(t.first);
            BOOST_TEST(is_shortage_of_files(t.create("b", address(mode, 1))), t.detail.message);
            BOOST_TEST(is_shortage_of_files(t.shell("a", "main", "true")), t.detail.message);
            // Such a text does not fit into one message.
            BOOST_TEST(is_shortage_of_files(t.shell("a", "main", "true #" + std::string(100'000, 'x'))));
        }
        {
            no_files_for const shortage(t.pod);
            BOOST_TEST(is_shortage_of_files(t.shell("a", "main", "true")), t.detail.message);
            BOOST_TEST(is_shortage_of_files(t.shell("a", "main", "true #" + std::string(100'000, 'x'))));
        }
        BOOST_TEST(t.output("a", "main", "echo $((1+1)) #" + std::string(100'000, 'x')) == "2\n");
        {
            no_files_for const shortage(t.first);
            BOOST_TEST(!t.remove("a"), t.detail.message);
        }
        BOOST_TEST(!t.create("b", address(mode, 1)), t.detail.message);
        BOOST_TEST(t.output("b", "main", "echo b") == "b\n");
    }
}

BOOST_AUTO_TEST_CASE(a_shortage_of_descriptors_in_the_library_fails_one_request_alone) {
    tree t(isolation::namespaces);
    container_process p;
    p.pod = "a";
    p.container = "main";
    p.argv = {"true", std::string(100'000, 'x')};
    p.env = {"PATH=/usr/bin:/bin"};
    p.output_fd = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    auto const start = [&] { return std::get<0>(t.call([&](auto h) { t.n.async_start_container(p, &t.detail, h); })); };
    {
        // One for the copy of the output, none for the text.
        auto const next = ::dup(0);
        ::close(next);
        rlimit before{};
        ::getrlimit(RLIMIT_NOFILE, &before);
        rlimit few = before;
        few.rlim_cur = static_cast<rlim_t>(next) + 1;
        ::setrlimit(RLIMIT_NOFILE, &few);
        auto const ec = start();
        ::setrlimit(RLIMIT_NOFILE, &before);
        BOOST_TEST(is_shortage_of_files(ec), ec.message() << ": " << t.detail.message);
    }
    BOOST_TEST(!start(), t.detail.message);
    BOOST_TEST(t.wait("a", "main").code == 0);
    ::close(p.output_fd);
}

BOOST_AUTO_TEST_CASE(a_failed_step_of_a_start_is_reported_with_its_code) {
    tree t(isolation::namespaces);
    container_process p;
    p.pod = "a";
    p.container = "lost";
    p.argv = {"true"};
    p.working_dir = "/no/such/directory";
    auto const ec = t.run(p);
    BOOST_TEST((ec == boost::system::errc::no_such_file_or_directory), ec.message());
    BOOST_TEST(t.detail.message.find("enter working directory \"/no/such/directory\"") != std::string::npos,
               t.detail.message);
    BOOST_TEST((t.family() == t.bare));
}

BOOST_AUTO_TEST_SUITE_END()
