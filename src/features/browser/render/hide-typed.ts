import { parseJson } from '../../../base/text/parse-json.js'
import { hideSecrets, listWritings } from '../../../content/html/hide-secrets.js'
import type { RawActionResults } from '../../../kernel/fetch/action.js'
import type { Declined } from '../../../kernel/fetch/fetcher.js'
import type { RenderedPage } from './render-page.js'

/** Takes the secrets that actions have filled in out of a page: frameworks write what is typed into its source, and forms into addresses. */
export function hideTyped(page: RenderedPage | Declined, typed: ReadonlySet<string>): RenderedPage | Declined {
  if (typed.size === 0 || 'declined' in page) return page
  const writings = listWritings(typed)
  const hide = (text: string): string => hideSecrets(text, typed)
  const hideInSource = (text: string): string => writings.reduce((hidden, one) => hidden.replaceAll(one, '…'), text)
  const { url, redirects, warnings, body, actions } = page
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const isTold = writings.some((one) => bytes.includes(one))
  return {
    ...page,
    url: hide(url),
    redirects: redirects.map((hop) => ({ ...hop, url: hide(hop.url) })),
    warnings: warnings?.map(hide),
    body: isTold ? Buffer.from(hideInSource(bytes.toString())) : body,
    actions: actions && hideInResults(actions, hideInSource),
  }
}

const hideInResults = (
  { scrapes, javascriptReturns, ...rest }: RawActionResults,
  hide: (text: string) => string,
): RawActionResults => ({
  ...rest,
  scrapes: scrapes.map((scrape) => ({ ...scrape, url: hide(scrape.url), html: hide(scrape.html) })),
  javascriptReturns: javascriptReturns.map(({ type, value }) => ({
    type,
    value: value === undefined ? value : (parseJson(hide(JSON.stringify(value))) as typeof value),
  })),
})
