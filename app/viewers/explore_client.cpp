// See explore_client.h; the protocol is in core/engine/explore_protocol.h.
#include "app/viewers/explore_client.h"

#include <QElapsedTimer>
#include <QFile>
#include <QLocalSocket>
#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <deque>
#include <optional>
#include <vector>

#include "core/base/error.h"

namespace assay {
namespace {

constexpr int connect_milliseconds = 40;  // between two tries while the server loads
constexpr int first_pause_milliseconds = 250;
constexpr int longest_pause_milliseconds = 8000;
constexpr int tries_of_one_question = 2;  // one that ends the server twice is not asked again
constexpr int most_starts = 6;            // in a row without a single answer

struct Question {
  QString explorable;
  Json arguments;
  int tries = 0;
};

}  // namespace

struct ExploreClient::State {
  QString runner, plugin;
  QTemporaryDir folder;
  QString socket_path;
  QProcess process;
  QLocalSocket socket;
  QTimer connecting, pause;
  std::vector<std::uint8_t> buffer;
  std::deque<Question> waiting;
  std::optional<Question> asked;
  std::int64_t next_id = 1, asked_id = 0;
  QElapsedTimer since_asked, clock;
  double latency = 0.0;
  std::deque<qint64> answer_times;
  int starts = 0;
  bool closing = false;
  QString state;
};

namespace {

// The last line of what the server said before it went: usually the reason.
QString last_line(const QByteArray& text) {
  const QStringList lines = QString::fromUtf8(text).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
  return lines.isEmpty() ? QString() : lines.last().trimmed();
}

}  // namespace

ExploreClient::ExploreClient(QString runner, QString pluginId, QObject* parent)
    : QObject(parent), state_(std::make_unique<State>()) {
  State& s = *state_;
  s.runner = std::move(runner);
  s.plugin = std::move(pluginId);
  s.socket_path = s.folder.filePath(QStringLiteral("explore"));
  s.clock.start();
  s.connecting.setInterval(connect_milliseconds);
  s.pause.setSingleShot(true);
  s.process.setProcessChannelMode(QProcess::SeparateChannels);

  const auto set_state = [this](const QString& text) {
    if (state_->state == text) return;
    state_->state = text;
    emit serverStateChanged(text);
  };
  const auto start = [this, set_state]() {
    State& st = *state_;
    if (st.process.state() != QProcess::NotRunning) return;
    ++st.starts;
    st.buffer.clear();
    QFile::remove(st.socket_path);
    set_state(st.starts > 1 ? tr("restarting") : tr("starting"));
    st.process.start(st.runner, {QStringLiteral("serve"), st.plugin, QStringLiteral("--socket"),
                                 st.socket_path, QStringLiteral("--until-input-closes")});
    st.connecting.start();
  };
  const auto send = [this, start]() {
    State& st = *state_;
    if (st.asked || st.waiting.empty()) return;
    if (st.socket.state() != QLocalSocket::ConnectedState) {
      if (!st.pause.isActive()) start();
      return;
    }
    st.asked = std::move(st.waiting.front());
    st.waiting.pop_front();
    ++st.asked->tries;
    st.asked_id = st.next_id++;
    const ExploreRequest request{st.asked_id, st.asked->explorable.toStdString(),
                                 st.asked->arguments};
    const std::vector<std::uint8_t> bytes = encode(request);
    st.since_asked.start();
    st.socket.write(reinterpret_cast<const char*>(bytes.data()), static_cast<qint64>(bytes.size()));
  };
  connect(&s.connecting, &QTimer::timeout, this, [this]() {
    State& st = *state_;
    if (st.socket.state() != QLocalSocket::UnconnectedState) return;
    if (QFile::exists(st.socket_path)) st.socket.connectToServer(st.socket_path);
  });
  connect(&s.socket, &QLocalSocket::connected, this, [this, set_state, send]() {
    state_->connecting.stop();
    set_state(tr("ready"));
    send();
  });
  connect(&s.pause, &QTimer::timeout, this, [send]() { send(); });

  // The server went, or never came: what was under way is asked again, unless it seems to be why.
  const auto lost = [this, set_state](const QString& reason) {
    State& st = *state_;
    if (st.closing) return;
    st.connecting.stop();
    st.socket.abort();
    st.buffer.clear();
    if (st.asked) {
      Question question = std::move(*st.asked);
      st.asked.reset();
      const bool newer = std::any_of(
          st.waiting.begin(), st.waiting.end(),
          [&question](const Question& q) { return q.explorable == question.explorable; });
      if (question.tries >= tries_of_one_question) {
        emit failed(question.explorable,
                    tr("The server ended while it answered this: %1").arg(reason));
      } else if (!newer) {
        st.waiting.push_front(std::move(question));
      }
    }
    if (st.starts >= most_starts) {
      const QString text = tr("The server can't be started: %1").arg(reason);
      set_state(tr("failed: %1").arg(reason));
      std::deque<Question> waiting;
      waiting.swap(st.waiting);
      for (const Question& question : waiting) emit failed(question.explorable, text);
      st.starts = 0;  // the next question may try again
      return;
    }
    set_state(tr("restarting"));
    st.pause.start(std::min(longest_pause_milliseconds,
                            first_pause_milliseconds << std::max(0, st.starts - 1)));
  };
  connect(&s.process, &QProcess::finished, this,
          [this, lost](int code, QProcess::ExitStatus status) {
            const QString said = last_line(state_->process.readAllStandardError());
            const QString how = status == QProcess::CrashExit
                                    ? tr("it crashed")
                                    : tr("it ended with exit code %1").arg(code);
            lost(said.isEmpty() ? how : said);
          });
  connect(&s.process, &QProcess::errorOccurred, this, [this, lost](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) {
      lost(tr("%1: %2").arg(state_->runner, state_->process.errorString()));
    }
  });
  connect(&s.process, &QProcess::readyReadStandardOutput, this,
          [this]() { state_->process.readAllStandardOutput(); });

