import type { FetchedPage } from '../fetch/fetched-page.js'
import type { PageContext } from './page-context.js'

/**
 * Finds the reason why a further URL must not be requested for a page: a feature refuses it. The page lends its slot meanwhile.
 *
 * @throws TrawlError what the feature throws; the signal's reason
 */
export async function refuseFurther(
  { request: { permit, clock, visit }, plan, tools }: PageContext,
  url: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (plan.judges === undefined) return undefined
  const asking = tools.features.refuse({ url, plan, visit, signal })
  const refused = await (permit?.wait(asking, { signal, clock }) ?? asking)
  return refused?.refusal.message
}

/**
 * Leaves out what the action `scrape` took of pages that a feature refuses: actions can lead to other pages.
 *
 * @returns the page, and a warning for each result that was left out
 * @throws TrawlError what the feature throws; the signal's reason
 */
export async function withoutRefusedScrapes(
  context: PageContext,
  page: FetchedPage,
): Promise<{ readonly page: FetchedPage; readonly warnings: readonly string[] }> {
  const { actions } = page
  if (!actions || actions.scrapes.length === 0 || !context.plan.judges) return { page, warnings: [] }
  const scrapes: typeof actions.scrapes = []
  const warnings: string[] = []
  for (const scrape of actions.scrapes) {
    const reason = await refuseFurther(context, scrape.url, context.deadline.signal)
    if (reason === undefined) scrapes.push(scrape)
    else warnings.push(`A result of the action \`scrape\` was left out, ${scrape.url}: ${reason}.`)
  }
  return { page: { ...page, actions: { ...actions, scrapes } }, warnings }
}
