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

/** Where the library reports what it does. A value; copies share the sink. An empty logger drops everything, which is
    the default everywhere: the library never prints by itself.
    @par Thread safety The sink is called from whichever thread runs the work; it must cope with that. */
class logger {
public:
    /// `message` is constant text; what varies stands in `fields`.
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
