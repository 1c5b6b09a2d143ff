/** The least and the greatest of some numbers, however many: as arguments of a function, a hundred thousand are too many. */
export function extentOf(values: Iterable<number>): [least: number, greatest: number] {
  let [least, greatest] = [Infinity, -Infinity]
  for (const value of values) {
    if (value < least) least = value
    if (value > greatest) greatest = value
  }
  return [least, greatest]
}
