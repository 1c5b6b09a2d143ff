/** Copied, and its item replaced. A literal without constants, so that the copies do not share its memory. */
const ONE: readonly unknown[] = [{}]

/**
 * Creates an array of one item, for nodes of trees that live as long as a page.
 *
 * An array that grows from no items to one would reserve memory for 17. `[item]` would be worse: V8 counts how many arrays
 * of each literal survive a collection. After the first large page it would allocate these arrays, and the nodes in
 * them, in the old generation for the rest of the thread's life: 100 to 200 KB for each page of a manual.
 */
export function arrayOfOne<Item>(item: Item): Item[] {
  const array = ONE.slice() as Item[]
  array[0] = item
  return array
}
