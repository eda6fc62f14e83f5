#include "job/programs/started_programs.hpp"
#include "job/programs/mpirun.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(job_started_programs)

using namespace kftrain;

namespace {

core::container with(std::vector<std::string> command, std::vector<std::string> args = {}) {
    core::container c;
    c.command = std::move(command);
    c.args = std::move(args);
    return c;
}

/// `name word word|name word`
std::string programs(core::container const& c) {
    std::string text;
    for (auto const& p : started_programs(c)) {
        text += (text.empty() ? "" : "|") + p.name;
        for (auto const& w : p.arguments) text += " " + w;
    }
    return text;
}

std::string of_script(std::string script) { return programs(with({"/bin/sh", "-c", std::move(script)})); }

started_program only(std::vector<std::string> command) {
    auto all = started_programs(with(std::move(command)));
    BOOST_REQUIRE(all.size() == 1U);
    return all.front();
}

} // namespace

BOOST_AUTO_TEST_CASE(a_command_is_one_program) {
    BOOST_TEST(programs(with({"/usr/bin/python3", "a b.py"}, {"--x"})) == "python3 a b.py --x");
    BOOST_TEST(programs(with({"env", "A=1", "timeout", "-v", "5", "torchrun", "x"})) == "torchrun x");
    BOOST_TEST(programs(with({"/usr/bin/tini", "-s", "--", "python", "x.py"})) == "python x.py");
    BOOST_TEST(programs(with({}, {"train.py"})) == ""); // the image decides
    BOOST_TEST(only({"/opt/venv/bin/torchrun", "x"}).path == "/opt/venv/bin/torchrun");
    BOOST_TEST(programs(with({"bash", "run.sh"})) == "bash run.sh");
}

/// Splitting is that of POSIX sh: XCU 2.2, 2.3, 2.9.
BOOST_AUTO_TEST_CASE(shell_scripts_are_split_into_commands) {
    BOOST_TEST(of_script("cd /w && A=1 exec torchrun t.py; echo 'a;b' | tee log") ==
               "cd /w|torchrun t.py|echo a;b|tee log");
    BOOST_TEST(of_script("mpirun -np 2 \\\n  x # none\nsleep 1") == "mpirun -np 2 x|sleep 1");
    BOOST_TEST(of_script("if true; then sshd -D; fi") == "true|sshd -D|fi");
    BOOST_TEST(of_script("a >log 2>&1 & b") == "a >log 2>&1|b");
    BOOST_TEST(programs(with({"bash", "-exc"}, {"bash -c 'python x.py'"})) == "python x.py");
    BOOST_TEST(programs(with({"bash", "-eo", "pipefail", "-c", "--", "a; b"})) == "a|b");
    BOOST_TEST(programs(with({"sh", "-c", "-e", "a; b"})) == "a|b");
    BOOST_TEST(programs(with({"bash", "-o", "c", "x.sh"})) == "bash -o c x.sh");
    BOOST_TEST(of_script("") == "");
    auto const all = started_programs(with({"sh", "-c", "a && sh -c 'b; c' & d 2>&1; e"}));
    std::string waited_for;
    for (auto const& p : all) waited_for += (p.in_background ? "&" : "") + p.name + " ";
    BOOST_TEST(waited_for == "a &b &c d e ");
    BOOST_TEST(of_script("'unclosed") == "unclosed");
    BOOST_TEST(of_script("a \\") == "a");
}

