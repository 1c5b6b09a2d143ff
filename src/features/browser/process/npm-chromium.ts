import { createReadStream, createWriteStream } from 'node:fs'
import { access, constants, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { makeFolder } from '../../../base/runtime/make-folder.js'
import { createBrotliDecompress } from 'node:zlib'
import { resolvePackage } from '../../../base/runtime/optional-package.js'
import { parseJson } from '../../../base/text/parse-json.js'

/** A Chromium installed with npm, unpacked. */
export interface NpmChromium {
  readonly executablePath: string
  /** Temporary folder of this engine; absent when the binary is cached for later processes. */
  readonly temporaryFolder?: string
}

const packageName = '@sparticuz/chromium'

/** Path of the package; undefined when it is not installed, or has no binary for this machine. */
export function findNpmChromium(): string | undefined {
  // The package has a binary for this platform only.
  if (platform() !== 'linux' || arch() !== 'x64') return undefined
  try {
    const entry = resolvePackage(packageName)
    return entry.slice(0, entry.lastIndexOf(join(packageName)) + join(packageName).length)
  } catch {
    // Not installed.
    return undefined
  }
}

/**
 * Unpacks the binary of `@sparticuz/chromium` once for each version: into `node_modules/.cache/trawl/`, or into a
 * temporary folder when that is not writable. Takes one to three seconds the first time.
 *
 * The package's own `executablePath()` is not used: it trusts any file at a guessable path in the temporary folder.
 */
export async function unpackNpmChromium(packageFolder: string): Promise<NpmChromium> {
  const { version } = parseJson(await readFile(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  const cache = join(dirname(dirname(packageFolder)), '.cache', 'trawl')
  const executablePath = join(cache, `chromium-${version}`)
  if (await isExecutable(executablePath)) return { executablePath }
  const packed = join(packageFolder, 'bin', 'chromium.br')
  if (await isWritable(cache)) {
    await unpack(packed, executablePath)
    return { executablePath }
  }
  const temporaryFolder = await mkdtemp(join(tmpdir(), 'trawl-chromium-'))
  const temporary = { executablePath: join(temporaryFolder, 'chromium'), temporaryFolder }
  await unpack(packed, temporary.executablePath)
  return temporary
}

/** Unpacks to a temporary path and renames, because two processes may do it at once. */
async function unpack(packed: string, executablePath: string): Promise<void> {
  const folder = await mkdtemp(`${executablePath}-`)
  try {
    const part = join(folder, 'chromium')
    await pipeline(createReadStream(packed), createBrotliDecompress(), createWriteStream(part, { mode: 0o755 }))
    await rename(part, executablePath)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

async function isWritable(folder: string): Promise<boolean> {
  try {
    await makeFolder(folder)
    await access(folder, constants.W_OK)
    return true
  } catch {
    // A read-only installation.
    return false
  }
}
