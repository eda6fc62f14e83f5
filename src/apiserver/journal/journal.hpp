#ifndef KFTRAIN_SRC_APISERVER_JOURNAL_JOURNAL_HPP
#define KFTRAIN_SRC_APISERVER_JOURNAL_JOURNAL_HPP

#include <kftrain/apiserver/object_store.hpp>
#include <kftrain/base/diagnostics.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::apiserver {

/** The contents of an object store in a directory: a file `journal` with one line for each change, of a checksum and
    JSON.

    The end of the process at any moment, also by SIGKILL, loses nothing for which flush() has returned. A power failure
    may lose the last changes: files are synchronized only by rewrite(). One process at a time uses a directory.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
class journal {
public:
    /** Reads a directory, and creates it if it does not exist.
        @par Errors Those of the file system; `errc::invalid_argument` if another user owns it or can write to it;
        `errc::already_running` if another process uses it;
        `errc::syntax` for a damaged or unknown file, with the line. An unfinished last line is dropped: its change was
        not confirmed. */
    static result<std::unique_ptr<journal>> open(std::filesystem::path const& directory);
    ~journal();
    journal(journal const&) = delete;
    journal& operator=(journal const&) = delete;

    /// The objects that open() found, in the order of their versions, until rewrite() is called.
    std::vector<store_change> const& objects() const noexcept { return objects_; }
    /// The version of the last change that open() found.
    std::uint64_t version() const noexcept { return version_; }

    /// Adds a change, which flush() writes.
    void append(store_change const&);
    /// Writes what was appended. After an error, the file ends with the last complete change, and every later call
    /// returns the same error.
    result<void> flush();

    /// Whether the file has grown so much that it should be rewritten.
    bool has_grown() const noexcept;
    using snapshot = std::function<void(std::function<void(store_change const&)> const&)>;
    /// Replaces the file by one that contains only the current objects, at once. Call it once before the first flush().
    /// If a later call fails before it has replaced the file, the old one goes on.
    result<void> rewrite(snapshot const&, std::uint64_t version);

private:
    explicit journal(std::filesystem::path const& directory);
    result<void> lock();
    result<void> read();
    result<void> read_line(std::string_view line, bool header);
    result<void> check_file(int fd, std::filesystem::path const& file);
    failure fault(std::string const& what, int error);

    std::filesystem::path directory_;
    std::filesystem::path file_;
    int lock_ = -1;
    int out_ = -1;
    std::string text_; ///< of the file, to which objects_ refers
    std::vector<store_change> objects_;
    std::uint64_t version_ = 0;
    std::string pending_;
    std::size_t size_ = 0;      ///< of the file
    std::size_t rewritten_ = 0; ///< its size when it was rewritten
    failure failed_;
};

} // namespace kftrain::apiserver

#endif
