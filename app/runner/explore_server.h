// Answers a plugin's explorables to one client over a Unix domain socket.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/engine/explore_protocol.h"
#include "core/study/manifest.h"

namespace assay {

// From a request's arguments to a complete, checked set; missing ones get their defaults. Throws
// Error(bad_input) naming every unknown key and refused value.
ParameterSet explore_arguments(const ExplorableSpec& explorable, const Json& arguments);

class ExploreServer {
 public:
  // Listens at once: whoever finds the socket's file can connect. Throws storage, or bad_input for
  // a path that is too long for a socket.
  ExploreServer(const Manifest& manifest, Plugin& plugin, const std::filesystem::path& path);
  ~ExploreServer();  // removes the socket's file
  ExploreServer(const ExploreServer&) = delete;
  ExploreServer& operator=(const ExploreServer&) = delete;

  // Until the client disconnects or, where asked for, standard input closes.
  void serve(bool until_input_closes);

 private:
  bool read_more();  // false: the client is gone
  // Answers everything that is complete; false when the connection can't go on.
  bool answer_all();
  ExploreAnswer answer(const ExploreRequest& request);
  bool send(const ExploreAnswer& answer);

  const Manifest& manifest_;
  Plugin& plugin_;
  std::filesystem::path path_;
  int listener_ = -1;
  int client_ = -1;
  std::vector<std::uint8_t> buffer_;
  std::map<std::string, std::unique_ptr<Explorable>> explorables_;
};

}  // namespace assay