/// XCU 2.6.3, 2.7.4, 2.9.4.1, 2.9.5.
BOOST_AUTO_TEST_CASE(substitutions_subshells_and_here_documents_are_parsed) {
    BOOST_TEST(of_script("x=$(nslookup a) && torchrun --nnodes=$(cat n | head -1) t.py") ==
               "nslookup a|cat n|head -1|torchrun --nnodes=$(cat n | head -1) t.py");
    BOOST_TEST(of_script("echo \"$(date)\" '$(none)' `hostname`") == "date|hostname|echo $(date) $(none) `hostname`");
    BOOST_TEST(of_script("python t.py --rank=$(RANK) $((1 + 2))") == "python t.py --rank=$(RANK) $((1 + 2))");
    BOOST_TEST(of_script("(cd a; b) | c") == "cd a|b|c");
    BOOST_TEST(of_script("f() { a; }; f") == "a|}|f");
    BOOST_TEST(of_script("cat <<EOF > f\ntorchrun x\nEOF\npython <<-'END' y\n\tz\n\tEND\nb <<<word") ==
               "cat > f|python y|b <<<word");
    BOOST_TEST(of_script("echo $(unclosed") == "echo $(unclosed");
    BOOST_TEST(of_script(std::string(3000, '(') + "a").find("a") != std::string::npos);
    std::string nested;
    for (int i = 0; i < 3000; ++i) nested += "$(";
    BOOST_TEST(!of_script(nested + "a" + std::string(3000, ')')).empty());
}

BOOST_AUTO_TEST_CASE(a_shell_with_c_runs_one_argument) {
    auto const lost = [](std::vector<std::string> command, std::vector<std::string> args = {}) {
        auto const found = lonely_program_of(with(std::move(command), std::move(args)));
        std::string text = found ? found->name : "";
        if (found)
            for (auto const& w : found->arguments) text += " " + w;
        return text;
    };
    BOOST_TEST(lost({"bash", "-c"}, {"python", "t.py"}) == "python t.py");
    BOOST_TEST(lost({"env", "A=1", "/bin/sh", "-exc", "train.sh", "a b"}) == "train.sh a b");
    BOOST_TEST(lost({"bash", "-c", "python t.py"}, {"x"}) == ""); // $0 has a use in a script
    BOOST_TEST(lost({"bash", "-c", "$0"}, {"python"}) == "");
    BOOST_TEST(lost({"bash", "-c", "train.sh"}) == "");
    BOOST_TEST(lost({"bash", "-c", "--", "train.sh"}) == "");
    BOOST_TEST(lost({"bash", "train.sh"}, {"-c", "x"}) == "");
    BOOST_TEST(lost({}, {"sh", "-c", "python", "t.py"}) == "");
}

BOOST_AUTO_TEST_CASE(both_names_of_torchrun_are_recognized) {
    BOOST_TEST(is_torchrun(only({"torchrun", "t.py"})));
    BOOST_TEST(is_torchrun(only({"python3", "-u", "-m", "torch.distributed.run", "t.py"})));
    BOOST_TEST(!is_torchrun(only({"python3", "torchrun.py"})));
    BOOST_TEST(!is_torchrun(only({"python3", "-m", "torch.utils.collect_env"})));
}

BOOST_AUTO_TEST_CASE(options_of_torchrun_end_at_its_script) {
    auto const value = [](std::vector<std::string> words, std::string_view option) {
        words.insert(words.begin(), "torchrun");
        return torchrun_option(only(words), option).value_or("none");
    };
    BOOST_TEST(value({"--nnodes=2", "t.py"}, "nnodes") == "2");
    BOOST_TEST(value({"--standalone", "--nproc-per-node", "4", "--master_port", "29500", "t.py"}, "master-port") ==
               "29500");
    BOOST_TEST(value({"t.py", "--nnodes=2"}, "nnodes") == "none");
    BOOST_TEST(value({"--nnodes"}, "nnodes") == "");
    BOOST_TEST(value({"--nnodes=2", "--nnodes=3", "t.py"}, "nnodes") == "3");
    auto const module = only({"python", "-m", "torch.distributed.run", "--nnodes=3", "t.py"});
    BOOST_TEST(torchrun_option(module, "nnodes").value() == "3");
    BOOST_TEST(torchrun_script(only({"torchrun", "--nnodes", "2", "t.py", "-x"})).value() == "t.py");
    BOOST_TEST(torchrun_script(only({"torchrun", "-m", "pkg.train"})).value() == "-m pkg.train");
    BOOST_TEST(!torchrun_script(only({"torchrun", "--nnodes", "2"})).has_value());
    BOOST_TEST(!torchrun_script(only({"torchrun", "--no-python", "python", "t.py"})).has_value());
    for (auto const* flag : {"--use_env", "--use-env", "--virtual-local-rank"})
        BOOST_TEST(torchrun_script(only({"torchrun", flag, "t.py", "--master_port", "1"})).value() == "t.py", flag);
}

