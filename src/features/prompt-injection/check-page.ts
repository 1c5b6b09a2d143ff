import { TrawlError } from '../../base/errors.js'
import type { FeatureSteps } from '../../kernel/engine/feature.js'
import type { FeaturePage, StepResult } from '../../kernel/page/feature-page.js'
import type { PageInternals } from '../../kernel/page/feature-steps.js'
import { askModel } from './ask-model.js'
import { type InjectionFindings, type InjectionQuery, MAX_FINDINGS } from './find-injections.js'
import type { PromptInjection } from './prompt-injection.js'

/** Part of the check in the plan of a page. */
export interface PromptInjectionSlice {
  readonly mode: 'fail' | 'flag'
  readonly model: boolean
}

type Found = readonly PromptInjection[]

/** Opens the step that checks a page after its digest, before anything is made of it. */
export const openSteps = (): FeatureSteps<PromptInjectionSlice, Found, never> => ({ afterDigest: checkPage })

async function checkPage(
  page: FeaturePage<PromptInjectionSlice, never>,
  internals: PageInternals,
): Promise<StepResult<Found> | undefined> {
  // A page that is read for its links hands out no text.
  if (internals.isForLinks) return undefined
  const { mode, model } = page.slice
  const query: InjectionQuery = {
    hidden: internals.digest?.hidden?.map(({ text }) => text) ?? [],
    partTokens: model ? internals.model?.partTokens : undefined,
  }
  const findings = (await internals.tree.run('prompt-injection/find', query)) as InjectionFindings | undefined
  if (findings === undefined) {
    page.warn('The page could not be checked for instructions to a language model: reading it took too long.')
    return undefined
  }
  const { found, more, isCut, parts = [] } = findings
  if (isCut) page.warn('Only a part of the page was checked for instructions to a language model: it is too long.')
  const all = model ? [...found, ...(await askModel(page, internals, { parts, found }))] : found
  const [first] = all
  if (!first) return undefined
  const count = all.length + more
  const many = count > 1 ? `, and ${count - 1} more` : ''
  if (mode === 'fail') {
    // Without the words of the page: an agent reads messages of errors.
    const seen = `${first.kind} (${first.where}, rule ${first.rule})${many}`
    const message = `The page contains instructions to a language model: ${seen}. \`checkPromptInjection: 'flag'\` quotes them.`
    throw new TrawlError('SCRAPE_PROMPT_INJECTION_DETECTED', message, { url: page.url })
  }
  const described = `"${first.quote}" (${first.where}, rule ${first.rule})${many}`
  page.warn(`The page contains instructions to a language model: ${described}. \`promptInjection\` lists them.`)
  return { found: all.slice(0, MAX_FINDINGS) }
}
