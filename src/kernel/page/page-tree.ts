import type { DigestPlan } from '../../content/digest/digest.js'
import type { PageTree } from '../enrich/format.js'
import { LearntRules } from '../enrich/learnt-rules.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import { deriveTemplate } from '../../base/url-template.js'
import type { PageContext } from './page-context.js'
import { parseUrl } from '../../base/url.js'

/**
 * Gives formats access to the tree of a page. The page is parsed again for each query, in a worker thread if there are
 * any.
 */
export function openPageTree({ request, plan, tools, deadline }: PageContext, fetched: FetchedPage): PageTree {
  const { learntRules = new LearntRules() } = request
  const { parse, extract } = plan.digest
  const { signal } = deadline
  return {
    get template() {
      const url = parseUrl(fetched.url)
      return (url && deriveTemplate(url).names[0]) ?? ''
    },
    learntRules,
    run: async (task, argument) => {
      const query = argument === undefined ? { task } : { task, argument }
      const digestPlan: DigestPlan = { parse, extract, convert: { formats: [], removeBase64Images: false }, query }
      return (await tools.digest(fetched, digestPlan, signal)).answer
    },
    runOnBytes: (task, here) => tools.pageTask(task, fetched, here, signal),
  }
}