  connect(&s.socket, &QLocalSocket::readyRead, this, [this, send]() {
    State& st = *state_;
    const QByteArray bytes = st.socket.readAll();
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.constData());
    st.buffer.insert(st.buffer.end(), data, data + bytes.size());
    try {
      while (std::optional<ExploreAnswer> answer = take_answer(st.buffer)) {
        if (!st.asked || answer->id != st.asked_id) continue;
        const QString explorable = st.asked->explorable;
        st.asked.reset();
        st.starts = 1;
        st.latency = static_cast<double>(st.since_asked.nsecsElapsed()) * 1e-6;
        st.answer_times.push_back(st.clock.elapsed());
        send();  // the server works on while this one is drawn
        if (answer->error.empty())
          emit answered(explorable, answer->answer);
        else
          emit failed(explorable, QString::fromStdString(answer->error));
      }
    } catch (const Error& error) {
      // Nothing after a damaged frame can be trusted: a new server, a new stream.
      const QString text = QString::fromUtf8(error.what());
      if (st.asked) emit failed(st.asked->explorable, text);
      st.asked.reset();
      st.process.kill();
    }
  });
}

ExploreClient::~ExploreClient() {
  State& s = *state_;
  s.closing = true;
  disconnect(&s.process, nullptr, this, nullptr);
  disconnect(&s.socket, nullptr, this, nullptr);
  s.socket.abort();
  if (s.process.state() == QProcess::NotRunning) return;
  s.process.closeWriteChannel();  // how the server is told to go
  if (!s.process.waitForFinished(300)) {
    s.process.kill();
    s.process.waitForFinished(1000);
  }
}

void ExploreClient::ask(const QString& explorable, const Json& arguments) {
  State& s = *state_;
  const auto same = std::find_if(s.waiting.begin(), s.waiting.end(), [&](const Question& question) {
    return question.explorable == explorable;
  });
  if (same != s.waiting.end()) {
    same->arguments = arguments;
    same->tries = 0;
  } else {
    s.waiting.push_back({explorable, arguments, 0});
  }
  if (!s.asked && !s.pause.isActive()) s.pause.start(0);
}

bool ExploreClient::busy() const { return state_->asked.has_value() || !state_->waiting.empty(); }

double ExploreClient::latencyMilliseconds() const {
  return state_->latency;
}

double ExploreClient::answersPerSecond() const {
  std::deque<qint64>& times = state_->answer_times;
  const qint64 now = state_->clock.elapsed();
  while (!times.empty() && now - times.front() > 1000) times.pop_front();
  return static_cast<double>(times.size());
}

}  // namespace assay
