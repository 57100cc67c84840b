// Values from text: exact numbers, and refusals that name key, value and what is allowed.
#include <QTemporaryDir>
#include <QTest>

#include "core/base/files.h"
#include "core/study/parameters.h"
#include "support/error_message.h"

namespace fs = std::filesystem;
using namespace assay;

namespace {

ParameterSpec spec_of(ParameterType type, const std::string& key = "key") {
  ParameterSpec spec;
  spec.key = key;
  spec.type = type;
  return spec;
}

ParameterSpec ranged(ParameterType type, double minimum, double maximum) {
  ParameterSpec spec = spec_of(type);
  spec.minimum = minimum;
  spec.maximum = maximum;
  return spec;
}

ParameterSpec list_of(ParameterType element) {
  ParameterSpec spec = spec_of(ParameterType::list);
  spec.element = element;
  return spec;
}

// The message, or "= value" for what is taken.
std::string outcome(const ParameterSpec& spec, const std::string& text) {
  const Checked checked = check_text(spec, text);
  if (checked.problem) return checked.problem->message();
  return "= " + to_text(*checked.value);
}

template <typename Type>
Type value_of(const ParameterSpec& spec, const std::string& text) {
  const Checked checked = check_text(spec, text);
  if (!checked.value) throw std::runtime_error(checked.problem->message());
  return std::get<Type>(*checked.value);
}

}  // namespace

class CheckTest : public QObject {
  Q_OBJECT

 private slots:
  void reals();
  void integers();
  void booleans_and_choices();
  void lists_of_reals_are_exact();
  void lists();
  void lists_of_texts();
  void paths();
  void texts();
  void values_of_a_file();
  void text_forms_come_back();
  void one_line_whatever_is_given();
  void what_is_allowed();
};

void CheckTest::reals() {
  const ParameterSpec unit = ranged(ParameterType::real, 0.0, 1.0);
  QVERIFY(value_of<double>(unit, "0.7") == 0.7);
  QVERIFY(value_of<double>(unit, " 1 ") == 1.0);
  QVERIFY(value_of<double>(unit, "1e-3") == 0.001);
  QVERIFY(value_of<double>(unit, "+.5") == 0.5);
  QCOMPARE(outcome(unit, "1.5"), std::string("key: 1.5 is out of range; allowed: 0.0 to 1.0"));
  QCOMPARE(outcome(unit, "1.0000000000000002"),
           std::string("key: 1.0000000000000002 is out of range; allowed: 0.0 to 1.0"));
  QCOMPARE(outcome(unit, "abc"), std::string("key: abc is not a number; allowed: 0.0 to 1.0"));
  QCOMPARE(outcome(unit, ""),
           std::string("key: an empty value is not a number; allowed: 0.0 to 1.0"));
  QCOMPARE(outcome(unit, "0,5"), std::string("key: 0,5 is not a number; allowed: 0.0 to 1.0"));
  for (const char* text : {"nan", "inf", "-inf"}) {
    VERIFY_HOLDS(outcome(unit, text), std::string("key: ") + text + " is not a finite number");
  }
  for (const char* text : {"0.5x", "1e", "0x1p-1", "--1", "+-1", "1e-999", "1e999", "1 2", "."}) {
    VERIFY_HOLDS(outcome(unit, text), std::string("key: ") + text + " is not a number");
  }
  ParameterSpec free = spec_of(ParameterType::real);
  QCOMPARE(outcome(free, "x"), std::string("key: x is not a number; allowed: any real number"));
  free.minimum = 0.0;
  free.unit = "px";
  QCOMPARE(outcome(free, "-1"), std::string("key: -1 is out of range; allowed: at least 0.0 px"));
}

