// The theme: which of the two, palette, fonts, icons, and the desktop's own setting by D-Bus.
#include "app/viewers/theme.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusConnectionInterface>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QFontDatabase>
#include <QPalette>
#include <QSettings>
#include <QStyleFactory>
#include <QTimer>
#include <QToolTip>

#include "app/viewers/line_icon.h"
#include "app/viewers/style_sheet.h"

namespace assay {
namespace {

Theme* instance = nullptr;  // set once, by the one Theme that main makes

const char* const settingKey = "theme";
const char* const systemKey = "theme_of_system";  // as last told by the desktop

QString familyOf(const QStringList& wanted, QFontDatabase::SystemFont fallback) {
  const QStringList there = QFontDatabase::families();
  for (const QString& family : wanted) {
    if (there.contains(family)) return family;
  }
  return QFontDatabase::systemFont(fallback).family();
}

QPalette paletteOf(const ThemeTokens& t) {
  QPalette p;
  p.setColor(QPalette::Window, t.background);
  p.setColor(QPalette::WindowText, t.ink);
  p.setColor(QPalette::Base, t.panel);
  p.setColor(QPalette::AlternateBase, t.background);
  p.setColor(QPalette::Text, t.ink);
  p.setColor(QPalette::PlaceholderText, t.faint);
  p.setColor(QPalette::Button, t.panel);
  p.setColor(QPalette::ButtonText, t.ink);
  p.setColor(QPalette::BrightText, t.bad);
  p.setColor(QPalette::Highlight, t.accent);
  p.setColor(QPalette::HighlightedText, t.onAccent);
  p.setColor(QPalette::Link, t.accent);
  p.setColor(QPalette::LinkVisited, t.accent);
  p.setColor(QPalette::ToolTipBase, t.panel);
  p.setColor(QPalette::ToolTipText, t.ink);
  p.setColor(QPalette::Light, t.panel);
  p.setColor(QPalette::Midlight, t.line);
  p.setColor(QPalette::Mid, t.line);
  p.setColor(QPalette::Dark, t.faint);
  p.setColor(QPalette::Shadow, t.line);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    p.setColor(QPalette::Disabled, role, t.faint);
  }
  return p;
}

ThemeKind rememberedSystemKind() {
  return QSettings().value(systemKey).toString() == "dark" ? ThemeKind::dark : ThemeKind::light;
}

// The portal wraps the value in one or two variants, by its version: 1 is dark.
ThemeKind kindFromPortal(QVariant value) {
  while (value.canConvert<QDBusVariant>()) value = value.value<QDBusVariant>().variant();
  return value.toUInt() == 1 ? ThemeKind::dark : ThemeKind::light;
}

ThemeChoice choiceFrom(const QString& text) {
  if (text == "light") return ThemeChoice::light;
  return text == "dark" ? ThemeChoice::dark : ThemeChoice::system;
}

QString textOf(ThemeChoice choice) {
  if (choice == ThemeChoice::light) return "light";
  return choice == ThemeChoice::dark ? "dark" : "system";
}

}  // namespace

Theme::Theme(QApplication& application) : application_(application) {
  Q_ASSERT(instance == nullptr);
  instance = this;
  application_.setStyle(QStyleFactory::create("Fusion"));
  application_.setFont(font(13));
  QToolTip::setFont(font(12));
  choice_ = choiceFrom(QSettings().value(settingKey).toString());
  if (choice_ == ThemeChoice::system) kind_ = rememberedSystemKind();
  if (choice_ == ThemeChoice::dark) kind_ = ThemeKind::dark;
  apply();
  // Asked only once the loop runs: a slow or missing bus must not hold up the first paint.
  QTimer::singleShot(0, this, &Theme::followSystem);
}

Theme::~Theme() {
  instance = nullptr;
}

Theme& Theme::of() {
  Q_ASSERT(instance != nullptr);
  return *instance;
}

const ThemeTokens& Theme::tokens() const {
  return tokens(kind_);
}

