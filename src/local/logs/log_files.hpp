#ifndef KFTRAIN_SRC_LOCAL_LOGS_LOG_FILES_HPP
#define KFTRAIN_SRC_LOCAL_LOGS_LOG_FILES_HPP

#include <kftrain/apiserver/pod_log_source.hpp>

#include "local/logs/log_book.hpp"

#include <boost/asio/any_io_executor.hpp>

namespace kftrain::local {

/// Serves the logs that a book knows.
class log_files final : public apiserver::pod_log_source {
public:
    log_files(boost::asio::any_io_executor executor, std::shared_ptr<log_book const> book)
        : executor_(std::move(executor)), book_(std::move(book)) {}

    apiserver::answer<std::unique_ptr<kube::body_stream>> open_log(apiserver::log_request const& request) override;

private:
    boost::asio::any_io_executor executor_;
    std::shared_ptr<log_book const> book_;
};

} // namespace kftrain::local

#endif