void CheckTest::integers() {
  const ParameterSpec count = ranged(ParameterType::integer, 1, 2000);
  QCOMPARE(value_of<std::int64_t>(count, "12"), std::int64_t{12});
  QCOMPARE(value_of<std::int64_t>(count, "1e3"), std::int64_t{1000});
  QCOMPARE(value_of<std::int64_t>(count, "2.0"), std::int64_t{2});
  QCOMPARE(outcome(count, "1e-3"),
           std::string("key: 0.001 is not a whole number; allowed: whole numbers from 1 to 2000"));
  QCOMPARE(outcome(count, "0"),
           std::string("key: 0 is out of range; allowed: whole numbers from 1 to 2000"));
  QCOMPARE(outcome(count, "two"),
           std::string("key: two is not a whole number; allowed: whole numbers from 1 to 2000"));
  // Exact to the last of 64 bits, never by way of a double.
  const ParameterSpec any = spec_of(ParameterType::integer);
  QCOMPARE(value_of<std::int64_t>(any, "9223372036854775807"),
           std::numeric_limits<std::int64_t>::max());
  QCOMPARE(value_of<std::int64_t>(any, "9007199254740993"), std::int64_t{9007199254740993});
  VERIFY_HOLDS(outcome(any, "9223372036854775808"),
               "is not a whole number; allowed: any whole number");
}

void CheckTest::booleans_and_choices() {
  const ParameterSpec flag = spec_of(ParameterType::boolean);
  QCOMPARE(value_of<bool>(flag, "true"), true);
  QCOMPARE(value_of<bool>(flag, " false "), false);
  for (const char* text : {"yes", "1", "True", ""}) {
    VERIFY_HOLDS(outcome(flag, text), "is neither true nor false; allowed: true or false");
  }
  ParameterSpec dataset = spec_of(ParameterType::choice, "dataset");
  dataset.choices = {{"spiral", "Spiral", ""}, {"moons", "Moons", ""}};
  QCOMPARE(value_of<std::string>(dataset, "moons"), std::string("moons"));
  QCOMPARE(outcome(dataset, "circle"),
           std::string("dataset: circle is none of the choices; allowed: one of: spiral, moons"));
  VERIFY_HOLDS(outcome(dataset, ""), "dataset: an empty value is none of the choices");
}

void CheckTest::lists_of_reals_are_exact() {
  const ParameterSpec betas = list_of(ParameterType::real);
  const auto values = value_of<std::vector<double>>(betas, "0.7,0.8,0.9,0.95,0.99,1");
  QCOMPARE(values.size(), std::size_t{6});
  const double expected[] = {0.7, 0.8, 0.9, 0.95, 0.99, 1.0};
  for (std::size_t i = 0; i < 6; ++i) QVERIFY(values[i] == expected[i]);
  // A beta of one is one: nothing on the way makes it 0.99999.
  QVERIFY(values[5] >= 1.0);
  QCOMPARE(to_text(values), std::string("0.7,0.8,0.9,0.95,0.99,1"));
}

void CheckTest::lists() {
  ParameterSpec betas = list_of(ParameterType::real);
  betas.key = "beta_sweep";
  betas.minimum = 0.0;
  betas.maximum = 1.0;
  betas.minimum_length = 1;
  betas.maximum_length = 3;
  const std::string allowed =
      "; allowed: each between 0.0 and 1.0, separated by commas; 1 to 3 of them";
  QCOMPARE(outcome(betas, " 0.5 , 1 "), std::string("= 0.5,1"));
  QCOMPARE(outcome(betas, "0.5,1.5"), "beta_sweep: 1.5 is out of range" + allowed);
  QCOMPARE(outcome(betas, "0.5,x"), "beta_sweep: x is not a number" + allowed);
  QCOMPARE(outcome(betas, "0.5,,1"), "beta_sweep: an empty value is not a number" + allowed);
  QCOMPARE(outcome(betas, "0.5,"), "beta_sweep: an empty value is not a number" + allowed);
  QCOMPARE(outcome(betas, "0.5,nan"), "beta_sweep: nan is not a finite number" + allowed);
  QCOMPARE(outcome(betas, ""), "beta_sweep: an empty value has too few values" + allowed);
  QCOMPARE(outcome(betas, "0,0,0,0"), "beta_sweep: 0,0,0,0 has too many values" + allowed);
  ParameterSpec widths = list_of(ParameterType::integer);
  widths.minimum = 1;
  QCOMPARE(outcome(widths, "16,1e2"), std::string("= 16,100"));
  QCOMPARE(outcome(widths, "16,0.5"),
           std::string("key: 0.5 is not a whole number; allowed: whole numbers, each at least 1, "
                       "separated by commas"));
  QCOMPARE(outcome(list_of(ParameterType::real), " "), std::string("= "));
}

