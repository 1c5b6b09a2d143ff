import type { CDPSession } from 'playwright'
import { type HeaderScope, isInHeaderScope, listScopePatterns } from '../../../base/http/header-scope.js'
import type { PausedRequest, Interceptor } from './intercept-requests.js'
import { parseUrl } from '../../../base/url.js'

/** The documents that the requests of a page come from. */
interface RequestOrigins {
  readonly mainFrameId: string
  /** URLs of the documents of a frame; the main frame has two of them while it navigates. */
  urlsOf(frameId: string): readonly string[]
}

/**
 * Watches the documents in a page's frames, for {@link sendHeaders}.
 *
 * @param mainUrls returns the URLs of the documents in the main frame
 */
export async function watchOrigins(session: CDPSession, mainUrls: () => readonly string[]): Promise<RequestOrigins> {
  const origins = new Map<string, string>()
  session.on('Page.frameNavigated', ({ frame }) => origins.set(frame.id, frame.securityOrigin))
  session.on('Page.frameDetached', ({ frameId }) => origins.delete(frameId))
  await session.send('Page.enable')
  const { frameTree } = await session.send('Page.getFrameTree')
  const mainFrameId = frameTree.frame.id
  return {
    mainFrameId,
    urlsOf: (frameId) => (frameId === mainFrameId ? mainUrls() : [origins.get(frameId) ?? []].flat()),
  }
}

/**
 * Adds headers to the requests of a page that go to a host in their scope, and to no other. Each request is changed as
 * it is sent: headers of a context or of Playwright's routes would follow a redirect to another host.
 *
 * Requests that a document of another host sends to the scope get no headers, because its scripts would act in the
 * caller's name. The exception is a navigation of the main frame with GET.
 */
export function sendHeaders(
  scope: HeaderScope,
  headers: Readonly<Record<string, string>>,
  origins: RequestOrigins,
): Interceptor {
  const isInScope = (href: string): boolean => {
    const url = parseUrl(href)
    return url !== undefined && isInHeaderScope(url, scope)
  }
  const comesFromScope = ({ frameId, resourceType, method }: PausedRequest): boolean => {
    const isWindow = resourceType === 'document' && frameId === origins.mainFrameId
    if (isWindow && method === 'GET') return true
    const urls = origins.urlsOf(resourceType === 'document' ? origins.mainFrameId : frameId)
    return urls.length > 0 && urls.every(isInScope)
  }
  return {
    patterns: listScopePatterns(scope),
    judge: (held) => (isInScope(held.url) && comesFromScope(held) ? mergeHeaders(held.headers, headers) : undefined),
  }
}

/** Merges headers; names are compared without case. */
export function mergeHeaders(
  sent: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>>,
): Record<string, string> {
  const names = new Set(Object.keys(more).map((name) => name.toLowerCase()))
  return { ...Object.fromEntries(Object.entries(sent).filter(([name]) => !names.has(name.toLowerCase()))), ...more }
}
