import { isIPv6 } from 'node:net'
import type { CDPSession, Page, Request } from 'playwright'
import { isOwn } from './document-watch.js'
import type { Interceptor } from './intercept-requests.js'
import type { RequestFilter } from './request-filter.js'

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
export function guardFromAds(page: Page, session: CDPSession, filter: RequestFilter, pageUrl: () => string): AdGuard {
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
    return () => {
      pending[kind] -= 1
      if (pending.stopped + pending.free === 0) hosts.delete(hostname)
    }
  }
  const endings = new WeakMap<Request, () => void>()
  const end = (request: Request): void => {
    endings.get(request)?.()
    endings.delete(request)
  }
  page.on('request', (request) => {
    const url = request.url()
    const isForWindow = isOwn(page, request)
    const forget = note(url, !isForWindow && stops(url, request.resourceType()) ? 'stopped' : 'free')
    if (isForWindow) windowUrls.add(url)
    endings.set(request, () => {
      forget()
      if (isForWindow) windowUrls.delete(url)
    })
  })
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  page.on('websocket', (socket) =>
    socket.once('close', note(socket.url(), stops(socket.url(), 'websocket') ? 'stopped' : 'free')),
  )

  const mayPass = (hostname: string): boolean => {
    const pending = hosts.get(hostname)
    // Nothing is known of what is wanted there, e.g. by a worker.
    return pending ? pending.free > 0 : !stops(urlOf(hostname), 'other')
  }
  return {
    patterns: filter.patterns,
    judge({ url, resourceType }) {
      if (resourceType === 'document' && windowUrls.has(url)) return undefined
      return stops(url, resourceType) ? 'stop' : undefined
    },
    async admits(hostname) {
      if (mayPass(hostname)) return true
      // The connection may be ahead of the news of what it is for, which is there before the answer to any question.
      await session.send('Target.getTargetInfo').catch(() => undefined)
      return mayPass(hostname)
    },
  }
}

const urlOf = (hostname: string): string => `https://${isIPv6(hostname) ? `[${hostname}]` : hostname}/`

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.*)\]$/, '$1') : '')
