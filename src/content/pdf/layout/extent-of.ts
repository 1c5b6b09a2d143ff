/** Returns minimum and maximum. `Math.min(...values)` fails for a hundred thousand arguments. */
export function extentOf(values: Iterable<number>): [least: number, greatest: number] {
  let [least, greatest] = [Infinity, -Infinity]
  for (const value of values) {
    if (value < least) least = value
    if (value > greatest) greatest = value
  }
  return [least, greatest]
}
