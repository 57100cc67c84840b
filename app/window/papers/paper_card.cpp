// One paper in the gallery.
#include "app/window/papers/paper_card.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QSvgRenderer>

#include "app/viewers/theme.h"
#include "app/window/widgets/looks.h"
#include "core/study/manifest.h"

namespace assay {
namespace {

constexpr int pictureHeight = 122;
constexpr int pictureMargin = 14;

// The plugin's icon.svg; a card without one shows the line icon of papers.
class CardPicture : public QFrame {
 public:
  CardPicture(const QString& file, QWidget* parent) : QFrame(parent), renderer_(file) {
    setProperty("look", "picture");
    setFixedHeight(pictureHeight);
  }

 protected:
  void paintEvent(QPaintEvent* event) override {
    QFrame::paintEvent(event);
    QPainter painter(this);
    const QRectF room =
        QRectF(rect()).adjusted(pictureMargin, pictureMargin, -pictureMargin, -pictureMargin);
    if (!renderer_.isValid()) {
      const QIcon icon = Theme::of().icon("papers", Theme::of().tokens().faint);
      icon.paint(&painter, QRectF(room.center() - QPointF(16, 16), QSizeF(32, 32)).toRect());
      return;
    }
    const QSizeF size = QSizeF(renderer_.defaultSize()).scaled(room.size(), Qt::KeepAspectRatio);
    const QPointF corner(room.center().x() - size.width() / 2.0,
                         room.center().y() - size.height() / 2.0);
    renderer_.render(&painter, QRectF(corner, size));
  }

 private:
  QSvgRenderer renderer_;
};

}  // namespace

PaperCard::PaperCard(const Manifest& plugin, QWidget* parent)
    : QFrame(parent),
      id_(QString::fromStdString(plugin.id)),
      usable_(plugin.fault.empty()),
      claims_(static_cast<int>(plugin.claims.size())) {
  setProperty("look", "card");
  setObjectName("card_" + id_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(1, 1, 1, 1);
  column->setSpacing(0);
  const auto picture = plugin.folder / "icon.svg";
  column->addWidget(new CardPicture(usable_ && std::filesystem::exists(picture)
                                        ? QString::fromStdString(picture.string())
                                        : QString(),
                                    this));
  if (usable_) {
    fill(plugin);
  } else {
    fillBroken(plugin);
  }
}

void PaperCard::fill(const Manifest& plugin) {
  const QString title = QString::fromStdString(plugin.title);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName("Paper " + title);
  setCursor(Qt::PointingHandCursor);
  auto* text = new QVBoxLayout;
  text->setContentsMargins(14, 12, 12, 12);
  text->setSpacing(4);
  text->addWidget(makeLabel(title, "heading", this));
  text->addWidget(makeProse(QString::fromStdString(plugin.idea), "soft", this));
  text->addStretch(1);
  text->addSpacing(6);
  auto* row = new QHBoxLayout;
  row->setSpacing(4);
  claimState_ = makePill(" ", {}, this);
  runs_ = makePill(" ", {}, this);
  row->addWidget(claimState_);
  row->addWidget(runs_);
  row->addStretch(1);
  if (!plugin.try_it.empty()) {
    QPushButton* const tryIt = makeButton("Try it", "try_" + id_, {}, this);
    tryIt->setToolTip("Runs a quick experiment and shows it live");
    connect(tryIt, &QPushButton::clicked, this, [this] { emit tried(id_); });
    row->addWidget(tryIt);
  }
  text->addLayout(row);
  static_cast<QVBoxLayout*>(layout())->addLayout(text, 1);
}

void PaperCard::fillBroken(const Manifest& plugin) {
  const QString title = QString::fromStdString(plugin.title.empty() ? plugin.id : plugin.title);
  setAccessibleName("Paper " + title + ", can't be used");
  auto* text = new QVBoxLayout;
  text->setContentsMargins(14, 12, 14, 14);
  text->setSpacing(4);
  QLabel* const heading = makeLabel(title, "heading", this);
  heading->setEnabled(false);
  text->addWidget(heading);
  QLabel* const fault = makeWrapped(QString::fromStdString(plugin.fault), "faint", this);
  fault->setTextInteractionFlags(Qt::TextSelectableByMouse);
  fault->setObjectName("fault_" + id_);
  text->addWidget(fault);
  text->addStretch(1);
  text->addWidget(makePill("can't be used", "bad", this));
  static_cast<QVBoxLayout*>(layout())->addLayout(text, 1);
}

void PaperCard::show(const PaperState& state) {
  if (!usable_) return;
  runs_->setText(plural(state.runs, "run", "runs"));
  if (claims_ == 0) {
    claimState_->setText("no claims");
  } else if (state.checked == 0) {
    claimState_->setText("claims not checked");
  } else {
    claimState_->setText(QString("%1 of %2 claims reproduced").arg(state.reproduced).arg(claims_));
  }
  setLook(claimState_, "tone", state.reproduced > 0 ? "good" : "");
}

void PaperCard::enterEvent(QEnterEvent* event) {
  QFrame::enterEvent(event);
  if (usable_) setLook(this, "hover", true);
}

void PaperCard::leaveEvent(QEvent* event) {
  QFrame::leaveEvent(event);
  if (usable_) setLook(this, "hover", false);
}

void PaperCard::mouseReleaseEvent(QMouseEvent* event) {
  if (usable_ && event->button() == Qt::LeftButton && rect().contains(event->pos())) {
    emit opened(id_);
  }
}

void PaperCard::keyPressEvent(QKeyEvent* event) {
  const int key = event->key();
  if (usable_ && (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space)) {
    emit opened(id_);
  } else {
    QFrame::keyPressEvent(event);
  }
}

}  // namespace assay
