import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { VERSION } from '../../src/base/runtime/version.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8')

interface Packed {
  readonly files: readonly { readonly path: string }[]
  readonly unpackedSize: number
}

it('has no script that npm would run at an installation', () => {
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> }
  const run = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare']
  expect(Object.keys(scripts).filter((name) => run.includes(name))).toEqual([])
})

it('has the address of its repository, which a release demands', async () => {
  const { repository, homepage, bugs } = JSON.parse(read('package.json')) as Record<string, unknown>
  expect([repository, homepage, bugs].every(Boolean)).toBe(true)
  const { stdout } = await promisify(execFile)('node', ['build/release.mjs'], { cwd: root }).catch(
    (error: { stdout: string }) => error,
  )
  // While the address is not known, nothing can be published.
  expect(stdout.includes('in place of OWNER')).toBe(JSON.stringify([repository, homepage, bugs]).includes('OWNER'))
})

it('is of one version in the manifest, the lock file and the sources', () => {
  const versions = ['package.json', 'package-lock.json'].map(
    (file) => (JSON.parse(read(file)) as { readonly version: string }).version,
  )
  expect(versions).toEqual([VERSION, VERSION])
})

let packed: Packed
let files: ReadonlySet<string>

beforeAll(async () => {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
  })
  ;[packed] = JSON.parse(stdout) as [Packed]
  files = new Set(packed.files.map(({ path }) => path))
}, 120_000)

