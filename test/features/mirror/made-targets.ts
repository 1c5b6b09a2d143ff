import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type * as trawl from '../../../src/index.js'
import type { MirrorTarget } from '../../../src/index.js'
import { findSqlite } from '../../../src/base/sqlite/driver.js'

/** A target that tests can read. */
export interface MadeTarget {
  readonly kind: string
  /** True if it stores pages, under their URLs. */
  readonly hasPages?: true
  /** The target as an expression, also for another process: `lib` has the exports of trawl, `fs` those of `node:fs`, `path` is its place. */
  readonly code: string
  /** Reads all that the target has, but for what tells of the mirror itself. */
  read(path: string): Promise<Record<string, string>>
}

/** Stores items as files, one for each key. */
const FILES = `((path) => {
  const hash = (key) => [...key].reduce((sum, one) => (sum * 131n + BigInt(one.codePointAt(0))) % 2n ** 64n, 7n).toString(36)
  const fileOf = (key) => path + '/items/' + hash(key) + '.json'
  fs.mkdirSync(path + '/items', { recursive: true })
  return {
    put: (key, item) => fs.writeFileSync(fileOf(key), JSON.stringify(item)),
    remove: (key) => fs.rmSync(fileOf(key), { force: true }),
    read: (key) => fs.existsSync(fileOf(key)) ? JSON.parse(fs.readFileSync(fileOf(key), 'utf8')) : undefined,
  }
})(path)`

const EMBED = `async (texts) => texts.map((text) => [text.length, [...text].reduce((sum, one) => (sum * 31 + one.charCodeAt(0)) % 65521, 7)])`

async function readFiles(folder: string): Promise<Record<string, string>> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = found.filter((entry) => entry.isFile() && !entry.parentPath.includes('.trawl-mirror'))
  const names = files.map((entry) => join(entry.parentPath, entry.name)).toSorted()
  const texts = await Promise.all(names.map(async (name) => [name.slice(folder.length), await readFile(name, 'utf8')]))
  return Object.fromEntries(texts) as Record<string, string>
}

async function readTable(file: string, table: string): Promise<Record<string, string>> {
  const database = findSqlite({ code: 'LEDGER_ERROR', name: 'the test' })(file)
  try {
    const rows = database.prepare(`SELECT * FROM ${table} ORDER BY key`).all()
    return Object.fromEntries(rows.map((row) => [String(row['key']), JSON.stringify(row)]))
  } finally {
    database.close()
  }
}

export const madeTargets: readonly MadeTarget[] = [
  { kind: 'folder', hasPages: true, code: 'lib.mirrorTo(path + "/out")', read: (path) => readFiles(join(path, 'out')) },
  {
    kind: 'folder with pictures',
    hasPages: true,
    code: 'lib.mirrorTo(path + "/out", { assets: true })',
    read: (path) => readFiles(join(path, 'out')),
  },
  {
    kind: 'table of pages',
    hasPages: true,
    code: 'lib.sqliteTable(path + "/out.db")',
    read: (path) => readTable(join(path, 'out.db'), 'pages'),
  },
  {
    kind: 'table of chunks',
    code: `lib.sqliteTable(path + "/out.db", { unit: 'chunk', embed: ${EMBED} })`,
    read: (path) => readTable(join(path, 'out.db'), 'chunks'),
  },
  {
    kind: 'function',
    hasPages: true,
    code: `(() => {
      const files = ${FILES}
      return lib.mirrorWith(async ({ op, key, page, previous }) => {
        if (op === 'delete') return files.remove(key)
        files.put(key, { key, title: page.metadata.title, markdown: page.markdown })
        if (op === 'move') files.remove(previous.key)
      }, { name: 'function' })
    })()`,
    read: (path) => readFiles(join(path, 'items')),
  },
  {
    kind: 'vector store',
    code: `(() => {
      const files = ${FILES}
      return lib.vectors({
        name: 'vectors',
        embed: ${EMBED},
        store: {
          upsert: async (items) => items.forEach((item) => files.put(item.key, item)),
          delete: async (keys) => keys.forEach((key) => files.remove(key)),
          read: async (key) => files.read(key)?.vector,
        },
      })
    })()`,
    read: (path) => readFiles(join(path, 'items')),
  },
]

/** Makes a target in this process. */
export async function makeTarget({ code }: MadeTarget, lib: typeof trawl, path: string): Promise<MirrorTarget> {
  const fs = await import('node:fs')
  await mkdir(path, { recursive: true })
  const module = join(path, `target-${createHash('sha1').update(code).digest('hex')}.mjs`)
  await writeFile(module, `export const make = (lib, fs, path) => ${code}`)
  const { make } = (await import(/* @vite-ignore */ module)) as { make: (...given: unknown[]) => MirrorTarget }
  await rm(module)
  return make(lib, fs, path)
}

/** Counts what a target is given. */
export function counting(target: MirrorTarget): MirrorTarget & { readonly changes: string[] } {
  const changes: string[] = []
  return {
    ...target,
    changes,
    async open(parts) {
      const opened = await target.open(parts)
      // A target may be an object with methods of its class.
      return Object.assign(Object.create(opened) as typeof opened, {
        write: (step: Parameters<typeof opened.write>[0]) => {
          changes.push(`${step.change.op} ${step.change.key}`)
          return opened.write(step)
        },
        settle: opened.settle?.bind(opened),
        check: opened.check?.bind(opened),
        close: opened.close?.bind(opened),
        record: opened.record,
      })
    },
  }
}
