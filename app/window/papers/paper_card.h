// One paper in the gallery: picture, title, idea, state of its claims, "Try it".
#pragma once

#include <QFrame>

class QLabel;
class QSvgRenderer;

namespace assay {

struct Manifest;

// What the log says about a paper.
struct PaperState {
  std::int64_t runs = 0;
  int reproduced = 0;  // claims, of those in the manifest
  int checked = 0;
};

class PaperCard : public QFrame {
  Q_OBJECT
 public:
  explicit PaperCard(const Manifest& plugin, QWidget* parent = nullptr);
  void show(const PaperState& state);
  QString plugin() const { return id_; }

 signals:
  void opened(const QString& plugin);
  void tried(const QString& plugin);

 protected:
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void fillBroken(const Manifest& plugin);
  void fill(const Manifest& plugin);
  QString id_;
  bool usable_ = false;
  int claims_ = 0;
  QLabel* claimState_ = nullptr;
  QLabel* runs_ = nullptr;
};

}  // namespace assay
