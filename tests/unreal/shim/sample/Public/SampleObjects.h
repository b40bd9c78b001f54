#pragma once

#include "CoreMinimal.h"
#include "GameFramework/SaveGame.h"
#include "StructUtils/InstancedStruct.h"
#include "UObject/Object.h"

#include "SampleObjects.generated.h"

class USampleObject;

DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FSampleEvent, const FString&, Text);

UENUM(BlueprintType)
enum class ESampleMood : uint8
{
	Calm,
	Cross
};

USTRUCT(BlueprintType)
struct SAMPLE_API FSampleLink
{
	GENERATED_BODY()

	UPROPERTY()
	TObjectPtr<USampleObject> Object;
};

USTRUCT(BlueprintType)
struct SAMPLE_API FSampleNumbers
{
	GENERATED_BODY()

	UPROPERTY(SaveGame)
	int32 Kept = 1;

	UPROPERTY()
	int32 NotMarked = 1;

	UPROPERTY(SaveGame)
	ESampleMood Mood = ESampleMood::Calm;
};

/** More, as a later version of it would have. */
USTRUCT(BlueprintType)
struct SAMPLE_API FSampleMoreNumbers : public FSampleNumbers
{
	GENERATED_BODY()

	UPROPERTY(SaveGame)
	double Added = 0.5;

	UPROPERTY(SaveGame)
	TArray<FString> Texts;

	UPROPERTY(SaveGame)
	TMap<FString, int32> Counts;
};

/** Holds others in each way that reflection sees, and in two that it does not. */
UCLASS()
class SAMPLE_API USampleObject : public UObject
{
	GENERATED_BODY()

	FString Hidden; // private: GENERATED_BODY leaves classes so

public:
	USampleObject();
	virtual void BeginDestroy() override;

	UPROPERTY()
	TObjectPtr<USampleObject> Member;

	UPROPERTY()
	TArray<TObjectPtr<USampleObject>> Array;

	UPROPERTY()
	TMap<FString, TObjectPtr<USampleObject>> Map;

	UPROPERTY()
	FSampleLink Link;

	UPROPERTY()
	FInstancedStruct Instanced;

	UPROPERTY()
	TWeakObjectPtr<USampleObject> Weak;

	USampleObject* NotReflected = nullptr;

	UPROPERTY(BlueprintAssignable)
	FSampleEvent OnEvent;

	UFUNCTION()
	void Hear(const FString& Text);
	void HearUnreflected(const FString& Text) { Hear(Text); }

	TArray<FString> Heard;
	bool bWasDefaultInConstructor = false;
	bool bForgetsSuper = false;
};

/** Its constructor does what none may: default objects are built with it. */
UCLASS()
class SAMPLE_API USampleStarter : public UObject
{
	GENERATED_BODY()

public:
	USampleStarter();
	static bool bStarts;
};

UCLASS(Abstract)
class SAMPLE_API USampleAbstract : public UObject
{
	GENERATED_BODY()
};

UCLASS()
class SAMPLE_API USampleSave : public USaveGame
{
	GENERATED_BODY()

public:
	UPROPERTY(SaveGame)
	FSampleMoreNumbers Numbers;

	UPROPERTY()
	FString NotMarked;

	UPROPERTY(Transient)
	FString NotSaved;
};
