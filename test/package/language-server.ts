import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const require = createRequire(import.meta.url)

/** The language server of TypeScript, as an editor asks it, with one file that imports trawl. */
export interface LanguageServer extends AsyncDisposable {
  /** Returns what the editor offers at `|` of this code, in the order in which it does. */
  complete(code: string): Promise<string[]>
  /** Returns the messages of the compiler about this code, each on one line. */
  check(code: string): Promise<string[]>
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly result?: unknown
}

interface Completion {
  readonly label: string
  readonly sortText?: string
}

const orderOf = ({ sortText, label }: Completion): string => sortText ?? label

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Starts the language server of the installed TypeScript. @param head code before that of each question */
export async function startLanguageServer(head: string): Promise<LanguageServer> {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-editor-'))
  const config = {
    extends: join(root, 'tsconfig.json'),
    include: ['*.mts'],
    compilerOptions: {
      noUnusedLocals: false,
      noUnusedParameters: false,
      noEmit: true,
      typeRoots: [join(root, 'node_modules/@types')],
    },
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc')
  const child = spawn(process.execPath, [compiler, '--lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] })
  const connection = new Connection(child)
  await connection.ask('initialize', { processId: process.pid, rootUri: pathToFileURL(folder).href, capabilities: {} })
  connection.tell('initialized', {})
  const textDocument = { uri: pathToFileURL(join(folder, 'code.mts')).href }
  let version = 0
  const write = (code: string): string => {
    const text = `${head.replaceAll("'trawl'", `'${join(root, 'src/index.js')}'`)}\n${code}\n`
    version += 1
    if (version === 1)
      connection.tell('textDocument/didOpen', {
        textDocument: { ...textDocument, languageId: 'typescript', version, text },
      })
    else
      connection.tell('textDocument/didChange', {
        textDocument: { ...textDocument, version },
        contentChanges: [{ text }],
      })
    return text
  }
  return {
    async complete(code) {
      const at = code.indexOf('|')
      const before = write(code.slice(0, at) + code.slice(at + 1)).split('\n')
      const line = before.length - 2
      const character = at - (code.lastIndexOf('\n', at) + 1)
      const found = (await connection.ask('textDocument/completion', {
        textDocument,
        position: { line, character },
      })) as { items: Completion[] } | null
      const items = (found?.items ?? []).toSorted(
        (a, b) => compare(orderOf(a), orderOf(b)) || compare(a.label, b.label),
      )
      return items.map(({ label }) => label.replace(/\?$/, ''))
    },
    async check(code) {
      write(code)
      const found = (await connection.ask('textDocument/diagnostic', { textDocument })) as {
        items: { message: string; severity: number }[]
      }
      return found.items.filter(({ severity }) => severity === 1).map(({ message }) => message.replaceAll(/\s+/g, ' '))
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit')
      child.kill()
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

/** Messages of the Language Server Protocol. */
class Connection {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, (result: unknown) => void>()
  #received = Buffer.alloc(0)
  #sent = 0

  constructor(child: ChildProcess) {
    this.#child = child
    child.stdout?.on('data', (part: Buffer) => {
      this.#received = Buffer.concat([this.#received, part])
      this.#read()
    })
  }

  ask(method: string, params: object): Promise<unknown> {
    const id = (this.#sent += 1)
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#send({ id, method, params })
    })
  }

  tell(method: string, params: object): void {
    this.#send({ method, params })
  }

  #send(message: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    this.#child.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }

  #read(): void {
    for (;;) {
      const end = this.#received.indexOf('\r\n\r\n')
      const length = Number(/Content-Length: (\d+)/.exec(this.#received.subarray(0, end).toString())?.[1])
      if (end < 0 || this.#received.length < end + 4 + length) return
      const { id, method, result } = JSON.parse(
        this.#received.subarray(end + 4, end + 4 + length).toString(),
      ) as Message
      this.#received = this.#received.subarray(end + 4 + length)
      if (id === undefined) continue
      // A question of the server, such as for the settings of the editor.
      if (method !== undefined) this.#send({ id, result: null })
      else this.#waiting.get(id)?.(result)
    }
  }
}
