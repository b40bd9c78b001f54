#pragma once

#include "CoreMinimal.h"
#include "Factories/Factory.h"

#include "TalefoldGraphFactory.generated.h"

/** Talefold Graph in the content browser's menu for new assets. */
UCLASS()
class TALEFOLDEDITOR_API UTalefoldGraphFactory : public UFactory
{
	GENERATED_BODY()

public:
	UTalefoldGraphFactory();

	virtual UObject* FactoryCreateNew(
		UClass* Class, UObject* Parent, FName Name, EObjectFlags Flags, UObject* Context, FFeedbackContext* Warn) override;
};
