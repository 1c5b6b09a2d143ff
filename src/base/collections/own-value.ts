/**
 * Reads an own property of a record by a name that comes from outside. Inherited properties (`constructor`, `toString`,
 * `__proto__`) are not found.
 */
export const ownValue = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined
