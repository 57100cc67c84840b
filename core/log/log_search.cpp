// Full-text search, and the stored results of claims.
#include <fmt/format.h>

#include <sstream>

#include "core/log/log_state.h"

namespace assay {
namespace {

// Each word as a quoted prefix, so that no letter of the user's is an operator of FTS5.
std::string match_expression(const std::string& words) {
  std::istringstream stream(words);
  std::string expression, word;
  while (stream >> word) {
    std::string quoted;
    for (const char letter : word) quoted += letter == '"' ? "\"\"" : std::string(1, letter);
    expression += fmt::format("\"{}\"* ", quoted);
  }
  return expression;
}

}  // namespace

std::vector<std::string> Log::search(const std::string& words, int limit) {
  const std::string expression = match_expression(words);
  if (expression.empty()) return {};
  return state_->read([&] {
    // A name counts more than a note, both more than a line of the log.
    SQLite::Statement select = state_->prepare(
        "WITH hit(run, score) AS MATERIALIZED ("
        "  SELECT * FROM (SELECT rowid, bm25(run_text, 8.0, 4.0) - 100.0 FROM run_text"
        "    WHERE run_text MATCH ?1 ORDER BY rank LIMIT 5000)"
        "  UNION ALL"
        "  SELECT event.run, line.score FROM (SELECT rowid AS id, bm25(event_text) AS score FROM "
        "    event_text WHERE event_text MATCH ?1 ORDER BY rank LIMIT 5000) AS line"
        "    JOIN event ON event.id = line.id)"
        " SELECT public_id FROM hit JOIN run ON run.id = hit.run WHERE run.trashed IS NULL"
        " GROUP BY run.id ORDER BY min(score), run.id DESC LIMIT ?2");
    select.bind(1, expression);
    select.bind(2, limit);
    std::vector<std::string> found;
    while (select.executeStep()) found.push_back(select.getColumn(0).getString());
    return found;
  });
}

void Log::store_claim(const StoredClaim& claim) {
  state_->write([&] {
    SQLite::Statement insert = state_->prepare(
        "INSERT INTO claim_result(plugin, claim, preset, time, result) VALUES (?, ?, ?, ?, ?)");
    insert.bind(1, claim.plugin);
    insert.bind(2, claim.claim);
    insert.bind(3, claim.preset);
    insert.bind(4, claim.time);
    insert.bind(5, claim.result.dump(-1, ' ', false, Json::error_handler_t::replace));
    insert.exec();
  });
}

std::vector<StoredClaim> Log::claims(const std::string& plugin) {
  return state_->read([&] {
    SQLite::Statement select = state_->prepare(
        "SELECT plugin, claim, preset, time, result FROM claim_result AS latest WHERE plugin = ? "
        "AND id = (SELECT id FROM claim_result AS other WHERE other.plugin = latest.plugin AND "
        "other.claim = latest.claim ORDER BY other.time DESC, other.id DESC LIMIT 1) "
        "ORDER BY claim");
    select.bind(1, plugin);
    std::vector<StoredClaim> claims;
    while (select.executeStep()) {
      StoredClaim claim;
      claim.plugin = select.getColumn(0).getString();
      claim.claim = select.getColumn(1).getString();
      claim.preset = select.getColumn(2).getString();
      claim.time = select.getColumn(3).getDouble();
      claim.result = Json::parse(select.getColumn(4).getString());
      claims.push_back(std::move(claim));
    }
    return claims;
  });
}

}  // namespace assay
