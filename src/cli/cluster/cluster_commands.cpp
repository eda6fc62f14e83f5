#include "cli/cluster/cluster_commands.hpp"

namespace kftrain::cli {

void add_cluster_commands(CLI::App& app, int& exit) {
    add_submit(app, exit);
    add_get(app, exit);
    add_list(app, exit);
    add_watch(app, exit);
    add_wait(app, exit);
    add_logs(app, exit);
    add_exec(app, exit);
    add_cp(app, exit);
    add_port_forward(app, exit);
    add_events(app, exit);
    add_explain(app, exit);
    add_timeline(app, exit);
    add_scale(app, exit);
    add_suspend(app, exit);
    add_delete(app, exit);
    add_plan(app, exit);
    add_preflight(app, exit);
}

} // namespace kftrain::cli
