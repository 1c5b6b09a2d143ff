import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../../../../', import.meta.url)
const CHANNELS = /const channelOf = \(name\) => tracingChannel\([^)]*\);/

/**
 * Copies the build, with constants in place of the tracing channels, so that nothing is asked of Node.
 *
 * @returns the path of its library
 */
export function copyWithoutTraces(): string {
  const folder = new URL('benchmarks/.build/without-traces/', root)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(new URL('dist/', root), new URL('dist/', folder), { recursive: true })
  // The threads of the copy are found by the names in its own package.json.
  cpSync(new URL('package.json', root), new URL('package.json', folder))
  const chunk = new URL('dist/chunks/tracing.js', folder)
  const code = readFileSync(chunk, 'utf8')
  if (!CHANNELS.test(code)) throw new Error('dist/chunks/tracing.js has no `channelOf`')
  writeFileSync(chunk, code.replace(CHANNELS, 'const channelOf = () => Object.freeze({ hasSubscribers: false });'))
  return fileURLToPath(new URL('dist/index.js', folder))
}
