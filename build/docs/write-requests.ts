import { z } from 'zod'
import { batchScrapeSchema } from '../../src/kernel/options/batch-options.js'
import { clientDefinitions } from '../../src/kernel/options/client-options.js'
import { crawlSchema } from '../../src/kernel/options/crawl-options.js'
import { createShape } from '../../src/kernel/options/option-definition.js'
import { parseInputSchema } from '../../src/kernel/options/parse-input.js'
import { builtIn } from '../../src/features/create-engine.js'
import { scrapeSchema } from '../../src/kernel/options/scrape-schema.js'
import { v1CrawlSchema } from '../../src/kernel/options/v1-options.js'
import { actionsSchema } from '../../src/kernel/options/fields/actions.js'
import type { Declarations, Member } from './declarations.js'
import { writeErrorCodes } from './error-codes.js'
import { alternativesOf, toJsonSchema } from './json-schema.js'
import { readFormat } from './read-format.js'
import { declarationsIn, listOptions, type Option, writeField, writeOption } from './write-option.js'

const INTRODUCTION = `# Page options

Options of \`scrape()\` and \`parse()\`, at the top level of a batch, and in \`scrapeOptions\` of a crawl. Other pages have
[those of features](feature-options.md), [formats](formats.md), [actions](actions.md), [jobs, batches and calls](job-options.md), [crawls](crawl-options.md), and
[maps, version 1 and the input of \`parse()\`](map-options.md). Names, types, defaults and bounds are read from the source. Times are milliseconds unless stated otherwise.

A value of the wrong type or out of bounds, an unknown option and a combination that contradicts itself are refused at the call with
[\`BAD_REQUEST\`](errors.md); the error lists every problem. Options that need what the engine does not have (a model, a cache of an
earlier crawl) are refused the same way. An option that this version does not implement is refused with
[\`NOT_AVAILABLE\`](errors.md).`

