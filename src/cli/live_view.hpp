#ifndef KFTRAIN_SRC_CLI_LIVE_VIEW_HPP
#define KFTRAIN_SRC_CLI_LIVE_VIEW_HPP

#include <kftrain/training_client.hpp>

#include <map>
#include <string>
#include <vector>

namespace kftrain::cli {

/// How much fits on a terminal.
struct terminal_size {
    terminal_size() = default;
    terminal_size(std::size_t r, std::size_t c) : rows(r), columns(c) {}

    std::size_t rows = 24;
    std::size_t columns = 80;
};

/** What `run` shows: the output of all ranks scrolls by, and below it one line per member says how it stands. Those lines
    take half of the screen at most; what does not fit is counted in the last one. Where the standard output is no terminal,
    each change of a member is a line of its own instead. What goes to the standard error while the lines are shown goes through
    aside(), since a line that nobody counted would make the next one erase the log. */
class live_view {
public:
    /// `colour`: whether the names of ranks are coloured on a terminal.
    live_view(membership layout, bool colour);
    live_view(live_view const&) = delete;
    live_view& operator=(live_view const&) = delete;
    ~live_view() { clear(); }

    void log(log_line const& line);
    /// How a pod stands; pods that are not of the job are passed over.
    void state(object_meta const& pod, std::string text);
    /// A line that is neither.
    void say(std::string_view text);
    /// Takes the lines of the members off the screen while `print` writes whole lines.
    template <class Print> void aside(Print print) {
        clear();
        flush();
        print();
        draw();
    }
    /// Takes the lines of the members off the screen, for good.
    void close();

private:
    std::string label(member const& m) const;
    void clear();
    void draw();
    static void flush();

    membership layout_;
    std::map<std::string, std::string> states_;
    bool terminal_;
    bool colour_;
    std::size_t drawn_ = 0; ///< lines on the screen below the log
    bool closed_ = false;
};

/// A member's name and state, a line on the screen.
struct status_row {
    status_row() = default;
    status_row(std::string t, std::string s) : text(std::move(t)), state(std::move(s)) {}

    std::string text;
    std::string state; ///< the word that rows left out are counted by
};

/// What of the rows is shown on a terminal of this size, each cut to one row of it: the last tells how many are left out.
std::vector<std::string> rows_that_fit(std::vector<status_row> const& rows, terminal_size size);

/** A line of a program as it cannot move the cursor, be it to other rows or over the name of its rank: of control characters, tabs and
    colours stay. Of what was written over itself, by carriage returns, the last is left, as on a terminal. */
std::string on_its_row(std::string_view text);

} // namespace kftrain::cli

#endif
