#include "cli/manifests/manifests.hpp"

#include "cli/commands.hpp"
#include "cli/manifests/conversion_hint.hpp"
#include "cli/manifests/template_text.hpp"
#include "facade/read_stream.hpp"
#include "kinds/document_type.hpp"
#include "kinds/job_documents.hpp"
#include "model/codec/canonical.hpp"
#include "model/codec/tolerant_decode.hpp"
#include "model/json/json_text.hpp"
#include "model/json/list_items.hpp"

#include <kftrain/model/detail/descriptor_table.hpp>
#include <kftrain/model/reflect.hpp>

#include <fstream>
#include <iostream>
#include <optional>

namespace kftrain::cli {
namespace {

result<std::string> text_of(std::istream& in, std::string const& file) {
    std::string text;
    auto const code = detail::read_stream(in, text);
    if (!code) return text;
    failure f;
    f.code = code;
    f.detail.message =
        "cannot read \"" + file + "\": " +
        (code == make_error_code(errc::too_large) ? "it is larger than " + std::to_string(detail::file_limit) + " bytes"
                                                  : code.message());
    return f;
}

failure unknown(document_type const& type) {
    failure f = detail::unknown_job(type);
    f.detail.path.clear();
    f.detail.message = type.api_version.empty() && type.kind.empty() ? "expected apiVersion and kind, got neither"
                                                                     : f.detail.message + conversion_hint(type);
    return f;
}

/// An object of unknown type, as written.
manifest as_written(document_type const& type, detail::document_reader& document) {
    auto const other = detail::read_other(type, document, document, "");
    manifest read;
    read.written = document.text();
    read.json = other.json;
    read.line = other.line;
    read.name = other.to_string();
    return read;
}

failure too_deep() {
    failure f;
    f.code = errc::too_deep;
    f.detail.path = "items";
    f.detail.message = "expected at most " + std::to_string(deepest_list) + " nested lists";
    return f;
}

result<manifest> read_within(std::size_t lists, detail::document_reader&);

/// The items of a mixed list are kept as text. Each is encoded again with its own type.
result<void> read_items(std::size_t lists, mixed_list& list) {
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        detail::document_reader item(yaml_document(list.items[i].text, 1));
        auto const read = read_within(lists + 1, item);
        if (!read) {
            failure f = read.error();
            place_in_list(f, i);
            return f;
        }
        if (read->type == nullptr) continue;
        list.items[i].text.clear();
        encode_json(*read->type->model, read->object.get(), list.items[i].text);
    }
    return {};
}

/// Reads a document inside of that many lists.
result<manifest> read_within(std::size_t lists, detail::document_reader& document) {
    auto const type = detail::type_of_document(document, decode_options());
    if (!type) return type.error();
    manifest read;
    read.type = find_type(type->api_version, type->kind);
    if (read.type == nullptr && detail::role_of(*type) == detail::document_role::mistaken) return unknown(*type);
    if (read.type == nullptr) return as_written(*type, document);
    if (read.type->info->list && lists == deepest_list) return too_deep();
    read.object = read.type->make();
    if (auto r = detail::decode_tolerantly(document, *read.type->model, read.object.get()); !r) return r.error();
    if (read.type->model == &descriptor_of<mixed_list>())
        if (auto r = read_items(lists, *static_cast<mixed_list*>(read.object.get())); !r) return r.error();
    return read;
}

/// The items of a list of one type; each gets apiVersion and kind.
std::vector<manifest> items_of(manifest const& list) {
    model::field const* const f = list.type->model->find("items");
    auto const& array = *f->type;
    void const* const items = f->get_const(list.object.get());
    std::vector<manifest> all;
    for (std::size_t i = 0; i < array.size(items); ++i) {
        auto& one = all.emplace_back();
        one.type = find_type(list.type->info->api_version(), list.type->info->kind);
        one.object = one.type->make();
        std::string text;
        encode_json(*array.element, array.at(items, i), text);
        decode_options trusted; // decoded before
        trusted.max_memory = 0;
        (void)decode_json(text, *one.type->model, one.object.get(), trusted);
    }
    return all;
}

/// The list without its items; absent if it has no other fields.
std::optional<manifest> shell_of(manifest const& list) {
    manifest shell;
    shell.type = list.type;
    shell.object = list.type->make();
    std::string const nothing = shell.write("json");
    decode_options trusted;
    trusted.max_memory = 0;
    (void)decode_json(list.write("json"), *list.type->model, shell.object.get(), trusted);
    model::field const* const f = list.type->model->find("items");
    f->type->reset(f->get(shell.object.get()));
    if (shell.write("json") == nothing) return std::nullopt;
    return shell;
}

result<void> append_without_lists(manifest const& one, std::vector<manifest>& out) {
    if (one.type == nullptr || !one.type->info->list) {
        out.push_back(one);
        return {};
    }
    if (auto shell = shell_of(one)) out.push_back(*std::move(shell));
    if (one.type->model != &descriptor_of<mixed_list>()) {
        for (auto& item : items_of(one)) out.push_back(std::move(item));
        return {};
    }
    auto const& items = static_cast<mixed_list const*>(one.object.get())->items;
    for (std::size_t i = 0; i < items.size(); ++i) {
        auto const item = read_manifest(yaml_document(items[i].text, 1));
        auto r = item ? append_without_lists(*item, out) : result<void>(item.error());
        if (r) continue;
        failure f = r.error();
        place_in_list(f, i);
        return f;
    }
    return {};
}

} // namespace

