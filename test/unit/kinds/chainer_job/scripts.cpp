#include "support/temporary_directory.hpp"
#include "unit/kinds/chainer_job/sample.hpp"

#include <boost/test/unit_test.hpp>

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

BOOST_AUTO_TEST_SUITE(kinds_chainer_job_scripts)

using namespace chainer_sample;

namespace {

namespace fs = std::filesystem;

/// A folder with the scripts of a job and a kubectl that serves the set `big` of two pods and the phases in the folder.
struct folder : kftrain::test::temporary_directory {
    folder() {
        for (auto const& [file, text] : chainer::render_config_map(complete(job("ch", {{"a", 1}}))).data)
            write(file, text);
        write("sets", "big slots=2\nnone slots=4\n");
        write("kubectl", R"(#!/bin/sh
echo "$*" >>"$KUBECTL_DIR/calls"
case "$*" in
"get statefulset big "*) echo 2;;
"get statefulset none "*) echo 0;;
"get pod "*) cat "$KUBECTL_DIR/$3";;
esac
)");
        ::setenv("KUBECTL_DIR", path.c_str(), 1);
    }
    ~folder() { ::unsetenv("KUBECTL_DIR"); }

    void write(std::string const& name, std::string const& text) const {
        temporary_directory::write(name, text);
        fs::permissions(path / name, fs::perms::owner_all);
    }
    /// The exit code of a script.
    int run(std::string const& line) const {
        auto const status = std::system(("cd '" + path.string() + "' && ./" + line + " 2>/dev/null").c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(the_hostfile_names_all_workers_and_the_master_last) {
    folder const f;
    f.write("big-0", "Running");
    f.write("big-1", "Running");
    BOOST_TEST(f.run("gen_hostfile.sh hosts the-master slots=3 sets 1 0") == 0);
    BOOST_TEST(f.read("hosts") == "big-0 slots=2\nbig-1 slots=2\nthe-master slots=3\n");
}

BOOST_AUTO_TEST_CASE(the_hostfile_requires_all_workers) {
    folder const f;
    f.write("big-0", "Running");
    f.write("big-1", "Pending");
    BOOST_TEST(f.run("gen_hostfile.sh hosts the-master slots=3 sets 2 0") == 1);
    BOOST_TEST(!fs::exists(f.path / "hosts"));
    fs::remove(f.path / "big-1"); // which kubectl cannot find
    BOOST_TEST(f.run("gen_hostfile.sh hosts the-master slots=3 sets 2 0") == 1);
    BOOST_TEST(!fs::exists(f.path / "hosts"));
}

BOOST_AUTO_TEST_CASE(workers_are_reached_by_exec_and_the_master_directly) {
    folder const f;
    BOOST_TEST(f.run("kubexeb.sh big-0 orted 'a b' '*'") == 0);
    BOOST_TEST(f.read("calls") == "exec -i big-0 -c chainer -- orted a b *\n");
    BOOST_TEST(f.run("kubexeb.sh $(hostname) true") == 0);
    BOOST_TEST(f.run("kubexeb.sh $(hostname) false") == 1);
    BOOST_TEST(f.read("calls") == "exec -i big-0 -c chainer -- orted a b *\n");
}

BOOST_AUTO_TEST_SUITE_END()
