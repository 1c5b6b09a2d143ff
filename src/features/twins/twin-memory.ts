import { RecentMap } from '../../base/collections/recent-map.js'

/** Ways to the Markdown of a page, in the order in which they are tried. */
const twinWays = ['link', 'accept', 'beside', 'folder', 'llms.txt'] as const

/**
 * A way to the Markdown of a page.
 *
 * - `link`: the page names it by `rel="alternate"`.
 * - `accept`: its own URL answers `Accept: text/markdown`.
 * - `beside`: the file beside it, `/guide.md` of `/guide`.
 * - `folder`: the other usual name, `/guide/index.md` of `/guide/`, `/guide.html.md` of `/guide.html`.
 * - `llms.txt`: the file `/llms.txt` of the site lists it.
 */
export type TwinWay = (typeof twinWays)[number]

/** Number of pages without a twin that agrees, after which an origin is not asked on each page. */
const FIRST_PAGES = 3
/** Number of pages in a row without a twin that agrees, after which a way is not tried. */
const MAX_FAILURES = 3
/** Every so many pages, all ways are tried again. */
const RECHECK_EVERY = 50
/** Maximum pages of an origin that try all ways at once. */
const MAX_TRYING = 3
const MAX_ORIGINS = 1000

interface Known {
  pages: number
  /** Pages on which all ways have failed. */
  failed: number
  /** Pages that try all ways now. */
  trying: number
  /** Way of the last twin that agreed. */
  proven: TwinWay | undefined
  /** Failures in a row of the proven way. */
  failures: number
}

/** Knowledge about which way leads to twins on an origin, so that a page costs at most one further request in the end. */
export class TwinMemory {
  readonly #origins = new RecentMap<string, Known>(MAX_ORIGINS)

  /** Chooses the ways to try for a further page of an origin, in order. Where there are some, a call of {@link end} follows. */
  begin(origin: string): readonly TwinWay[] {
    const known = this.#know(origin)
    known.pages += 1
    if (known.proven) return [known.proven]
    const isDue = known.failed < FIRST_PAGES || known.pages % RECHECK_EVERY === 0
    if (!isDue || known.trying >= MAX_TRYING) return []
    known.trying += 1
    return twinWays
  }

  /**
   * Records what the ways of a page have led to.
   *
   * @param ways those that {@link begin} has chosen
   * @param result the way to a twin that agrees; `none` if the site has answered every way, and there is none; `unknown` otherwise
   */
  end(origin: string, ways: readonly TwinWay[], result: TwinWay | 'none' | 'unknown'): void {
    const known = this.#know(origin)
    if (ways.length > 1) known.trying = Math.max(0, known.trying - 1)
    if (result === 'unknown') return
    if (result !== 'none') Object.assign(known, { proven: result, failures: 0, failed: 0 })
    else if (known.proven === undefined) known.failed += 1
    else {
      known.failures += 1
      if (known.failures >= MAX_FAILURES) Object.assign(known, { proven: undefined, failures: 0, failed: FIRST_PAGES })
    }
  }

  #know(origin: string): Known {
    const known = this.#origins.get(origin) ?? { pages: 0, failed: 0, trying: 0, proven: undefined, failures: 0 }
    this.#origins.set(origin, known)
    return known
  }
}
