import { isInHeaderScope } from '../../../base/http/header-scope.js'
import { parseUrl } from '../../../base/url.js'
import { listWritings } from '../../../content/html/hide-secrets.js'
import { relate } from '../../../kernel/frontier/scope/site-relation.js'
import type { Interceptor } from './intercept-requests.js'

/** Facts of a page whose forms are kept. */
interface KeptPage {
  /** Secrets that were filled in so far. */
  readonly typed: ReadonlySet<string>
  /** Hosts that may have them, beside those of its site. */
  readonly hosts: readonly string[] | undefined
  /** Returns the address of the document that is shown. */
  shown(): string
}

/**
 * Keeps what a page sends, which may be secrets that actions have filled in, from the hosts that redirects lead to with 307 and 308, and
 * from plain http where https was asked for. Over HTTP, no form is sent on to another host either. A form with a secret is sent to the
 * site that shows it, to the one that was asked for, and to hosts that the caller names.
 *
 * @see RFC 9700 section 4.12
 */
export function keepForms(asked: URL, { typed, hosts = [], shown }: KeptPage): Interceptor {
  const targets = new Map<string, string>()
  const isOfSite = (url: URL): boolean =>
    [asked, parseUrl(shown())].some((site) => site && relate(url, site) !== 'elsewhere') ||
    isInHeaderScope(url, { namedUrl: asked.href, hosts })
  return {
    patterns: ['http://*', 'https://*'],
    resourceTypes: ['Document', 'XHR', 'Fetch'],
    judge({ chain, url, method, resourceType, readBody }) {
      const carries = (): boolean => {
        const sent = `${url} ${readBody()}`
        return listWritings(typed).some((text) => sent.includes(text))
      }
      if (typed.size > 0 && resourceType === 'document' && !isOfSite(new URL(url)) && carries()) return 'deny'
      if (method === 'GET') return undefined
      const from = targets.get(chain)
      targets.set(chain, url)
      if (from !== undefined && !isInHeaderScope(new URL(url), { namedUrl: from })) return 'deny'
      return asked.protocol === 'https:' && url.startsWith('http:') ? 'deny' : undefined
    },
  }
}