void CheckTest::lists_of_texts() {
  ParameterSpec names = list_of(ParameterType::text);
  QCOMPARE(value_of<std::vector<std::string>>(names, "cat, big dog"),
           (std::vector<std::string>{"cat", "big dog"}));
  QCOMPARE(
      outcome(names, "a,,b"),
      std::string("key: an empty value is an empty element; allowed: texts, separated by commas"));
  // From a file: what could not be written as text again.
  const auto fault = [&](const std::string& element) {
    return check_value(names, std::vector<std::string>{element}).problem.value().fault;
  };
  QCOMPARE(fault("a,b"), std::string("has a comma inside"));
  QCOMPARE(fault(" a"), std::string("has blanks around it"));
  names.choices = {{"fgsm", "", ""}, {"pgd", "", ""}};
  QCOMPARE(outcome(names, "pgd,fgsm"), std::string("= pgd,fgsm"));
  QCOMPARE(outcome(names, "pgd,cw"),
           std::string("key: cw is none of the choices; allowed: each one of: fgsm, pgd, separated "
                       "by commas"));
}

void CheckTest::paths() {
  QTemporaryDir temporary;
  const fs::path folder = temporary.path().toStdString();
  const std::string file = (folder / "weights").string();
  write_atomically(file, "x");
  ParameterSpec spec = spec_of(ParameterType::path, "weights");
  spec.path_kind = "file";
  QCOMPARE(value_of<std::string>(spec, file), file);
  QCOMPARE(value_of<std::string>(spec, ""), std::string());
  QCOMPARE(outcome(spec, "/no/such"),
           std::string("weights: /no/such does not exist; allowed: an existing file, or nothing"));
  QCOMPARE(outcome(spec, folder.string()),
           "weights: " + folder.string() + " is a folder; allowed: an existing file, or nothing");
  VERIFY_HOLDS(outcome(spec, file + "/below"), "does not exist");
  VERIFY_HOLDS(outcome(spec, std::string(100'000, 'x')), "can't be looked at");
  spec.path_kind = "folder";
  QCOMPARE(outcome(spec, folder.string()), "= " + folder.string());
  VERIFY_HOLDS(outcome(spec, file), " is no folder; allowed: an existing folder, or nothing");
  spec.path_kind = "any";
  QCOMPARE(outcome(spec, file), "= " + file);
}

void CheckTest::texts() {
  const ParameterSpec note = spec_of(ParameterType::text);
  QCOMPARE(value_of<std::string>(note, " as it is "), std::string(" as it is "));
  QCOMPARE(value_of<std::string>(note, "\u00e9\n"), std::string("\u00e9\n"));
  // JSON and SQLite would choke on these later.
  VERIFY_HOLDS(outcome(note, "\xff\xfe"), "is not valid UTF-8 text; allowed: any text");
  VERIFY_HOLDS(outcome(note, std::string("a\0b", 3)), "is not valid UTF-8 text");
  VERIFY_HOLDS(outcome(note, "\xed\xa0\x80"), "is not valid UTF-8 text");  // a lone surrogate
}

void CheckTest::values_of_a_file() {
  const auto fault = [](const ParameterSpec& spec, const Value& value) {
    const Checked checked = check_value(spec, value);
    return checked.problem ? checked.problem->fault : "= " + to_text(*checked.value);
  };
  const ParameterSpec real = spec_of(ParameterType::real);
  const ParameterSpec integer = spec_of(ParameterType::integer);
  QVERIFY(std::holds_alternative<double>(*check_value(real, std::int64_t{1}).value));
  QVERIFY(std::holds_alternative<std::int64_t>(*check_value(integer, 1000.0).value));
  QCOMPARE(fault(integer, 0.5), std::string("is not a whole number"));
  QCOMPARE(fault(integer, 1e300), std::string("is not a whole number"));
  QCOMPARE(fault(integer, true), std::string("is not a whole number"));
  // A number in quotes is a text.
  QCOMPARE(fault(real, std::string("0.5")), std::string("is not a number"));
  QCOMPARE(fault(real, std::vector<double>{0.5}), std::string("is not a number"));
  QCOMPARE(fault(real, std::nan("")), std::string("is not a finite number"));
  QCOMPARE(fault(spec_of(ParameterType::boolean), std::string("true")),
           std::string("is neither true nor false"));
  QCOMPARE(fault(spec_of(ParameterType::text), 1.0), std::string("is not a text"));
  QCOMPARE(fault(list_of(ParameterType::real), 0.7), std::string("is not a list"));
  QCOMPARE(fault(list_of(ParameterType::real), std::vector<std::string>{"a"}),
           std::string("is not a number"));
  QCOMPARE(fault(list_of(ParameterType::text), std::vector<double>{1}),
           std::string("is not a text"));
  // An empty list fits either kind, and becomes the right one.
  QVERIFY(std::holds_alternative<std::vector<std::string>>(
      *check_value(list_of(ParameterType::text), std::vector<double>{}).value));
  QVERIFY(std::holds_alternative<std::vector<double>>(
      *check_value(list_of(ParameterType::real), std::vector<std::string>{}).value));
}

void CheckTest::text_forms_come_back() {
  const auto comes_back = [](const ParameterSpec& spec, const Value& value) {
    const Checked checked = check_text(spec, to_text(value));
    return checked.value && *checked.value == value;
  };
  for (const double real : {0.1, 1.0 / 3.0, 1e-300, -2.5e17, 1e16, 123456.0, 5e-324}) {
    QVERIFY2(comes_back(spec_of(ParameterType::real), real), to_text(real).c_str());
    QVERIFY(comes_back(list_of(ParameterType::real), std::vector<double>{real, 1.0, real}));
  }
  QVERIFY(comes_back(spec_of(ParameterType::integer), std::numeric_limits<std::int64_t>::min()));
  QVERIFY(comes_back(spec_of(ParameterType::boolean), false));
  QVERIFY(comes_back(list_of(ParameterType::text), std::vector<std::string>{"a b", "c"}));
  QVERIFY(comes_back(list_of(ParameterType::text), std::vector<std::string>{}));
}

void CheckTest::one_line_whatever_is_given() {
  const ParameterSpec real = spec_of(ParameterType::real);
  const std::string message = outcome(real, "a\nb\x1b[31m\xff");
  QVERIFY(std::all_of(message.begin(), message.end(),
                      [](char c) { return static_cast<unsigned char>(c) >= 0x20; }));
  QVERIFY(outcome(real, std::string(1'000'000, 'x')).size() < 400);
}

void CheckTest::what_is_allowed() {
  ParameterSpec spec = ranged(ParameterType::integer, 1, 64);
  spec.unit = "px";
  QCOMPARE(allowed_text(spec), std::string("whole numbers from 1 to 64 px"));
  spec.minimum.reset();
  QCOMPARE(allowed_text(spec), std::string("whole numbers, at most 64 px"));
  spec = list_of(ParameterType::integer);
  spec.minimum_length = spec.maximum_length = 2;
  QCOMPARE(allowed_text(spec), std::string("whole numbers, separated by commas; 2 of them"));
  spec.maximum_length.reset();
  QCOMPARE(allowed_text(spec),
           std::string("whole numbers, separated by commas; at least 2 of them"));
}

QTEST_APPLESS_MAIN(CheckTest)
#include "check_test.moc"
