#include "cli/cluster/interruption.hpp"

#include <boost/asio/post.hpp>

#include <csignal>

namespace kftrain::cli {

interruption::interruption(boost::asio::io_context& context) : context_(context), signals_(context, SIGINT, SIGTERM) {
    signals_.async_wait([this](boost::system::error_code ec, int) {
        if (ec) return;
        asked_ = true;
        signals_.clear();
        end();
    });
}

void interruption::end() {
    if (ending_) return;
    ending_ = true;
    boost::asio::post(context_, [signal = end_] { signal->emit(boost::asio::cancellation_type::terminal); });
}

} // namespace kftrain::cli
