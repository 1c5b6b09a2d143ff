import type { TrawlError } from '../../errors.js'
import type { Dial } from '../dial.js'
import { createTransport, type Transport, type TransportOptions } from './transport.js'

/** A transport, for the length of a page. */
export interface TransportLease extends Disposable {
  readonly transport: Transport
}

/** The transports of an HTTP fetcher: connections are kept among pages that may share them. */
export interface TransportPool {
  /**
   * @param key pages of one key share connections: those of one proxy, that agree on certificates
   * @param dial how connections of this key are opened
   */
  lease(key: string, dial: Dial, verifyCertificates: boolean): TransportLease
  close(reason: TrawlError): Promise<void>
}

interface PooledTransport {
  readonly transport: Transport
  pages: number
}

/** Transports that are kept: a proxy with sessions has one for each session. */
const MAX_POOLED = 50

export function createTransportPool(options: Pick<TransportOptions, 'connections' | 'headerBytes'>): TransportPool {
  const kept = new Map<string, PooledTransport>()

  function forgetIdle(): void {
    for (const [key, { transport, pages }] of kept) {
      if (kept.size <= MAX_POOLED) return
      if (pages > 0) continue
      kept.delete(key)
      void transport.close()
    }
  }

  return {
    lease(key, dial, verifyCertificates) {
      // A connection whose certificate nobody looked at must not be taken by a page that wants it looked at.
      const name = `${verifyCertificates ? 'strict' : 'lenient'} ${key}`
      const own = kept.get(name) ?? { transport: createTransport({ ...options, dial, verifyCertificates }), pages: 0 }
      // At the end of the row: the one that was not used for longest is the first to go.
      kept.delete(name)
      kept.set(name, own)
      own.pages += 1
      return {
        transport: own.transport,
        [Symbol.dispose]: () => {
          own.pages -= 1
          forgetIdle()
        },
      }
    },
    async close(reason) {
      await Promise.all([...kept.values()].map(({ transport }) => transport.close(reason)))
      kept.clear()
    },
  }
}
