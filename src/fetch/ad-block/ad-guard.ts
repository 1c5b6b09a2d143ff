import { isIPv6 } from 'node:net'
import type { CDPSession, Page, Request } from 'playwright'
import { isMainDocumentRequest } from '../browser-page/document-watch.js'
import { interceptAllRequests, type Interceptor } from '../browser-page/intercept-requests.js'
import type { RequestFilter } from './request-filter.js'
import { untilAborted } from '../../concurrency/until-aborted.js'

/** A renderer that answers later is at work, e.g. waits for this very connection: its news is there by then. Milliseconds. */
const MAX_NEWS_MS = 500

/** Keeps a page with `blockAds` from advertisements. */
export interface AdGuard extends Interceptor {
  /**
   * Whether the page may be connected to a host: something there must be wanted that is not stopped. This holds for all that a
   * page can open a connection by: WebSockets, frames and workers of other sites, windows.
   */
  admits(hostname: string): Promise<boolean>
}

/** Of what a page has asked a host for, and has not got: how much is stopped, and how much is not. */
interface Pending {
  stopped: number
  free: number
}

/** @param pageUrl of the page that stands in the window */
export function createAdGuard(page: Page, session: CDPSession, filter: RequestFilter, pageUrl: () => string): AdGuard {
  const hosts = new Map<string, Pending>()
  // Who is sent on to an advertiser arrives there.
  const windowUrls = new Set<string>()
  const stops = (url: string, resourceType: string): boolean => filter.blocks({ url, resourceType, pageUrl: pageUrl() })

  /** @returns what to do when it is over */
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
  // Of a WebSocket that goes with its document nothing is told.
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame()) return
    for (const forget of sockets) forget()
    sockets.clear()
  })

  const stopsAll = (hostname: string): boolean => stops(urlOf(hostname), 'other')
  const mayPass = (hostname: string): boolean => {
    const pending = hosts.get(hostname)
    // Nothing is known of what is wanted there, e.g. by a worker.
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
        // The connection may be ahead of the renderer's news of what it is for, which is there before its answer to a question.
        const answered = session.send('Runtime.getIsolateId')
        await untilAborted(answered, AbortSignal.timeout(MAX_NEWS_MS)).catch(() => undefined)
        if (!mayPass(hostname)) return false
      }
      // The window goes there, and what else comes from there goes by the same connection.
      if (stopsAll(hostname)) await interceptAllRequests(session).catch(() => undefined)
      return true
    },
  }
}

const urlOf = (hostname: string): string => `https://${isIPv6(hostname) ? `[${hostname}]` : hostname}/`

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.*)\]$/, '$1') : '')
