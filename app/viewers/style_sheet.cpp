// The one style sheet of the window, made from the tokens.
#include "app/viewers/style_sheet.h"

namespace assay {
namespace {

// @name in the text below stands for a token or a mixture of tokens.
QString withTokens(QString text, ThemeKind kind) {
  const ThemeTokens& t = Theme::tokens(kind);
  const auto put = [&text](const char* name, const QColor& color) {
    text.replace(QString("@%1;").arg(name), color.name() + ";");
  };
  put("background", t.background);
  put("panel", t.panel);
  put("rail", t.rail);
  put("ink", t.ink);
  put("soft", t.soft);
  put("faint", t.faint);
  put("line", t.line);
  put("accent", t.accent);
  put("accentBackground", t.accentBackground);
  put("onAccent", t.onAccent);
  put("good", t.good);
  put("caution", t.caution);
  put("bad", t.bad);
  put("field", kind == ThemeKind::dark ? mixed(t.panel, t.background, 0.5) : t.panel);
  put("hover", mixed(t.panel, t.ink, 0.05));
  put("press", mixed(t.panel, t.ink, 0.09));
  put("railHover", mixed(t.rail, t.ink, 0.05));
  put("accentHover", mixed(t.accent, t.ink, 0.12));
  put("accentPress", mixed(t.accent, t.ink, 0.22));
  put("edge", mixed(t.line, t.ink, 0.10));
  put("handle", mixed(t.panel, t.ink, 0.22));
  put("handleHover", mixed(t.panel, t.ink, 0.36));
  put("goodBackground", mixed(t.panel, t.good, 0.10));
  put("cautionBackground", mixed(t.panel, t.caution, 0.12));
  put("badBackground", mixed(t.panel, t.bad, 0.10));
  put("goodLine", mixed(t.panel, t.good, 0.35));
  put("cautionLine", mixed(t.panel, t.caution, 0.35));
  put("badLine", mixed(t.panel, t.bad, 0.35));
  put("accentLine", mixed(t.panel, t.accent, 0.35));
  text.replace("@check", kind == ThemeKind::dark ? "url(:/icons/control-check-dark.svg)"
                                                 : "url(:/icons/control-check-light.svg)");
  return text;
}

constexpr const char* labels = R"(
QWidget { color: @ink; }
QLabel { background: transparent; }
QLabel[look="title"] { font-size: 20px; font-weight: 600; }
QLabel[look="heading"] { font-size: 14px; font-weight: 600; }
QLabel[look="strong"] { font-weight: 600; }
QLabel[look="soft"] { color: @soft; }
QLabel[look="faint"] { color: @faint; }
QLabel[look="small"] { font-size: 12px; color: @soft; }
QLabel[look="tiny"] { font-size: 11px; color: @faint; }
QLabel[look="pill"] { font-size: 11px; color: @soft; border: 1px solid @line; border-radius: 9px;
  background: @background; padding: 1px 8px; }
QLabel[look="pill"][tone="good"] { color: @good; }
QLabel[look="pill"][tone="caution"] { color: @caution; }
QLabel[look="pill"][tone="bad"] { color: @bad; }
QLabel[look="pill"][tone="accent"] { color: @accent; }
QLabel[tone="good"] { color: @good; }
QLabel[tone="caution"] { color: @caution; }
QLabel[tone="bad"] { color: @bad; }
QLabel[tone="accent"] { color: @accent; }
QToolTip { background: @panel; color: @ink; border: 1px solid @edge; padding: 6px 8px; }
)";

constexpr const char* frames = R"(
QFrame[look="card"] { background: @panel; border: 1px solid @line; border-radius: 8px; }
QFrame[look="card"][hover="true"] { border-color: @edge; }
QFrame[look="card"]:focus { border-color: @accent; }
QFrame[look="picture"] { background: @background; border: none; border-bottom: 1px solid @line;
  border-top-left-radius: 7px; border-top-right-radius: 7px; }
QFrame[look="panel"] { background: @panel; border: none; }
QFrame[look="popup"] { background: @panel; border: 1px solid @edge; border-radius: 8px; }
QFrame[look="rule"] { background: @line; border: none; max-height: 1px; min-height: 1px; }
QFrame[look="notice"] { background: @accentBackground; border: 1px solid @accentLine;
  border-radius: 6px; }
QFrame[look="notice"][tone="good"] { background: @goodBackground; border-color: @goodLine; }
QFrame[look="notice"][tone="caution"] { background: @cautionBackground; border-color: @cautionLine; }
QFrame[look="notice"][tone="bad"] { background: @badBackground; border-color: @badLine; }
QFrame#headerBar { background: @panel; border: none; border-bottom: 1px solid @line; }
QFrame#queueBar { background: @panel; border: none; border-top: 1px solid @line; }
QFrame#rail { background: @rail; border: none; border-right: 1px solid @line; }
QScrollArea { border: none; background: transparent; }
QScrollArea > QWidget > QWidget[look="page"] { background: @background; }
QSplitter::handle { background: transparent; }
QSplitter::handle:hover { background: @line; }
)";

