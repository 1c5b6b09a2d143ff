/** What a reference within a schema points at; undefined when that is nothing. @see RFC 6901 */
export function findReference(reference: string, root: object): unknown {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return undefined
  let at: unknown = root
  for (const part of reference.slice(2).split('/')) {
    const name = decode(part).replaceAll('~1', '/').replaceAll('~0', '~')
    at =
      typeof at === 'object' && at !== null && Object.hasOwn(at, name)
        ? (at as Record<string, unknown>)[name]
        : undefined
  }
  return at
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return part
    throw error
  }
}
