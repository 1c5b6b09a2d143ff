import { describe, expect, test } from 'vitest'
import { foreignNamesMeetNoPrototype } from './foreign-names.js'
import { filesAreKebabCase, filesAreShort, namesSaySomething, nothingIsPutOff, urlsAreParsedOnce } from './habits.js'
import {
  importsGoDown,
  importsGoLeft,
  noCycles,
  pluginsAreRegistered,
  stationsMeetInThePipeline,
  theHostIsLeftAlone,
  vendorsHaveOneDoor,
} from './laws.js'
import type { Law } from './laws.js'
import { parseModule } from './modules.js'
import { builtInsAreRead, pageCodeIsCode } from './page-code.js'

/** What a law says of a made-up house. */
const judge = (law: Law, files: Record<string, string>): string[] =>
  law(Object.entries(files).map(([path, text]) => parseModule(path, text)))

const snippet = (text: string) => parseModule('some/file.ts', text)

describe('a module is read', () => {
  test('with every way of importing, and with no import that only a string or a comment speaks of', () => {
    const { imports } = snippet(`
      // import { a } from './comment.js'
      import type { A } from './type.js'
      import { type B } from './inline-type.js'
      import './bare.js'
      export { c } from '../value.js'
      export type * from './all-types.js'
      const text = "import { d } from './string.js'"
      type E = import('./type-expression.js').E
      const f = await import('./lazy.js')
      const g = await import(text)`)
    expect(imports.map(({ kind, target, specifier }) => `${kind} ${target ?? specifier}`)).toEqual([
      'type some/type.ts',
      'value some/inline-type.ts',
      'value some/bare.ts',
      'value value.ts',
      'type some/all-types.ts',
      'type some/type-expression.ts',
      'lazy some/lazy.ts',
      'lazy (computed)',
    ])
    expect(imports.map(({ line }) => line)).toEqual([3, 4, 5, 6, 7, 9, 10, 11])
  })
})

describe('law 1', () => {
  test('refuses an import to the right, of types too', () => {
    expect(
      judge(importsGoLeft, { 'kernel/fetch/fetcher.ts': `import type { Plan } from '../plan/scrape-plan.js'` }),
    ).toEqual([
      expect.stringMatching(
        /^src\/kernel\/fetch\/fetcher\.ts:1 imports kernel\/plan\/scrape-plan\.ts, .* right of kernel\/fetch/,
      ),
    ])
  })

  test('refuses an import that leads up to another group, of types too', () => {
    const house = {
      'content/parse/parse.ts': `import type { Plan } from '../../kernel/plan/scrape-plan.js'; import { a } from '../html/tree.js'`,
      'kernel/job/job.ts': `import { x } from '../../index.js'; import { parse } from '../../content/parse/parse.js'`,
      'cli/main.ts': `import { x } from '../index.js'`,
    }
    const modules = Object.entries(house).map(([path, text]) => parseModule(path, text))
    const wrong = [
      expect.stringMatching(
        /^src\/content\/parse\/parse\.ts:1 imports kernel\/plan\/scrape-plan\.ts, which stands above it/,
      ),
      expect.stringMatching(/^src\/kernel\/job\/job\.ts:1 imports index\.ts, which stands above it/),
    ]
    expect(importsGoDown(modules)).toEqual(wrong)
    expect(importsGoLeft(modules)).toEqual([])
  })

  test('refuses a folder and a file without a floor', () => {
    expect(
      judge(importsGoLeft, { 'kernel/utils/strings.ts': '', 'kernel/utils/more.ts': '', 'things.ts': '' }),
    ).toEqual([
      expect.stringContaining('give `kernel/utils` its place'),
      expect.stringContaining('give `kernel/utils` its place'),
      expect.stringContaining('give `things` its place'),
    ])
  })

  test('lets imports go left, and anywhere in the same folder', () => {
    expect(
      judge(importsGoLeft, {
        'kernel/fetch/fetcher.ts': `import type { FetchedPage } from './fetched-page.js'; import { TrawlError } from '../../base/errors.js'`,
        'kernel/plan/scrape-plan.ts': `import type { FetchPlan } from '../fetch/fetcher.js'`,
      }),
    ).toEqual([])
  })
})

describe('law 2', () => {
  test('refuses a station that calls another', () => {
    expect(
      judge(stationsMeetInThePipeline, { 'kernel/cache/recall.ts': `import { fetch } from '../fetch/fetch.js'` }),
    ).toEqual([expect.stringMatching(/^src\/kernel\/cache\/recall\.ts:1 .*import type/)])
    expect(
      judge(stationsMeetInThePipeline, { 'content/digest/pool.ts': `import { x } from '../../kernel/fetch/fetch.js'` }),
    ).toHaveLength(1)
    expect(
      judge(stationsMeetInThePipeline, { 'kernel/enrich/enrich.ts': `await import('../../kernel/fetch/fetch.js')` }),
    ).toHaveLength(1)
  })

  test('lets a station name types, the digest call its three, and what stands to the right call any', () => {
    expect(
      judge(stationsMeetInThePipeline, {
        'kernel/cache/recall.ts': `import type { FetchedPage } from '../fetch/fetched-page.js'; import { TrawlError } from '../../base/errors.js'`,
        'content/digest/digest.ts': `import { parse } from '../parse/parse.js'; import { convert } from '../convert/convert.js'`,
        'kernel/page/pipeline.ts': `import { recall } from '../cache/recall.js'`,
      }),
    ).toEqual([])
  })

  test('keeps the command line outside of the public surface', () => {
    expect(
      judge(stationsMeetInThePipeline, { 'cli/main.ts': `import type { Plan } from '../kernel/plan/plan.js'` }),
    ).toHaveLength(1)
    const text = `import { crawl } from '../index.js'; import { listScrapeOptions } from '../cli/flags/flag-options.js'`
    expect(judge(stationsMeetInThePipeline, { 'cli/main.ts': text })).toEqual([])
  })
})

describe('law 3', () => {
  test('refuses a library outside its door, also in part and by type', () => {
    expect(judge(vendorsHaveOneDoor, { 'content/parse/parse.ts': `import { request } from 'undici'` })).toEqual([
      'src/content/parse/parse.ts:1 imports undici, whose door is base/http/: call what stands there instead',
    ])
    expect(
      judge(vendorsHaveOneDoor, { 'content/extract/links.ts': `import { load } from 'cheerio/slim'` }),
    ).toHaveLength(1)
    expect(
      judge(vendorsHaveOneDoor, { 'kernel/frontier/scope.ts': `import type { Log } from '@crawlee/core'` }),
    ).toHaveLength(1)
  })

  test('refuses a library, and a module of Node, that has no door', () => {
    expect(judge(vendorsHaveOneDoor, { 'base/url.ts': `import { chunk } from 'lodash'` })[0]).toContain('no door')
    expect(judge(vendorsHaveOneDoor, { 'base/url.ts': `import { fork } from 'node:cluster'` })[0]).toContain('no door')
    expect(judge(vendorsHaveOneDoor, { 'cli/main.ts': `import fs from 'fs'` })[0]).toContain('no door')
  })

  test('refuses files outside cli/, and a name that is computed', () => {
    expect(
      judge(vendorsHaveOneDoor, { 'kernel/job/job.ts': `import { writeFile } from 'node:fs/promises'` }),
    ).toHaveLength(1)
    expect(judge(vendorsHaveOneDoor, { 'kernel/job/job.ts': `await import(['node', 'fs'].join(':'))` })[0]).toContain(
      'computed',
    )
  })

  test('lets a library in by its door, and its types where they may be named', () => {
    expect(
      judge(vendorsHaveOneDoor, {
        'base/http/http-client.ts': `import Agent from 'undici/lib/dispatcher/agent.js'`,
        'kernel/fetch/fetchers/http.ts': `import type { Dispatcher } from 'undici'`,
        'features/browser/browser-fetcher.ts': `import type { Page } from 'playwright'`,
        'kernel/job/sign.ts': `import { createHmac } from 'node:crypto'`,
      }),
    ).toEqual([])
  })
})

describe('law 4', () => {
  const parser = 'export const json = {}'

  test('refuses a file that is not registered, and a name without its file', () => {
    const files = {
      'content/parse/parsers/index.ts': `export { html } from './html.js'`,
      'content/parse/parsers/json.ts': parser,
    }
    expect(judge(pluginsAreRegistered, files)).toEqual([
      expect.stringContaining('src/content/parse/parsers/json.ts is not registered'),
      expect.stringContaining('names ./html.js, which is no file'),
    ])
  })

  test('refuses a name that is not the file, and anything in a registry that is no export line', () => {
    const registry = (text: string) =>
      judge(pluginsAreRegistered, { 'content/parse/parsers/index.ts': text, 'content/parse/parsers/json.ts': parser })
    expect(registry(`export { reader } from './json.js'`)[0]).toContain('write `export { json }')
    expect(registry(`export * from './json.js'`)).toContainEqual(
      expect.stringContaining('a registry holds nothing else'),
    )
    expect(registry(`export { json } from './json.js'; export const more = 1`)).toHaveLength(1)
  })

  test('refuses lines that are not in the order of their names', () => {
    const files = {
      'content/parse/parsers/index.ts': `export { json } from './json.js'; export { html } from './html.js'`,
      'content/parse/parsers/json.ts': parser,
      'content/parse/parsers/html.ts': parser,
    }
    expect(judge(pluginsAreRegistered, files)).toEqual([expect.stringContaining('has `html` out of order')])
  })

  test('refuses a plug-in folder without a registry', () => {
    expect(judge(pluginsAreRegistered, { 'kernel/cache/caches/http.ts': '' })[0]).toContain('has no registry')
    expect(judge(pluginsAreRegistered, { 'kernel/fetch/network/connect.ts': '' })).toEqual([])
  })

  test('lets a plug-in be called as its file, alone or with what it is', () => {
    expect(
      judge(pluginsAreRegistered, {
        'content/convert/formats/index.ts': `export { rawHtml } from './raw-html.js'`,
        'content/convert/formats/raw-html.ts': '',
        'kernel/cache/caches/index.ts': `export { memoryCache } from './memory.js'`,
        'kernel/cache/caches/memory.ts': '',
      }),
    ).toEqual([])
  })
})

describe('law 5', () => {
  test('prints the path of a circle, types included', () => {
    const files = {
      'a.ts': `import './b.js'`,
      'b.ts': `import './c.js'`,
      'c.ts': `import type { B } from './b.js'; import './d.js'`,
      'd.ts': '',
    }
    expect(judge(noCycles, files)).toEqual([expect.stringMatching(/^b\.ts -> c\.ts -> b\.ts:/)])
  })

  test('lets two ways lead to one file', () => {
    expect(
      judge(noCycles, { 'a.ts': `import './b.js'; import './c.js'`, 'b.ts': `import './c.js'`, 'c.ts': '' }),
    ).toEqual([])
  })
})

describe('law 6', () => {
  test.each([
    `const key = process.env.KEY`,
    `const { env } = process`,
    `process.on('SIGINT', stop)`,
    `start(process)`,
    `console.log('done')`,
    `globalThis.engine = engine`,
    `const name = process['argv'][2]`,
  ])('refuses %s', (text) => {
    expect(judge(theHostIsLeftAlone, { 'kernel/engine/engine.ts': text })).toHaveLength(1)
    expect(judge(theHostIsLeftAlone, { 'cli/main.ts': text })).toEqual([])
  })

  test('lets a member or a field have the same name', () => {
    const text = `job.process(); const task = { console: 1 }; process.removeListener('SIGINT', added)`
    expect(judge(theHostIsLeftAlone, { 'kernel/engine/engine.ts': text })).toEqual([])
  })

  test('refuses options anywhere but where they are planned', () => {
    const text = `import type { CrawlOptions } from '../options/crawl-options.js'`
    expect(judge(theHostIsLeftAlone, { 'kernel/job/crawl.ts': text })[0]).toContain('only plan/ reads options')
    expect(judge(theHostIsLeftAlone, { 'kernel/plan/crawl-plan.ts': text })).toEqual([])
  })
})