constexpr const char* buttons = R"(
QPushButton { background: @panel; border: 1px solid @line; border-radius: 6px; padding: 5px 12px;
  min-height: 18px; font-weight: 500; }
QPushButton:hover { background: @hover; }
QPushButton:pressed { background: @press; }
QPushButton:focus { border-color: @accent; }
QPushButton:disabled { color: @faint; background: @panel; }
QPushButton:checked { background: @accentBackground; border-color: @accentLine; color: @accent; }
QPushButton::menu-indicator { image: url(:/icons/control-down.svg); width: 14px; height: 14px;
  subcontrol-position: right center; subcontrol-origin: padding; right: 6px; }
QPushButton[look="primary"] { background: @accent; border-color: @accent; color: @onAccent; }
QPushButton[look="primary"]:hover { background: @accentHover; border-color: @accentHover; }
QPushButton[look="primary"]:pressed { background: @accentPress; }
QPushButton[look="primary"]:focus { border-color: @ink; }
QPushButton[look="primary"]:disabled { background: @press; border-color: @line; color: @faint; }
QPushButton[look="danger"] { color: @bad; }
QPushButton[look="quiet"] { background: transparent; border-color: transparent; color: @soft; }
QPushButton[look="quiet"]:hover { background: @hover; color: @ink; }
QPushButton[look="quiet"]:focus { border-color: @accent; }
QPushButton#queueButton { padding: 3px 8px; min-height: 16px; }
QPushButton[look="link"] { background: transparent; border: 1px solid transparent; color: @accent;
  padding: 1px 2px; min-height: 0px; text-align: left; }
QPushButton[look="link"]:focus { border-color: @accent; }
QPushButton[look="link"]:disabled { color: @faint; }
QPushButton[look="pill"] { font-size: 11px; font-weight: 400; color: @soft; border-radius: 9px;
  background: @background; padding: 1px 8px; min-height: 14px; }
QPushButton[look="segment"] { border-radius: 0px; margin-right: -1px; }
QPushButton[look="segment"][place="first"] { border-top-left-radius: 6px;
  border-bottom-left-radius: 6px; }
QPushButton[look="segment"][place="last"] { border-top-right-radius: 6px;
  border-bottom-right-radius: 6px; margin-right: 0px; }
QPushButton[look="segment"][place="only"] { border-radius: 6px; margin-right: 0px; }
QPushButton[look="rail"] { background: transparent; border: 1px solid transparent; color: @soft;
  text-align: left; padding: 6px 9px; font-weight: 400; }
QPushButton[look="rail"]:hover { background: @railHover; }
QPushButton[look="rail"]:focus { border-color: @accent; }
QPushButton[look="rail"]:checked { background: @accentBackground; color: @accent; font-weight: 600;
  border-color: transparent; }
QPushButton[look="rail"]:checked:focus { border-color: @accent; }
QToolButton { background: transparent; border: 1px solid transparent; border-radius: 6px;
  padding: 3px; }
