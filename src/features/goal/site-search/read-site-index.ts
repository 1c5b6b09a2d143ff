import { messageOf } from '../../../base/errors.js'
import type { GoalTerms } from '../relevance/goal-words.js'
import * as indexes from './indexes/index.js'
import { PageCollector } from './reading/page-collector.js'
import type { IndexAnswer, SiteIndexFiles, SiteIndexFormat } from './site-index.js'

/** A search index that was fetched, and the goal to look for. Plain data. */
export interface SiteIndexTask {
  readonly index: SiteIndexFiles
  readonly terms: GoalTerms
  readonly files: readonly { readonly url: string; readonly body: Uint8Array }[]
}

/** Finds the pages of a search index that fit a goal. @returns what is wrong with the index as a text, where it cannot be read */
export function readSiteIndex({ index, terms, files }: SiteIndexTask): IndexAnswer | string {
  const format: SiteIndexFormat | undefined = Object.entries(indexes).find(([name]) => name === index.format)?.[1]
  if (!format) return `its format \`${index.format}\` is unknown`
  const collector = new PageCollector(index.root, terms)
  try {
    const decoder = new TextDecoder()
    format.read(
      files.map(({ url, body }) => ({ url, text: decoder.decode(body) })),
      index,
      collector,
    )
  } catch (error) {
    return messageOf(error)
  }
  return collector.rank()
}
