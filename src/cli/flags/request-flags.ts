import { batchDefaults, crawlDefaults, engineDefaults, jobDefaults, scrapeDefaults } from '../../options/defaults.js'
import {
  batchOptionShapes,
  crawlOptionShapes,
  scrapeOptionShapes,
  type OptionShapes,
} from '../../options/option-shapes.js'
import type { Flag } from './flag.js'
import { toFlagName } from './flag.js'
import { optionDescriptions } from './option-descriptions.js'
import { writeDefault } from './write-default.js'

const defaults: ReadonlyMap<string, unknown> = new Map(
  [
    { maxConcurrency: engineDefaults.maxConcurrency },
    scrapeDefaults,
    jobDefaults,
    batchDefaults,
    crawlDefaults,
  ].flatMap((some) => Object.entries(some)),
)

/** Fields without a flag: the first two are arguments, and the members of the last have flags of their own. */
const notFlags: ReadonlySet<string> = new Set(['url', 'urls', 'scrapeOptions'])

/** Flags of a single page: every scrape option of the interface. */
export const scrapeFlags = (): Flag[] => toFlags(scrapeOptionShapes(), 'Each page')

/** Flags of a batch: every option of the interface. */
export function batchFlags(): Flag[] {
  const page = scrapeOptionShapes()
  const batch = Object.entries(batchOptionShapes()).filter(([option]) => !(option in page))
  return [...toFlags(Object.fromEntries(batch), 'The batch'), ...scrapeFlags()]
}

/** Flags of a crawl: every option of the interface, and the scrape options. */
export const crawlFlags = (): Flag[] => [
  ...toFlags(crawlOptionShapes(), 'The crawl'),
  ...toFlags(scrapeOptionShapes(), 'Each page', ['scrapeOptions']),
]

const toFlags = (shapes: OptionShapes, section: string, within: readonly string[] = []): Flag[] =>
  Object.entries(shapes)
    .filter(([option]) => !notFlags.has(option))
    .map(([option, shape]) => {
      const [first, ...rest] = [...within, option]
      const meaning = isDescribed(option) ? writeDefault(optionDescriptions[option], defaults.get(option)) : ''
      return { name: toFlagName(option), target: 'request', path: [first, ...rest], shape, meaning, section }
    })

const isDescribed = (option: string): option is keyof typeof optionDescriptions => option in optionDescriptions
