#include "local/logs/log_files.hpp"

#include "base/in_quotes.hpp"
#include "kube/async/waiting_caller.hpp"
#include "local/logs/log_reader.hpp"
#include "local/sandbox/containers/log_file_name.hpp"
#include "local/sandbox/system.hpp"

#include <kftrain/model/scalars.hpp>

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::local {
namespace {

/** The times at which the bytes of a log were written, from its container_log. */
class log_times {
public:
    explicit log_times(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// Later queries are for the file whose first byte has this place, and for bytes that are written already.
    void begin(std::uint64_t file_place);
    /// The time of the byte at a place, in nanoseconds since 1970; nothing if it was not recorded. Places must not
    /// decrease from call to call.
    std::optional<std::int64_t> at(std::uint64_t place);

private:
    bool read_more();

    std::filesystem::path folder_;
    sandbox::unique_fd file_;
    std::optional<std::uint64_t> file_place_;
    std::vector<sandbox::log_time> records_; ///< some that follow
    std::size_t next_ = 0;                   ///< of these
    std::uint64_t read_ = 0;                 ///< bytes of the file
    bool all_read_ = false;                  ///< of what was there when begin() was called
    std::optional<std::int64_t> time_;
};

/** Chooses lines of a log by their times, and writes the times in front of them. */
class line_stamper {
public:
    /// `since`: lines of earlier times are left out.
    line_stamper(std::filesystem::path folder, bool stamps, std::optional<std::int64_t> since)
        : times_(std::move(folder)), stamps_(stamps), since_(since) {}

    /// `piece` begins at `place`, within the file that begins at `file_place`, and follows the previous piece. The
    /// result may be empty.
    std::string take(std::string const& piece, std::uint64_t place, std::uint64_t file_place);

private:
    log_times times_;
    bool stamps_;
    std::optional<std::int64_t> since_;
    bool begins_ = true; ///< a line, with the next byte
    bool wanted_ = true; ///< the line within which the piece ended
};

constexpr std::size_t most_records = 256;

sandbox::unique_fd open_times(std::filesystem::path const& folder, std::uint64_t place) {
    return sandbox::unique_fd(::open((folder / sandbox::log_times_name(place)).c_str(), O_RDONLY | O_CLOEXEC));
}

/// As nodes write it: RFC 3339 with nine digits of a fraction, and a space.
void append_stamp(std::int64_t nanoseconds, std::string& to) {
    std::chrono::sys_time<std::chrono::nanoseconds> const at{std::chrono::nanoseconds(nanoseconds)};
    auto const whole = std::chrono::floor<std::chrono::seconds>(at);
    print_scalar(time_point(whole), to);
    to.pop_back();
    std::string const fraction = std::to_string((at - whole).count());
    to.append(".").append(9 - fraction.size(), '0').append(fraction).append("Z ");
}

void log_times::begin(std::uint64_t file_place) {
    all_read_ = false;
    if (file_place_ == file_place) return;
    file_place_ = file_place;
    file_ = open_times(folder_, file_place);
    records_.clear();
    next_ = 0;
    read_ = 0;
    time_.reset();
}

bool log_times::read_more() {
    if (!file_ || all_read_) return false;
    records_.resize(most_records);
    next_ = 0;
    auto const size = ::pread(file_.get(), records_.data(), most_records * sizeof(sandbox::log_time), off_t(read_));
    records_.resize(size > 0 ? static_cast<std::size_t>(size) / sizeof(sandbox::log_time) : 0);
    read_ += records_.size() * sizeof(sandbox::log_time);
    all_read_ = records_.size() < most_records;
    return !records_.empty();
}

std::optional<std::int64_t> log_times::at(std::uint64_t place) {
    while (next_ < records_.size() || read_more()) {
        if (records_[next_].place > place) break;
        time_ = records_[next_++].nanoseconds;
    }
    return time_;
}

/// Place of the file, of those that are kept, from which on there may be lines of this time or later.
std::uint64_t place_of_time(std::filesystem::path const& folder, std::int64_t nanoseconds) {
    auto const places = log_file_places(folder);
    std::uint64_t from = places.empty() ? 0 : places.front();
    for (auto const place : places) {
        sandbox::log_time first;
        auto const file = open_times(folder, place);
        // The line with which a file begins may have begun in the one before.
        if (!file || ::pread(file.get(), &first, sizeof first, 0) != ssize_t(sizeof first) ||
            first.nanoseconds >= nanoseconds)
            break;
        from = place;
    }
    return from;
}

std::string line_stamper::take(std::string const& piece, std::uint64_t place, std::uint64_t file_place) {
    times_.begin(file_place);
    std::string kept;
    for (std::string_view rest = piece; !rest.empty();) {
        if (begins_) {
            auto const time = times_.at(place);
            wanted_ = !since_ || !time || *time >= *since_;
            if (wanted_ && stamps_ && time) append_stamp(*time, kept);
        }
        auto const newline = rest.find('\n');
        auto const size = newline == std::string_view::npos ? rest.size() : newline + 1;
        if (wanted_) kept.append(rest.substr(0, size));
        begins_ = newline != std::string_view::npos;
        rest.remove_prefix(size);
        place += size;
    }
    return kept;
}

namespace asio = boost::asio;

constexpr std::chrono::milliseconds poll_interval{50};
constexpr std::size_t piece_size = 64 * 1024;
/// So much of a search for the last lines is done before others have their turn.
constexpr int steps_per_turn = 8;

/// From when on lines are wanted, in nanoseconds since 1970. Whole seconds, as upstream's API server hands it on.
std::optional<std::int64_t> wanted_since(apiserver::log_request const& request) {
    time_point since{};
    if (request.since_seconds) {
        auto const now = std::chrono::time_point_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now());
        // Before the first log there can be.
        auto const age =
            std::min<std::int64_t>(*request.since_seconds, now.time_since_epoch() / std::chrono::seconds(1));
        return (now - std::chrono::seconds(age)).time_since_epoch().count();
    }
    if (!request.since_time || !parse_scalar(*request.since_time, since)) return {};
    auto const seconds = std::clamp<std::int64_t>(since.time_since_epoch().count(), 0, 9'000'000'000);
    return seconds * 1'000'000'000;
}

/// The output of a container's run; with `follow` also what comes until the run has ended.
class log_file_stream final : public kube::body_stream {
public:
    log_file_stream(asio::any_io_executor const& executor, apiserver::log_request const& request,
                    std::shared_ptr<log_run const> run)
        : run_(std::move(run)), reader_(run_->folder()), follow_(request.follow), timer_(executor) {
        if (request.tail_lines) tail_.emplace(run_->folder(), *request.tail_lines);
        if (request.limit_bytes) left_ = static_cast<std::uint64_t>(*request.limit_bytes);
        if (!follow_) end_ = end_of_log(run_->folder());
        auto const since = wanted_since(request);
        if (since || request.timestamps) stamper_.emplace(run_->folder(), request.timestamps, since);
        if (since && !tail_) reader_.seek(place_of_time(run_->folder(), *since));
    }

    void async_read(kube::any_handler<void(error_code, std::string)> handler) override {
        cancelled_ = false;
        auto slot = asio::get_associated_cancellation_slot(handler);
        if (slot.is_connected())
            slot.assign([this](asio::cancellation_type) {
                cancelled_ = true;
                timer_.cancel();
            });
        reader caller(std::move(handler), timer_.get_executor());
        if (tail_)
            seek(std::move(caller));
        else
            read(std::move(caller));
    }

private:
    using reader = kube::waiting_caller<std::string>;

    void finish(reader caller, error_code ec, std::string piece = {}) {
        caller.complete_later(timer_.get_executor(), ec, std::move(piece));
    }

    /// Calls `next` in a while, or ends the read if it was cancelled.
    template <class Next> void later(std::chrono::milliseconds time, reader caller, Next next) {
        timer_.expires_after(time);
        timer_.async_wait([this, c = std::move(caller), next](error_code ec) mutable {
            if (cancelled_) ec = asio::error::operation_aborted;
            if (ec) return c.complete(ec, std::string());
            next(std::move(c));
        });
    }

    void seek(reader caller) {
        bool found = false;
        for (int i = 0; i < steps_per_turn && !found; ++i) found = tail_->step();
        if (!found)
            return later(std::chrono::milliseconds(0), std::move(caller), [this](reader c) { seek(std::move(c)); });
        reader_.seek(tail_->place());
        tail_.reset();
        read(std::move(caller));
    }

    void read(reader caller) {
        // Asked before the files are read, so that what is written last is not missed.
        bool const ended = run_->ended();
        auto const to_end = end_ > reader_.place() ? end_ - reader_.place() : 0;
        std::string piece(static_cast<std::size_t>(std::min<std::uint64_t>({piece_size, left_, to_end})), '\0');
        bool const whole = piece.empty();
        error_code ec;
        if (!whole) ec = reader_.read(piece);
        if (ec) return finish(std::move(caller), ec);
        if (!piece.empty()) {
            if (stamper_) piece = stamper_->take(piece, reader_.place() - piece.size(), reader_.file_place());
            if (piece.empty()) // nothing of it is wanted
                return later(std::chrono::milliseconds(0), std::move(caller), [this](reader c) { read(std::move(c)); });
            if (piece.size() > left_) piece.resize(static_cast<std::size_t>(left_));
            left_ -= piece.size();
            return finish(std::move(caller), error_code(), std::move(piece));
        }
        if (whole || ended || !follow_) return finish(std::move(caller), asio::error::eof);
        later(poll_interval, std::move(caller), [this](reader c) { read(std::move(c)); });
    }

    static constexpr auto unlimited = std::numeric_limits<std::uint64_t>::max();

    std::shared_ptr<log_run const> run_;
    log_reader reader_;
    std::optional<line_stamper> stamper_;
    std::optional<log_tail> tail_; ///< while the place to begin at is looked for
    bool follow_;
    std::uint64_t left_ = unlimited;
    std::uint64_t end_ = unlimited; ///< what is written from there on is of no interest
    bool cancelled_ = false;
    asio::steady_timer timer_;
};

apiserver::refusal bad_request(std::string text) { return {400, reason::bad_request, std::move(text)}; }

} // namespace

apiserver::answer<std::unique_ptr<kube::body_stream>> log_files::open_log(apiserver::log_request const& request) {
    auto run = book_->find(request.pod_uid, request.container, request.run);
    if (run) return std::make_unique<log_file_stream>(executor_, request, std::move(run));
    auto const where = "container " + in_quotes(request.container) + " in pod " + in_quotes(request.pod);
    if (request.previous) return bad_request("previous terminated " + where + " not found");
    if (book_->find(request.pod_uid, request.container, {}))
        return bad_request(where + ": the output of its run " + std::to_string(request.run.value_or(0)) +
                           " was deleted by log rotation");
    return bad_request(where + " is waiting to start: ContainerCreating");
}

} // namespace kftrain::local
