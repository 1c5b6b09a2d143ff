import type { BrowserContext } from 'playwright'
import type { StoredCookie } from './profile.js'

type Cookie = Parameters<BrowserContext['addCookies']>[0][number]

/** Warns of cookies that were left out, by their names. */
export function describeSkippedCookies(left: readonly Pick<StoredCookie, 'name'>[]): string[] {
  if (left.length === 0) return []
  const names = left.slice(0, 5).map(({ name }) => JSON.stringify(name.slice(0, 50)))
  const more = left.length > names.length ? ` and ${left.length - names.length} more` : ''
  return [`Cookies that no browser takes were left out: ${names.join(', ')}${more}.`]
}

/** Sets cookies; a browser refuses all for one that it does not like, and is then asked one by one. @returns those refused */
export async function setCookies(context: BrowserContext, cookies: readonly Cookie[]): Promise<Cookie[]> {
  if (cookies.length === 0) return []
  try {
    await context.addCookies(cookies)
    return []
  } catch {
    const refused: Cookie[] = []
    for (const cookie of cookies) await context.addCookies([cookie]).catch(() => refused.push(cookie))
    return refused
  }
}
