// The main of a test with widgets: the offscreen platform, a theme, settings of its own.
#pragma once

#include <QApplication>
#include <QStandardPaths>
#include <QTest>

#include "app/viewers/theme.h"

#define ASSAY_OFFSCREEN_MAIN(Test)                   \
  int main(int argc, char** argv) {                  \
    qputenv("QT_QPA_PLATFORM", "offscreen");         \
    QStandardPaths::setTestModeEnabled(true);        \
    QApplication::setOrganizationName("assay-test"); \
    QApplication::setApplicationName(#Test);         \
    QApplication application(argc, argv);            \
    assay::Theme theme(application);                 \
    theme.choose(assay::ThemeChoice::light);         \
    Test test;                                       \
    return QTest::qExec(&test, argc, argv);          \
  }
