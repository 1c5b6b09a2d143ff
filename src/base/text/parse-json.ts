/** Matches text that may have a member called `__proto__`, its letters escaped or not. */
const MAY_HAVE_PROTOTYPE = /__proto__|\\u00(?:5f|6f|7[024])/i

/**
 * Parses JSON of any origin. Members called `__proto__` are removed, at any depth: `JSON.parse` keeps them as own properties, and
 * code that copies such a value member by member sets the prototype of the copy.
 *
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (MAY_HAVE_PROTOTYPE.test(text)) removePrototypes(value)
  return value
}

/** Parses JSON of any origin. @returns undefined for a text that is none */
export function tryParseJson(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Iterative, because nesting may be as deep as the text is long. */
function removePrototypes(root: unknown): void {
  const open = typeof root === 'object' && root !== null ? [root] : []
  for (let value = open.pop(); value; value = open.pop()) {
    if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__')
    for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) open.push(part)
  }
}
