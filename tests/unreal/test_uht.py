"""The lint of the plugin's headers: it finds each fault, and none in the plugin."""

from __future__ import annotations

from pathlib import Path

import pytest

from .uht.lint import RULES, lint, lint_header, pins
from .uht.model import Header
from .uht.parse import ParseError, parse

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "unreal_plugin/Talefold/Source"
PINS = Path(__file__).parent / "pins.txt"

GOOD = """\
#pragma once

#include "CoreMinimal.h"

#include "TalefoldThing.generated.h"

DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FTalefoldTold, int32, Request, const TMap<FString, FString>&, Pairs);

/** A mood, "so; to say" { */
UENUM(BlueprintType)
enum class ETalefoldMood : uint8
{
	/** Dry. */
	Dry UMETA(DisplayName = "Dry, mostly"),
	Kind,
};

USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldValue
{
	GENERATED_BODY()

	UPROPERTY(EditAnywhere, Category = "Talefold", meta = (ClampMin = "0", UIMax = "9"))
	int32 Count = 0;
};

UCLASS(BlueprintType, meta = (DisplayName = "A Thing"))
class TALEFOLD_API UTalefoldThing : public UObject, public ISomething
{
	GENERATED_BODY()

public:
	/** Says it. */
	UFUNCTION(BlueprintCallable, Category = "Talefold|Talk")
	static bool Say(const FString& Text = TEXT("a, (b"), float Seconds = 0.0f);

	UFUNCTION(BlueprintPure, Category = "Talefold")
	FString GetName() const { return Names.IsEmpty() ? FString() : Names[0]; }

	UPROPERTY(BlueprintAssignable, Category = "Talefold")
	FTalefoldTold OnTold;

private:
	UPROPERTY()
	TArray<FString> Names;

#if WITH_EDITOR
	UFUNCTION(CallInEditor, Category = "Talefold")
	void Update();
#endif
};
"""  # noqa: E501


def header(text: str) -> Header:
    return parse(Path("Public/TalefoldThing.h"), text)


def test_a_header_is_read() -> None:
    read = header(GOOD)

    value, thing = read.classes
    assert (value.name, value.kind, value.api) == (
        *("FTalefoldValue", "struct", "TALEFOLD_API"),
    )
    assert value.properties[0].macro.meta == {"ClampMin": "0", "UIMax": "9"}
    assert thing.bases == ("UObject", "ISomething")
    say, get_name, update = thing.functions
    assert [(p.type, p.name, p.default) for p in say.parameters] == [
        ("const FString&", "Text", 'TEXT("a, (b")'),
        ("float", "Seconds", "0.0f"),
    ]
    assert (say.is_static, say.comment, say.access) == (True, "Says it.", "public")
    assert (get_name.is_const, get_name.return_type) == (True, "FString")
    assert (update.condition, update.access) == ("WITH_EDITOR", "private")
    assert [p.name for p in thing.properties] == ["OnTold", "Names"]
    assert read.enums[0].values == ("Dry", "Kind")
    assert [p.type for p in read.delegates[0].parameters] == [
        "int32",
        "const TMap<FString, FString>&",
    ]


def test_a_good_header_has_no_problem() -> None:
    assert lint_header(header(GOOD)) == []


FAULTS = [
    ("generated_include", '#include "TalefoldThing.gen', '#include "TalefoldThin.gen'),
    ("generated_body", "\tGENERATED_BODY()\n\npublic:", "public:"),
    ("names", "struct TALEFOLD_API FTalefoldV", "struct TALEFOLD_API TTalefoldV"),
    ("names", "class TALEFOLD_API UTalefoldThing", "class TALEFOLD_API UThing"),
    ("names", "enum class ETalefoldMood", "enum class EMood"),
    ("one_class", "USTRUCT(BlueprintType)\nstruct", "UCLASS()\nclass"),
    ("enum_size", ": uint8", ": int32"),
    ("member_types", "TArray<FString> Names", "TArray<TArray<FString>> Names"),
    ("member_types", "TArray<FString> Names", "TMap<FString, TArray<int32>> Names"),
    ("member_types", "TArray<FString> Names", "UObject* Names"),
    ("member_types", "int32 Count", "uint64 Count"),
    ("member_types", "float Seconds", "std::size_t Seconds"),
    ("categories", '(BlueprintPure, Category = "Talefold")', "(BlueprintPure)"),
    ("categories", '(EditAnywhere, Category = "Talefold", ', "(EditAnywhere, "),
    ("defaults", "int32 Count = 0;", "int32 Count;"),
    ("overloads", "FString GetName() const", "FString Say() const"),
    ("events", "DYNAMIC_MULTICAST_DELEGATE", "DYNAMIC_DELEGATE"),
    ("exported", "class TALEFOLD_API UTalefoldThing", "class UTalefoldThing"),
    ("forbidden_words", "FString() : Names[0]", "TCHAR_TO_ANSI(*Names[0])"),
    ("forbidden_words", "void Update()", "void SendMessage()"),
]


@pytest.mark.parametrize(("rule", "good", "bad"), FAULTS)
def test_a_fault_is_found(rule: str, good: str, bad: str) -> None:
    assert GOOD.count(good) == 1
    found = {problem.rule for problem in lint_header(header(GOOD.replace(good, bad)))}
    assert rule in found


def test_more_faults_are_found() -> None:
    seven = ", ".join(f"int32, P{number}" for number in range(7))
    many = f"""\
DECLARE_DYNAMIC_MULTICAST_DELEGATE_SevenParams(FTalefoldMany, {seven});
DECLARE_DYNAMIC_MULTICAST_DELEGATE(FTalefoldNone);
#include "TalefoldThing.generated.h"
UCLASS()
class TALEFOLD_API UTalefoldThing : public UCancellableAsyncAction
{{
	GENERATED_BODY()
	UPROPERTY(BlueprintAssignable)
	FTalefoldMany OnMany;
	UPROPERTY(BlueprintAssignable)
	FTalefoldNone OnNone;
}};
"""
    found = {problem.rule for problem in lint_header(header(many))}
    assert found == {"events", "async_outputs"}


def test_every_rule_has_a_fault() -> None:
    assert {rule for rule, _, _ in FAULTS} | {"async_outputs"} == set(RULES)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\nUCLASS()\nint x;", 2),
        ("UCLASS(\n", 1),
        ("UENUM()\nclass X {};", 1),
        ("USTRUCT()\nstruct FX\n{\n\tUPROPERTY()\n};", 4),
        ("DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FX, int32);", 1),
    ],
)
def test_what_cannot_be_read_is_named_by_its_line(text: str, line: int) -> None:
    with pytest.raises(ParseError) as caught:
        header(text)
    assert caught.value.line == line


@pytest.mark.parametrize("module", ["Talefold", "TalefoldEditor", "TalefoldTests"])
def test_the_plugin_has_no_problem(module: str) -> None:
    assert [str(problem) for problem in lint(SOURCE / module)] == []


def test_what_blueprints_see_is_known() -> None:
    """A change here changes games; `python -m tests.unreal.uht pins` prints it."""
    assert pins(SOURCE / "Talefold") == PINS.read_text(encoding="utf-8")
