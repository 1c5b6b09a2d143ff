const kept: object[] = []

/**
 * Keeps an object in memory for as long as the module is loaded.
 *
 * V8 forgets the hidden class of objects when a full collection finds none of them, and with it all code that was compiled
 * for it. Objects that live for one page only are often all gone between two pages.
 *
 * V8 also takes a field for constant until its first change, which drops the code that relied on that. Fields that change on
 * few pages only should have been changed in the object.
 */
export function keepShape(sample: object): void {
  kept.push(sample)
}
