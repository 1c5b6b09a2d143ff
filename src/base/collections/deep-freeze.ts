/** Freezes a plain object or array with all that it contains. Instances of classes stay unfrozen. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return value
  for (const part of Object.values(value)) if (typeof part === 'object') deepFreeze(part)
  return Object.freeze(value)
}
