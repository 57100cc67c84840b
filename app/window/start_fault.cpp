// The log can't be opened: what is wrong and what to do.
#include "app/window/start_fault.h"

#include <QApplication>

#include "app/viewers/theme.h"
#include "app/window/widgets/looks.h"

namespace assay {

QString whatToDo(ErrorKind kind, const std::filesystem::path& logDirectory) {
  const QString folder = QString::fromStdString(logDirectory.string());
  switch (kind) {
    case ErrorKind::newer_version:
      return "Nothing was changed. Update Assay, or open another log with: assay --log DIR";
    case ErrorKind::unreadable:
      return "Nothing was changed. Put a backup in its place (assay.sqlite.backup-… in " + folder +
             ", if there is one), or begin a new log with: assay --log DIR";
    case ErrorKind::storage:
      return "Check that " + folder +
             " can be written by you and that the disk is not full, or open another log with: "
             "assay --log DIR";
    case ErrorKind::bad_input:
    case ErrorKind::not_found:
    case ErrorKind::failed:
      break;
  }
  return "Open another log with: assay --log DIR";
}

int showStartFault(const Error& error, const std::filesystem::path& logDirectory) {
  QWidget window;
  window.setObjectName("startFault");
  window.setWindowTitle("Assay");
  auto* column = new QVBoxLayout(&window);
  column->setContentsMargins(24, 24, 24, 20);
  column->setSpacing(8);
  column->addWidget(makeLabel("The experiment log can't be opened", "title"));
  QLabel* const reason = makeWrapped(QString::fromUtf8(error.what()));
  reason->setObjectName("startFaultReason");
  reason->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(reason);
  QLabel* const advice = makeWrapped(whatToDo(error.kind(), logDirectory), "soft");
  advice->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(advice);
  column->addSpacing(8);
  column->addStretch(1);
  QPushButton* const close = makeButton("Close", "startFaultClose", "primary");
  QObject::connect(close, &QPushButton::clicked, &window, &QWidget::close);
  column->addWidget(close, 0, Qt::AlignRight);
  window.resize(560, 240);
  window.show();
  QApplication::exec();
  return error.exit_code();
}

}  // namespace assay
