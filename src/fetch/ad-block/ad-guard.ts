import { isIPv6 } from 'node:net'
import type { CDPSession, Page, Request } from 'playwright'
import { isMainDocumentRequest } from '../browser-page/document-watch.js'
import { interceptAllRequests, type Interceptor } from '../browser-page/intercept-requests.js'
import type { RequestFilter } from './request-filter.js'
import { untilAborted } from '../../concurrency/until-aborted.js'

/** Limit for the renderer's answer: a later one means that it is busy, e.g. waits for this connection. Milliseconds. */
const MAX_ANSWER_MS = 500

/** Blocks the advertisements of a page with `blockAds`. */
export interface AdGuard extends Interceptor {
  /**
   * Tells whether the page may connect to a host: at least one request to it must not be blocked. This holds for everything
   * that opens a connection: WebSockets, frames and workers of other sites, windows.
   */
  admits(hostname: string): Promise<boolean>
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
  // A page may navigate to an advertiser.
  const windowUrls = new Set<string>()
  const stops = (url: string, resourceType: string): boolean => filter.blocks({ url, resourceType, pageUrl: pageUrl() })

  /** @returns the function to call when the request has ended */
  function note(url: string, kind: keyof Pending): () => void {
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
    const forget = note(url, !isForWindow && stops(url, request.resourceType()) ? 'stopped' : 'free')
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
    const forget = note(socket.url(), stops(socket.url(), 'websocket') ? 'stopped' : 'free')
    sockets.add(forget)
    socket.once('close', () => {
      forget()
      sockets.delete(forget)
    })
  })
  // The end of a WebSocket is not reported if it ends with its document.
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame()) return
    for (const forget of sockets) forget()
    sockets.clear()
  })

  const stopsAll = (hostname: string): boolean => stops(urlOf(hostname), 'other')
  const mayPass = (hostname: string): boolean => {
    const pending = hosts.get(hostname)
    // Requests of workers, for example, are not known here.
    return pending ? pending.free > 0 : !stopsAll(hostname)
  }
  return {
    patterns: filter.patterns,
    judge({ url, resourceType }) {
      if (resourceType === 'document' && windowUrls.has(url)) return undefined
      return stops(url, resourceType) ? 'stop' : undefined
    },
    async admits(hostname) {
      if (!mayPass(hostname)) {
        // The connection may begin before the renderer has reported its request. The report arrives before any answer.
        const answered = session.send('Runtime.getIsolateId')
        await untilAborted(answered, AbortSignal.timeout(MAX_ANSWER_MS)).catch(() => undefined)
        if (!mayPass(hostname)) return false
      }
      // The main frame navigates there, and later requests use the same connection.
      if (stopsAll(hostname)) await interceptAllRequests(session).catch(() => undefined)
      return true
    },
  }
}

const urlOf = (hostname: string): string => `https://${isIPv6(hostname) ? `[${hostname}]` : hostname}/`

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.*)\]$/, '$1') : '')