QToolButton:hover { background: @hover; }
QToolButton:pressed, QToolButton:checked { background: @press; }
QToolButton:focus { border-color: @accent; }
QToolButton::menu-indicator { image: none; }
QCheckBox, QRadioButton { spacing: 8px; background: transparent; }
QCheckBox::indicator, QRadioButton::indicator { width: 14px; height: 14px;
  border: 1px solid @handle; background: @field; }
QCheckBox::indicator { border-radius: 4px; }
QRadioButton::indicator { border-radius: 8px; }
QCheckBox::indicator:focus, QCheckBox:focus::indicator, QRadioButton:focus::indicator {
  border-color: @accent; }
QCheckBox::indicator:checked { background: @accent; border-color: @accent; image: @check; }
QCheckBox::indicator:indeterminate { background: @accentBackground; border-color: @accent; }
QRadioButton::indicator:checked { background: @accent; border: 4px solid @field; }
QCheckBox::indicator:disabled { background: @press; }
)";

constexpr const char* fields = R"(
QLineEdit, QPlainTextEdit, QTextEdit, QAbstractSpinBox, QComboBox {
  background: @field; border: 1px solid @line; border-radius: 6px;
  selection-background-color: @accent; selection-color: @onAccent; }
QLineEdit, QAbstractSpinBox, QComboBox { padding: 4px 9px; min-height: 20px; }
QPlainTextEdit, QTextEdit { padding: 4px 6px; }
QLineEdit:hover, QAbstractSpinBox:hover, QComboBox:hover { border-color: @edge; }
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QAbstractSpinBox:focus,
QComboBox:focus, QComboBox:on { border-color: @accent; }
QLineEdit:disabled, QAbstractSpinBox:disabled, QComboBox:disabled {
  color: @faint; background: @background; }
QLineEdit[invalid="true"], QPlainTextEdit[invalid="true"], QAbstractSpinBox[invalid="true"],
QComboBox[invalid="true"] { border-color: @bad; }
QLineEdit[look="search"] { background: @background; }
QLineEdit[look="search"]:focus { background: @field; }
QLineEdit[look="bare"] { background: transparent; border: none; padding: 0px; }
QTextBrowser[look="bare"], QTextEdit[look="bare"], QPlainTextEdit[look="bare"] {
  background: transparent; border: none; padding: 0px; }
QComboBox::drop-down { border: none; width: 24px; subcontrol-origin: border;
  subcontrol-position: right center; }
QComboBox::down-arrow { image: url(:/icons/control-down.svg); width: 14px; height: 14px; }
QComboBox QAbstractItemView { background: @panel; border: 1px solid @edge; padding: 4px;
  outline: none; selection-background-color: @accentBackground; selection-color: @ink; }
QComboBox QAbstractItemView::item { min-height: 26px; padding: 0px 6px; border-radius: 4px; }
QComboBox QAbstractItemView::item:selected { background: @accentBackground; color: @ink; }
QAbstractSpinBox::up-button { subcontrol-origin: border;
  subcontrol-position: top right; width: 20px; border: none; margin: 1px 1px 0px 0px; }
QAbstractSpinBox::down-button { subcontrol-origin: border;
  subcontrol-position: bottom right; width: 20px; border: none; margin: 0px 1px 1px 0px; }
QAbstractSpinBox::up-arrow { image: url(:/icons/control-up.svg);
  width: 11px; height: 11px; }
QAbstractSpinBox::down-arrow { image: url(:/icons/control-down.svg);
  width: 11px; height: 11px; }
QSlider { min-height: 20px; background: transparent; }
QSlider::groove:horizontal { border: 0px solid @line; height: 4px; border-radius: 2px;
  background: @line; }
QSlider::sub-page:horizontal { border: 0px solid @accent; height: 4px; border-radius: 2px;
  background: @accent; }
QSlider::add-page:horizontal { border: 0px solid @line; height: 4px; border-radius: 2px;
  background: @line; }
QSlider::handle:horizontal { width: 14px; height: 14px; margin: -6px 0px; border-radius: 8px;
  background: @panel; border: 1px solid @handle; }
