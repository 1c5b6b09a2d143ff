/** Place in the report, as the fragment of its address names it: `#pages?outcome=failed`. */
interface Route {
  readonly view: string
  readonly parameters: URLSearchParams
}

/** Reads the place from the address. */
export function readRoute(hash: string): Route {
  const [view = '', query = ''] = hash.replace(/^#/, '').split('?', 2)
  return { view: view === '' ? 'overview' : view, parameters: new URLSearchParams(query) }
}

/** Writes the fragment of a place. */
export function toHash(view: string, parameters: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '')
  const query = new URLSearchParams(given).toString()
  return query === '' ? `#${view}` : `#${view}?${query}`
}
