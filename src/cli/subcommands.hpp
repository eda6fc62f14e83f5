#ifndef KFTRAIN_SRC_CLI_SUBCOMMANDS_HPP
#define KFTRAIN_SRC_CLI_SUBCOMMANDS_HPP

#include <array>

namespace CLI { // NOLINT(readability-identifier-naming): of the library CLI11
class App;      // NOLINT(readability-identifier-naming)
}

namespace kftrain::cli {

// Each adds a command and its options, which the callback of the command owns. The command sets `exit` when it runs;
// `exit` must outlive the parsing.
void add_run(CLI::App&, int& exit);
void add_render(CLI::App&, int& exit);
void add_local(CLI::App&, int& exit);
void add_submit(CLI::App&, int& exit);
void add_get(CLI::App&, int& exit);
void add_list(CLI::App&, int& exit);
void add_watch(CLI::App&, int& exit);
void add_wait(CLI::App&, int& exit);
void add_logs(CLI::App&, int& exit);
void add_exec(CLI::App&, int& exit);
void add_cp(CLI::App&, int& exit);
void add_port_forward(CLI::App&, int& exit);
void add_events(CLI::App&, int& exit);
void add_explain(CLI::App&, int& exit);
void add_timeline(CLI::App&, int& exit);
void add_scale(CLI::App&, int& exit);
/// Adds `suspend` and `resume`.
void add_suspend(CLI::App&, int& exit);
void add_delete(CLI::App&, int& exit);
void add_plan(CLI::App&, int& exit);
void add_preflight(CLI::App&, int& exit);
void add_lint(CLI::App&, int& exit);
void add_diff(CLI::App&, int& exit);
void add_fmt(CLI::App&, int& exit);
void add_convert(CLI::App&, int& exit);
void add_ranks(CLI::App&, int& exit);

/// All commands, in the order of the help.
inline constexpr std::array subcommands{&add_run,   &add_render,       &add_local,  &add_submit,  &add_get,
                                        &add_list,  &add_watch,        &add_wait,   &add_logs,    &add_exec,
                                        &add_cp,    &add_port_forward, &add_events, &add_explain, &add_timeline,
                                        &add_scale, &add_suspend,      &add_delete, &add_plan,    &add_preflight,
                                        &add_lint,  &add_diff,         &add_fmt,    &add_convert, &add_ranks};

/** The program under the name `kubectl`: the calls that the launchers of MPIJobs and ChainerJobs make,

        kubectl [-n NAMESPACE] exec [-i] [-t] POD [-c CONTAINER] -- COMMAND...
        kubectl [-n NAMESPACE] get pod|statefulset NAME -o jsonpath={.FIELD.FIELD}

    with the kubeconfig or the service account that kubectl would use. Returns the exit code of kubectl: that of the
    command, or 1. */
int run_as_kubectl(int argc, char** argv);

} // namespace kftrain::cli

#endif
