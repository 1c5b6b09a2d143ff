/** Groups items by a name. Items without a name are dropped. */
export function groupBy<T, Name>(items: readonly T[], nameOf: (item: T) => Name | undefined): Map<Name, T[]> {
  const groups = new Map<Name, T[]>()
  for (const item of items) {
    const name = nameOf(item)
    if (name === undefined) continue
    const group = groups.get(name)
    if (group) group.push(item)
    else groups.set(name, [item])
  }
  return groups
}