/** Generates the pages about requests, by file name. */
export function writeRequests(declarations: Declarations): Readonly<Record<string, string>> {
  const page = toJsonSchema(scrapeSchema(z, builtIn.options))
  const batch = toJsonSchema(batchScrapeSchema(z, builtIn.options))
  const crawl = toJsonSchema(crawlSchema(z, builtIn.options))
  const map = toJsonSchema(z.strictObject(createShape(builtIn.options.calls['map'] ?? {}, z)))
  const v1 = toJsonSchema(v1CrawlSchema(z, builtIn.options))
  const v1Page = v1.properties?.['scrapeOptions'] ?? {}
  const pageNames = Object.keys(page.properties ?? {})
  const without = (schema: typeof page, names: readonly string[]): string[] =>
    Object.keys(schema.properties ?? {}).filter((name) => !names.includes(name))
  const batchNames = without(batch, pageNames)
  const crawlNames = without(crawl, batchNames)
  const shared = batchNames.filter((name) => name in (crawl.properties ?? {}))
  const section = (title: string, text: string, options: readonly Option[], prefix = ''): string[] => [
    `## ${title}`,
    text,
    ...options.map((option) =>
      writeOption(option, declarations, `\`${prefix}${option.name}\``, [
        ...writeErrorCodes(option.name, option.member?.doc.text),
      ]),
    ),
  ]
  const clients = listOptions(declarations, 'ScrapeOptions', page, Object.keys(clientDefinitions))
  return {
    'options.md': join(
      INTRODUCTION,
      ...section(
        'Options',
        '',
        listOptions(
          declarations,
          'ScrapeOptions',
          page,
          pageNames.filter((name) => !(name in clientDefinitions) && !(name in builtIn.options.page)),
        ),
      ),
      '## Fields of clients',
      'Clients of the interface send these, and they have no effect on a page: see [compatibility](../compatibility/requests.md#requests).',
      clients.map((option) => writeField(option, declarations)).join('\n'),
    ),
    'feature-options.md': join(
      '# Page options of features',
      'They stand beside the [page options](options.md). [Compatibility](../compatibility.md#additions) says which of them trawl adds.',
      ...section('Options', '', listOptions(declarations, 'ScrapeOptions', page, Object.keys(builtIn.options.page))),
    ),
    'formats.md': join('# Formats', ...writeFormats(declarations)),
    'actions.md': join('# Actions', ...writeActions(declarations)),
    'job-options.md': join(
      '# Options of jobs and calls',
      ...section(
        'Job options',
        'Options of every batch and crawl.',
        listOptions(declarations, 'BatchScrapeRequest', batch, shared),
      ),
      ...section(
        'Batch options',
        'Options of `batchScrape()`, beside the [page options](options.md) and the job options.',
        listOptions(
          declarations,
          'BatchScrapeRequest',
          batch,
          batchNames.filter((name) => !shared.includes(name)),
        ),
      ),
      ...writeCallOptions(declarations),
    ),
    'crawl-options.md': join(
      '# Crawl options',
      'Options of `crawl()`, beside the [job options](job-options.md).',
      ...section('Options', '', listOptions(declarations, 'CrawlRequest', crawl, crawlNames)),
    ),
    'map-options.md': join(
      '# Options of maps, of version 1, and of parse',
      // A call of a feature, which may be left out.
      ...(declarations.find('MapRequest')
        ? section(
            'Map options',
            'Options of `map()`, beside those of a [crawl](crawl-options.md) that say which URLs belong to it: ' +
              `${Object.keys(map.properties ?? {})
                .filter((name) => crawlNames.includes(name) && !['limit', 'sitemap'].includes(name))
                .map((name) => `\`${name}\``)
                .join(', ')}.`,
            listOptions(declarations, 'MapRequest', map, MAP_OPTIONS),
            'map.',
          )
        : []),
      ...section(
        'Options of version 1',
        'Options of `v1.crawl()`, beside the [job options](job-options.md) and those of a [crawl](crawl-options.md) that both versions have.',
        listOptions(
          declarations,
          'V1CrawlRequest',
          v1,
          without(v1, [...crawlNames.filter((name) => name !== 'scrapeOptions'), ...shared]),
        ),
        'v1.',
      ),
      ...section(
        'Page options of version 1',
        'Options of `v1.scrape()`, of `v1.batchScrape()` beside those of a [batch](job-options.md), and in `scrapeOptions` of `v1.crawl()`. ' +
          'Those not listed are the [page options](options.md) of the same name.',
        listOptions(
          declarations,
          'V1ScrapeOptions',
          v1Page,
          ownOfV1(declarations, Object.keys(v1Page.properties ?? {})),
        ),
        'v1.scrapeOptions.',
      ),
      ...section(
        'Input of parse',
        'The first argument of `parse()`.',
        listOptions(declarations, 'ParseInput', toJsonSchema(parseInputSchema(z))),
        'input.',
      ),
    ),
  }
}

/** Joins the parts of a page. */
const join = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n')

/** Page options of version 1 that differ from those of version 2. */
function ownOfV1(declarations: Declarations, names: readonly string[]): string[] {
  const ofFormats = declarations.find('FeatureV1Options')
  const own = new Set([
    ...(declarations.find('V1ScrapeOptions')?.members ?? []).map(({ name }) => name),
    ...(ofFormats ? declarations.membersOf(ofFormats).keys() : []),
  ])
  return names.filter((name) => own.has(name))
}

/** Options that only a map has, or that have another meaning there. */
const MAP_OPTIONS = [
  'search',
  'sitemap',
  'limit',
  'timeout',
  'location',
  'headers',
  'includeSubdomains',
  'filterByPath',
  'ignoreSitemap',
  'sitemapOnly',
  'ignoreCache',
  'useIndex',
]

function writeFormats(declarations: Declarations): string[] {
  return [
    'Items of `formats`. A string is short for `{ type }`, for a format without required options. What a format fills is in [the document](document.md).',
    ...builtIn.formats.all.map(({ type, options }) => {
      const { doc, item, fields } = readFormat(type, declarations)
      const schema = toJsonSchema(z.strictObject(options?.(z) ?? {}))
      const members = item ? declarations.membersOf(item) : new Map<string, Member>()
      return [
        `## Format \`${type}\``,
        item?.doc.text || doc.text || fields[0]?.doc.text || '',
        `Fills ${fields.map(({ name }) => `\`${name}\``).join(', ')}.`,
        ...writeErrorCodes(type),
        Object.entries(schema.properties ?? {})
          .map(([name, field]) =>
            writeField(
              { name, schema: field, isRequired: schema.required?.includes(name) ?? false, member: members.get(name) },
              declarations,
            ),
          )
          .join('\n'),
      ]
        .filter((part) => part !== '')
        .join('\n\n')
    }),
  ]
}

function writeActions(declarations: Declarations): string[] {
  const action = declarations.findIn('kernel/fetch/action-options.ts', 'Action')
  const known = action ? declarationsIn(action.type, action, declarations) : []
  const objects = alternativesOf(toJsonSchema(actionsSchema(z))).filter(({ properties }) => properties !== undefined)
  return [
    'Items of `actions`. They run in order, after the page is loaded and before its content is taken.',
    ...objects.map(({ properties = {}, required = [] }) => {
      const { type, ...fields } = properties
      const declaration = known.find(
        (one) => declarations.membersOf(one).get('type')?.type === `'${String(type?.const)}'`,
      )
      const members = declaration ? declarations.membersOf(declaration) : new Map<string, Member>()
      const lines = Object.entries(fields).map(([name, field]) =>
        writeField(
          { name, schema: field, isRequired: required.includes(name), member: members.get(name) },
          declarations,
        ),
      )
      return [`## Action \`${String(type?.const)}\``, declaration?.doc.text ?? '', lines.join('\n')]
        .filter((part) => part !== '')
        .join('\n\n')
    }),
  ]
}

/** Types of the last argument of calls, and of arguments of other methods. */
const callTypes = {
  CallOptions: 'The last argument of `scrape()`, `map()`, `plan()` and `parse()`.',
  JobCallOptions: 'The last argument of `crawl()`, `batchScrape()` and `v1.crawl()`.',
  ResumeOptions: 'The argument of `engine.resume()`.',
  CloseOptions: 'The argument of `engine.close()`.',
  RowQuery: 'The argument of `job.urls()`.',
}

const writeCallOptions = (declarations: Declarations): string[] => [
  '## Options of calls',
  ...Object.entries(callTypes).map(([name, text]) => {
    const declaration = declarations.find(name)
    const members = declaration ? [...declarations.membersOf(declaration).values()] : []
    const fields = members.map((member) =>
      writeField({ name: member.name, schema: {}, isRequired: !member.isOptional, member }, declarations),
    )
    return `### \`${name}\`\n\n${text}\n\n${fields.join('\n')}`
  }),
]
