/** Where the made pages of a large job stand; nothing is asked for there. */
export const ORIGIN = 'http://127.0.0.1:9'

/** Returns the path of a page. */
export const makePath = (number: number): string => `/p/${number}`

/** Reads the number of a page from its URL. */
export function numberOf(url: string): number | undefined {
  const found = /\/p\/(\d+)$/.exec(url)
  return found ? Number(found[1]) : undefined
}
