import type { TrawlError } from '../errors.js'
import type { Dial } from '../network/dial.js'
import { createTransport, type Transport, type TransportOptions } from './transport.js'

/** A transport in use by one page. */
interface TransportLease extends Disposable {
  readonly transport: Transport
}

/** The transports of an HTTP fetcher: pages with the same key share connections. */
interface TransportPool {
  /**
   * @param key identifies the proxy; pages share connections if their keys and certificate checks are the same
   * @param dial opens the connections of this key
   */
  lease(key: string, dial: Dial, verifyCertificates: boolean): TransportLease
  close(reason: TrawlError): Promise<void>
}

interface PooledTransport {
  readonly transport: Transport
  pages: number
}

class Lease implements TransportLease {
  readonly transport: Transport
  readonly #pooled: PooledTransport
  readonly #onEnd: () => void

  constructor(pooled: PooledTransport, onEnd: () => void) {
    this.transport = pooled.transport
    this.#pooled = pooled
    this.#onEnd = onEnd
  }

  [Symbol.dispose](): void {
    this.#pooled.pages -= 1
    this.#onEnd()
  }
}

/** Number of transports above which idle ones are closed. A proxy with sessions has one for each session. */
const MAX_POOLED = 50

export function createTransportPool(options: Omit<TransportOptions, 'dial' | 'verifyCertificates'>): TransportPool {
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
      // A connection with an unverified certificate must not be reused by a page that verifies certificates.
      const name = `${verifyCertificates ? 'strict' : 'lenient'} ${key}`
      const own = kept.get(name) ?? { transport: createTransport({ ...options, dial, verifyCertificates }), pages: 0 }
      // A Map iterates in order of insertion: re-inserting makes its first entry the least recently used one.
      kept.delete(name)
      kept.set(name, own)
      own.pages += 1
      return new Lease(own, forgetIdle)
    },
    async close(reason) {
      await Promise.all([...kept.values()].map(({ transport }) => transport.close(reason)))
      kept.clear()
    },
  }
}
