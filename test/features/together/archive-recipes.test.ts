import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { eachGzipped, infoRecord, pageRecord } from '../archive/make-warc.js'
import { type Site, startSite } from '../../site/site.js'
import { asModule, readDoc } from '../../docs/doc-code.js'

const command = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))
const library = fileURLToPath(new URL('../../../src/index.js', import.meta.url))

/** Each of them loads the library, or starts the command, some times. */
const SLOW = { timeout: 300_000 }

let site: Site
let folder = ''
beforeAll(async () => {
  const text = (name: string) =>
    `<title>${name}</title><nav><a href="/docs">Docs</a></nav><main><h1>${name}</h1><p>${`Words of ${name}. `.repeat(30)}</p></main>`
  site = await startSite({ pages: { '/': text('Start'), '/docs': text('Docs'), '/docs/a': text('A') } })
  folder = await mkdtemp(join(tmpdir(), 'trawl-recipes-'))
})
afterAll(async () => {
  await site.close()
  await rm(folder, { recursive: true })
})

/** Reads the code of a recipe by a word of its heading. */
function readRecipe(word: string): { readonly programs: readonly string[]; readonly commands: readonly string[] } {
  const recipe = readDoc('docs/guides/archives.md')
    .split(/^## /m)
    .find((part) => part.startsWith('Recipe: ') && part.split('\n', 1)[0]?.includes(word))
  const codeOf = (mark: string): string[] =>
    Array.from((recipe ?? '').matchAll(new RegExp(`^\`\`\`${mark}\\n(.*?)^\`\`\`$`, 'gms')), ([, code = '']) => code)
  return {
    programs: codeOf('ts no-run'),
    commands: codeOf('sh').flatMap((code) => code.split('\n').filter((line) => line !== '')),
  }
}

/** Runs a command as the guide has it, in the folder, against the site of the test. */
async function runCommand(line: string): Promise<void> {
  const [program, call, ...args] = line.replaceAll('https://example.com', site.origin).split(' ')
  expect(program).toBe('trawl')
  const given = [call ?? '', ...args.map((arg) => arg.replace(/^'(.*)'$/, '$1'))]
  await promisify(execFile)(process.execPath, [command, ...given], { cwd: folder })
}

let programs = 0

/** Runs a program as the guide has it, with its files in the folder, against the site of the test. @returns what it prints */
async function runProgram(code: string): Promise<unknown[][]> {
  const module = asModule(
    { page: '', name: '', isNamed: false, isRun: true, code: code.replaceAll('https://shop.example', site.origin) },
    { origin: site.origin, folder: pathToFileURL(`${folder}/`), ports: [], trawl: library },
  ).replaceAll(/'([\w./-]*(?:\.warc|\.warc\.gz|\.wacz|archive\/))'/g, (_, path: string) =>
    JSON.stringify(join(folder, path)),
  )
  const path = join(folder, `program-${programs++}.ts`)
  await writeFile(path, module)
  const printed: unknown[][] = []
  const print = (...values: unknown[]): void => void printed.push(values)
  const spies = [
    vi.spyOn(console, 'log').mockImplementation(print),
    vi.spyOn(console, 'error').mockImplementation(print),
  ]
  try {
    await import(/* @vite-ignore */ path)
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  return printed
}

const sizeOf = async (name: string): Promise<number> => (await stat(join(folder, name))).size

test('a Common Crawl file to Markdown and JSONL', SLOW, async () => {
  const { commands, programs: code } = readRecipe('Common Crawl')
  const page = (name: string) => `<title>${name}</title><p>Words of ${name}.`
  const records = [
    pageRecord('https://a.org/1', page('one')),
    pageRecord('https://a.com/2', page('two')),
    pageRecord('https://b.org/3', page('three')),
  ]
  const broken = Buffer.from('what is here is no record\n')
  await writeFile(join(folder, 'CC-MAIN-20240501.warc.gz'), eachGzipped(infoRecord(), ...records, broken))
  for (const line of commands) await runCommand(line)
  const lines = (await readFile(join(folder, 'pages.jsonl'), 'utf8')).trim().split('\n')
  expect(lines.filter((line) => line.includes('Words of one') || line.includes('Words of three'))).toHaveLength(2)
  expect(lines.join()).not.toContain('Words of two')
  const printed = await runProgram(code[0] ?? '')
  expect(printed.slice(0, 2).map(([url]) => url)).toEqual(['https://a.org/1', 'https://b.org/3'])
  expect(printed.at(-1)?.[0]).toMatchObject({ state: 'completed', documents: 2, failed: 1, skipped: { FILTER: 1 } })
})

test('a bug report as one file', SLOW, async () => {
  const { commands } = readRecipe('bug report')
  expect(commands).toHaveLength(3)
  await runCommand(commands[0] ?? '')
  expect(await sizeOf('report.wacz')).toBeGreaterThan(1000)
  const known = site.requests.length
  for (const line of commands.slice(1)) await runCommand(line)
  expect(site.requests).toHaveLength(known)
  expect(await readFile(join(folder, 'page.html'), 'utf8')).toMatch(/^<!doctype html>/)
})

test('tests without network', SLOW, async () => {
  const { programs: code } = readRecipe('tests without')
  const first = await runProgram(code[0] ?? '')
  const known = site.requests.length
  expect(String(first[0]?.[0])).toContain('Words of Start')
  expect(await runProgram(code[0] ?? '')).toEqual(first)
  expect(site.requests).toHaveLength(known)
  expect(await readFile(join(folder, 'test/shop.warc'), 'utf8')).toContain('Words of Start')
})

test('a nightly archive with dedupe', SLOW, async () => {
  const { programs: code } = readRecipe('nightly')
  await runProgram(code[0] ?? '')
  const before = await sizeOf('archive/archive-00000.warc.gz')
  await runProgram(code[0] ?? '')
  const added = (await sizeOf('archive/archive-00000.warc.gz')) - before
  expect(added).toBeGreaterThan(0)
  expect(added).toBeLessThan(before)
})

test('two versions of options on one archive', SLOW, async () => {
  const { programs: code } = readRecipe('two versions')
  const body = `<title>t</title><nav>${'<a href="/x">Menu entry</a> '.repeat(20)}</nav><main><p>${'Words. '.repeat(80)}</p></main>`
  await writeFile(join(folder, 'crawl.warc.gz'), eachGzipped(infoRecord(), pageRecord('https://a.org/1', body)))
  const [[url, own, whole] = []] = await runProgram(code[0] ?? '')
  expect(url).toBe('https://a.org/1')
  expect(Number(own)).toBeGreaterThan(0)
  expect(Number(whole)).toBeGreaterThan(Number(own))
})
