#include "cli/cluster/connection/connection.hpp"
#include "cli/cluster/remote_command.hpp"
#include "cli/commands.hpp"
#include "cli/subcommands.hpp"

#include <kftrain/kube/api.hpp>
#include <kftrain/kube/blocking.hpp>
#include <kftrain/objects/apps/stateful_set.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <iostream>
#include <map>
#include <string_view>

namespace kftrain::cli {
namespace {

constexpr int kubectl_failed = 1;

/// The parsed arguments of a call.
struct kubectl_call {
    std::vector<std::string> operands; ///< the verb and its operands
    std::vector<std::string> command;
    std::string namespace_, container, output;
    bool input = false;
    bool tty = false;
    std::string fault;
};

kubectl_call read_call(std::vector<std::string> const& arguments) {
    kubectl_call c;
    std::map<std::string, std::string*, std::less<>> const values{{"-n", &c.namespace_}, {"--namespace", &c.namespace_},
                                                                  {"-c", &c.container},  {"--container", &c.container},
                                                                  {"-o", &c.output},     {"--output", &c.output}};
    std::map<std::string, bool*, std::less<>> const flags{
        {"-i", &c.input}, {"--stdin", &c.input}, {"-t", &c.tty}, {"--tty", &c.tty}};
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        auto const& argument = arguments[i];
        if (argument == "--") {
            c.command.assign(arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1, arguments.end());
            return c;
        }
        auto const equals = argument.find('=');
        auto const name = argument.starts_with("--") ? argument.substr(0, equals) : argument;
        if (auto const flag = flags.find(argument); flag != flags.end()) {
            *flag->second = true;
        } else if (argument == "-it" || argument == "-ti") {
            c.input = c.tty = true;
        } else if (auto const value = values.find(name); value != values.end()) {
            bool const within = argument.starts_with("--") && equals != std::string::npos;
            if (!within && i + 1 == arguments.size()) {
                c.fault = "flag needs an argument: " + argument;
                return c;
            }
            *value->second = within ? argument.substr(equals + 1) : arguments[++i];
        } else if (argument.starts_with("-")) {
            c.fault = "unknown flag: " + argument;
            return c;
        } else {
            c.operands.push_back(argument);
        }
    }
    return c;
}

int fail(failure const& f) {
    complain(f.to_string());
    return kubectl_failed;
}

template <class K> result<K> read(connection& c, std::string const& name) {
    kube::api<K> const objects(c.jobs().get_client(), c.jobs().get_namespace());
    diagnostics why;
    auto const how = kube::call_options().with_detail(why);
    return kube::run_blocking<K>(c.jobs().get_executor(), why,
                                 [&](auto h) { objects.async_get(name, how, std::move(h)); });
}

int exec(connection& c, kubectl_call const& call) {
    std::string name = call.operands.at(1);
    for (std::string_view const prefix : {"pod/", "pods/"})
        if (name.starts_with(prefix)) name.erase(0, prefix.size());
    remote_command what;
    what.namespace_ = c.jobs().get_namespace();
    what.pod = name;
    what.command = call.command;
    what.how.container = call.container;
    what.how.input = call.input;
    what.how.tty = call.tty;
    if (call.container.empty()) {
        auto const pod = read<core::pod>(c, name);
        if (!pod) return fail(pod.error());
        what.how.container = default_container(*pod);
    }
    auto const code = run_remote(c.context(), c.jobs().get_client(), what);
    return code ? *code : fail(code.error());
}

/// `jsonpath={.a.b}` of an object; a field that does not exist is empty.
std::optional<std::string> field_of(std::string const& object, std::string_view output) {
    constexpr std::string_view begin = "jsonpath={.";
    if (!output.starts_with(begin) || !output.ends_with('}')) return std::nullopt;
    output.remove_prefix(begin.size());
    output.remove_suffix(1);
    auto const tree = boost::json::parse(object);
    auto const* at = &tree;
    while (!output.empty()) {
        auto const dot = output.find('.');
        auto const name = output.substr(0, dot);
        output = dot == std::string_view::npos ? std::string_view() : output.substr(dot + 1);
        at = at->is_object() ? at->get_object().if_contains({name.data(), name.size()}) : nullptr;
        if (at == nullptr) return std::string();
    }
    return at->is_string() ? std::string(at->get_string()) : boost::json::serialize(*at);
}

template <class K> int get(connection& c, kubectl_call const& call) {
    auto const object = read<K>(c, call.operands.at(2));
    if (!object) return fail(object.error());
    auto const field = field_of(to_json(*object), call.output);
    if (!field) {
        complain("-o: expected jsonpath={.FIELD.FIELD}, got \"" + call.output + "\"");
        return kubectl_failed;
    }
    std::cout << *field;
    return success;
}

int run(connection& c, kubectl_call const& call) {
    auto const& operands = call.operands;
    bool const is_get = operands.size() == 3 && operands[0] == "get" && call.command.empty();
    if (operands.size() == 2 && operands[0] == "exec" && !call.command.empty()) return exec(c, call);
    if (is_get && (operands[1] == "pod" || operands[1] == "pods")) return get<core::pod>(c, call);
    if (is_get && operands[1].starts_with("statefulset")) return get<apps::stateful_set>(c, call);
    complain("as kubectl, kftrain supports only \"exec POD [-c CONTAINER] -- COMMAND...\" and \"get pod|statefulset "
             "NAME -o jsonpath={.FIELD}\"");
    return kubectl_failed;
}

} // namespace

int run_as_kubectl(int argc, char** argv) {
    auto const call = read_call(std::vector<std::string>(argv + 1, argv + argc));
    if (!call.fault.empty()) {
        complain(call.fault);
        return kubectl_failed;
    }
    connection_options where;
    where.namespace_ = call.namespace_;
    where.in_pod = true;
    auto const c = connection::open(where);
    return c ? run(*c, call) : kubectl_failed;
}

} // namespace kftrain::cli
