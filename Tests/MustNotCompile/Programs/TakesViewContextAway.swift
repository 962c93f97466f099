// expected: 'ObjectContext' of property 'viewContext' cannot exit main actor-isolated context
import ContextCore

func leak(_ store: Store) async {
    let context = await store.viewContext
    print(context.hasChanges)
}
