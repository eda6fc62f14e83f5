#ifndef KFTRAIN_SRC_CLI_RUN_LOG_FLUSH_HPP
#define KFTRAIN_SRC_CLI_RUN_LOG_FLUSH_HPP

#include "cli/run/live_view.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/post.hpp>

#include <memory>
#include <utility>

namespace kftrain::cli {

/// Flushes standard output once for all lines that are printed in one turn of the executor.
class log_flush {
public:
    explicit log_flush(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}

    void soon() const {
        if (std::exchange(*due_, true)) return;
        boost::asio::post(executor_, [due = due_] {
            *due = false;
            live_view::flush();
        });
    }

private:
    boost::asio::any_io_executor executor_;
    std::shared_ptr<bool> due_ = std::make_shared<bool>(false);
};

} // namespace kftrain::cli

#endif
