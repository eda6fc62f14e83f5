#ifndef KFTRAIN_BASE_LOGGER_HPP
#define KFTRAIN_BASE_LOGGER_HPP

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace kftrain {

enum class log_level { debug, info, warning, error };

/// One key and its value in a log record.
using log_field = std::pair<std::string_view, std::string>;

/** Receives log records of the library. A value; copies share the sink. An empty logger, the default everywhere,
    drops all records: the library never prints by itself.
    @par Thread safety The sink is called on any thread that runs the work and must be thread-safe. */
class logger {
public:
    /// `message` is constant text; variable parts are in `fields`.
    using sink = std::function<void(log_level, std::string_view message, std::initializer_list<log_field> fields)>;

    logger() = default;
    explicit logger(sink s, log_level lowest = log_level::info) : sink_(std::move(s)), lowest_(lowest) {}

    bool enabled(log_level l) const noexcept { return sink_ && l >= lowest_; }
    void operator()(log_level l, std::string_view message, std::initializer_list<log_field> fields = {}) const {
        if (enabled(l)) sink_(l, message, fields);
    }

private:
    sink sink_;
    log_level lowest_ = log_level::info;
};

} // namespace kftrain

#endif
