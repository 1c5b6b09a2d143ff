/** Text that may have a member called `__proto__` in it, its letters written as escapes or not. */
const MAY_HAVE_PROTOTYPE = /__proto__|\\u00(?:5f|6f|7[024])/i

/**
 * Parses JSON of any origin. Members called `__proto__` are left out, at any depth: `JSON.parse` keeps them as own properties, and
 * whoever copies such a value by name makes them the prototype of the copy.
 *
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (MAY_HAVE_PROTOTYPE.test(text)) leaveOutPrototypes(value)
  return value
}

/** Without recursion: nesting is as deep as the text says. */
function leaveOutPrototypes(root: unknown): void {
  const open = typeof root === 'object' && root !== null ? [root] : []
  for (let value = open.pop(); value; value = open.pop()) {
    if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__')
    for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) open.push(part)
  }
}
