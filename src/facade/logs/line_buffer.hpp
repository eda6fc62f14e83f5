#ifndef KFTRAIN_SRC_FACADE_LOGS_LINE_BUFFER_HPP
#define KFTRAIN_SRC_FACADE_LOGS_LINE_BUFFER_HPP

#include <kftrain/facade/job_logs.hpp>

#include <boost/asio/steady_timer.hpp>

#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>

namespace kftrain {

/// A container of a pod from which lines come.
struct log_origin {
    kftrain::member member;
    std::string container;
    std::string name;       ///< in a log_position
    std::size_t queued = 0; ///< lines that are not handed out yet
    bool gone = false;      ///< its pod is, so that nobody can go on behind its place
};

/// A line that the caller has not received yet.
struct buffered_line {
    std::shared_ptr<log_origin> origin;
    std::int32_t run = 0;
    std::string text;           ///< with the time, as it was read
    std::size_t stamp_size = 0; ///< of the time within the text
    std::string time;           ///< of the place behind it, if it is not the time within the text
    std::int64_t delivered = 0; ///< of the place behind it
};

/** Lines of all logs of a job in the order of their arrival, limited by number and bytes. Readers wait for their turn
    if there is no room.
    @par Thread safety Unsafe */
class line_buffer {
public:
    /// A reader's wait until its line is in the buffer. The destructor gives up its place.
    class entry {
    public:
        entry(line_buffer& buffer, boost::asio::any_io_executor const& executor, buffered_line line);
        entry(entry const&) = delete;
        entry& operator=(entry const&) = delete;
        ~entry();

        bool is_in() const noexcept { return in_; }
        /// Ends when the line is in. Its operations belong to the io_context, so that they go with it.
        boost::asio::steady_timer& timer() noexcept { return timer_; }

    private:
        friend class line_buffer;
        line_buffer& buffer_;
        buffered_line line_;
        boost::asio::steady_timer timer_;
        bool in_ = false;
    };

    line_buffer(std::size_t lines, std::size_t bytes) : most_lines_(lines), most_bytes_(bytes) {}
    line_buffer(line_buffer const&) = delete;
    line_buffer& operator=(line_buffer const&) = delete;
    ~line_buffer() = default;

    /// Called when there is a line; must not take it from inside.
    void on_line(std::function<void()> f) { on_line_ = std::move(f); }

    /// False, and the line stays, if it has to wait; see entry.
    bool put(buffered_line& line);
    bool empty() const noexcept { return lines_.empty(); }
    /// The oldest, if there is one; lets those in that wait.
    std::optional<buffered_line> take();
    /// Drops all lines; nobody is let in any more.
    void close();

    std::size_t lines() const noexcept { return lines_.size(); }
    std::size_t bytes() const noexcept { return bytes_; }

private:
    bool fits(buffered_line const& line) const noexcept;
    void add(buffered_line line);

    std::size_t most_lines_;
    std::size_t most_bytes_;
    std::size_t bytes_ = 0;
    bool closed_ = false;
    std::deque<buffered_line> lines_;
    std::list<entry*> waiting_;
    std::function<void()> on_line_;
};

} // namespace kftrain

#endif
