import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { readDoc } from '../docs/doc-code.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The code of the guide, and more. */
const app = (guide: string): string => `${guide}
import type { ToolSet } from 'ai'
import { createToolkit } from 'trawl'

const all: ToolSet = tools(engine)
const { scrape, ...others } = tools(engine)
const renamed: ToolSet = { ...others, ...(scrape && { read_page: scrape }) }
// @ts-expect-error no such option
tools(engine, { maxToken: 1 })
const answers: string[] = []
for (const { run, inputSchema, name } of createToolkit(engine).tools)
  answers.push(name, JSON.stringify(inputSchema), await run({}))
console.log(all, renamed, answers)
`

it('the tools type-check as those of the AI SDK', { timeout: 120_000 }, async () => {
  const [, guide = ''] =
    /^```ts no-check\n(import \{ generateText[^]*?)^```$/m.exec(readDoc('docs/guides/agents.md')) ?? []
  expect(guide).toContain('tools(engine')
  const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
  try {
    const compilerOptions = {
      target: 'es2023',
      module: 'nodenext',
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      noEmit: true,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      paths: { trawl: [join(root, 'dist/index.d.ts')], ai: [join(root, 'node_modules/ai/dist/index.d.ts')] },
    }
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await writeFile(join(folder, 'app.ts'), app(guide))
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['app.ts'] }))
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const run = promisify(execFile)(process.execPath, [compiler, '-p', folder])
    const { stdout } = await run.catch((error: { stdout: string }) => error)
    expect(stdout.split('\n').filter((line) => /error TS/.test(line))).toEqual([])
  } finally {
    await rm(folder, { recursive: true })
  }
})
