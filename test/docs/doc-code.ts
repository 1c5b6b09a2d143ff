import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const root = new URL('../../', import.meta.url)

/** Reads a file of the repository. @param path from the root */
export const readDoc = (path: string): string => readFileSync(new URL(path, root), 'utf8')

/** Lists the Markdown files of a folder. @param folder from the root, with a slash at its end */
export const listDocs = (folder: string): readonly string[] =>
  readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith('.md'))
    .toSorted()
    .map((name) => `${folder}${name}`)

/** The pages whose code is type-checked and run, as paths from the root. */
export const codePages: readonly string[] = ['README.md', 'docs/getting-started.md', ...listDocs('docs/guides/')]

/** A block of code of a page. */
export interface Block {
  /** The page, as a path from the root. */
  readonly page: string
  /** The file that its first line names, or the page's name and a number: `caching-1.ts`. */
  readonly name: string
  readonly code: string
  /** Whether it is a file that the page names, and not an example by itself. */
  readonly isNamed: boolean
  /** Whether it runs by itself: it is no file, and not marked `no-run`, as what needs a server or a model is. */
  readonly isRun: boolean
}

/** Reads the blocks of TypeScript of a page, without those that are marked `no-check`, which are parts of a program. */
function readBlocks(page: string): readonly Block[] {
  const base = page.replaceAll(/^.*\/|\.md$/g, '').toLowerCase()
  return Array.from(readDoc(page).matchAll(/^```ts( no-run)?\n(.*?)^```$/gms), ([, mark, code = ''], index) => {
    const name = /^\/\/ (\S+\.ts)\n/.exec(code)?.[1]
    return {
      page,
      name: name ?? `${base}-${index + 1}.ts`,
      code,
      isNamed: name !== undefined,
      isRun: name === undefined && mark === undefined,
    }
  })
}

export const blocks: readonly Block[] = codePages.flatMap(readBlocks)

export interface ModuleOptions {
  /** Replaces `https://example.com`. */
  readonly origin: string
  readonly folder: URL
  /** Replace the ports 3002 and following. */
  readonly ports: readonly number[]
  /** Path from which `trawl` is imported. */
  readonly trawl: string
}

/** Writes a block as a module whose addresses, ports and files are those of the test. */
export function asModule({ code }: Block, { origin, folder, ports, trawl }: ModuleOptions): string {
  const module = `${code}\nexport {}`
    .replaceAll("'trawl'", JSON.stringify(trawl))
    .replaceAll(
      "'trawl/opentelemetry'",
      JSON.stringify(trawl.replace('index', 'features/opentelemetry/start-telemetry')),
    )
    .replaceAll(/https:\/\/example\.com|http:\/\/127\.0\.0\.1:11434/g, origin)
    .replaceAll(/'(?:\.\/[\w-]+|\w+\.(?:db|html))'/g, (path) =>
      JSON.stringify(new URL(path.slice(1, -1), folder).pathname),
    )
    .replaceAll('createEngine({', 'createEngine({ allowPrivateNetworks: true,')
    .replaceAll('createEngine()', 'createEngine({ allowPrivateNetworks: true })')
    .replaceAll(' allowPrivateNetworks: false,', '')
  return ports.reduce((text, port, index) => text.replaceAll(String(3002 + index), String(port)), module)
}

/** Writes blocks as files into a folder, with a configuration for the compiler. */
export async function writeModules(some: readonly Block[], options: ModuleOptions): Promise<void> {
  const { folder } = options
  await mkdir(folder, { recursive: true })
  const config = {
    extends: '../../../tsconfig.json',
    compilerOptions: { noUnusedLocals: false },
    // Declarations of modules are found in what is included only.
    include: ['*.ts', '../../../src/base/http/undici.d.ts'],
  }
  await writeFile(new URL('tsconfig.json', folder), JSON.stringify(config))
  await Promise.all(some.map((block) => writeFile(new URL(block.name, folder), asModule(block, options))))
}

/** Type-checks the files of a folder, and returns what the compiler prints. @param flags further flags of the compiler */
export async function compile(folder: URL, ...flags: string[]): Promise<string> {
  const tsc = new URL('../../node_modules/typescript/bin/tsc', import.meta.url).pathname
  const config = new URL('tsconfig.json', folder).pathname
  const checked = promisify(execFile)(process.execPath, [tsc, '-p', config, ...flags])
  return checked.then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  )
}
