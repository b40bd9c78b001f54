"""The lint of the plugin's headers: it finds each fault, and none in the plugin."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .uht.lint import RULES, lint, lint_header, pins
from .uht.lint.specifiers import CLASS, FUNCTION, PROPERTY
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

	UPROPERTY()
	TObjectPtr<UObject> Kept = nullptr;

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
    assert [p.name for p in thing.properties] == ["OnTold", "Names", "Kept"]
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
    ("names", "int32 Count = 0", "bool Count = false"),
    (
        "placement",
        "USTRUCT(BlueprintType)",
        "namespace Inner {\nUSTRUCT(BlueprintType)",
    ),
    ("placement", "USTRUCT(BlueprintType)", "template <typename T>\nUSTRUCT()"),
    ("placement", "USTRUCT(BlueprintType)", "#if WITH_EDITOR\nUSTRUCT()"),
    ("placement", "#if WITH_EDITOR", "#if PLATFORM_LINUX"),
    ("enums", ": uint8", ": int32"),
    ("enums", "UENUM(BlueprintType)", "UENUM()"),
    ("specifiers", "UCLASS(BlueprintType", "UCLASS(BlueprintTyp"),
    ("specifiers", "USTRUCT(BlueprintType)", "USTRUCT(Blueprintable)"),
    ("specifiers", "UENUM(BlueprintType)", "UENUM(BlueprintType, Flagged)"),
    ("specifiers", "UFUNCTION(BlueprintPure", "UFUNCTION(BlueprintPur"),
    ("specifiers", "UPROPERTY(BlueprintAssignable", "UPROPERTY(BlueprintAsignable"),
    ("specifiers", 'ClampMin = "0"', 'ClmpMin = "0"'),
    ("specifiers", 'DisplayName = "A Thing', 'DisplayedName = "A Thing'),
    ("member_types", "TArray<FString> Names", "TArray<TArray<FString>> Names"),
    ("member_types", "TArray<FString> Names", "TMap<FString, TArray<int32>> Names"),
    ("member_types", "TArray<FString> Names", "UObject* Names"),
    ("member_types", "TArray<FString> Names", "AActor* Names"),
    (
        "member_types",
        "const TMap<FString, FString>&",
        "const TMap<FString, TArray<int32>>&",
    ),
    ("member_types", "FTalefoldTold, int32", "FTalefoldTold, uint64"),
    ("unseen_objects", "\tUPROPERTY()\n\tTObjectPtr", "\tTObjectPtr"),
    ("unseen_objects", "\tUPROPERTY()\n\tTObjectPtr<UObject>", "\tAActor*"),
    ("member_types", "int32 Count", "uint64 Count"),
    ("member_types", "float Seconds", "std::size_t Seconds"),
    ("categories", '(BlueprintPure, Category = "Talefold")', "(BlueprintPure)"),
    ("categories", '(EditAnywhere, Category = "Talefold", ', "(EditAnywhere, "),
    (
        "private_access",
        "UPROPERTY()\n\tTArray",
        'UPROPERTY(BlueprintReadOnly, Category = "A")\n\tTArray',
    ),
    ("defaults", "int32 Count = 0;", "int32 Count;"),
    ("defaults", "int32 Count = 0;", "FGuid Count;"),
    ("arguments", "Seconds = 0.0f", "Seconds = Longest()"),
    ("arguments", "Seconds = 0.0f", "Seconds = {}"),
    ("overloads", "FString GetName() const", "FString Say() const"),
    ("events", "DYNAMIC_MULTICAST_DELEGATE", "DYNAMIC_DELEGATE"),
    ("exported", "class TALEFOLD_API UTalefoldThing", "class UTalefoldThing"),
    ("forbidden_words", "FString() : Names[0]", "TCHAR_TO_ANSI(*Names[0])"),
    ("forbidden_words", "void Update()", "void SendMessage()"),
    ("forbidden_words", "\tGENERATED_BODY()\n\npublic:", "\tGENERATED_UCLASS_BODY()\n"),
    ("forbidden_words", "TArray<FString> Names", "TAtomic<int32> Names"),
    ("forbidden_words", "void Update()", "bool IsDataValid(TArray<FText>& Errors)"),
    ("forbidden_words", "void Update();", "void Update() { UE_LOG(LogTemp); }"),
    ("forbidden_words", "FString() :", 'FText::FromString(TEXT("Hello")).ToString() :'),
    ("json_values", "FString() : Names[0]", "Value->AsString()"),
    ("third_party", '#include "CoreMinimal.h"', '#include "talefold/talefold.h"'),
]

# What needs members that the good header does not have.
CLASS_WITH = """\
#include "TalefoldThing.generated.h"
UCLASS({specifiers})
class TALEFOLD_API UTalefoldThing : public {base}
{{
	GENERATED_BODY()
{members}
}};
"""
NODE = (
    'UFUNCTION(BlueprintCallable, Category = "A", meta = (BlueprintInternalUseOnly))\n'
    "\tstatic UTalefoldThing* Wait();"
)
EVENT = (
    'UFUNCTION(BlueprintImplementableEvent, Category = "A")\n'
    "\tvoid Tell(const TArray<FString>& Names);"
)
LIMIT = (
    "virtual FName GetCategoryName() const override;\n\t"
    'UPROPERTY(Config, EditAnywhere, Category = "A", meta = (ClampMin = "1"))\n'
    "\tint32 Most = 1;"
)
BASES = {
    "arguments": ("", "UObject", EVENT),
    "async_outputs": ("", "UTalefoldAsyncAction", NODE),
    "settings": ("Config = Game, DefaultConfig", "UDeveloperSettings", LIMIT),
    "constructors": ("", "UObject", "UTalefoldThing() { Count = 1; }"),
}
MEMBER_FAULTS = [
    ("arguments", "const TArray<FString>& Names", "TArray<FString> Names"),
    ("async_outputs", ", meta = (BlueprintInternalUseOnly)", ""),
    ("settings", ", DefaultConfig", ""),
    ("settings", "GetCategoryName", "GetCategory"),
    ("settings", "UPROPERTY(Config, ", "UPROPERTY("),
    ("settings", ', meta = (ClampMin = "1")', ""),
    ("constructors", "Count = 1;", "NewObject<UObject>();"),
    ("constructors", "{ Count = 1; }", ": Count(1) { FRunnableThread::Create(this); }"),
]


@pytest.mark.parametrize(("rule", "good", "bad"), MEMBER_FAULTS)
def test_a_fault_of_members_is_found(rule: str, good: str, bad: str) -> None:
    specifiers, base, members = BASES[rule]
    text = CLASS_WITH.format(specifiers=specifiers, base=base, members=members)
    assert lint_header(header(text)) == []
    assert text.count(good) == 1
    found = {problem.rule for problem in lint_header(header(text.replace(good, bad)))}
    assert rule in found


def test_a_header_of_others_is_wrapped() -> None:
    """As the good header's fault of the rule third_party is mended."""
    wrapped = (
        "THIRD_PARTY_INCLUDES_START\n"
        '#include "talefold/talefold.h"\nTHIRD_PARTY_INCLUDES_END'
    )
    assert lint_header(header(GOOD.replace('#include "CoreMinimal.h"', wrapped))) == []


