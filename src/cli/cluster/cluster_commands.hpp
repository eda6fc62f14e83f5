#ifndef KFTRAIN_SRC_CLI_CLUSTER_CLUSTER_COMMANDS_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_CLUSTER_COMMANDS_HPP

namespace CLI { // NOLINT(readability-identifier-naming): of the library CLI11
class App;      // NOLINT(readability-identifier-naming)
}

namespace kftrain::cli {

/// Adds all commands below. Each sets `exit` when it runs.
void add_cluster_commands(CLI::App&, int& exit);

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

} // namespace kftrain::cli

#endif
