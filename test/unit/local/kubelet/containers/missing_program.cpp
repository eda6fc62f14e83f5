#include "local/kubelet/containers/missing_program.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

BOOST_AUTO_TEST_SUITE(local_missing_program)

using namespace kftrain::local;

namespace {

/// The missing program where only these exist.
std::string missing(std::vector<std::string> const& argv, std::vector<std::string> const& existing = {"sh", "echo"}) {
    return missing_program(argv,
                           [&](std::string const& p) { return std::ranges::find(existing, p) != existing.end(); });
}

std::string in_script(std::string const& script) { return missing({"sh", "-c", script}); }

} // namespace

BOOST_AUTO_TEST_CASE(the_init_container_of_pytorch_workers_needs_nslookup) {
    BOOST_TEST(
        in_script("err=1;for i in $(seq 100); do if nslookup pt-master-0; then err=0 && break; fi;echo waiting for "
                  "master; sleep 2; done; exit $err") == "nslookup");
}

BOOST_AUTO_TEST_CASE(a_command_that_does_not_exist_is_reported_itself) {
    BOOST_TEST(missing({"pythn", "train.py"}) == "pythn");
    BOOST_TEST(missing({"echo", "nslookup"}) == "");
    BOOST_TEST(missing({}) == "");
}

BOOST_AUTO_TEST_CASE(a_missing_program_is_found_only_in_command_position) {
    for (auto const* const script :
         {"nslookup a", "true && nslookup a", "x=$(nslookup a)", "if ! nslookup a; then :; fi", "A=1 nslookup a",
          "exec nslookup a", "echo 1\nnslookup a", "x=`nslookup a`", "timeout 5 nslookup a", "sh -c 'nslookup a'"})
        BOOST_TEST(in_script(script) == "nslookup", script);
    for (auto const* const script :
         {"echo nslookup", "echo 'a; nslookup b'", "# nslookup a\necho", "cat nslookup", "my-nslookup a"})
        BOOST_TEST(in_script(script) == "", script);
}

BOOST_AUTO_TEST_CASE(a_script_that_handles_the_missing_program_is_not_reported) {
    for (auto const* const script :
         {"command -v nslookup && nslookup a", "which nslookup || exit 0; nslookup a",
          "apt-get install -y bind9-dnsutils; nslookup a", "nslookup() { true; }; nslookup a",
          ". venv/bin/activate; torchrun a", "export PATH=/opt/bin:$PATH; torchrun a"})
        BOOST_TEST(in_script(script) == "", script);
}

BOOST_AUTO_TEST_CASE(programs_are_searched_in_the_path_of_the_container) {
    BOOST_TEST(is_on_this_machine("sh", {"PATH=/nowhere:/bin"}));
    BOOST_TEST(!is_on_this_machine("sh", {"PATH=/nowhere"}));
    BOOST_TEST(is_on_this_machine("/volume/train", {"PATH=/bin"})); // it may be in a volume
}

BOOST_AUTO_TEST_CASE(the_message_names_the_package) {
    BOOST_TEST(missing_program_message("init-pytorch", "nslookup") ==
               "container init-pytorch runs nslookup, which is not installed on this machine (--image uses an image): "
               "install the Debian package bind9-dnsutils");
    BOOST_TEST(
        missing_program_message("c", "/usr/local/bin/torchrun") ==
        "container c runs /usr/local/bin/torchrun, which is not installed on this machine (--image uses an image): "
        "install the Python package torch");
    BOOST_TEST(missing_program_message("c", "pythn") ==
               "container c runs pythn, which is not installed on this machine (--image uses an image)");
}

BOOST_AUTO_TEST_SUITE_END()
