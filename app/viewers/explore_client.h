// Talks to one `assay-run serve`: starts it, asks, survives its crash, starts it again.
#pragma once

#include <QObject>
#include <QString>
#include <memory>

#include "core/engine/explore_protocol.h"

namespace assay {

class ExploreClient : public QObject {
  Q_OBJECT
 public:
  // `runner`: path of assay-run. The server starts at the first question.
  ExploreClient(QString runner, QString pluginId, QObject* parent = nullptr);
  ~ExploreClient() override;

  // One question may be under way; a newer one for the same explorable replaces the one waiting, so
  // a dragged slider never builds a backlog.
  void ask(const QString& explorable, const Json& arguments);
  bool busy() const;                   // something is asked and not yet answered
  double latencyMilliseconds() const;  // of the last answer, round trip
  double answersPerSecond() const;     // over the last second

 signals:
  void answered(const QString& explorable, const assay::Answer& answer);
  void failed(const QString& explorable, const QString& message);
  void serverStateChanged(
      const QString& state);  // "starting", "ready", "restarting", "failed: ..."

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay
