/** Prefixes of the names of slots. */
const QUERY = '?'
const PATH = '/'

/** Lists the parts of a URL that may change from one request of a series to the next, by name. */
export function readSlots(href: string): ReadonlyMap<string, string> {
  const url = new URL(href)
  const slots = new Map<string, string>()
  for (const [name, value] of url.searchParams) if (!slots.has(QUERY + name)) slots.set(QUERY + name, value)
  for (const [at, segment] of url.pathname.split('/').entries())
    if (/^\d+$/u.test(segment)) slots.set(PATH + String(at), segment)
  return slots
}

/** Returns a URL with other values of some slots. */
export function withSlots(href: string, values: ReadonlyMap<string, string>): string {
  const url = new URL(href)
  const segments = url.pathname.split('/')
  for (const [slot, value] of values) {
    const name = slot.slice(1)
    if (slot.startsWith(QUERY)) url.searchParams.set(name, value)
    else segments[Number(name)] = encodeURIComponent(value)
  }
  url.pathname = segments.join('/')
  return url.href
}

/** Writes the name of a slot for readers. */
export const printSlot = (slot: string): string =>
  slot.startsWith(QUERY) ? `\`${slot.slice(1)}\`` : `part ${slot.slice(1)} of the path`