void Theme::choose(ThemeChoice choice) {
  choice_ = choice;
  QSettings().setValue(settingKey, textOf(choice));
  if (choice == ThemeChoice::system) {
    setKind(rememberedSystemKind());
  } else {
    setKind(choice == ThemeChoice::dark ? ThemeKind::dark : ThemeKind::light);
  }
}

void Theme::showOnly(ThemeKind kind) {
  choice_ = kind == ThemeKind::dark ? ThemeChoice::dark : ThemeChoice::light;
  setKind(kind);
}

void Theme::setKind(ThemeKind kind) {
  if (kind == kind_) return;
  kind_ = kind;
  apply();
  emit changed();
}

void Theme::apply() {
  application_.setPalette(paletteOf(tokens()));
  application_.setStyleSheet(styleSheet(kind_));
  QToolTip::setPalette(paletteOf(tokens()));
}

void Theme::followSystem() {
  QDBusConnection bus = QDBusConnection::sessionBus();
  if (!bus.isConnected()) return;
  const QString service = "org.freedesktop.portal.Desktop";
  const QString path = "/org/freedesktop/portal/desktop";
  const QString interface = "org.freedesktop.portal.Settings";
  bus.connect(service, path, interface, "SettingChanged", this,
              SLOT(portalChanged(QString, QString, QDBusVariant)));
  QDBusMessage question = QDBusMessage::createMethodCall(service, path, interface, "Read");
  question << QString("org.freedesktop.appearance") << QString("color-scheme");
  auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(question, 2000), this);
  connect(watcher, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher* done) {
    const QDBusPendingReply<QVariant> reply = *done;
    if (!reply.isError()) systemKindIs(kindFromPortal(reply.reply().arguments().value(0)));
    done->deleteLater();
  });
}

void Theme::portalChanged(const QString& group, const QString& key, const QDBusVariant& value) {
  if (group != "org.freedesktop.appearance" || key != "color-scheme") return;
  systemKindIs(kindFromPortal(value.variant()));
}

void Theme::systemKindIs(ThemeKind kind) {
  QSettings().setValue(systemKey, kind == ThemeKind::dark ? "dark" : "light");
  if (choice_ == ThemeChoice::system) setKind(kind);
}

QIcon Theme::icon(const QString& name, const QColor& color) const {
  return QIcon(new LineIconEngine(name, color));
}

QFont Theme::font(int pixels, int weight) {
  static const QString family =
      familyOf({"Inter", "Inter Variable", "Noto Sans"}, QFontDatabase::GeneralFont);
  QFont f(family);
  f.setPixelSize(pixels);
  f.setWeight(static_cast<QFont::Weight>(weight));
#if QT_VERSION >= QT_VERSION_CHECK(6, 7, 0)
  f.setFeature("tnum", 1);
#endif
  return f;
}

QFont Theme::figures(int pixels, int weight) {
#if QT_VERSION >= QT_VERSION_CHECK(6, 7, 0)
  return font(pixels, weight);
#else
  static const QString family =
      familyOf({"Noto Sans", "DejaVu Sans", "Liberation Sans"}, QFontDatabase::GeneralFont);
  QFont f(family);
  f.setPixelSize(pixels);
  f.setWeight(static_cast<QFont::Weight>(weight));
  return f;
#endif
}

QFont Theme::monospace(int pixels) {
  static const QString family =
      familyOf({"JetBrains Mono", "Noto Sans Mono", "DejaVu Sans Mono"}, QFontDatabase::FixedFont);
  QFont f(family);
  f.setPixelSize(pixels);
  f.setStyleHint(QFont::Monospace);
  return f;
}

QColor Theme::seriesColor(int index) const {
  const auto& series = tokens().series;
  return series[index % series.size()];
}

Qt::PenStyle Theme::seriesDash(int index) {
  switch (index / 6 % 3) {
    case 1:
      return Qt::DashLine;
    case 2:
      return Qt::DotLine;
    default:
      return Qt::SolidLine;
  }
}

}  // namespace assay