QSlider::handle:horizontal:hover, QSlider::handle:horizontal:focus { border-color: @accent; }
QSlider:focus::handle:horizontal { border-color: @accent; }
QSlider:disabled::sub-page:horizontal { background: @line; }
QProgressBar { background: @line; border: none; border-radius: 3px; min-height: 6px;
  max-height: 6px; text-align: center; color: transparent; }
QProgressBar::chunk { background: @accent; border-radius: 3px; }
)";

constexpr const char* views = R"(
QTableView, QTreeView, QListView { background: @panel; border: none; outline: none;
  selection-background-color: @accentBackground; selection-color: @ink; }
QTableView::item { border: none; border-bottom: 1px solid @line; padding: 0px 8px; }
QTableView::item:selected, QTreeView::item:selected, QListView::item:selected {
  background: @accentBackground; color: @ink; }
QTableView::item:focus { border: 1px solid @accent; }
QTreeView::item { min-height: 28px; border: none; border-bottom: 1px solid @line; padding: 0px 4px; }
QListView::item { min-height: 28px; padding: 0px 6px; border-radius: 4px; }
QListView::item:hover { background: @hover; }
QAbstractItemView::indicator { width: 14px; height: 14px; border: 1px solid @handle;
  border-radius: 4px; background: @field; }
QAbstractItemView::indicator:checked { background: @accent; border-color: @accent; image: @check; }
QHeaderView { background: @panel; border: none; }
QHeaderView::section { background: @panel; color: @soft; border: none;
  border-bottom: 1px solid @line; padding: 6px 11px; font-size: 12px; font-weight: 500; }
QHeaderView::section:hover { color: @ink; background: @hover; }
QHeaderView::up-arrow { image: url(:/icons/control-up.svg); width: 12px; height: 12px;
  subcontrol-position: center right; right: 4px; }
QHeaderView::down-arrow { image: url(:/icons/control-down.svg); width: 12px; height: 12px;
  subcontrol-position: center right; right: 4px; }
QTableCornerButton::section { background: @panel; border: none; }
QTabWidget::pane { border: none; border-top: 1px solid @line; top: -1px; }
QTabBar { background: transparent; border: none; qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: @soft; border: none;
  border-bottom: 2px solid transparent; padding: 8px 2px; margin-right: 22px; font-weight: 500; }
QTabBar::tab:hover { color: @ink; }
QTabBar::tab:selected { color: @ink; border-bottom-color: @accent; }
QTabBar::tab:focus { color: @accent; }
QTabBar::tab:disabled { color: @faint; }
QMenu { background: @panel; border: 1px solid @edge; padding: 4px; }
QMenu::item { padding: 6px 28px 6px 12px; border-radius: 4px; }
QMenu::item:selected { background: @accentBackground; }
QMenu::item:disabled { color: @faint; }
QMenu::icon { padding-left: 8px; }
QMenu::separator { height: 1px; background: @line; margin: 4px 8px; }
QMenu::right-arrow { image: url(:/icons/control-right.svg); width: 12px; height: 12px; }
QMenu::indicator { width: 14px; height: 14px; margin-left: 8px; border: 1px solid @handle;
  border-radius: 4px; background: @field; }
QMenu::indicator:checked { background: @accent; border-color: @accent; image: @check; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0px; border: none; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0px; border: none; }
QScrollBar::handle { background: @handle; border-radius: 3px; margin: 2px; }
QScrollBar::handle:hover { background: @handleHover; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0px; height: 0px; border: none; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; border: none; }
)";

}  // namespace

QColor mixed(const QColor& bottom, const QColor& top, double opacity) {
  const auto part = [opacity](int b, int t) {
    return static_cast<int>(b + (t - b) * opacity + 0.5);
  };
  return QColor(part(bottom.red(), top.red()), part(bottom.green(), top.green()),
                part(bottom.blue(), top.blue()));
}

QString styleSheet(ThemeKind kind) {
  return withTokens(QString(labels) + frames + buttons + fields + views, kind);
}

}  // namespace assay
