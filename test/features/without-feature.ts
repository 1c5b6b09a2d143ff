import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A copy of the tree without a feature. */
export interface TreeWithout extends Disposable {
  readonly folder: string
}

/**
 * Copies parts of the tree, and removes the folder of a feature, its tests, its benchmarks, its command and its tool for agents, and what
 * the lists say of it: the lines that name its folder, its lines of tasks and threads, its name in the array.
 */
export function copyWithout(feature: string, parts: readonly string[]): TreeWithout {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-test-without-'))
  for (const part of parts) cpSync(join(root, part), join(folder, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const own = ['src/features', 'test/features', 'src/cli', 'benchmarks'].map((place) => `${place}/${feature}`)
  const plugIns = ['src/cli/commands', 'src/features/toolkit/tools']
  for (const path of [...own, ...plugIns.map((place) => `${place}/${feature}.ts`)])
    rmSync(join(folder, path), { recursive: true, force: true })
  const lists = ['src/index.ts', 'src/features/index.ts', 'src/features/tasks.ts', 'build/bundle.mjs']
  for (const list of [...lists, ...plugIns.map((place) => `${place}/index.ts`)]) {
    const path = join(folder, list)
    if (!existsSync(path)) continue
    const lines = readFileSync(path, 'utf8').split('\n')
    const identifier = identifierOf(feature)
    const names = [
      `'./${feature}/`,
      `'./features/${feature}/`,
      `'features/${feature}/`,
      `'${feature}/`,
      `'./${feature}.js'`,
    ]
    const left = lines.filter((line) => !names.some((name) => line.includes(name)))
    writeFileSync(path, left.join('\n').replace(new RegExp(`(?<=[[ ])${identifier}(?:,\\s+|(?=,?\\s*\\]))`), ''))
  }
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Returns the name of the constant of a feature. */
export const identifierOf = (feature: string): string =>
  feature.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())

const run = promisify(execFile)

/** Runs a script of Node in the tree, and returns what it prints, also where it fails. */
export const print = (folder: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> =>
  run(process.execPath, args, { cwd: folder, maxBuffer: 1e8, env: { ...process.env, NO_COLOR: '1', ...env } }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string; stderr: string }) => `failed: ${error.stdout}${error.stderr}`,
  )
