import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { promisify } from 'node:util'

export const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')

/** A block of the README's code. */
export interface Block {
  /** The file that its first line names, or `block-1.ts` and so on. */
  readonly name: string
  readonly code: string
}

export const blocks: readonly Block[] = Array.from(
  readme.matchAll(/^```ts\n(.*?)^```$/gms),
  ([, code = ''], index) => ({
    name: /^\/\/ (\S+\.ts)\n/.exec(code)?.[1] ?? `block-${index}.ts`,
    code,
  }),
)

export interface ModuleOptions {
  /** Stands for `https://example.com`. */
  readonly origin: string
  readonly folder: URL
  /** Stand for the ports 3002 and so on. */
  readonly ports: readonly number[]
  /** What `trawl` is imported from. */
  readonly trawl: string
}

/** A block as a module: what it leaves to the reader is given, and what it names on the web is the local site. */
export function asModule({ code }: Block, { origin, folder, ports, trawl }: ModuleOptions): string {
  const given = [
    code.includes('createEngine') && !code.includes('import {') ? "import { createEngine } from 'trawl'\n" : '',
    code.includes('save(')
      ? 'const save = async (url: string, markdown: string): Promise<void> => void [url, markdown]\n'
      : '',
  ]
  const module = `${given.join('')}${code}\nexport {}`
    .replaceAll("'trawl'", JSON.stringify(trawl))
    .replaceAll('https://example.com', origin)
    .replaceAll(/'(?:\.\/(?:pages|files)|\w+\.db)'/g, (path) =>
      JSON.stringify(new URL(path.slice(1, -1), folder).pathname),
    )
    .replaceAll(/createEngine\((?:\{ (.*?) \})?\)/g, 'createEngine({ allowPrivateNetworks: true, $1 })')
  return ports.reduce((text, port, index) => text.replaceAll(String(3002 + index), String(port)), module)
}

/** Writes blocks as files into a folder, with what a compiler has to know of them. */
export async function writeModules(some: readonly Block[], options: ModuleOptions): Promise<void> {
  const { folder } = options
  await mkdir(folder, { recursive: true })
  const config = { extends: '../../../tsconfig.json', compilerOptions: { noUnusedLocals: false }, include: ['*.ts'] }
  await writeFile(new URL('tsconfig.json', folder), JSON.stringify(config))
  await Promise.all(some.map((block) => writeFile(new URL(block.name, folder), asModule(block, options))))
}

/** Type-checks the files of a folder; gives back what is wrong. @param flags of the compiler, beside */
export async function compile(folder: URL, ...flags: string[]): Promise<string> {
  const tsc = new URL('../../node_modules/typescript/bin/tsc', import.meta.url).pathname
  const config = new URL('tsconfig.json', folder).pathname
  const checked = promisify(execFile)(process.execPath, [tsc, '-p', config, ...flags])
  return checked.then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  )
}

/** One of the system's own choice: fetch refuses some of the low ones. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