def test_the_specifiers_in_use_are_known_by_the_right_macro() -> None:
    assert "SaveGame" in PROPERTY - FUNCTION - CLASS
    assert "CallInEditor" in FUNCTION - PROPERTY - CLASS
    assert "DefaultConfig" in CLASS - PROPERTY - FUNCTION


def test_the_c_header_has_no_word_that_the_engine_defines() -> None:
    text = (ROOT / "cpp/include/talefold/talefold.h").read_text(encoding="utf-8")
    words = set(re.findall(r"\w+", parse(Path("a.h"), text).code))
    assert "talefold_agent" in words
    assert not words & {"check", "verify", "ensure", "TEXT", "IN", "OUT", "PI"}


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
    seeded = {rule for rule, _, _ in (*FAULTS, *MEMBER_FAULTS)}
    assert seeded == set(RULES)


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


def test_a_dropdown_has_a_function_that_lists_what_it_offers() -> None:
    """Found by name at run time: of the owner, or static as Module.Class.Function."""
    classes = [
        each
        for path in (SOURCE / "Talefold/Public").rglob("*.h")
        for each in parse(path).classes
    ]
    functions = {
        f"{each.name[1:]}.{function.name}": function
        for each in classes
        for function in each.functions
    }
    shown_by = {"TalefoldGraphDescription": "TalefoldGraphAsset"}
    offered = [
        (each.name[1:], option)
        for each in classes
        for member in each.properties
        if (option := member.macro.meta.get("GetOptions"))
    ]
    assert len(offered) > 5
    for owner, option in offered:
        module, _, path = option.partition(".")
        assert not path or module == "Talefold"
        function = functions[path or f"{shown_by.get(owner, owner)}.{option}"]
        assert function.return_type == "TArray<FString>"
        assert function.is_static or not path


def test_a_games_own_save_object_keeps_a_whole_conversation() -> None:
    """Archives of saves write what is marked, and nothing else."""
    (state,) = parse(SOURCE / "Talefold/Public/TalefoldConversationState.h").classes
    assert [each.name for each in state.properties] == ["Snapshot", "KvCache"]
    assert all("SaveGame" in each.macro.specifiers for each in state.properties)


def test_what_blueprints_see_is_known() -> None:
    """A change here changes games; `python -m tests.unreal.uht pins` prints it."""
    assert pins(SOURCE / "Talefold") == PINS.read_text(encoding="utf-8")
