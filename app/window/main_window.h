// The main window: header, rail, pages, queue bar, messages.
#pragma once

#include <QWidget>
#include <memory>

namespace assay {

class Page;
class Workbench;

class MainWindow : public QWidget {
  Q_OBJECT
 public:
  explicit MainWindow(Workbench& workbench, QWidget* parent = nullptr);
  ~MainWindow() override;

  // Shows a page ("papers", "run", ...), made when first shown.
  void openPage(const QString& page, const QStringList& arguments);
  QString currentPage() const;
  Page* page(const QString& name);  // made when missing
  // Off for tests and screenshots: closing then asks nothing.
  void setAsksOnClose(bool asks);

 signals:
  void firstPainted();

 protected:
  void closeEvent(QCloseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void makeShortcuts();
  void markRail(const QString& page, const QStringList& arguments);
  void noteOpened(const QString& publicId);
  void showOpenRuns();
  void refresh();
  void toggleQueue();
  bool mayClose();

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay
