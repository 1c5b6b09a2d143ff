import { hasTrait } from '../enrich/enrich.js'
import type { z } from 'zod'
import type { RequestIssue } from '../errors.js'
import type { ScrapeOptions } from './scrape-options.js'

/** Page options of either version that store data. */
type StoringOptions = Pick<ScrapeOptions, 'storeInCache' | 'profile' | 'actions'> & {
  readonly formats?: readonly (string | { readonly type: string })[] | undefined
}

/** Used part of a job request. */
interface StoringRequest {
  readonly zeroDataRetention?: boolean | undefined
  readonly since?: string | undefined
  readonly scrapeOptions?: StoringOptions | undefined
}

const BECAUSE = 'with `zeroDataRetention` nothing is kept'

/**
 * Refuses under `zeroDataRetention` what cannot work without keeping something. @param isFlat whether page options
 * stand at the top, as in a batch
 */
export const refuseRetention =
  (isFlat: boolean) =>
  (request: StoringRequest & StoringOptions, context: z.core.$RefinementCtx): void => {
    if (request.zeroDataRetention !== true) return
    const within = isFlat ? [] : ['scrapeOptions']
    const options = isFlat ? request : (request.scrapeOptions ?? {})
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message: `${message}: ${BECAUSE}` })
    if (request.since !== undefined) refuse(['since'], 'goes by what an earlier crawl left, and leaves a record itself')
    for (const [index, item] of (options.formats ?? []).entries()) {
      if (typeOf(item) === 'changeTracking')
        refuse([...within, 'formats', index], '`changeTracking` compares with a snapshot that is kept')
    }
    if (options.storeInCache === true) refuse([...within, 'storeInCache'], 'true asks to keep the page')
    if (options.profile && options.profile.saveChanges !== false) {
      refuse([...within, 'profile'], 'keeps what pages store in the browser; `saveChanges: false` only reads it')
    }
  }

/** Finds options whose files would be stored in the engine's `media`. */
export function findStoredMedia(options: StoringOptions, within: readonly string[]): RequestIssue[] {
  const issue = (name: string, index: number, what: string): RequestIssue => ({
    code: 'custom',
    path: [...within, name, index],
    message: `${what} goes where the engine's \`media\` keeps files: ${BECAUSE}`,
  })
  const formats = (options.formats ?? []).flatMap((item, index) =>
    isFile(typeOf(item)) ? [issue('formats', index, `\`${typeOf(item)}\``)] : [],
  )
  const actions = (options.actions ?? []).flatMap(({ type }, index) =>
    type === 'screenshot' || type === 'pdf' ? [issue('actions', index, `what \`${type}\` takes`)] : [],
  )
  return [...formats, ...actions]
}

/** Returns true for a format with a file. Version 1 writes options after `@`, as in `screenshot@fullPage`. */
const isFile = (type: string): boolean => hasTrait(type.split('@', 1)[0] ?? '', 'file')

const typeOf = (item: string | { readonly type: string }): string => (typeof item === 'string' ? item : item.type)
