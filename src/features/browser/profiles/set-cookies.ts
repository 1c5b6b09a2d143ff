import type { BrowserContext } from 'playwright'

type Cookie = Parameters<BrowserContext['addCookies']>[0][number]

/** Describes skipped cookies by their names, as a warning. */
export function describeSkippedCookies(left: readonly { readonly name: string }[]): string[] {
  if (left.length === 0) return []
  const names = left.slice(0, 5).map(({ name }) => JSON.stringify(name.slice(0, 50)))
  const more = left.length > names.length ? ` and ${left.length - names.length} more` : ''
  return [`Cookies that a browser does not accept were skipped: ${names.join(', ')}${more}.`]
}

/**
 * Sets cookies. A browser refuses all of them for one invalid cookie; they are then set one by one.
 * @returns the refused ones
 */
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
