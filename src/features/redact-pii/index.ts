import { type RequestIssue, TrawlError } from '../../base/errors.js'
import type { OptionSchemas, SchemaBuilder } from '../../content/convert/format.js'
import { defineFeature } from '../../kernel/engine/feature.js'
import { isFunction } from '../../kernel/options/engine/value-tests.js'
import { mustBe } from '../../base/issues/describe-issue.js'
import type { OptionDefinitions } from '../../kernel/options/option-definition.js'
import type { ScrapeOptions } from '../../kernel/options/scrape-options.js'
import { findUnredacted } from './find-unredacted.js'
import type { RedactFunction } from './redact-function.js'
import type { RedactionAudit, RedactionSlice } from './redactor.js'
import { entities } from './rules/found-value.js'

export type { RedactFunction, RedactionPage, RedactionSpan } from './redact-function.js'
export type { RedactionAudit } from './redactor.js'

/** Options of removing personal data. */
export interface Redaction {
  /**
   * Thoroughness: `fast` finds by rules what has a form; `accurate` asks `redact` of the engine as well, for names and all that has
   * none; `aggressive` also takes what only looks like a value. @default 'accurate'
   */
  mode?: 'accurate' | 'aggressive' | 'fast'
  /** Kinds of data to remove. @default all of them */
  entities?: readonly ('PERSON' | 'EMAIL' | 'PHONE' | 'LOCATION' | 'FINANCIAL' | 'SECRET')[]
  /** Replacement: the kind of data with a number, `[EMAIL_1]`; asterisks; or nothing. @default 'tag' */
  replaceStyle?: 'tag' | 'mask' | 'remove'
}

/** Page options of redaction. */
export interface RedactionOptions {
  /**
   * Remove personal data and secrets from all that is made of the page: documents with all their formats, snapshots, the search index,
   * reports, and what a language model gets. The page is not written to the cache. `true` is mode `accurate`, which needs the
   * engine's `redact`; `{ mode: 'fast' }` works by rules alone. @default false
   */
  redactPII?: boolean | Redaction
}

/** Setting of an engine for redaction. */
export interface RedactionConfig {
  /**
   * Finds what rules cannot, such as names of persons, for `redactPII` in the modes `accurate` and `aggressive`.
   *
   * @default none: these modes are not available
   */
  redact?: RedactFunction
}

declare module '../../kernel/options/feature-options.js' {
  interface FeaturePageOptions extends RedactionOptions {}
  interface FeatureConfig extends RedactionConfig {}
}

/** Document fields of redaction. */
export interface RedactionFields {
  /** Numbers of different values that `redactPII` has removed, by kind. */
  redaction?: RedactionAudit
}

declare module '../../kernel/page/document.js' {
  interface DocumentFrame extends RedactionFields {}
}

const redactionSchema = (z: SchemaBuilder) =>
  z.union([
    z.boolean(),
    z.strictObject({
      mode: z.enum(['accurate', 'aggressive', 'fast']).optional(),
      entities: z.array(z.enum(entities)).min(1).optional(),
      replaceStyle: z.enum(['tag', 'mask', 'remove']).optional(),
    } satisfies OptionSchemas<Redaction>),
  ])

/** Plans the redaction of a page; undefined for none. */
function planRedaction({ redactPII = false }: RedactionOptions): RedactionSlice | undefined {
  if (redactPII === false) return undefined
  const { mode = 'accurate', entities: given = entities, replaceStyle = 'tag' } = redactPII === true ? {} : redactPII
  return { mode, entities: [...new Set(given)], replaceStyle }
}

/** Says why a mode is not available. */
const describeMissing = ({ mode }: RedactionSlice): string =>
  `\`redactPII\` in mode \`${mode}\` needs a function that finds what rules cannot, such as names: ` +
  "make the engine with one, `createEngine({ redact })`, or give `{ mode: 'fast' }`, which redacts by rules and finds no names"

const ONLY_NAMES =
  "`redactPII` in mode `fast` finds national numbers of persons and no names: `entities: ['PERSON']` alone needs mode `accurate`"

/** Refuses a redaction that this engine cannot do. @throws TrawlError `NOT_AVAILABLE` */
function refuseMissing(slice: RedactionSlice, redact: unknown): void {
  if (slice.mode !== 'fast' && redact === undefined) throw new TrawlError('NOT_AVAILABLE', describeMissing(slice))
  if (slice.mode === 'fast' && slice.entities.every((entity) => entity === 'PERSON'))
    throw new TrawlError('NOT_AVAILABLE', ONLY_NAMES)
}

/** Personal data and secrets, removed from all that is made of a page. @internal */
export const redactPii = defineFeature<RedactionSlice>({
  name: 'redact-pii',
  options: {
    page: {
      redactPII: {
        schema: (z) => redactionSchema(z).optional(),
        default: false,
        help: 'Remove personal data: =\'{"mode":"fast"}\', by rules; also "entities":["EMAIL"], "replaceStyle":"mask"',
      },
    } satisfies OptionDefinitions<RedactionOptions>,
    engine: {
      redact: { schema: (z) => z.custom<RedactFunction>(isFunction, mustBe('a function')).optional(), help: false },
    } satisfies OptionDefinitions<RedactionConfig>,
  },
  rewrites: true,
  plan: planRedaction,
  async open({ settings }) {
    const { PageRedactor } = await import('./page-redactor.js')
    return {
      openRewriter(slice, page) {
        const { redact } = settings
        refuseMissing(slice, redact)
        return new PageRedactor(slice, page, slice.mode === 'fast' ? undefined : redact)
      },
    }
  },
  extendEngine: ({ settings, capabilities }) => ({
    findFaults(request): RequestIssue[] {
      const { scrapeOptions, ...page } = request as ScrapeOptions & { scrapeOptions?: ScrapeOptions }
      return (
        [
          [page, []],
          [scrapeOptions ?? {}, ['scrapeOptions']],
        ] as const
      ).flatMap(([options, within]) => {
        const slice = planRedaction(options)
        if (!slice) return []
        refuseMissing(slice, settings.redact)
        return findUnredacted(options, within, capabilities)
      })
    },
  }),
})