result<std::vector<manifest>> without_lists(std::vector<manifest> const& all) {
    std::vector<manifest> out;
    for (auto const& one : all)
        if (auto r = append_without_lists(one, out); !r) return r.error();
    return out;
}

result<std::string> read_text(std::string const& file) {
    errno = 0;
    if (file == "-") return text_of(std::cin, "standard input");
    std::ifstream in(file, std::ios::binary);
    return text_of(in, file);
}

result<manifest> read_manifest(yaml_document const& text) {
    detail::document_reader document(text);
    auto read = read_within(0, document);
    if (read || read.error().detail.line != 0) return read;
    failure f = read.error(); // within a list
    auto const at = document.find(f.detail.path);
    f.detail.line = at.line;
    f.detail.column = at.column;
    return f;
}

bool read_manifests(std::string const& file, std::string const& text, std::vector<manifest>& out) {
    bool all = true;
    auto const documents = split_yaml(text);
    for (auto const& one : documents) {
        auto read = read_manifest(one);
        if (read) {
            out.push_back(std::move(*read));
            continue;
        }
        failure f = read.error();
        bool const unfilled = explain_unfilled(f, one.text, one.first_line);
        auto const at = place(file, f.detail.line, f.detail.column);
        f.detail.line = f.detail.column = 0;
        complain(at + f.to_string() + hint_at_placeholder(f.detail.message));
        all = false;
        if (unfilled) break; // the rest belongs to the template
    }
    if (documents.empty()) complain(file + ": expected an object, got none");
    return all && !documents.empty();
}

object_meta const* manifest::metadata() const {
    if (type == nullptr) return nullptr;
    model::field const* const f = type->model->find("metadata");
    if (f == nullptr || f->type != &descriptor_of<object_meta>()) return nullptr;
    return static_cast<object_meta const*>(f->get_const(object.get()));
}

bool manifest::is_named() const {
    auto const* const m = metadata();
    return m != nullptr && !m->name.empty();
}

std::string manifest::identity(std::size_t number) const {
    auto const* const m = metadata();
    if (type == nullptr) return name;
    if (!is_named()) return type->kind() + " #" + std::to_string(number);
    return type->kind() + " " + (m->namespace_.empty() ? "" : m->namespace_ + "/") + m->name;
}

void manifest::make_canonical() {
    if (type == nullptr) return;
    detail::make_canonical(*type->model, object.get());
    if (type->model != &descriptor_of<mixed_list>()) return;
    for (auto& item : static_cast<mixed_list*>(object.get())->items)
        if (auto one = read_manifest(yaml_document(item.text, 1)); one && one->type != nullptr) { // read before
            one->make_canonical();
            item.text.clear();
            encode_json(*one->type->model, one->object.get(), item.text);
        }
}

namespace {

/// The text itself, if it has that format and may follow other documents.
std::string write_as_written(manifest const& one, std::string_view format) {
    if (format == "json") return one.json + "\n";
    auto const first = one.written.find_first_not_of(" \t\r\n");
    bool const plain =
        first != std::string::npos && std::string_view("{-%").find(one.written[first]) == std::string_view::npos;
    if (!plain) return to_yaml(raw_json(one.json));
    auto const last = one.written.find_last_not_of(" \t\r\n");
    return one.written.substr(0, last + 1) + "\n";
}

} // namespace

std::string manifest::write(std::string_view format) const {
    if (type == nullptr) return write_as_written(*this, format);
    std::string text;
    if (format == "json") {
        encode_json(*type->model, object.get(), text);
        text += '\n';
    } else {
        encode_yaml(*type->model, object.get(), text);
    }
    return text;
}

std::string place(std::string const& file, std::size_t line, std::size_t column) {
    std::string text = file == "-" ? "standard input" : file;
    if (line != 0) text += ":" + std::to_string(line);
    if (line != 0 && column != 0) text += ":" + std::to_string(column);
    return text + ": ";
}

std::string as_utf8(std::string_view name) {
    std::string text;
    for (auto bad = detail::find_invalid_utf8(name); bad != std::string_view::npos;
         bad = detail::find_invalid_utf8(name)) {
        text.append(name.substr(0, bad)).append("\uFFFD");
        name.remove_prefix(bad + 1);
    }
    return text.append(name);
}

bool flush_output() {
    std::cout.flush();
    return static_cast<bool>(std::cout);
}

} // namespace kftrain::cli
