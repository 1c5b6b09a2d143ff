import { RecentMap } from '../../collections/recent-map.js'

/** Ways to the Markdown of a page, in the order in which they are tried. */
export const twinWays = ['link', 'accept', 'beside', 'folder', 'llms.txt'] as const

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
const MAX_ORIGINS = 1000

interface Known {
  pages: number
  /** Pages on which all ways have failed. */
  failed: number
  /** Way of the last twin that agreed. */
  proven: TwinWay | undefined
  /** Failures in a row of the proven way. */
  failures: number
}

/** Knowledge about which way leads to twins on an origin, so that a page costs at most one further request in the end. */
export class TwinMemory {
  readonly #origins = new RecentMap<string, Known>(MAX_ORIGINS)

  /**
   * Chooses the ways to try for a further page of an origin, in order. Pages that begin before the first ones have ended try
   * all ways too, so that what they get does not depend on the order of answers.
   */
  chooseWays(origin: string): readonly TwinWay[] {
    const known = this.#know(origin)
    known.pages += 1
    if (known.proven) return [known.proven]
    return known.failed < FIRST_PAGES || known.pages % RECHECK_EVERY === 0 ? twinWays : []
  }

  /** Records whether a page had a twin that agrees. @param way the way to it; undefined if there was none */
  record(origin: string, way: TwinWay | undefined): void {
    const known = this.#know(origin)
    if (way !== undefined) Object.assign(known, { proven: way, failures: 0, failed: 0 })
    else if (known.proven === undefined) known.failed += 1
    else {
      known.failures += 1
      if (known.failures >= MAX_FAILURES) Object.assign(known, { proven: undefined, failures: 0, failed: FIRST_PAGES })
    }
  }

  #know(origin: string): Known {
    const known = this.#origins.get(origin) ?? { pages: 0, failed: 0, proven: undefined, failures: 0 }
    this.#origins.set(origin, known)
    return known
  }
}
