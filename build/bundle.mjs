import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deflateRawSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { esmExternalRequirePlugin } from 'rolldown/plugins'
import { findNotices } from './notices.mjs'

/**
 * Builds `dist/` from what the compiler has left in `.build/`: a few chunks instead of hundreds of files, with the libraries
 * in them, as each file that is opened costs the import a part of a millisecond.
 *
 * Functions that are handed to a page are sent as text: no name is changed by a helper (`keepNames`), and nothing is minified,
 * so that stack traces are readable without source maps.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const compiled = join(root, '.build')
const dist = join(root, 'dist')

/** Entries of the package by their place in `dist/`: the library, the command, and what runs on threads. */
const entries = ['index', 'cli/main', 'page/workers/page-worker', 'fetch/ad-block/filter-worker']

/** Modules that carry the code of a thread as text, for bundles that leave the thread's file behind. */
const packed = new Map([
  ['digest/workers/packed-worker.js', 'page/workers/page-worker.js'],
  ['fetch/ad-block/packed-filter-worker.js', 'fetch/ad-block/filter-worker.js'],
])

/**
 * What of Crawlee's libraries is left out, and what stands in for it. Its own storage, HTTP client, readers of HTML and
 * sitemaps are never called here: 1.5 MB; the lock of its storage puts listeners on every signal of the process that
 * loads it, and its configuration would be read from a file of the host.
 */
const standIns = new Map([
  ['@crawlee/memory-storage', 'export class MemoryStorage {}'],
  ['cheerio', 'export default {}'],
  ['csv-stringify/sync', 'export default {}'],
  ['fs-extra', 'export const pathExistsSync = () => false'],
  ['got-scraping', 'export default {}'],
  ['minimatch', 'export default {}'],
  ['@apify/ps-tree', 'export default {}'],
  ['sax', 'export default {}'],
  ['stream-json/streamers/StreamArray', 'export default {}'],
  ['tough-cookie', 'export default {}'],
])

/**
 * What is left out of any library. They are asked for to see whether they are there; a `require` that is left would need `import.meta.url` at the start, which a
 * bundle in the format of CommonJS does not have.
 */
const absent = new Map([
  ['supports-color', `throw new Error('supports-color is not part of this build')`],
  ['node:sqlite', `throw new Error('node:sqlite is not part of this build')`],
])

const leaveOut = {
  name: 'leave-out',
  resolveId: (name, importer) =>
    absent.has(name) || (standIns.has(name) && importer?.includes('@crawlee')) ? `\0${name}` : undefined,
  load: (id) => absent.get(id.slice(1)) ?? standIns.get(id.slice(1)),
  // The library for PDF asks where it lies, on a way that always throws; bundles in the format of CommonJS cannot say.
  transform: (code, id) => (id.includes('/unpdf/') ? code.replaceAll('import.meta.url', 'undefined') : undefined),
}

/** Data of ours is read by the parser of JSON, on the thread that loads it: as an object literal it would be twice as long, and slower. */
const inlineData = {
  name: 'inline-data',
  transform: (code, id) =>
    id.startsWith(compiled) && id.endsWith('.json')
      ? { code: `export default JSON.parse(${JSON.stringify(JSON.stringify(JSON.parse(code)))})`, moduleType: 'js' }
      : undefined,
}

/** Modules of Node are imported, never required, for the same reason. */
const importBuiltins = esmExternalRequirePlugin({ external: builtinModules.flatMap((name) => [name, `node:${name}`]) })

/** Reads the module format of tslib that puts nothing on `globalThis`. */
const resolve = { alias: { tslib: join(root, 'node_modules/tslib/tslib.es6.mjs') } }

async function bundle(input, plugins, output) {
  const build = await rolldown({
    input,
    platform: 'node',
    resolve,
    plugins: [leaveOut, inlineData, importBuiltins, ...plugins],
    cwd: root,
  })
  try {
    return (await build.generate(output)).output
  } finally {
    await build.close()
  }
}

/** The code of a thread in one script, as short as can be without changing a name. */
async function packWorker(file) {
  const [{ code }] = await bundle(join(compiled, file), [], {
    format: 'cjs',
    codeSplitting: false,
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  })
  return deflateRawSync(code, { level: 9 }).toString('base64')
}

const fillIn = {
  name: 'fill-in',
  async load(id) {
    const worker = packed.get(id.slice(compiled.length + 1))
    return worker && `export const packed = '${await packWorker(worker)}'\n`
  },
}

/** The declarations that a user of the package can reach. */
function copyTypes() {
  const left = [join(compiled, 'index.d.ts')]
  const seen = new Set(left)
  for (const file of left) {
    const text = readFileSync(file, 'utf8')
    write(file.slice(compiled.length), text)
    for (const [, name] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)\.js'/g)) {
      const next = join(dirname(file), `${name}.d.ts`)
      if (!seen.has(next) && existsSync(next)) left.push(next)
      seen.add(next)
    }
  }
}

const chunks = await bundle(Object.fromEntries(entries.map((name) => [name, join(compiled, `${name}.js`)])), [fillIn], {
  format: 'esm',
  entryFileNames: '[name].js',
  // The greatest would be called by the folder.
  chunkFileNames: ({ name }) => `chunks/${name.replace(/^\.build$/, 'engine')}.js`,
})
rmSync(dist, { recursive: true, force: true })
for (const { fileName, code } of chunks) write(fileName, code)
copyTypes()
write('THIRD-PARTY.txt', findNotices(chunks.flatMap(({ moduleIds = [] }) => moduleIds)))

function write(name, text) {
  const target = join(dist, name)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text)
}
