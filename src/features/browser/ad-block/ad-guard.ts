import { isIPv6 } from 'node:net'
import type { CDPSession, Page, Request } from 'playwright'
import { isMainDocumentRequest } from '../page/document-watch.js'
import { interceptAllRequests, type Interceptor } from '../page/intercept-requests.js'
import type { RequestFilter } from './request-filter.js'
import { untilAborted } from '../../../base/concurrency/until-aborted.js'
import { parseUrl } from '../../../base/url.js'

/**
 * Timeout for a reply of the renderer. One that takes longer is busy, perhaps waiting for this very connection.
 * Milliseconds.
 */
const MAX_ANSWER_MS = 500

/** Blocks the advertisements of a page with `blockAds`. */
export interface AdGuard extends Interceptor {
  /**
   * Tests whether the page may connect to a host: at least one request to it must not be blocked. Applies to everything
   * that opens a connection, including WebSockets, frames and workers of other sites, and windows.
   */
  admits(hostname: string): Promise<boolean>
  /** Tests whether the request for the document of a frame is blocked. */
  stopsFrame(url: string): boolean
}

/** Numbers of pending requests of a page to one host, blocked and not blocked. */
interface Pending {
  stopped: number
  free: number
}

/**
 * Creates the guard of a page.
 *
 * @param pageUrl returns the URL of the document in the main frame
 */
export function createAdGuard(page: Page, session: CDPSession, filter: RequestFilter, pageUrl: () => string): AdGuard {
  const hosts = new Map<string, Pending>()
  // URLs that the main frame navigates to. They are never blocked: a user may open an advertiser's page.
  const windowUrls = new Set<string>()
  const stops = (url: string, resourceType: string): boolean => filter.blocks({ url, resourceType, pageUrl: pageUrl() })

  /** Counts a request as pending. @returns the function to call when the request has ended */
  function countPending(url: string, kind: keyof Pending): () => void {
    const hostname = hostOf(url)
    const pending = hosts.get(hostname) ?? { stopped: 0, free: 0 }
    hosts.set(hostname, pending)
    pending[kind] += 1
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      pending[kind] -= 1
      if (pending.stopped + pending.free === 0) hosts.delete(hostname)
    }
  }
  const endings = new WeakMap<Request, () => void>()
  const end = (request: Request): void => endings.get(request)?.()
  page.on('request', (request) => {
    const url = request.url()
    const isForWindow = isMainDocumentRequest(page, request)
    const forget = countPending(url, !isForWindow && stops(url, request.resourceType()) ? 'stopped' : 'free')
    if (isForWindow) windowUrls.add(url)
    endings.set(request, () => {
      forget()
      if (isForWindow) windowUrls.delete(url)
    })
  })
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  const sockets = new Set<() => void>()
  page.on('websocket', (socket) => {
    const forget = countPending(socket.url(), stops(socket.url(), 'websocket') ? 'stopped' : 'free')
    sockets.add(forget)
    socket.once('close', () => {
      forget()
      sockets.delete(forget)
    })
  })
  // Playwright does not report the end of a WebSocket that ends with its document.
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame()) return
    for (const forget of sockets) forget()
    sockets.clear()
  })

  const stopsAll = (hostname: string): boolean => stops(urlOf(hostname), 'other')
  const mayPass = (hostname: string): boolean => {
    const pending = hosts.get(hostname)
    // Playwright does not report all requests, for example those of workers. For these the host decides.
    return pending ? pending.free > 0 : !stopsAll(hostname)
  }
  return {
    patterns: filter.patterns,
    judge({ url, resourceType }) {
      if (resourceType === 'document' && windowUrls.has(url)) return undefined
      return stops(url, resourceType) ? 'stop' : undefined
    },
    stopsFrame: (url) => stops(url, 'document') || stopsAll(hostOf(url)),
    async admits(hostname) {
      if (!mayPass(hostname)) {
        // A connection may be opened before the renderer reports its request. Any reply of the renderer comes after
        // that report.
        const answered = session.send('Runtime.getIsolateId')
        await untilAborted(answered, AbortSignal.timeout(MAX_ANSWER_MS)).catch(() => undefined)
        if (!mayPass(hostname)) return false
      }
      // The connection is for a navigation of the main frame. Later requests may reuse it, so each one must be checked.
      if (stopsAll(hostname)) await interceptAllRequests(session).catch(() => undefined)
      return true
    },
  }
}

const urlOf = (hostname: string): string => `https://${isIPv6(hostname) ? `[${hostname}]` : hostname}/`

const hostOf = (url: string): string => parseUrl(url)?.hostname.replace(/^\[(.*)\]$/, '$1') ?? ''
