/**
 * Reads an own property of a table or a record by a name that comes from outside: what every object inherits (`constructor`,
 * `toString`, `__proto__`) is not there.
 */
export const ownValue = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined
