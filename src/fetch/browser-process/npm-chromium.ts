import { createReadStream, createWriteStream } from 'node:fs'
import { access, constants, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'
import { resolvePackage } from '../../runtime/optional-package.js'
import { parseJson } from '../../text/parse-json.js'

/** A Chromium that came with npm, unpacked. */
export interface NpmChromium {
  readonly executablePath: string
  /** Where it was unpacked for this engine alone; absent where it stays for the next. */
  readonly temporaryFolder?: string
}

const packageName = '@sparticuz/chromium'

/** Where the package lies; undefined when it is not installed, or is not for this machine. */
export function findNpmChromium(): string | undefined {
  // The package's only binary is for this one.
  if (platform() !== 'linux' || arch() !== 'x64') return undefined
  try {
    const entry = resolvePackage(packageName)
    return entry.slice(0, entry.lastIndexOf(join(packageName)) + join(packageName).length)
  } catch {
    // Not installed: there may be another browser.
    return undefined
  }
}

/**
 * Unpacks the binary of `@sparticuz/chromium`, once for each version: into `node_modules/.cache/trawl/`, or into a
 * temporary folder where that cannot be written. Takes one to three seconds the first time.
 *
 * The package's own `executablePath()` is not used: it takes whatever lies at a guessable place in the temporary
 * folder, of any version and anybody's making.
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

/** Whole or not at all: two processes may do it at once. */
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
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
    return true
  } catch {
    // A read-only installation: the caller has another place.
    return false
  }
}
