import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { rolldown } from 'rolldown'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lines, makePdf } from '../content/pdf/make-pdf.js'
import { htmlPage } from '../site/exchange.js'
import { startSite, type Site } from '../site/site.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const app = fileURLToPath(new URL('host-app.mjs', import.meta.url))

/** More than is read without a thread. */
const long = htmlPage('Long', `<h1>A long page</h1><p>${'word '.repeat(2000)}</p>`)

let site: Site
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-bundle-'))
  site = await startSite({
    pages: {
      '/': htmlPage('Start', '<p>Here is <a href="/long">a page</a>.</p>'),
      '/long': long,
      '/file.pdf': ({ response }) => {
        response.writeHead(200, { 'content-type': 'application/pdf' })
        response.end(makePdf([{ pieces: lines(['The text of a file.'], { x: 72, y: 100 }) }]))
      },
    },
  })
})

afterEach(async () => {
  await site.close()
  await rm(folder, { recursive: true, force: true })
})

/** What the app prints, run by `command` in a folder without packages. */
async function run(command: string, ...options: string[]): Promise<unknown> {
  const { stdout, stderr } = await promisify(execFile)(command, [...options, site.url('').replace(/\/$/, '')], {
    cwd: folder,
    timeout: 60_000,
  })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

const worked = {
  markdown: expect.stringContaining('# A long page'),
  file: 'The text of a file.',
  warnings: ['', ''],
  status: 'completed',
  completed: 2,
}

type Format = 'esm' | 'cjs'
const endings: Readonly<Record<Format, string>> = { esm: 'mjs', cjs: 'cjs' }

const bundlers: Readonly<Record<string, (format: Format, out: string) => Promise<readonly string[]>>> = {
  async esbuild(format, out) {
    const file = join(out, `app.${endings[format]}`)
    const options = { bundle: true, platform: 'node', format, minify: true, logLevel: 'silent' } as const
    const { errors, warnings } = await build({ entryPoints: [app], outfile: file, absWorkingDir: root, ...options })
    return [...errors, ...warnings].map(({ text }) => text)
  },
  async rolldown(format, out) {
    const messages: string[] = []
    const bundle = await rolldown({
      input: { app },
      cwd: root,
      platform: 'node',
      onLog: (_level, log) => void messages.push(log.message),
    })
    const names = `[name].${endings[format]}`
    await bundle.write({ dir: out, format, entryFileNames: names, chunkFileNames: names })
    await bundle.close()
    return messages
  },
}

describe('an app that has the library in its bundle, away from all packages', () => {
  for (const [name, bundle] of Object.entries(bundlers)) {
    for (const format of ['esm', 'cjs'] as const) {
      it(`scrapes and crawls with worker threads: ${name}, ${format}`, { timeout: 120_000 }, async () => {
        const messages = await bundle(format, folder)
        // Where the file lies is asked for in both ways, of which this format has one.
        expect(messages.filter((message) => !/"import\.meta" is not available/.test(message))).toEqual([])
        expect(await run(process.execPath, join(folder, `app.${endings[format]}`))).toEqual({
          ...worked,
          hasThreads: true,
        })
      })
    }
  }
})

describe('an app that has the library in node_modules', () => {
  const hosts = [
    { name: 'Bun', command: 'bun', options: ['run'] },
    { name: 'Deno', command: 'deno', options: ['run', '--allow-all'] },
  ]
  for (const { name, command, options } of hosts) {
    it(`scrapes and crawls under ${name}`, { timeout: 120_000 }, async (context) => {
      const found = await promisify(execFile)(command, ['--version']).catch(() => undefined)
      context.skip(found === undefined, `${command} is not installed`)
      const place = join(folder, 'node_modules', 'trawl')
      await mkdir(place, { recursive: true })
      for (const entry of ['dist', 'package.json']) await cp(join(root, entry), join(place, entry), { recursive: true })
      await cp(app, join(folder, 'app.mjs'))
      await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', dependencies: { trawl: '*' } }))
      expect(await run(command, ...options, join(folder, 'app.mjs'))).toMatchObject(worked)
    })
  }
})
