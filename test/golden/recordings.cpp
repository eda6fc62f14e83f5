#include "golden/recordings.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace golden {
namespace {

namespace fs = std::filesystem;

std::string read_text(fs::path const& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + file.string());
    std::stringstream content;
    content << in.rdbuf();
    return content.str();
}

json::value parse(std::string_view text, std::string const& place) {
    json::parse_options options;
    options.max_depth = 1000;
    json::error_code ec;
    auto value = json::parse(text, ec, {}, options);
    if (ec) throw std::runtime_error(place + ": " + ec.message());
    return value;
}

/// Puts a file of a case where it belongs; files of other names are left alone.
void place(recorded_case& into, std::string_view file, json::value content) {
    if (file == "case.json") into.about = std::move(content.as_object());
    if (file == "job.json") into.job = std::move(content.as_object());
    if (file == "admission.json") into.admission = std::move(content.as_object());
    if (file == "steps.json") into.steps = std::move(content.as_array());
}

/// `<kind>/<group>`, or `<operator>/<version>/<group>` where one operator was recorded in several versions.
std::string group_of(fs::path const& folder) {
    auto const above = folder.parent_path(), two_above = above.parent_path();
    auto const kind = two_above.filename().string();
    bool const version = kind.size() > 1 && kind[0] == 'v' && kind[1] >= '0' && kind[1] <= '9';
    auto const group = fs::path(kind) / above.filename();
    return (version ? two_above.parent_path().filename() / group : group).string();
}

recorded_case read_folder(fs::path const& folder) {
    recorded_case c;
    auto const whole = fs::weakly_canonical(folder);
    c.name = whole.filename().string();
    c.group = group_of(whole);
    for (auto const* file : {"case.json", "job.json", "admission.json", "steps.json"})
        if (fs::exists(folder / file)) place(c, file, read_json(folder / file));
    return c;
}

/// Undoes what pack_cases.py describes in its first lines.
class unpacker {
public:
    std::vector<recorded_case> read(fs::path const& file) {
        std::istringstream in(read_text(file));
        std::string line;
        for (int n = 1; std::getline(in, line); ++n) {
            auto const at = file.string() + ":" + std::to_string(n);
            try {
                take(parse(line, at).as_object());
            } catch (std::exception const& e) {
                throw std::runtime_error(at + ": " + e.what());
            }
        }
        if (group_.empty()) throw std::runtime_error(file.string() + ": no line {\"recordings\": 1, \"group\": ...}");
        return std::move(cases_);
    }

private:
    void take(json::object const& line) {
        if (auto const* version = line.if_contains("recordings")) {
            if (version->as_int64() != 1) throw std::runtime_error("packed by another version");
            group_ = line.at("group").as_string();
        } else if (auto const* id = line.if_contains("shared")) {
            shared_[std::string(id->as_string())] = line.at("value");
        } else if (auto const* name = line.if_contains("case")) {
            auto& c = cases_.emplace_back();
            c.group = group_;
            c.name = name->as_string();
            job_ = line.at("job").as_string();
        } else if (auto const* item = line.if_contains("item")) {
            cases_.back().steps.push_back(unpacked(*item));
        } else {
            place(cases_.back(), std::string_view(line.at("file").as_string()), unpacked(line.at("value")));
        }
    }

    std::string named(std::string_view text) const {
        std::string result;
        for (char const c : text) {
            if (c == '~')
                result += job_;
            else
                result += c == '\x1f' ? '~' : c;
        }
        return result;
    }

    json::value unpacked(json::value const& v) const {
        if (v.is_string()) {
            std::string_view const text = v.get_string();
            if (text.starts_with("@@")) return json::value(named(text.substr(1)));
            if (text.starts_with("@")) return unpacked(shared_.at(std::string(text.substr(1))));
            return json::value(named(text));
        }
        if (v.is_array()) {
            json::array result;
            for (auto const& e : v.get_array()) result.push_back(unpacked(e));
            return result;
        }
        if (!v.is_object()) return v;
        json::object result;
        for (auto const& [key, value] : v.get_object()) result[named(key)] = unpacked(value);
        return result;
    }

    std::string group_, job_;
    std::map<std::string, json::value> shared_;
    std::vector<recorded_case> cases_;
};

} // namespace

json::value read_json(fs::path const& file) { return parse(read_text(file), file.string()); }

std::vector<recorded_case> read_recordings(fs::path const& where) {
    std::vector<recorded_case> all;
    auto const add = [&](fs::path const& file) {
        if (file.extension() == ".jsonl") {
            for (auto& c : unpacker().read(file)) all.push_back(std::move(c));
        } else if (file.filename() == "case.json") {
            all.push_back(read_folder(file.parent_path()));
        }
    };
    if (!fs::exists(where)) throw std::runtime_error("cannot read " + where.string());
    if (!fs::is_directory(where))
        add(where);
    else
        for (auto const& entry : fs::recursive_directory_iterator(where))
            if (entry.is_regular_file()) add(entry.path());
    std::ranges::sort(all, {}, &recorded_case::path);
    return all;
}

} // namespace golden
