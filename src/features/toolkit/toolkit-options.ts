import type { z } from 'zod'
import { traitsOf } from '../../kernel/fetch/action-options.js'
import type { SchemaBuilder } from '../../content/convert/format.js'
import { compact } from '../../base/collections/compact.js'
import {
  collectDefaults,
  createShape,
  type FeatureOptions,
  type OptionDefinitions,
} from '../../kernel/options/option-definition.js'
import { createCheck } from '../../kernel/options/check.js'
import { optionalBoolean, wholeNumber } from '../../kernel/options/fields/basic-schemas.js'
import { hostsSchema } from '../../kernel/options/fields/headers.js'
import { areValid } from '../../base/issues/are-valid.js'
import type { ScrapeOptions } from '../../kernel/options/scrape-options.js'
import { scrapeSchema } from '../../kernel/options/scrape-schema.js'

/** Minimum of `maxTokens`: with fewer, hardly a paragraph would fit beside the notes of an answer. */
export const MIN_ANSWER_TOKENS = 300

/** Options of the tools for agents. */
export interface ToolkitOptions {
  /**
   * Maximum tokens of an answer, 300 to 1,000,000. A longer result is cut between blocks of Markdown or items, and a handle gets
   * the rest. Tokens are estimated, mostly within 10 to 20 % of a language model's own count.
   * @default 8000
   */
  maxTokens?: number
  /** Maximum number of pages of a crawl, 1 to 100,000. @default 1000 */
  maxPages?: number
  /** Maximum number of crawls at once, 1 to 100. @default 3 */
  maxJobs?: number
  /**
   * Offers tool `search`, over the index of the engine: every page in it can be found. Crawls of the tools are indexed.
   * @default false
   */
  search?: boolean
  /**
   * Hosts of the URLs that an agent may ask for: `example.com`, with or without `www.`, `example.com:8443`, or `*.example.com`
   * for all hosts below a domain. `http://example.com` may be asked for over plain http as well. At most 100. Required with
   * `headers`, and with actions that write text or run scripts: otherwise a page could lead the agent to a host that receives
   * them. @default all hosts
   */
  hosts?: readonly string[]
  /**
   * Options of every page, such as `location`, or `headers`, which require `hosts`. An agent does not see them. The tools choose
   * `formats` themselves.
   */
  scrapeOptions?: Omit<ScrapeOptions, 'formats'>
}

/** Definitions of {@link ToolkitOptions}. @internal */
export const toolkitDefinitions = {
  maxTokens: {
    schema: (z) => wholeNumber(z, 'tokens', MIN_ANSWER_TOKENS).max(1_000_000).optional(),
    default: 8000,
    help: 'Maximum tokens of an answer, 300 to 1000000; tool read_more gets the rest',
  },
  maxPages: {
    schema: (z) => wholeNumber(z, 'pages', 1).max(100_000).optional(),
    default: 1000,
    help: 'Maximum pages of a crawl, 1 to 100000',
  },
  maxJobs: {
    schema: (z) => wholeNumber(z, 'crawls', 1).max(100).optional(),
    default: 3,
    help: 'Maximum crawls at once, 1 to 100',
  },
  search: {
    schema: optionalBoolean,
    default: false,
    help: 'Offer tool search over the pages of crawls, kept in the file of --index if it is given',
  },
  hosts: {
    schema: (z) => hostsSchema(z).min(1).optional(),
    help: 'Host that may be asked for: example.com, *.example.com, http://example.com. Required with --headers. Default: all',
  },
  scrapeOptions: {
    schema: (z, more) =>
      scrapeSchema(z, more)
        .refine(({ formats }) => formats === undefined, { path: ['formats'], error: 'the tools choose them' })
        .optional(),
    help: false,
  },
} as const satisfies OptionDefinitions<ToolkitOptions>

/** Creates the schema of {@link ToolkitOptions}. */
const toolkitSchema = (z: SchemaBuilder, more?: FeatureOptions) =>
  z
    .strictObject(createShape(toolkitDefinitions, z, undefined, more))
    .check(z.superRefine(refuseSecretsForAllHosts, { when: areValid('hosts', 'scrapeOptions') }))

const check = createCheck<ToolkitOptions>(toolkitSchema)

/** Checks the options of the tools, and adds the defaults. @throws InvalidRequestError with every problem found @internal */
export function checkToolkitOptions(options: unknown, more: FeatureOptions) {
  return { ...collectDefaults(toolkitDefinitions), scrapeOptions: {}, ...compact(check(options, more)) }
}

/** Refuses options that every host receives which an agent asks for, and that may be secret. No message shows a value. */
function refuseSecretsForAllHosts(
  { hosts, scrapeOptions: { headers = {}, actions = [] } = {} }: ToolkitOptions,
  context: z.core.$RefinementCtx,
): void {
  if (hosts) return
  const refuse = (option: string, seen: readonly string[]) => {
    if (seen.length === 0) return
    const message = `${seen.join(', ')} would go to every host that an agent asks for: name the hosts that it may ask for in \`hosts\`, such as example.com or *.example.com`
    context.addIssue({ code: 'custom', path: ['scrapeOptions', option], message })
  }
  refuse('headers', Object.keys(headers))
  refuse('actions', [...new Set(actions.filter((action) => traitsOf(action).maySaySecret).map(({ type }) => type))])
}
