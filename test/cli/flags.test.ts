import { jobDefinitions } from '../../src/kernel/options/job-options.js'
import { clientDefinitions } from '../../src/kernel/options/client-options.js'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { toFlagName, type Flag } from '../../src/cli/flags/flag.js'
import { batchCommand, crawlCommand, scrapeCommand } from '../../src/cli/commands/index.js'
import { flagsOf } from '../../src/cli/run-command-line.js'
import { builtIn } from '../../src/features/create-engine.js'
import { batchScrapeSchema } from '../../src/kernel/options/batch-options.js'
import { crawlSchema } from '../../src/kernel/options/crawl-options.js'
import { scrapeShape } from '../../src/kernel/options/scrape-schema.js'

/** The fields of docs/compatibility/requests.md#page-options about a page. */
const pageFields = [
  'formats onlyMainContent includeTags excludeTags maxAge minAge headers waitFor mobile skipTlsVerification timeout',
  'parsers actions location removeBase64Images blockAds proxy storeInCache',
].flatMap((names) => names.split(' '))
/** The other fields of batches, and those of crawls. */
const batchFields = ['webhook', 'maxConcurrency', 'ignoreInvalidURLs', 'zeroDataRetention', 'profile']
const crawlFields = [
  'prompt excludePaths includePaths maxDiscoveryDepth sitemap ignoreQueryParameters regexOnFullURL limit delay',
  'crawlEntireDomain allowExternalLinks allowSubdomains maxConcurrency webhook zeroDataRetention',
].flatMap((names) => names.split(' '))

const commands = [scrapeCommand, batchCommand, crawlCommand]
const optionsOf = (flags: readonly Flag[]): (string | undefined)[] => flags.map(({ path }) => path.at(-1))

describe('the flags of the CLI', () => {
  it('include every field of the interface', () => {
    expect(optionsOf(flagsOf(scrapeCommand))).toEqual(expect.arrayContaining(pageFields))
    expect(optionsOf(flagsOf(batchCommand))).toEqual(expect.arrayContaining([...pageFields, ...batchFields]))
    expect(optionsOf(flagsOf(crawlCommand))).toEqual(expect.arrayContaining([...pageFields, ...crawlFields]))
  })

  it('include every key of the request schemas, at the path of that key', () => {
    const pathsOf = (flags: readonly Flag[]) =>
      flags.filter(({ target }) => target === 'request').map(({ path }) => path.join('.'))
    // Fields that clients of the hosted service send. Those of a job have flags.
    const ofClients = Object.keys(clientDefinitions).filter((key) => !(key in jobDefinitions))
    const hasFlag = (key: string): boolean => !(key in clientDefinitions)
    const page = Object.keys(scrapeShape(z, builtIn.options)).filter(hasFlag)
    // `--index` is the file of the engine's index, which all pages of the command are in.
    // `trawl mirror` names the mirror of its target.
    const others = new Set(['url', 'scrapeOptions', 'index', 'mirror', ...ofClients])
    const batch = Object.keys(batchScrapeSchema(z, builtIn.options).shape).filter(
      (key) => !others.has(key) && key !== 'urls',
    )
    const crawl = Object.keys(crawlSchema(z, builtIn.options).shape).filter((key) => !others.has(key))
    const inCrawl = [...crawl, ...page.map((key) => `scrapeOptions.${key}`)]
    expect(pathsOf(flagsOf(scrapeCommand)).sort()).toEqual(page.sort())
    expect(pathsOf(flagsOf(batchCommand)).sort()).toEqual(batch.sort())
    expect(pathsOf(flagsOf(crawlCommand)).sort()).toEqual(inCrawl.sort())
  })

  it('include the goal of a crawl as text, and the conditions of its end as an object', () => {
    const find = (name: string): Flag | undefined => flagsOf(crawlCommand).find((flag) => flag.name === name)
    expect(find('goal')).toMatchObject({ target: 'request', path: ['goal'], valueType: { kinds: ['string'] } })
    expect(find('until')).toMatchObject({ target: 'request', path: ['until'], valueType: { kinds: ['object'] } })
    expect(find('until')?.description).toMatch(/answers, gain \(default 0\.02\), pages \(10\)/)
  })

  it.each(commands)('of $name are unique, and none is the opposite of another', (command) => {
    const names = flagsOf(command).flatMap(({ name }) => [name, `no-${name}`])
    expect(names).toEqual([...new Set(names)])
    const letters = flagsOf(command).flatMap(({ short }) => short ?? [])
    expect(letters).toEqual([...new Set(letters)])
  })

  it.each(commands)('of $name have a description', (command) => {
    const flags = flagsOf(command)
    expect(flags.filter(({ description }) => description.length < 10)).toEqual([])
    expect(flags.filter(({ description }) => /[\n`]|\.$/.test(description))).toEqual([])
  })

  it('state the bounds of a number that the request schemas check', () => {
    const shapes = { ...scrapeShape(z, builtIn.options), ...crawlSchema(z, builtIn.options).shape }
    const flags = flagsOf(crawlCommand)
    for (const [option, schema] of Object.entries(shapes)) {
      const number = schema instanceof z.ZodOptional ? schema.unwrap() : schema
      if (!(number instanceof z.ZodNumber)) continue
      const description = flags.find(({ path }) => path.at(-1) === option)?.description ?? ''
      const bounds = [number.minValue, number.maxValue].filter((bound) => Number.isFinite(bound) && bound !== 0)
      expect(bounds.filter((bound) => !new RegExp(`\\b${bound}\\b`).test(description))).toEqual(
        // A whole number has these bounds by default.
        bounds.filter((bound) => Math.abs(bound ?? 0) === Number.MAX_SAFE_INTEGER),
      )
    }
  })

  it.each([
    ['ignoreInvalidURLs', 'ignore-invalid-urls'],
    ['redactPII', 'redact-pii'],
    ['regexOnFullURL', 'regex-on-full-url'],
    ['removeBase64Images', 'remove-base64-images'],
    ['limit', 'limit'],
  ])('convert %s to --%s', (option, name) => {
    expect(toFlagName(option)).toBe(name)
  })
})
