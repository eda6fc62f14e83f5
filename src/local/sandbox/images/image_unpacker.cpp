#include "local/sandbox/images/image_unpacker.hpp"

#include "local/sandbox/channel.hpp"
#include "local/sandbox/images/image_config.hpp"
#include "local/sandbox/images/limited_tool.hpp"
#include "local/sandbox/mounts/mount_point_record.hpp"
#include "local/sandbox/mounts/open_without_links.hpp"
#include "local/sandbox/system.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <vector>

namespace kftrain::local::sandbox {
namespace {

namespace json = boost::json;
namespace fs = std::filesystem;

constexpr std::string_view unfinished = ".new-";
constexpr std::string_view entry_prefix = "sha256-";
constexpr std::size_t longest_document = 4 << 20U; ///< bytes of a JSON document of an image

struct image_request {
    image_request() = default;

    fs::path store;
    std::string form;
    fs::path path;
    std::string tag;
    tree_size limit;
    std::int64_t total_size = 0;
    int client = -1;
};

image_request request_of(json::object const& body, int client) {
    image_request r;
    r.store = text_of(body, "store");
    r.form = text_of(body, "form");
    r.path = text_of(body, "path");
    r.tag = text_of(body, "tag");
    r.limit.bytes = number_of(body, "image_size");
    r.limit.files = number_of(body, "image_files");
    r.total_size = number_of(body, "total_size");
    r.client = client;
    return r;
}

std::string read_document(fs::path const& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read \"" + file.string() + "\"");
    std::string text(longest_document + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (text.size() > longest_document)
        throw std::runtime_error("\"" + file.string() + "\" has more than " + std::to_string(longest_document) +
                                 " bytes");
    return text;
}

json::object object_in(fs::path const& file) {
    boost::system::error_code failed;
    auto const value = json::parse(read_document(file), failed);
    if (failed || !value.is_object()) throw std::runtime_error("\"" + file.string() + "\": expected a JSON object");
    return value.get_object();
}

/// The same for files of the store, which a crash or a full disk may have damaged; empty if it cannot be read.
json::object readable_object_in(fs::path const& file) {
    try {
        return object_in(file);
    } catch (std::exception const&) {
        return {};
    }
}

void write_document(fs::path const& file, json::object const& document) {
    std::ofstream out(file, std::ios::binary);
    out << json::serialize(document);
    out.close();
    if (!out) throw std::runtime_error("cannot write \"" + file.string() + "\"");
}

fs::path blob_of(fs::path const& layout, std::string const& digest) {
    return layout / "blobs" / "sha256" / hex_of(digest);
}

/// Of the image with that digest; umoci has verified the digests of both documents.
image_config read_config(fs::path const& layout, std::string const& digest) {
    auto const manifest = object_in(blob_of(layout, digest));
    auto const* const descriptor = manifest.if_contains("config");
    if (descriptor == nullptr || !descriptor->is_object())
        throw std::runtime_error("the manifest " + digest + " has no config");
    auto const document = object_in(blob_of(layout, text_of(descriptor->get_object(), "digest")));
    if (auto const* const os = document.if_contains("os"); os != nullptr && *os != "linux" && *os != "")
        throw std::runtime_error("the image is for " + json::serialize(*os) + ", and this machine runs Linux");
    return config_of(document);
}

fs::path entry_of(image_request const& r, std::string const& digest) {
    return r.store / (std::string(entry_prefix) + hex_of(digest));
}

/// An image that is in the store, and stays there while the descriptor is open.
struct found_image {
    found_image() = default;