/// Upstream: PyTorch 2.5 `torch/distributed/run.py`, parse_min_max_nnodes().
BOOST_AUTO_TEST_CASE(the_node_range_of_torchrun_is_parsed) {
    auto const nodes = [](std::string const& value) {
        auto const range = torchrun_nodes(only({"torchrun", "--nnodes", value, "t.py"}));
        return range ? std::to_string(range->min) + ":" + std::to_string(range->max) : "none";
    };
    BOOST_TEST(nodes("3") == "3:3");
    BOOST_TEST(nodes("1:4") == "1:4");
    for (auto const* text : {"$N", "$(N)", "", "1:", "1:2:3", "two"}) BOOST_TEST(nodes(text) == "none", text);
    BOOST_TEST(!torchrun_nodes(only({"torchrun", "t.py"})));
}

BOOST_AUTO_TEST_CASE(a_torchrun_without_options_starts_one_process) {
    auto const is_plain = [](std::string const& script) {
        return plain_torchrun(with({"sh", "-c", script})).has_value();
    };
    BOOST_TEST(is_plain("cd /w && torchrun t.py"));
    for (auto const* script : {"torchrun a.py; torchrun b.py", "torchrun a.py & wait", "[ -f a ] && torchrun a.py",
                               "if a; then torchrun a.py; fi", "for i in 1 2; do torchrun a.py; done", "python t.py"})
        BOOST_TEST(!is_plain(script), script);
}

BOOST_AUTO_TEST_CASE(scripts_and_modules_of_python_are_recognized) {
    BOOST_TEST(python_script(only({"python3", "-u", "-X", "dev", "t.py", "-m", "x"})).value() == "t.py");
    BOOST_TEST(python_script(only({"python", "-m", "train.main"})).value() == "-m train.main");
    for (auto const* module :
         {"torch.distributed.run", "accelerate.commands.launch", "deepspeed.launcher.runner", "pip"})
        BOOST_TEST(!python_script(only({"python", "-m", module, "t.py"})).has_value(), module);
    BOOST_TEST(!python_script(only({"python", "-c", "print(1)"})).has_value());
    BOOST_TEST(!python_script(only({"accelerate", "launch", "t.py"})).has_value());
    BOOST_TEST(!python_script(only({"python"})).has_value());
}

BOOST_AUTO_TEST_CASE(the_process_count_of_mpirun_is_parsed) {
    auto const requested_processes = [](std::vector<std::string> words) {
        words.insert(words.begin(), "mpirun");
        return mpirun_processes(only(words)).value_or(-1);
    };
    BOOST_TEST(requested_processes({"-np", "16", "x"}) == 16);
    BOOST_TEST(requested_processes(
                   {"--allow-run-as-root", "-mca", "btl", "tcp,self", "-x", "A", "-n", "4", "x", "-n", "9"}) == 4);
    BOOST_TEST(requested_processes({"x", "-n", "9"}) == -1);
    BOOST_TEST(requested_processes({"--timestamp-output", "./app", "-n", "100"}) == -1);
    BOOST_TEST(requested_processes({"--unknown", "./app", "-n", "100"}) == -1);
    BOOST_TEST(requested_processes({"--unknown", "-n", "100", "./app"}) == 100);
    BOOST_TEST(requested_processes({"--map-by=:OVERSUBSCRIBE", "-n", "100", "./app"}) == -1);
    BOOST_TEST(requested_processes({"-np", "16", "--oversubscribe", "x"}) == -1);
    BOOST_TEST(requested_processes({"--map-by", "slot:OVERSUBSCRIBE", "-np", "16", "x"}) == -1);
    BOOST_TEST(requested_processes({"-np", "16", "-H", "a:8,b:8", "x"}) == -1);
    BOOST_TEST(requested_processes({"-np", "$N", "x"}) == -1);
    BOOST_TEST(requested_processes({"-np", "8", "x", ":", "-np", "8", "y"}) == -1);
}

BOOST_AUTO_TEST_SUITE_END()
