import type { z } from 'zod'
import { traitsOf } from '../fetch/action-options.js'
import type { RequestIssue } from '../../base/errors.js'
import type { FormatSet } from './format-set.js'
import { itemType } from './fields/formats.js'
import { type FeatureOptions, NO_FEATURE_OPTIONS } from './option-definition.js'
import type { ScrapeOptions } from './scrape-options.js'

/** Page options, of either version of the interface, that store data. */
export type StoringOptions = Pick<ScrapeOptions, 'storeInCache' | 'profile' | 'actions'> & {
  readonly formats?: readonly (string | { readonly type: string })[]
}

/** Request of a job, as far as it decides about storing data. */
interface StoringRequest extends StoringOptions {
  readonly zeroDataRetention?: boolean
  readonly scrapeOptions?: StoringOptions
}

/** Names of the options of jobs that the rule of `zeroDataRetention` reads. */
export const retentionOptions = ({ job, crawl }: FeatureOptions = NO_FEATURE_OPTIONS): string[] => [
  'zeroDataRetention',
  ...Object.keys({ ...job, ...crawl }),
]

const BECAUSE = 'with `zeroDataRetention` nothing is stored'

/**
 * Creates the rule of `zeroDataRetention`: options that cannot work without storing data are refused with it.
 *
 * @param place of the page options: at the top level, as in a batch, or in `scrapeOptions`
 */
export const refuseRetention =
  (place: 'top level' | 'scrapeOptions', { formats, job, crawl }: FeatureOptions = NO_FEATURE_OPTIONS) =>
  (request: StoringRequest, context: z.core.$RefinementCtx): void => {
    if (request.zeroDataRetention !== true) return
    const [within, options] =
      place === 'top level' ? [[], request] : ([['scrapeOptions'], request.scrapeOptions ?? {}] as const)
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message: `${message}: ${BECAUSE}` })
    for (const [name, { stores }] of Object.entries({ ...crawl, ...job })) {
      const { [name]: value } = request as Readonly<Record<string, unknown>>
      if (stores !== undefined && value !== undefined && value !== false) refuse([name], stores)
    }
    for (const [index, item] of (options.formats ?? []).entries()) {
      const type = itemType(item)
      if (formats.comparesSnapshots(type))
        refuse([...within, 'formats', index], `\`${type}\` compares with a stored snapshot`)
    }
    if (options.storeInCache === true) refuse([...within, 'storeInCache'], 'true stores the page')
    if (options.profile && options.profile.saveChanges !== false) {
      refuse([...within, 'profile'], 'stores the browser data of pages; `saveChanges: false` only reads it')
    }
  }

/** Finds formats and actions whose files the engine's `media` would store. @param within path of the page options */
export function findStoredMedia(options: StoringOptions, within: readonly string[], known: FormatSet): RequestIssue[] {
  const issue = (name: string, index: number, what: string): RequestIssue => ({
    code: 'custom',
    path: [...within, name, index],
    message: `${what} is stored by the engine's \`media\`: ${BECAUSE}`,
  })
  const formats = (options.formats ?? []).flatMap((item, index) =>
    known.hasTrait(known.typeNamed(itemType(item)), 'file') ? [issue('formats', index, `\`${itemType(item)}\``)] : [],
  )
  const actions = (options.actions ?? []).flatMap((action, index) =>
    traitsOf(action).makesFile ? [issue('actions', index, `the file of \`${action.type}\``)] : [],
  )
  return [...formats, ...actions]
}
