/** Creates a test for an object that has these methods, to recognise a plug-in. */
export const hasMethods =
  (...names: readonly string[]) =>
  (value: unknown): boolean =>
    typeof value === 'object' && value !== null && names.every((name) => name in value)

/** Tests for a function. */
export const isFunction = (value: unknown): boolean => typeof value === 'function'