/** What a chunk imports at once: each import is a line of its own. */
const importsOf = (text: string): string[] =>
  [...text.matchAll(/^(?:import|export)\b[^;'"`]*["']([^"']+)["'];?$/gm)].map(([, name = '']) => name)

/** What a chunk loads on first use, as the build writes it: libraries have other signs in their comments. */
const lazyImportsOf = (text: string): string[] =>
  [...text.matchAll(/\bimport\("(\.[^"]+)"\)/g)].map(([, name = '']) => name)

/** What declarations name. */
const typesIn = (text: string): string[] =>
  [...text.matchAll(/(?:\bfrom|\bimport\()\s*'(\.[^']+)'/g)].map(([, name = '']) => name)

/** The guides that a text names: by their path in the package, as messages and types do, or by a link from where it stands. */
const pagesIn = (path: string, text: string): string[] => [
  ...[...text.matchAll(/(?<![\w/.-])docs\/[\w/-]+\.md\b/g)].map(([name]) => name),
  ...(path.endsWith('.md') ? [...withoutCode(text).matchAll(/\]\(<?([^)#:>\s]+)(?:#[^)]*)?>?\)/g)] : []).map(
    ([, name = '']) => beside(path, name),
  ),
]

const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '')

const beside = (path: string, name: string): string => posix.join(posix.dirname(path), name)

/** Modules of the package that are loaded with `entry`, without what is loaded on first use, and what they import from elsewhere. */
function loadedWith(entry: string): { readonly modules: ReadonlySet<string>; readonly others: readonly string[] } {
  const modules = new Set([entry])
  const others: string[] = []
  for (const path of modules) {
    for (const name of importsOf(read(path))) {
      if (name.startsWith('.')) modules.add(beside(path, name))
      else others.push(name)
    }
  }
  return { modules, others }
}

/** All files in a folder. Bytes. */
const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)

describe('the package', () => {
  it('holds all that its own files speak of: modules, types, entries, sources of source maps', () => {
    const missing = [...files].flatMap((path) => {
      if (path.endsWith('.map')) return `${path} is a source map`
      if (!/\.(?:d\.ts|js)$/.test(path)) return []
      const text = read(path)
      const isTypes = path.endsWith('.d.ts')
      const names = isTypes ? typesIn(text) : [...importsOf(text), ...lazyImportsOf(text)]
      const wanted = names
        .filter((name) => name.startsWith('.'))
        .map((name) => (isTypes ? beside(path, name).replace(/\.js$/, '.d.ts') : beside(path, name)))
      if (/^\/\/# sourceMappingURL=/m.test(text)) wanted.push('a source map')
      return wanted.filter((name) => !files.has(name)).map((name) => `${path} speaks of ${name}`)
    })
    expect(missing).toEqual([])
    const { bin, imports, exports } = JSON.parse(read('package.json')) as {
      bin: Record<string, string>
      imports: Record<string, string>
      exports: { '.': Record<string, string>; './opentelemetry': Record<string, string> }
    }
    const entries = [bin, imports, exports['.'], exports['./opentelemetry']]
      .flatMap(Object.values)
      .map((path) => posix.normalize(path))
    expect(entries.filter((path) => !files.has(path))).toEqual([])
  })

  it('holds the guides that its messages, types and guides name', () => {
    const texts = [...files].filter((path) => /\.(?:d\.ts|js|md)$/.test(path))
    const named = texts.flatMap((path) => pagesIn(path, read(path)).map((name) => ({ path, name })))
    expect(named.filter(({ name }) => !files.has(name))).toEqual([])
    expect(new Set(named.map(({ name }) => name))).toContain('docs/guides/agents.md')
    // An editor would show it as `docs /guides/…`.
    const unquoted = texts.filter((path) => path.endsWith('.d.ts') && /@see docs\//.test(read(path)))
    expect(unquoted).toEqual([])
  })

  it('brings the licences of the libraries that are in it', () => {
    const notices = read('dist/THIRD-PARTY.txt')
    for (const name of ['@crawlee/core', 'undici', 'cheerio', 'unpdf', 'zod'])
      expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'))
    expect(notices).toContain('Apache License')
  })

  it('brings a bill of materials with each of these libraries, once', () => {
    const { bomFormat, components, metadata } = JSON.parse(read('dist/sbom.cdx.json')) as {
      bomFormat: string
      components: { name: string; version: string; purl: string; licenses?: unknown[] }[]
      metadata: { component: { name: string } }
    }
    expect([bomFormat, metadata.component.name]).toEqual(['CycloneDX', 'trawl'])
    const named = [...read('dist/THIRD-PARTY.txt').matchAll(/^={80}\n(.+)\n/gm)].map(([, name]) => name)
    expect(components.map(({ name, version }) => `${name} ${version}`)).toEqual(named)
    expect(new Set(components.map(({ purl }) => purl)).size).toBe(named.length)
    expect(components.find(({ name }) => name === '@crawlee/core')?.purl).toMatch(/^pkg:npm\/%40crawlee\/core@\d/)
    expect(components.filter(({ licenses }) => !licenses)).toEqual([])
  })

  it('opens at most fifteen files when it is imported, all its own, and leaves Crawlee and readers of files for first use', () => {
    const { modules, others } = loadedWith('dist/index.js')
    expect(modules.size).toBeLessThanOrEqual(15)
    expect(others.filter((name) => !isBuiltin(name))).toEqual([])
    for (const lazy of ['crawlee', 'pdfjs', 'docx', 'rtf', 'file-type', 'packed-worker'])
      expect(modules).not.toContain(`dist/chunks/${lazy}.js`)
  })

  it('has of Crawlee only what runs its pool, because loading the rest would hold up the host', () => {
    const parts = [...read('dist/chunks/crawlee.js').matchAll(/^\/\/ node_modules\/@crawlee\/(\w+\/\w+)/gm)]
    expect(new Set(parts.map(([, part]) => part))).toEqual(
      new Set([
        'core/autoscaling',
        'core/configuration',
        'core/errors',
        'core/events',
        'core/log',
        'core/typedefs',
        'utils/internals',
      ]),
    )
  })
})

describe('an installation without the optional packages', () => {
  it('has at most 120 packages and 70 MB', () => {
    const lock = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { dev?: true; optional?: true; peer?: true; devOptional?: true }>
    }
    const installed = Object.entries(lock.packages).filter(
      ([path, { dev, optional, peer, devOptional }]) => path !== '' && !dev && !optional && !peer && !devOptional,
    )
    expect(installed.length).toBeLessThanOrEqual(120)
    const sizes = installed.map(([path]) => sizeOf(`${root}${path}`))
    expect(sizes.reduce((sum, size) => sum + size, packed.unpackedSize)).toBeLessThanOrEqual(70e6)
    expect(packed.unpackedSize).toBeLessThanOrEqual(16e6)
  })
})
