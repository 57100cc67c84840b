// One readable line and the right exit code for whatever is thrown.
#include "core/engine/failure.h"

#include <QtTest>

#include "core/base/error.h"

using namespace assay;

namespace {
template <typename Exception>
Failure described(const Exception& exception, bool preparing = false) {
  return describe_failure(std::make_exception_ptr(exception), preparing);
}
}  // namespace

class FailureTest : public QObject {
  Q_OBJECT

 private slots:
  void bad_input_is_the_users_only_before_the_first_step() {
    for (const ErrorKind kind :
         {ErrorKind::bad_input, ErrorKind::not_found, ErrorKind::unreadable}) {
      QCOMPARE(described(Error(kind, "x"), true).exit_code, 2);
      QCOMPARE(described(Error(kind, "x"), false).exit_code, 3);
    }
    for (const ErrorKind kind : {ErrorKind::storage, ErrorKind::failed, ErrorKind::newer_version}) {
      QCOMPARE(described(Error(kind, "x"), true).exit_code, 3);
    }
    QCOMPARE(described(std::runtime_error("x"), true).exit_code, 3);
  }

  void a_stack_and_line_breaks_are_left_out() {
    const Failure failure =
        described(std::runtime_error("The size of tensor a (3)\n must match (4)\nException raised "
                                     "from add at x.cpp:1 (most recent "
                                     "call first):\nframe #0: c10::Error\nframe #1: main"));
    QCOMPARE(failure.reason, std::string("The size of tensor a (3) must match (4)"));
  }

  void memory_says_what_to_do() {
    QVERIFY(described(std::bad_alloc()).reason.find("out of memory") != std::string::npos);
  }

  void every_throw_has_a_reason() {
    QCOMPARE(described(42).exit_code, 3);
    QVERIFY(!described(42).reason.empty());
    QVERIFY(!described(std::runtime_error("")).reason.empty());
    QVERIFY(described(std::runtime_error(std::string(100000, 'x'))).reason.size() < 2000);
    QVERIFY(described(std::logic_error("no key 'x'")).reason.find("'x'") != std::string::npos);
  }
};

QTEST_APPLESS_MAIN(FailureTest)
#include "failure_test.moc"
