#ifndef KFTRAIN_SRC_FACADE_READING_TURN_HPP
#define KFTRAIN_SRC_FACADE_READING_TURN_HPP

#include "facade/logs/log_session.hpp"
#include "facade/logs/log_turns.hpp"

namespace kftrain {

/// The turn of a log that goes on behind the last line when it has another one.
class reading_turn final : public log_turns::turn {
public:
    reading_turn(log_turns& turns, asio::any_io_executor const& executor, open_log& log, bool may_rotate)
        : turn(turns, executor), log_(log), may_rotate_(may_rotate) {}

private:
    bool may_let_go() const override { return may_rotate_; }
    void let_go() override {
        log_.rotates = true;
        log_.signal->emit(asio::cancellation_type::terminal);
    }

    open_log& log_;
    bool may_rotate_;
};

} // namespace kftrain

#endif
