import type { Json } from '../../base/store/store.js'

/** The feature that rewrites what is read of a page. Plain data. */
export interface RewritePlan {
  /** Name of the feature. */
  readonly feature: string
  /** Options of the feature. */
  readonly options: Json
  /** Note of an earlier rewriter of the page: {@link Rewriter.note}. @default none */
  readonly note?: unknown
}

/** Rewrites the texts of one page, the same text always in the same way. */
export interface Rewriter {
  /** Rewrites every text in plain data, in time that is linear in it. @returns the data itself where nothing changes */
  rewrite<Data>(data: Data): Data
  /** Notes links that are left out, because their URL would have been rewritten. */
  leaveOut(links: number): void
  /** Returns what it has done so far, for another rewriter of the page. Plain data. */
  note(): unknown
}

/** Part of a feature that rewrites digests where they are made. */
export interface DigestRewriter {
  /** Name of the feature. */
  readonly feature: string
  open(plan: RewritePlan): Rewriter
}

/** Opens the rewriter that a plan names. @throws TypeError for one that is not there: nothing is handed out as it was read */
export function openRewriter(plan: RewritePlan, rewriters: readonly DigestRewriter[] = []): Rewriter {
  const found = rewriters.find(({ feature }) => feature === plan.feature)
  if (!found) throw new TypeError(`feature \`${plan.feature}\` has no rewriter of digests`)
  return found.open(plan)
}

/** Leaves out links whose URLs have what is rewritten: it is no address that can be asked, and must not be recorded. */
export function keepLinks<Link extends { readonly url: string }>(
  links: readonly Link[],
  rewriter: Rewriter,
): readonly Link[] {
  const rewritten = rewriter.rewrite(links)
  if (rewritten === links) return links
  const kept = rewritten.filter(({ url }, index) => url === links[index]?.url)
  const leftOut = links.filter(({ url }, index) => /^https?:/i.test(url) && url !== rewritten[index]?.url)
  if (leftOut.length > 0) rewriter.leaveOut(leftOut.length)
  return kept
}
