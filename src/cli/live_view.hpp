#ifndef KFTRAIN_SRC_CLI_LIVE_VIEW_HPP
#define KFTRAIN_SRC_CLI_LIVE_VIEW_HPP

#include <kftrain/training_client.hpp>

#include <map>
#include <string>
#include <vector>

namespace kftrain::cli {

/** What `run` shows: the output of all ranks scrolls by, and below it one line per replica says how it stands. Where the
    standard output is no terminal, each change of a replica is a line of its own instead. */
class live_view {
public:
    explicit live_view(topology layout);
    live_view(live_view const&) = delete;
    live_view& operator=(live_view const&) = delete;
    ~live_view() { clear(); }

    void log(log_line const& line);
    void state(std::string const& replica_name, std::string text);
    /// A line that is neither.
    void say(std::string_view text);
    /// Takes the lines of the replicas off the screen, for good.
    void close();

private:
    std::string label(replica const& r) const;
    void clear();
    void draw();

    topology layout_;
    std::map<std::string, std::string> states_;
    bool terminal_;
    std::size_t drawn_ = 0; ///< lines on the screen below the log
    bool closed_ = false;
};

} // namespace kftrain::cli

#endif
