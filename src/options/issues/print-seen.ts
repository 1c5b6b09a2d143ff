const MOST = 60

/**
 * A value as a message shows it: short, on one line, and without running any code of the value's own.
 * Whoever a URL is asked for by is masked; header values and webhooks must not come here at all.
 */
export function printSeen(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shorten(maskPassword(value)))
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value)
  if (value === undefined) return 'undefined'
  if (Array.isArray(value)) return `a list of ${value.length}`
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

const shorten = (text: string): string => (text.length > MOST ? `${text.slice(0, MOST - 1)}…` : text)

/** Also of what is not quite a URL: a password may be the very thing that is wrong with it. */
function maskPassword(text: string): string {
  const at = text.lastIndexOf('@')
  const scheme = text.slice(0, Math.max(at, 0)).indexOf('//')
  if (scheme !== -1) return `${text.slice(0, scheme + 2)}…${text.slice(at)}`
  return text.slice(0, Math.max(at, 0)).includes(':') ? `…${text.slice(at)}` : text
}
