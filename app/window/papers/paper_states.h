// How many runs each paper has and how its claims stand, from the log.
#pragma once

#include <QHash>
#include <QStringList>

#include "app/window/papers/paper_card.h"
#include "core/log/log.h"

namespace assay {

QHash<QString, PaperState> readPaperStates(Log& log, const QStringList& plugins);

}  // namespace assay
