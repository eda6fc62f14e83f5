#include <kftrain/kinds/registry.hpp>
#include <kftrain/training_client.hpp>

#include <array>
#include <cerrno>
#include <fstream>

namespace kftrain {
namespace {

/// Servers take objects of a few megabytes at most.
constexpr std::size_t file_limit = std::size_t(64) * 1024 * 1024;

result<std::string> read_file(std::filesystem::path const& file) {
    errno = 0;
    std::ifstream in(file, std::ios::binary);
    std::string text;
    std::array<char, 16384> piece;
    while (in.read(piece.data(), piece.size()) || in.gcount() > 0) {
        text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
        if (text.size() <= file_limit) continue;
        failure f;
        f.code = errc::too_large;
        f.detail.message = "\"" + file.string() + "\" is larger than " + std::to_string(file_limit) + " bytes";
        return f;
    }
    // A folder can be opened; reading it fails.
    if (!in.eof() || in.bad()) {
        failure f;
        f.code = error_code(errno != 0 ? errno : EIO, boost::system::system_category());
        f.detail.message = "cannot read \"" + file.string() + "\": " + f.code.message();
        return f;
    }
    return text;
}

failure in_file(failure f, std::filesystem::path const& file) {
    f.detail.path = f.detail.path.empty() ? file.string() : file.string() + ": " + f.detail.path;
    return f;
}

} // namespace

result<any_job> load_job(std::filesystem::path const& file) {
    auto const text = read_file(file);
    if (!text) return text.error();
    auto job = parse_job(*text);
    if (!job) return in_file(job.error(), file);
    return job;
}

result<std::vector<any_job>> load_jobs(std::filesystem::path const& file, decode_options const& options) {
    auto const text = read_file(file);
    if (!text) return text.error();
    std::size_t const mark = options.found != nullptr ? options.found->size() : 0;
    auto jobs = parse_jobs(*text, options);
    if (options.found != nullptr)
        for (std::size_t i = mark; i < options.found->size(); ++i)
            (*options.found)[i] = in_file(std::move((*options.found)[i]), file);
    if (!jobs) return in_file(jobs.error(), file);
    return jobs;
}

} // namespace kftrain
