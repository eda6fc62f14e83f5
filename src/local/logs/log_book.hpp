#ifndef KFTRAIN_SRC_LOCAL_LOGS_LOG_BOOK_HPP
#define KFTRAIN_SRC_LOCAL_LOGS_LOG_BOOK_HPP

#include <kftrain/base/error.hpp>
#include <kftrain/objects/core.hpp>

#include "local/sandbox/system.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace kftrain::local {

/// A folder that is removed with its contents once nothing refers to it.
class kept_folder {
public:
    explicit kept_folder(std::filesystem::path path) : path_(std::move(path)) {}
    kept_folder(kept_folder const&) = delete;
    kept_folder& operator=(kept_folder const&) = delete;
    ~kept_folder();

    std::filesystem::path const& path() const noexcept { return path_; }

private:
    std::filesystem::path path_;
};

/// The output of one run of a container. Readers that hold it keep its files.
class log_run {
public:
    log_run(std::shared_ptr<kept_folder> of_pod, std::string_view container, std::int32_t number);

    std::filesystem::path const& folder() const noexcept { return folder_.path(); }
    std::int32_t number() const noexcept { return number_; }
    /// The log is complete.
    bool ended() const noexcept { return ended_; }
    void end() noexcept { ended_ = true; }
    /// Makes the folder and opens it.
    sandbox::unique_fd open_folder(error_code& failed) const;

private:
    std::shared_ptr<kept_folder> of_pod_; ///< goes after the folder within it
    kept_folder folder_;
    std::int32_t number_;
    bool ended_ = false;
};

/** The log directories of the containers of a node. For each container it keeps the present run and the previous one,
    which are the runs that clients of an API server can request.
    @par Thread safety Unsafe */
class log_book {
public:
    void keep_in(std::filesystem::path directory) { directory_ = std::move(directory); }

    /// A container begins its run of this number. A run that could not be begun may be begun again.
    std::shared_ptr<log_run> begin(pod const& p, std::string const& container, std::int32_t number);
    /// The logs of a container of the pod, or of all of them, are complete.
    void end_runs(std::string const& uid, std::string_view container = {});
    /// The pod is gone; its files go with the last of their readers.
    void forget(std::string const& uid);
    /// Null if it is not known; without a number the present one.
    std::shared_ptr<log_run const> find(std::string const& uid, std::string const& container,
                                        std::optional<std::int32_t> number) const;

private:
    struct pod_logs {
        std::shared_ptr<kept_folder> folder;
        std::map<std::string, std::map<std::int32_t, std::shared_ptr<log_run>>> containers;
    };

    std::filesystem::path folder_of(pod const& p) const;

    std::filesystem::path directory_;
    std::map<std::string, pod_logs> pods_; ///< by uid
};

} // namespace kftrain::local

#endif
