/** Returns the numbers of the entries that a page or a text links to, in its order, with repetitions. */
export const readEntries = (text: string): number[] =>
  [...text.matchAll(/\/lists\/entry\/(\d+)/g)].map(([, id]) => Number(id))
