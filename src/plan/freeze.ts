/** Freezes plain objects and arrays, deeply. Instances of classes stay as they are. */
export function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return value
  for (const part of Object.values(value)) freeze(part)
  return Object.freeze(value)
}
