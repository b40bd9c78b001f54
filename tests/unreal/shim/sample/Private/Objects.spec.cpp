// Default objects, garbage, weak pointers, dynamic delegates.
#include "CoreMinimal.h"
#include "EndsProgram.h"
#include "Misc/AutomationTest.h"
#include "SampleObjects.h"

#include <thread>

BEGIN_DEFINE_SPEC(FShimObjectsSpec, "Shim.Objects", EAutomationTestFlags::EditorContext | EAutomationTestFlags::EngineFilter)
USampleObject* Root = nullptr;

/** Whether an object that the root holds in this way is there after a collection. */
bool IsKept(void (*Hold)(USampleObject& Holder, USampleObject* Held)) const
{
	USampleObject* Held = NewObject<USampleObject>();
	const TWeakObjectPtr<USampleObject> Weak(Held);
	Hold(*Root, Held);
	CollectGarbage(RF_NoFlags);
	return Weak.IsValid();
}
END_DEFINE_SPEC(FShimObjectsSpec)

void FShimObjectsSpec::Define()
{
	BeforeEach([this] {
		Root = NewObject<USampleObject>();
		Root->AddToRoot();
	});
	AfterEach([this] {
		Root->RemoveFromRoot();
		CollectGarbage(RF_NoFlags);
	});

	Describe(TEXT("A class"), [this] {
		It(TEXT("has a default object, which knows that it is one"), [this] {
			TestTrue(TEXT("default"), GetDefault<USampleObject>()->bWasDefaultInConstructor);
			TestFalse(TEXT("other"), Root->bWasDefaultInConstructor);
		});
		It(TEXT("starts nothing in its constructor"), [this] {
			TestTrue(TEXT("default object"), EndsProgram([] {
				USampleStarter::bStarts = true;
				ue_shim::FRegisterClass Again(&USampleStarter::StaticClass);
			}));
			TestFalse(TEXT("other object"), EndsProgram([] {
				USampleStarter::bStarts = true;
				NewObject<USampleStarter>();
			}));
		});
		It(TEXT("is known at run time"), [this] {
			UObject* const Object = Root;
			TestTrue(TEXT("Cast"), Cast<USampleObject>(Object) == Root);
			TestTrue(TEXT("Cast to another"), Cast<USampleSave>(Object) == nullptr);
		});
		It(TEXT("that is abstract makes no objects"), [this] {
			TestTrue(TEXT("NewObject"), EndsProgram([] { NewObject<USampleAbstract>(); }));
		});
		It(TEXT("makes objects by NewObject alone"), [this] {
			TestTrue(TEXT("new"), EndsProgram([] { delete new USampleObject(); }));
		});
	});

	Describe(TEXT("The collector"), [this] {
		It(TEXT("keeps what is reflected"), [this] {
			TestTrue(TEXT("member"), IsKept([](USampleObject& Holder, USampleObject* Held) { Holder.Member = Held; }));
			TestTrue(TEXT("array"), IsKept([](USampleObject& Holder, USampleObject* Held) { Holder.Array.Add(Held); }));
			TestTrue(TEXT("map"), IsKept([](USampleObject& Holder, USampleObject* Held) { Holder.Map.Add(TEXT("a"), Held); }));
			TestTrue(TEXT("struct"), IsKept([](USampleObject& Holder, USampleObject* Held) { Holder.Link.Object = Held; }));
			TestTrue(TEXT("instanced struct"), IsKept([](USampleObject& Holder, USampleObject* Held) {
				FSampleLink Link;
				Link.Object = Held;
				Holder.Instanced = FInstancedStruct::Make(Link);
			}));
			TestTrue(TEXT("at second hand"), IsKept([](USampleObject& Holder, USampleObject* Held) {
				Holder.Member = NewObject<USampleObject>();
				Holder.Member->Member = Held;
			}));
		});
		It(TEXT("takes what is not"), [this] {
			TestFalse(TEXT("nothing"), IsKept([](USampleObject&, USampleObject*) {}));
			TestFalse(TEXT("weak"), IsKept([](USampleObject& Holder, USampleObject* Held) { Holder.Weak = Held; }));
			TestFalse(TEXT("no property"), IsKept([](USampleObject& Holder, USampleObject* Held) { Holder.NotReflected = Held; }));
			TestFalse(TEXT("a circle"), IsKept([](USampleObject&, USampleObject* Held) { Held->Member = Held; }));
		});
		It(TEXT("keeps outers"), [this] {
			USampleObject* Outer = NewObject<USampleObject>();
			const TWeakObjectPtr<USampleObject> Weak(Outer);
			Root->Member = NewObject<USampleObject>(Outer);
			CollectGarbage(RF_NoFlags);
			TestTrue(TEXT("outer"), Weak.IsValid());
		});
		It(TEXT("takes garbage, and what pointed to it is null"), [this] {
			Root->Member = NewObject<USampleObject>();
			const TWeakObjectPtr<USampleObject> Weak(Root->Member.Get());
			Root->Member->MarkAsGarbage();
			TestFalse(TEXT("weak"), Weak.IsValid());
			TestTrue(TEXT("weak, told"), Weak.Get(true) == Root->Member.Get());
			CollectGarbage(RF_NoFlags);
			TestTrue(TEXT("member"), Root->Member == nullptr);
			TestTrue(TEXT("gone"), Weak.Get(true) == nullptr);
		});
		It(TEXT("demands Super::BeginDestroy"), [this] {
			TestTrue(TEXT("forgotten"), EndsProgram([] {
				NewObject<USampleObject>()->bForgetsSuper = true;
				CollectGarbage(RF_NoFlags);
			}));
		});
	});

	Describe(TEXT("A dynamic delegate"), [this] {
		It(TEXT("calls UFUNCTIONs of objects that live"), [this] {
			USampleObject* Listener = NewObject<USampleObject>();
			Root->OnEvent.AddDynamic(Root, &USampleObject::Hear);
			Root->OnEvent.AddDynamic(Listener, &USampleObject::Hear);
			CollectGarbage(RF_NoFlags); // it does not keep them
			Root->OnEvent.Broadcast(TEXT("a"));
			TestEqual(TEXT("heard"), Root->Heard.Num(), 1);
			Root->OnEvent.RemoveDynamic(Root, &USampleObject::Hear);
			Root->OnEvent.Broadcast(TEXT("b"));
			TestEqual(TEXT("heard"), Root->Heard.Num(), 1);
		});
		It(TEXT("ends the program at what the engine does not allow"), [this] {
			TestTrue(TEXT("twice"), EndsProgram([this] {
				Root->OnEvent.AddDynamic(Root, &USampleObject::Hear);
				Root->OnEvent.AddDynamic(Root, &USampleObject::Hear);
			}));
			TestTrue(TEXT("no UFUNCTION"), EndsProgram([this] { Root->OnEvent.AddDynamic(Root, &USampleObject::HearUnreflected); }));
			TestTrue(TEXT("another thread"), EndsProgram([this] { std::thread([this] { Root->OnEvent.Broadcast(TEXT("a")); }).join(); }));
		});
	});

	Describe(TEXT("A delegate"), [this] {
		It(TEXT("does not call what was removed meanwhile, nor what is gone"), [this] {
			TMulticastDelegate<void(const FString&)> Delegate;
			USampleObject* Gone = NewObject<USampleObject>();
			Delegate.AddUObject(Gone, &USampleObject::Hear);
			Delegate.AddUObject(Root, &USampleObject::Hear);
			CollectGarbage(RF_NoFlags);
			Delegate.Broadcast(TEXT("a"));
			TestEqual(TEXT("heard"), Root->Heard.Num(), 1);
		});
	});
}
