import { ownValue } from '../collections/own-value.js'

/** Resolves a reference within a schema; undefined when its target does not exist. @see RFC 6901 */
export function findReference(reference: string, root: object): unknown {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return anchorsOf(root).get(reference.slice(1))
  let at: unknown = root
  for (const part of reference.slice(2).split('/')) {
    const name = decode(part).replaceAll('~1', '/').replaceAll('~0', '~')
    at = typeof at === 'object' && at !== null ? ownValue(at as Record<string, unknown>, name) : undefined
  }
  return at
}

const anchors = new WeakMap<object, ReadonlyMap<string, object>>()

/** Subschemas with a name: `$anchor`, or `$id: '#name'` in older drafts. */
function anchorsOf(root: object): ReadonlyMap<string, object> {
  const known = anchors.get(root)
  if (known) return known
  const made = new Map<string, object>()
  const queue: unknown[] = [root]
  for (let at = 0; at < queue.length; at++) {
    const value = queue[at]
    if (typeof value !== 'object' || value === null) continue
    const { $anchor, $id }: { $anchor?: unknown; $id?: unknown } = value
    if (typeof $anchor === 'string') made.set($anchor, value)
    if (typeof $id === 'string' && $id.startsWith('#')) made.set($id.slice(1), value)
    for (const part of Object.values(value)) queue.push(part)
  }
  anchors.set(root, made)
  return made
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return part
    throw error
  }
}
