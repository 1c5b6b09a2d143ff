import { childScope, isBelow, isSameHost, withoutCredentials } from '../../../base/url.js'
import { type ScopePlan, startOf } from './scope.js'
import { relate } from './site-relation.js'

/**
 * Moves the scope of a crawl to where its start page leads, by redirects or a refresh: to the folder of that URL on another
 * host, or beside the folder of the start URL on the same one. Returns the same scope if that changes nothing.
 *
 * A site sends pages that it has no more to its home page, and visitors without a session to a login. Neither makes a crawl of
 * a folder one of the whole site, with one exception: the home page of another host of the domain is that of what has moved
 * there, as from `example.com/docs/` to `docs.example.com/`.
 *
 * @see docs/compatibility/crawls.md#links-and-scope
 */
export function moveScope(scope: ScopePlan, target: URL): ScopePlan {
  const start = startOf(scope)
  if (isLogin(target, start)) return scope
  const isNarrow = isTakenOver(start, target)
  if (isSameHost(target, start)) {
    if (scope.crawlEntireDomain || !isNarrow || isBelow(childScope(start), target)) return scope
    return Object.freeze({ ...scope, movedTo: placeOf(target) })
  }
  if (isNarrow || relate(target, start) === 'same domain') return Object.freeze({ ...scope, start: placeOf(target) })
  const moved = new URL(start)
  moved.protocol = target.protocol
  moved.host = target.host
  // A host without a port leaves the old one.
  moved.port = target.port
  return Object.freeze({ ...scope, start: moved.href })
}

/** Returns the page at `target`, without what only its request had. */
function placeOf(target: URL): string {
  const place = new URL(withoutCredentials(target))
  ;[place.search, place.hash] = ['', '']
  return place.href
}

/** Tests if the folder of `target` is no wider than that of the start: not above it, whatever the case, and no home page. */
function isTakenOver(start: URL, target: URL): boolean {
  const [from, to] = [start, target].map((url) => withLastSlash(childScope(url)).toLowerCase())
  if (from === undefined || to === undefined) return false
  const isWider = from.startsWith(to) && from !== to
  return !isWider && !(isHome(target) && !isHome(start) && from !== '/')
}

const withLastSlash = (folder: string): string => (folder.endsWith('/') ? folder : `${folder}/`)

/** Tests for a home page: of the host, of a language, or by name. */
const isHome = ({ pathname }: URL): boolean =>
  /^\/(?:[a-z]{2}(?:[-_][a-z]{2,4})?|home|index|default|start|welcome)?\/?(?:(?:index|home|default)(?:\.\w{2,5})?\/?)?$/i.test(
    pathname,
  )

/** Last parts of paths, and first labels of hosts, that ask who a visitor is. */
const LOGIN_PATH =
  /\/(?:wp-)?(?:log[-_]?[io]n|sign[-_]?(?:[io]n|up)|register|auth|authori[sz]e|authenticate|sso|saml2?|cas|consent)(?:\.\w{2,5})?\/?$/i
const LOGIN_HOST = /^(?:login|signin|auth|accounts?|sso|idp?|consent)\./i
/** Parameters that have the address to return to. */
const RETURN_PARAMETER =
  /^(?:re?turn|next|continue|redirect(?!ed)|goto|dest|target|back|service|url$|to$|ref(?:errer)?$)/i

/** Tests for a login: by its name, which the start URL has not, or because it is told where to send the visitor afterwards. */
function isLogin(target: URL, start: URL): boolean {
  if (LOGIN_PATH.test(target.pathname) && !LOGIN_PATH.test(start.pathname)) return true
  if (LOGIN_HOST.test(target.hostname) && !LOGIN_HOST.test(start.hostname)) return true
  const back = start.pathname === '/' ? start.host : start.pathname
  return [...target.searchParams].some(([name, value]) => RETURN_PARAMETER.test(name) && value.includes(back))
}
