#include "app/runner/explore_server.h"

#include <fmt/core.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "core/base/error.h"
#include "core/engine/failure.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void socket_fault(const fs::path& path, const char* what) {
  throw Error(ErrorKind::storage,
              fmt::format("{}: {}: {}", path.string(), what, std::strerror(errno)));
}

sockaddr_un address_of(const fs::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string text = path.string();
  if (text.empty() || text.size() >= sizeof address.sun_path) {
    throw Error(ErrorKind::bad_input, fmt::format("socket: {} has {} characters; allowed: 1 to {}",
                                                  text, text.size(), sizeof address.sun_path - 1));
  }
  std::memcpy(address.sun_path, text.data(), text.size());
  return address;
}

int wait_for(std::vector<pollfd>& waiting) {
  int ready = 0;
  do {
    ready = poll(waiting.data(), waiting.size(), -1);
  } while (ready < 0 && errno == EINTR);
  return ready;
}

// JSON to a value of the argument's type; what doesn't fit is left to check_value to refuse.
Value value_from(const ParameterSpec& spec, const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer() && spec.type != ParameterType::real) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  if (json.is_array()) {
    std::vector<double> reals;
    std::vector<std::string> texts;
    for (const Json& item : json) {
      if (item.is_number()) reals.push_back(item.get<double>());
      if (item.is_string()) texts.push_back(item.get<std::string>());
    }
    if (spec.element == ParameterType::text && texts.size() == json.size()) return texts;
    if (spec.element != ParameterType::text && reals.size() == json.size()) return reals;
  }
  return json.dump();
}

}  // namespace

ParameterSet explore_arguments(const ExplorableSpec& explorable, const Json& arguments) {
  ExperimentSpec spec;  // the same rules as for an experiment's parameters
  spec.id = explorable.id;
  spec.parameters = explorable.parameters;
  ParameterSet set;
  std::string problems;
  const auto note = [&problems](const std::string& line) {
    problems += (problems.empty() ? "" : "; ") + line;
  };
  for (const ParameterSpec& parameter : spec.parameters) {
    set.set(parameter.key, parameter.default_value, Origin::default_value);
  }
  for (const auto& [key, json] : arguments.items()) {
    const ParameterSpec* const parameter = spec.parameter(key);
    if (parameter == nullptr) {
      std::string known;
      for (const auto& [name, value] : set.all()) known += (known.empty() ? "" : ", ") + name;
      note(fmt::format("{}: unknown argument; allowed: {}", key, known));
      continue;
    }
    const Checked checked = check_value(*parameter, value_from(*parameter, json));
    if (checked.problem) note(checked.problem->message());
    if (checked.value) set.set(key, *checked.value, Origin::set);
  }
  if (!problems.empty()) throw Error(ErrorKind::bad_input, problems);
  return set;
}

ExploreServer::ExploreServer(const Manifest& manifest, Plugin& plugin, const fs::path& path)
    : manifest_(manifest), plugin_(plugin), path_(path) {
  const sockaddr_un final_address = address_of(path_);
  static_cast<void>(final_address);
  // Bound under another name and renamed once it listens: a client that sees the file is never
  // refused.
  const fs::path hidden = path_.string() + ".new";
  const sockaddr_un address = address_of(hidden);
  unlink(hidden.c_str());
  listener_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener_ < 0) socket_fault(path_, "can't make a socket");
  const bool listening =
      bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      listen(listener_, 1) == 0 && rename(hidden.c_str(), path_.c_str()) == 0;
  if (listening) return;
  const int reason = errno;
  close(listener_);
  unlink(hidden.c_str());
  errno = reason;
  socket_fault(path_, "can't listen there");
}

ExploreServer::~ExploreServer() {
  if (client_ >= 0) close(client_);
  if (listener_ >= 0) close(listener_);
  unlink(path_.c_str());
}

void ExploreServer::serve(bool until_input_closes) {
  while (true) {
    std::vector<pollfd> waiting = {{client_ >= 0 ? client_ : listener_, POLLIN, 0}};
    if (until_input_closes) waiting.push_back({STDIN_FILENO, POLLIN, 0});
    if (wait_for(waiting) < 0) socket_fault(path_, "can't wait for requests");
    if (until_input_closes && waiting[1].revents != 0) {
      std::array<char, 256> ignored{};
      if (read(STDIN_FILENO, ignored.data(), ignored.size()) <= 0) return;
    }
    if (waiting[0].revents == 0) continue;
    if (client_ < 0) {
      client_ = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      continue;
    }
    if (!read_more() || !answer_all()) return;
  }
}

bool ExploreServer::read_more() {
  std::array<std::uint8_t, 65536> part{};
  const ssize_t count = recv(client_, part.data(), part.size(), 0);
  if (count < 0 && errno == EINTR) return true;
  if (count <= 0) return false;
  buffer_.insert(buffer_.end(), part.begin(), part.begin() + count);
  return true;
}

bool ExploreServer::answer_all() {
  while (true) {
    const std::size_t before = buffer_.size();
    try {
      const auto request = take_request(buffer_);
      if (!request) return true;
      if (!send(answer(*request))) return false;
    } catch (const Error& fault) {
      if (!send({0, 0.0, {}, fault.what()})) return false;
      // A damaged frame was taken off; one over the limit can't be skipped.
      if (buffer_.size() == before) return false;
    }
  }
}

ExploreAnswer ExploreServer::answer(const ExploreRequest& request) {
  ExploreAnswer answer;
  answer.id = request.id;
  try {
    const ExplorableSpec* spec = nullptr;
    for (const ExplorableSpec& candidate : manifest_.explorables) {
      if (candidate.id == request.explorable) spec = &candidate;
    }
    if (spec == nullptr) {
      throw Error(ErrorKind::not_found, fmt::format("plugin {} has no explorable '{}'",
                                                    manifest_.id, request.explorable));
    }
    const ParameterSet arguments = explore_arguments(*spec, request.arguments);
    auto& explorable = explorables_[spec->id];
    if (!explorable) explorable = plugin_.make_explorable(spec->id);
    if (!explorable) {
      throw Error(ErrorKind::failed, fmt::format("plugin {} has no explorable '{}' in its library",
                                                 manifest_.id, spec->id));
    }
    const auto start = std::chrono::steady_clock::now();
    answer.answer = explorable->answer(arguments);
    answer.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  } catch (...) {
    answer.error = describe_failure(std::current_exception(), true).reason;
  }
  return answer;
}

bool ExploreServer::send(const ExploreAnswer& answer) {
  std::vector<std::uint8_t> frame;
  try {
    frame = encode(answer);
  } catch (const std::exception& fault) {  // over the limit, or text that is no UTF-8
    frame = encode(ExploreAnswer{answer.id, 0.0, {}, fault.what()});
  }
  std::size_t sent = 0;
  while (sent < frame.size()) {
    const ssize_t count = ::send(client_, frame.data() + sent, frame.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

}  // namespace assay
