import type { MakeDigest } from '../digest/kept-digests.js'
import type { ProbePlan, Probed } from '../digest/query-tree.js'
import type { PageTree } from '../enrich/format.js'
import { Extractors } from '../extractor/extractors.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import type { PageRequest } from '../fetch/fetcher.js'
import type { AsyncPageWorks } from './workers/page-pool.js'
import { deriveTemplate } from '../frontier/duplicates/url-template.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'

/** A page's own tree, for formats: parsed anew for each question, where pages are parsed. */
export function openPageTree(
  { extractors = new Extractors() }: PageRequest,
  fetched: FetchedPage,
  { digest: { parse, extract } }: ScrapePlan,
  { digest, products }: { readonly digest: MakeDigest; readonly products: AsyncPageWorks['products'] },
  signal: AbortSignal,
): PageTree {
  const ask = async (probe: ProbePlan): Promise<Probed> => {
    const plan = { parse, extract, convert: { formats: [], removeBase64Images: false }, probe }
    return (await digest(fetched, plan, signal)).probed ?? {}
  }
  return {
    template: URL.canParse(fetched.url) ? (deriveTemplate(new URL(fetched.url)).names[0] ?? '') : '',
    extractors,
    outline: async (maxCharacters) => (await ask({ outline: maxCharacters })).outline ?? '',
    products: async () => (await products(fetched, signal)) ?? [],
    menu: async () => (await ask({ menu: true })).menu,
    apply: async (rule) => (await ask({ rule })).applied ?? {},
  }
}
