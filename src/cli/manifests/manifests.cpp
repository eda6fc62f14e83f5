#include "cli/manifests/manifests.hpp"

#include "base/read_stream.hpp"
#include "base/utf8.hpp"
#include "cli/commands.hpp"
#include "cli/manifests/manifest_hints.hpp"

#include <kftrain/kinds/documents.hpp>
#include <kftrain/model/detail/descriptor_table.hpp>
#include <kftrain/model/reflect.hpp>

#include <fstream>
#include <iostream>

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
    failure f = unknown_job(type);
    f.detail.path.clear();
    f.detail.message = type.api_version.empty() && type.kind.empty() ? "expected apiVersion and kind, got neither"
                                                                     : f.detail.message + conversion_hint(type);
    return f;
}

failure too_deep() {
    failure f;
    f.code = errc::too_deep;
    f.detail.path = "items";
    f.detail.message = "expected at most " + std::to_string(deepest_list) + " nested lists";
    return f;
}

/// The failure with its place in the whole document.
failure placed(document& object, failure f) {
    if (f.detail.line == 0) {
        auto const at = object.find(f.detail.path);
        f.detail.line = at.line;
        f.detail.column = at.column;
    }
    f.detail.path = object.path_of(f.detail.path);
    return f;
}

/// Reads an object that is nested in `lists` lists.
result<manifest> read_within(std::size_t lists, document& object) {
    auto const type = object.type();
    if (!type) return placed(object, type.error());
    manifest read;
    read.type = find_type(type->api_version, type->kind);
    if (read.type == nullptr) {
        if (role_of(*type) == document_role::mistaken) return placed(object, unknown(*type));
        read.unknown = other_document(*type, object);
        read.written = object.text();
        return read;
    }
    if (read.type->info->list && lists == deepest_list) return placed(object, too_deep());
    read.object = read.type->make();
    if (auto r = object.decode_losslessly(*read.type->model, read.object.get()); !r) return placed(object, r.error());
    if (read.type->model != &descriptor_of<mixed_list>()) return read;
    auto items = object.items();
    if (!items) return placed(object, items.error());
    for (auto& item : *items) {
        auto one = read_within(lists + 1, item);
        if (!one) return one;
        read.items.push_back(*std::move(one));
    }
    static_cast<mixed_list*>(read.object.get())->items.clear();
    return read;
}

model::field const& items_field(object_type const& list) { return *list.model->find("items"); }

/// The items of a list; each gets apiVersion and kind.
std::vector<manifest> items_of(manifest& list) {
    if (list.type->model == &descriptor_of<mixed_list>()) return std::move(list.items);
    auto const& f = items_field(*list.type);
    void const* const items = f.get_const(list.object.get());
    std::vector<manifest> all(f.type->size(items));
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].type = find_type(list.type->info->api_version(), list.type->info->kind);
        all[i].object = all[i].type->copy(f.type->at(items, i));
    }
    return all;
}

void append_without_lists(manifest one, std::vector<manifest>& out) {
    if (one.type == nullptr || !one.type->info->list) return out.push_back(std::move(one));
    auto items = items_of(one);
    auto const& f = items_field(*one.type);
    f.type->reset(f.get(one.object.get()));
    if (!equal(*one.type->model, one.object.get(), one.type->make().get())) {
        one.items.clear();
        out.push_back(std::move(one));
    }
    for (auto& item : items) append_without_lists(std::move(item), out);
}

/// The text itself, if it has that format and may follow other documents.
std::string write_as_written(std::string const& written, std::string const& json) {
    auto const first = written.find_first_not_of(" \t\r\n");
    bool const plain =
        first != std::string::npos && std::string_view("{-%").find(written[first]) == std::string_view::npos;
    if (!plain) return to_yaml(raw_json(json));
    return written.substr(0, written.find_last_not_of(" \t\r\n") + 1) + "\n";
}

/// The list with its items.
mixed_list whole_list(manifest const& list) {
    auto whole = *static_cast<mixed_list const*>(list.object.get());
    for (auto const& item : list.items) whole.items.emplace_back(item.to_json());
    return whole;
}

} // namespace

result<std::string> read_text(std::string const& file) {
    errno = 0;
    if (file == "-") return text_of(std::cin, "standard input");
    std::ifstream in(file, std::ios::binary);
    return text_of(in, file);
}

other_document::other_document(document_type t, document& object) : type(std::move(t)), line(object.find("").line) {
    if (line == 0) line = object.first_line();
    auto const names = object.names();
    name = names.name.empty() ? names.generate_name : names.name;
    if (auto text = object.decode<raw_json>()) json = std::move(text->text);
}

std::string other_document::to_string() const { return type.kind + (name.empty() ? "" : " " + name); }

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
    if (type == nullptr) return unknown.to_string();
    if (!is_named()) return type->kind() + " #" + std::to_string(number);
    return type->kind() + " " + (m->namespace_.empty() ? "" : m->namespace_ + "/") + m->name;
}

std::string manifest::to_json() const {
    if (type == nullptr) return unknown.json;
    if (!items.empty()) return kftrain::to_json(whole_list(*this));
    std::string text;
    encode_json(*type->model, object.get(), text);
    return text;
}

std::string manifest::write(std::string_view format) const {
    if (format == "json") return to_json() + "\n";
    if (type == nullptr) return write_as_written(written, unknown.json);
    if (!items.empty()) return to_yaml(whole_list(*this));
    std::string text;
    encode_yaml(*type->model, object.get(), text);
    return text;
}

void manifest::make_canonical() {
    if (type != nullptr) kftrain::make_canonical(*type->model, object.get());
    for (auto& item : items) item.make_canonical();
}

result<manifest> read_manifest(document text) { return read_within(0, text); }

std::vector<manifest> without_lists(std::vector<manifest> all) {
    std::vector<manifest> out;
    for (auto& one : all) append_without_lists(std::move(one), out);
    return out;
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
