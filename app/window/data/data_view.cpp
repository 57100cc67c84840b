// One data set or weight file in full.
#include "app/window/data/data_view.h"

#include <QGridLayout>

#include "app/viewers/theme.h"
#include "app/window/widgets/looks.h"

namespace assay {

DataView::DataView(QWidget* parent) : QFrame(parent) {
  setProperty("look", "card");
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(20, 16, 20, 16);
  column->setSpacing(6);
  auto* top = new QHBoxLayout;
  title_ = makeLabel({}, "heading", this);
  top->addWidget(title_, 1);
  remove_ = makeButton("Take off the list", "removeData", "quiet", this);
  remove_->setToolTip("The files stay where they are");
  top->addWidget(remove_);
  column->addLayout(top);
  help_ = makeWrapped({}, "soft", this);
  column->addWidget(help_);
  notice_ = new QFrame(this);
  notice_->setProperty("look", "notice");
  auto* noticeRow = new QHBoxLayout(notice_);
  noticeRow->setContentsMargins(12, 8, 8, 8);
  noticeText_ = makeWrapped({}, {}, notice_);
  noticeText_->setObjectName("dataNotice");
  noticeText_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  noticeRow->addWidget(noticeText_, 1);
  again_ = makeButton("Look again", "lookAgain", {}, notice_);
  noticeRow->addWidget(again_, 0, Qt::AlignTop);
  column->addWidget(notice_);
  factsPlace_ = new QWidget(this);
  facts_ = new QGridLayout(factsPlace_);
  facts_->setContentsMargins(0, 6, 0, 6);
  facts_->setHorizontalSpacing(16);
  facts_->setVerticalSpacing(6);
  facts_->setColumnStretch(1, 1);
  column->addWidget(factsPlace_);
  preview_ = new QLabel(this);
  preview_->setObjectName("dataPreview");
  preview_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  preview_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
  column->addWidget(preview_, 1);
  details_ = makeLabel({}, {}, this);
  details_->setFont(Theme::monospace());
  details_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(details_);
  connect(remove_, &QPushButton::clicked, this, [this] { emit removeAsked(path_); });
  connect(again_, &QPushButton::clicked, this, [this] { emit lookAsked(path_); });
  showNothing();
}

void DataView::clearFacts() {
  clearLayout(facts_);
  notice_->hide();
  details_->hide();
  image_ = {};
  preview_->clear();
}

void DataView::showNothing() {
  clearFacts();
  title_->setText("No data yet");
  help_->setText("Add a file or folder to see what is in it.");
  remove_->hide();
}

void DataView::showLooking(const DataEntry& entry) {
  clearFacts();
  path_ = entry.path;
  title_->setText(entry.title);
  help_->setText("Reading…");
  remove_->setVisible(entry.added);
}

void DataView::addFact(const QString& name, const QString& value, bool fixedWidth) {
  if (value.isEmpty()) return;
  const int row = facts_->rowCount();
  QLabel* const label = makeLabel(name, "soft", factsPlace_);
  QLabel* const text = makeWrapped(value, {}, factsPlace_);
  text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  if (fixedWidth) text->setFont(Theme::monospace());
  facts_->addWidget(label, row, 0, Qt::AlignTop);
  facts_->addWidget(text, row, 1);
}

void DataView::showMissing(const DataEntry& entry) {
  setLook(notice_, "tone", "caution");
  QString text = entry.path.isEmpty() ? "No place is known for it." : "Not found: " + entry.path;
  if (!entry.howToGet.isEmpty()) text += "\nHow to get it: " + entry.howToGet;
  noticeText_->setText(text);
  notice_->show();
}

void DataView::show(const DataEntry& entry, const DataFacts& facts, const QString& checksum) {
  clearFacts();
  path_ = entry.path;
  title_->setText(entry.title);
  help_->setText(entry.help);
  help_->setVisible(!entry.help.isEmpty());
  remove_->setVisible(entry.added);
  if (!facts.exists) showMissing(entry);
  if (!facts.problem.isEmpty()) {
    setLook(notice_, "tone", "bad");
    noticeText_->setText(facts.problem);
    notice_->show();
  }
  if (facts.exists) {
    addFact("Where", entry.path);
    addFact("Kind", facts.kind);
    addFact("Holds", facts.count);
    addFact("Size", bytesText(facts.bytes));
    addFact("SHA-256", checksum.isEmpty() ? "computing…" : checksum, true);
    if (!entry.checksum.isEmpty() && !checksum.isEmpty() && checksum != entry.checksum) {
      addFact("Recorded", entry.checksum + " (a run read another version of this file)", true);
    }
  }
  addFact("Licence", entry.licence);
  addFact("Used by", entry.papers.join(", "));
  image_ = facts.preview;
  showPreview();
  details_->setText(facts.details);
  details_->setVisible(!facts.details.isEmpty());
}

// Enlarged by whole factors without smoothing: small images show their pixels.
void DataView::showPreview() {
  if (image_.isNull()) return;
  const qreal ratio = devicePixelRatioF();
  const QSize room = preview_->size() * ratio;
  if (room.width() < 16 || room.height() < 16) return;
  const int factor = qMin(room.width() / image_.width(), room.height() / image_.height());
  QImage shown = factor >= 1 ? image_.scaled(image_.size() * qMin(factor, 4), Qt::KeepAspectRatio)
                             : image_.scaled(room, Qt::KeepAspectRatio, Qt::SmoothTransformation);
  QPixmap pixmap = QPixmap::fromImage(shown);
  pixmap.setDevicePixelRatio(ratio);
  preview_->setPixmap(pixmap);
}

void DataView::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  showPreview();
}

}  // namespace assay