    std::string digest;
    json::object document;
    unique_fd in_use;
};

/// Absent if the store does not have it.
std::optional<found_image> find_in_store(image_request const& r, std::string const& digest) {
    auto const path = entry_of(r, digest);
    found_image found;
    found.digest = digest;
    found.in_use = lock_mount_point(path.string()); // shared, and only if it has not been removed meanwhile
    if (!found.in_use) return std::nullopt;
    auto const file = path / "image.json";
    found.document = object_in(file);
    ::utimensat(AT_FDCWD, file.c_str(), nullptr, 0); // for remove_unused()
    return found;
}

void make_store(fs::path const& store) {
    std::error_code failed;
    fs::create_directories(store.parent_path(), failed);
    if (::mkdir(store.c_str(), S_IRWXU) != 0 && errno != EEXIST)
        fail("create the image store \"" + store.string() + "\"");
    struct stat info{};
    check(::lstat(store.c_str(), &info), "inspect the image store \"" + store.string() + "\"");
    if (!S_ISDIR(info.st_mode) || info.st_uid != ::geteuid() || (info.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        throw std::runtime_error("image store \"" + store.string() +
                                 "\": expected a directory of yours with mode 0700");
}

/// Waits until no other process unpacks something.
unique_fd lock_store(image_request const& r) {
    constexpr int pause = 50; // in milliseconds
    auto const file = (r.store / ".lock").string();
    unique_fd lock(check(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR),
                         "open \"" + file + "\""));
    while (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR) fail("lock \"" + file + "\"");
        pollfd client{r.client, POLLIN, 0};
        if (::poll(&client, 1, pause) > 0) throw abandoned();
    }
    return lock;
}

std::vector<fs::path> entries_of(fs::path const& store, std::string_view prefix) {
    std::vector<fs::path> found;
    std::error_code ignored;
    for (auto const& entry : fs::directory_iterator(store, ignored))
        if (entry.path().filename().string().starts_with(prefix)) found.push_back(entry.path());
    return found;
}

/// Removes the least recently used images until the rest is within the limit. Those in use stay.
void remove_unused(image_request const& r) {
    struct entry {
        fs::path path;
        std::int64_t bytes = 0;
        struct timespec used{};
    };
    std::vector<entry> all;
    std::int64_t total = 0;
    for (auto const& path : entries_of(r.store, entry_prefix)) {
        entry one;
        one.path = path;
        struct stat info{};
        if (::stat((path / "image.json").c_str(), &info) == 0) {
            one.used = info.st_mtim;
            auto const document = readable_object_in(path / "image.json");
            if (auto const* const size = document.if_contains("bytes"); size != nullptr && size->is_int64())
                one.bytes = size->get_int64();
        }
        total += one.bytes;
        all.push_back(std::move(one));
    }
    std::ranges::sort(all, {}, [](entry const& e) { return std::pair(e.used.tv_sec, e.used.tv_nsec); });
    for (auto const& one : all) {
        if (total <= r.total_size) return;
        unique_fd const directory(::open(one.path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        if (!directory || ::flock(directory.get(), LOCK_EX | LOCK_NB) != 0) continue;
        auto const doomed = r.store / (std::string(unfinished) + one.path.filename().string());
        if (::rename(one.path.c_str(), doomed.c_str()) != 0) continue;
        remove_tree(doomed.string());
        total -= one.bytes;
    }
}

/// A directory that is removed unless it was renamed.
class work_directory {
public:
    explicit work_directory(fs::path const& store) : path_((store / (std::string(unfinished) + "XXXXXX")).string()) {
        if (::mkdtemp(path_.data()) == nullptr) fail("create a directory in \"" + store.string() + "\"");
    }
    work_directory(work_directory const&) = delete;
    work_directory& operator=(work_directory const&) = delete;
    ~work_directory() { remove_tree(path_); }

    fs::path path() const { return path_; }

private:
    std::string path_;
};

tool_run tool_for(image_request const& r, std::string package, std::vector<std::string> argv, fs::path const& directory,
                  fs::path const& output) {
    tool_run tool;
    tool.argv = std::move(argv);
    tool.package = std::move(package);
    tool.directory = directory.string();
    tool.output = output.string();
    tool.limit = r.limit;
    tool.client = r.client;
    return tool;
}

/// Copies the image into the layout `layout` of `work`, with the tag `image`, and chooses the platform of this machine.
void copy_image(image_request const& r, fs::path const& work, std::string const& from) {
    run_tool(tool_for(r, "skopeo",
                      {"skopeo", "--insecure-policy", "--tmpdir", work.string(), "copy", "--quiet", from,
                       "oci:" + (work / "layout").string() + ":image"},
                      work, work));
}

void copy_archive(image_request const& r, fs::path const& work) {
    // Newer versions of docker save write archives of both forms.
    try {
        copy_image(r, work, "docker-archive:" + r.path.string());
    } catch (abandoned const&) {
        throw;
    } catch (std::runtime_error const& docker) {
        if (std::string_view(docker.what()).find("manifest.json") == std::string_view::npos) throw;
        remove_tree((work / "layout").string());
        copy_image(r, work, "oci-archive:" + r.path.string());
    }
}

/// Unpacks the image into the store. `digest` is that of the source, if it is known.
found_image unpack(image_request const& r, std::string const& digest) {
    work_directory const work(r.store);
    fs::path layout = r.path;
    std::string tag = r.tag;
    if (r.form == "archive") {
        copy_archive(r, work.path());
    } else {
        auto const chosen = find_image(object_in(layout / "index.json"), tag);
        tag = chosen.tag;
        if (chosen.is_index || tag.empty())
            copy_image(r, work.path(), "oci:" + layout.string() + (tag.empty() ? "" : ":" + tag));
    }
    if (fs::exists(work.path() / "layout")) {
        layout = work.path() / "layout";
        tag = "image";
    }
    auto const chosen = find_image(object_in(layout / "index.json"), tag);
    // Two directories below the store, because an entry `.wh...` of a layer removes what is above the root.
    auto const output = work.path() / "unpacked";
    if (::mkdir(output.c_str(), S_IRWXU) != 0) fail("create " + output.string());
    std::vector<std::string> argv{"umoci", "raw", "unpack"};
    if (is_in_user_namespace()) argv.emplace_back("--rootless");
    for (auto const& argument : {std::string("--image"), ".:" + tag, (output / "rootfs").string()})
        argv.push_back(argument);
    run_tool(tool_for(r, "umoci", std::move(argv), layout, output));
    if (!fs::is_directory(fs::symlink_status(output / "rootfs")))
        throw std::runtime_error("a layer of the image removes the root directory");
    if (r.form == "oci" && find_image(object_in(r.path / "index.json"), r.tag).digest != digest)
        throw std::runtime_error("\"" + r.path.string() + "\" has changed while it was unpacked");
    found_image made;
    made.digest = digest.empty() ? chosen.digest : digest;
    made.document = to_json(read_config(layout, chosen.digest));
    auto const size = size_of_tree(output.string(), r.limit);
    made.document["digest"] = made.digest;
    made.document["bytes"] = size.bytes;
    made.document["files"] = size.files;
    write_document(output / "image.json", made.document);
    auto const entry = entry_of(r, made.digest);
    if (::rename(output.c_str(), entry.c_str()) != 0 && errno != EEXIST && errno != ENOTEMPTY)
        fail("rename " + output.string() + " to " + entry.string());
    made.in_use = lock_mount_point(entry.string());
    if (!made.in_use) throw std::runtime_error("the image was removed from the store while it was unpacked");
    return made;
}

/// Where the digest of an archive is kept: reading it again takes as long as unpacking.
class archive_record {
public:
    explicit archive_record(image_request const& r) {
        struct stat info{};
        check(::stat(r.path.c_str(), &info), "read \"" + r.path.string() + "\"");
        state_ = json::object{{"path", r.path.string()},
                              {"inode", static_cast<std::int64_t>(info.st_ino)},
                              {"size", static_cast<std::int64_t>(info.st_size)},
                              {"seconds", static_cast<std::int64_t>(info.st_mtim.tv_sec)},
                              {"nanoseconds", static_cast<std::int64_t>(info.st_mtim.tv_nsec)}};
        file_ = r.store / ("archive-" + std::to_string(std::hash<std::string>()(r.path.string())));
    }
    /// Empty if the archive is unknown or has changed.
    std::string digest() const {
        std::error_code ec;
        if (!fs::exists(file_, ec)) return {};
        auto known = readable_object_in(file_);
        auto const digest = text_of(known, "digest");
        known.erase("digest");
        return known == state_ ? digest : std::string();
    }
    void write(std::string const& digest) const {
        auto known = state_;
        known["digest"] = digest;
        auto const fresh = file_.string() + ".new";
        write_document(fresh, known);
        check(::rename(fresh.c_str(), file_.c_str()), "rename " + fresh);
    }

private:
    json::object state_;
    fs::path file_;
};

/// Keeps the number of records bounded: each of them is short, and the oldest are unlikely to be needed.
void remove_old_records(fs::path const& store) {
    constexpr std::size_t most = 1000;
    auto const all = entries_of(store, "archive-");
    if (all.size() > most)
        for (auto const& file : all) ::unlink(file.c_str());
}

found_image provide(image_request const& r) {
    make_store(r.store);
    std::optional<archive_record> record;
    if (r.form == "archive") record.emplace(r);
    auto const known_digest = [&] {
        return record ? record->digest() : find_image(object_in(r.path / "index.json"), r.tag).digest;
    };
    auto digest = known_digest();
    if (!digest.empty())
        if (auto found = find_in_store(r, digest)) return std::move(*found);
    auto const lock = lock_store(r);
    for (auto const& left : entries_of(r.store, unfinished)) remove_tree(left.string());
    digest = known_digest();
    if (!digest.empty())
        if (auto found = find_in_store(r, digest)) return std::move(*found);
    auto made = unpack(r, record ? std::string() : digest);
    if (record) record->write(made.digest);
    remove_old_records(r.store);
    remove_unused(r);
    return made;
}

/// Whether the same request may succeed later.
bool may_pass(std::exception const& e) {
    auto const passes = [](int error) { return is_shortage(error) || error == ENOSPC || error == EDQUOT; };
    if (auto const* const step = dynamic_cast<failed_step const*>(&e)) return passes(step->error());
    auto const* const system = dynamic_cast<std::system_error const*>(&e);
    return system != nullptr && passes(system->code().value());
}

} // namespace

void serve_image(json::object const& body, int client) {
    json::object reply;
    unique_fd in_use;
    try {
        auto const request = request_of(body, client);
        become_namespace_root();
        auto found = provide(request);
        found.document["root"] = (entry_of(request, found.digest) / "rootfs").string();
        reply["image"] = std::move(found.document);
        in_use = std::move(found.in_use);
    } catch (abandoned const&) {
        return;
    } catch (std::exception const& e) {
        reply["error"] = e.what();
        if (may_pass(e)) reply["may_pass"] = true;
    }
    int const fd = in_use.get();
    if (fd < 0)
        send(client, reply);
    else
        send(client, reply, {&fd, 1});
}

} // namespace kftrain::local::sandbox