describe('the habits', () => {
  test('files are short and kebab-case', () => {
    expect(filesAreShort(snippet('a()\n'.repeat(401)))[0]).toContain('401 lines of code')
    expect(filesAreShort(snippet('a()\n'.repeat(400)))).toEqual([])
    const comments = '\n// why\n/**\n * What.\n */\n'
    expect(filesAreShort(snippet(comments.repeat(200) + "a('// no comment')\n".repeat(400)))).toEqual([])
    expect(filesAreShort(snippet(`${comments}a(\`\n//\n\`) // why\n`.repeat(134)))[0]).toContain('402 lines of code')
    expect(filesAreKebabCase(parseModule('kernel/fetch/httpFetcher.ts', ''))).toHaveLength(1)
    expect(filesAreKebabCase(parseModule('kernel/fetch/http-fetcher.test.ts', ''))).toEqual([])
  })

  test.each([
    '// TODO: later',
    '// @ts-ignore\na()',
    '/* oxlint-disable */',
    '// oxlint-disable-next-line no-control-regex\na()',
    'const a = b as any',
    'a!.b()',
    'try { a() } catch {}',
    'try { a() } catch (error) {\n}',
  ])('nothing is put off: %s', (text) => expect(nothingIsPutOff(snippet(text))).toHaveLength(1))

  test('a string may speak of these, and a comment may say why', () => {
    expect(nothingIsPutOff(snippet('// oxlint-disable-next-line no-eval -- the page is ours'))).toEqual([])
    expect(nothingIsPutOff(snippet('try { a() } catch { /* not there is an answer */ }'))).toEqual([])
    expect(nothingIsPutOff(snippet('const a = "TODO"; const b = `@ts-ignore ${c} TODO`; const d = /TODO/'))).toEqual([])
  })

  test('URLs are parsed by `parseUrl`', () => {
    expect(urlsAreParsedOnce(snippet('URL.canParse(text)'))).toHaveLength(1)
    expect(urlsAreParsedOnce(snippet('parseUrl(text)'))).toEqual([])
  })

  test('names say something', () => {
    expect(namesSaySomething(snippet('class JobManager {}; interface PageInfo {}; const urlHelper = 1'))).toHaveLength(
      3,
    )
    expect(namesSaySomething(snippet('class Database {}; const baseUrl = 1; function informed() {}'))).toEqual([])
  })
})

test.each([
  'const a = `() => document.title`',
  'const a = String.raw`async ({ url }) => { await fetch(url) }`',
  'const a = `(() => { const b = 1; return (c) => b })()`',
  'const a = `function () {}`',
  'await page.evaluate(`document.title`)',
])('code for a page is no text: %s', (text) => expect(pageCodeIsCode(snippet(text))).toHaveLength(1))

test('a text may hold the name of a function, and a call may be given one', () => {
  expect(pageCodeIsCode(snippet("page.evaluate(pageFunction('setZoom'), zoom); say(`${a} => b`)"))).toEqual([])
})

test('code in a page reads no property of a document or a form that the name of an element hides', () => {
  const read = (text: string) => builtInsAreRead(parseModule('features/browser/injected/a.ts', text))
  expect(read('document.body; const { scripts } = document; one.children')).toHaveLength(3)
  const right =
    'pageDocument.body; observer.observe(document); const { children } = builtInsOf(one); shadowRoot.children'
  expect(read(`${right}; builtInsOf(one).children`)).toEqual([])
})

test('names that come from outside meet no prototype', () => {
  const table = "const KINDS: Readonly<Record<string, string>> = { a: 'b' }\n"
  const files = {
    'content/parse/a.ts': `${table}export const kind = (name: string) => KINDS[name] ?? KINDS['a']`,
    'content/parse/b.ts': `${table}export const kind = (name: string) => ownValue(KINDS, name)`,
    'content/parse/c.ts': 'const NAMES: Record<string, string> = Object.assign(Object.create(null), {})\nNAMES[name]',
    'content/parse/d.ts': 'export const read = (text: string) => JSON.parse(text)',
    'base/text/parse-json.ts': 'export const parseJson = (text: string) => JSON.parse(text)',
  }
  expect(judge(foreignNamesMeetNoPrototype, files)).toEqual([
    'content/parse/a.ts:2 reads KINDS[…]: take `ownValue`',
    'content/parse/d.ts:1 calls JSON.parse: take `parseJson`',
  ])
})
